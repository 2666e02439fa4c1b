// Wilt, The CUDA Handbook, chapter 15: five sums per lag, read through the texture unit. Sums are combined in 64 bits and double, so
// every response is exact. Pixels are minus the middle of their range, which changes no response.
#include "wide.cuh"

#define MOST_CONSTANT 61440

__constant__ s8 constant_template[MOST_CONSTANT];

__device__ inline void finish(const int n, const int s, const int q, const int c, const int t, const int e, const size_t lag, const Outcome &out,
	bool &missing)
{
	const Whole variance = whole(factor(n), q, s, factor(s));
	missing = variance == 0;
	out.map[lag] = missing ? out.undefined : quotient(whole(factor(n), c, s, factor(t)), variance, whole(factor(n), e, t, factor(t)));
}

// 15.2: image and template as textures, all five sums in the kernel.
extern "C" __global__ void texture_texture(const cudaTextureObject_t image, const cudaTextureObject_t model, const Box b, const Outcome out) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	bool missing = false;
	if (x < b.lagsX && y < b.lagsY) {
		int s = 0, q = 0, c = 0, t = 0, e = 0;
		for (int j = 0; j < b.height; j++)
			for (int i = 0; i < b.width; i++) {
				const int p = tex2D<s8>(image, x + i, y + j), v = tex2D<s8>(model, i, j);
				s += p;
				q += p * p;
				c += p * v;
				t += v;
				e += v * v;
			}
		finish(b.width * b.height, s, q, c, t, e, (size_t) y * b.lagsX + x, out, missing);
	}
	count(out.counts, missing);
}

// 15.3: the template in constant memory, its two sums computed once.
extern "C" __global__ void texture_constant(const cudaTextureObject_t image, const Box b, const int t, const int e, const Outcome out) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	bool missing = false;
	if (x < b.lagsX && y < b.lagsY) {
		int s = 0, q = 0, c = 0, k = 0;
		for (int j = 0; j < b.height; j++)
			for (int i = 0; i < b.width; i++) {
				const int p = tex2D<s8>(image, x + i, y + j);
				s += p;
				q += p * p;
				c += p * constant_template[k++];
			}
		finish(b.width * b.height, s, q, c, t, e, (size_t) y * b.lagsX + x, out, missing);
	}
	count(out.counts, missing);
}
