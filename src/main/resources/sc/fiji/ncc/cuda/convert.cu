// Pixels as they were sent, of any type, to what the other kernels read: a box with 0 outside the image.
#include "common.cuh"

// 8-bit pixels about the middle of their range, four a thread. type: 0 unsigned, 1 signed. Grid: words of a row, rows, planes.
extern "C" __global__ void to_bytes(const u8 *raw, const int type, const Box b, s8 *to) {
	const int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y, z = blockIdx.z;
	if (x >= b.pitch) return;
	const u32 flip = type == 0 ? 0x80808080u : 0;
	u32 word = 0;
	if (in_image(b, x, y, z) && in_image(b, x + 3, y, z)) {
		const u8 *p = raw + raw_index(b, x, y, z);
		if (((size_t) p & 3) == 0) word = *(const u32 *) p;
		else word = p[0] | p[1] << 8 | p[2] << 16 | (u32) p[3] << 24;
		word ^= flip;
	}
	else
		for (int i = 0; i < 4; i++)
			if (in_image(b, x + i, y, z)) word |= (raw[raw_index(b, x + i, y, z)] ^ (flip & 0xff)) << 8 * i;
	*(u32 *) (to + ((size_t) z * b.rows + y) * b.pitch + x) = word;
}

// 16-bit pixels about the middle of their range: whole, and their upper and lower bytes apart. type: 2 unsigned, 3 signed.
extern "C" __global__ void to_shorts(const u16 *raw, const int type, const Box b, short *to, s8 *upper, u8 *lower) {
	const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y, z = blockIdx.z;
	if (x >= b.pitch) return;
	int v[2];
	for (int i = 0; i < 2; i++) {
		v[i] = 0;
		if (in_image(b, x + i, y, z)) {
			const u16 p = raw[raw_index(b, x + i, y, z)];
			v[i] = type == 2 ? (int) p - 32768 : (int) (short) p;
		}
	}
	const size_t i = ((size_t) z * b.rows + y) * b.pitch + x;
	*(u32 *) (to + i) = (u32) (v[0] & 0xffff) | (u32) v[1] << 16;
	*(u16 *) (upper + i) = (u16) ((v[0] >> 8 & 0xff) | (v[1] & 0xff00));
	*(u16 *) (lower + i) = (u16) ((v[0] & 0xff) | (v[1] & 0xff) << 8);
}

// The greatest finite |value| of the image's part, as the bits of a double.
extern "C" __global__ void reach(const void *raw, const int type, const Box b, u64 *to) {
	const size_t n = (size_t) b.partX * b.partY * b.partZ;
	double most = 0;
	for (size_t i = blockIdx.x * (size_t) blockDim.x + threadIdx.x; i < n; i += (size_t) gridDim.x * blockDim.x) {
		const int x = (int) (i % b.partX), y = (int) (i / b.partX % b.partY), z = (int) (i / b.partX / b.partY);
		const double v = fabs(raw_value(raw, type, raw_index(b, x + b.fromX, y + b.fromY, z + b.fromZ)));
		if (v <= 1.7976931348623157e308) most = fmax(most, v);
	}
	for (int o = 16; o > 0; o /= 2) most = fmax(most, __shfl_xor_sync(~0u, most, o));
	if ((threadIdx.x & 31) == 0 && most > 0) atomicMax(to, (u64) __double_as_longlong(most));
}

// Pixels scaled by a power of two to at most 4: exactly, but for what underflows. What is NaN or infinite stays so.
template<class Real> __device__ void to_real(const void *raw, const int type, const Box &b, const u64 *greatest, Real *to) {
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
	if (x >= b.pitch) return;
	const double factor = downscale(__longlong_as_double((s64) *greatest));
	to[((size_t) z * b.rows + y) * b.pitch + x] = in_image(b, x, y, z) ? (Real) (raw_value(raw, type, raw_index(b, x, y, z)) * factor) : (Real) 0;
}

extern "C" __global__ void to_float(const void *raw, const int type, const Box b, const u64 *greatest, float *to) {
	to_real(raw, type, b, greatest, to);
}

extern "C" __global__ void to_double(const void *raw, const int type, const Box b, const u64 *greatest, double *to) {
	to_real(raw, type, b, greatest, to);
}
