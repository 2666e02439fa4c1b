// Σ(P - reference)·T̂ in float, T̂ the zero-mean template, for pixels of any type: a block reads 287x47 pixels at a time about the median of some of them,
// and each thread keeps 8x4 lags in registers. Products are added up in runs of one chunk of the template. Beside it the window's mean
// and N·σ² in double decide whether the response stands above its estimated error.
#include "common.cuh"

#define ACROSS 8
#define DOWN 4
#define BLOCK_X 32
#define BLOCK_Y 8
#define CHUNK_X 32
#define CHUNK_Y 16
#define TILE_X (BLOCK_X * ACROSS + CHUNK_X)
#define TILE_Y (BLOCK_Y * DOWN + CHUNK_Y - 1)

// The median of 32 pixels spread over what the block reads; 0 if none is finite. The same in all threads.
template<class P> __device__ inline P median(const P *image, const Box &b, const int x0, const int y0, const int z, P *shared) {
	if (threadIdx.y == 0) {
		const int i = threadIdx.x, columns = min(BLOCK_X * ACROSS, b.lagsX - x0) + b.width - 1, rows = min(BLOCK_Y * DOWN, b.lagsY - y0) + b.height - 1;
		const int x = x0 + (int) ((i * 2 + 1) * (s64) columns / 64), y = y0 + (int) (i * 13 % 32 * (s64) rows / 32);
		const P v = image[((size_t) (z + i * b.depth / 32) * b.rows + y) * b.pitch + x], huge = (P) 3e38;
		const bool finite = v <= huge && v >= -huge;
		const P key = finite ? v : huge;
		int rank = 0;
		for (int o = 0; o < 32; o++) {
			const P other = __shfl_sync(~0u, key, o);
			rank += other < key || (other == key && o < i);
		}
		const int n = __popc(__ballot_sync(~0u, finite));
		if (n == 0 ? i == 0 : rank == n / 2) *shared = finite ? v : (P) 0;
	}
	__syncthreads();
	return *shared;
}

// taps: the template in chunks of CHUNK_Y rows by CHUNK_X columns, 0 beyond its edge; chunks along x, then y, then z. Grid: 256x32 lags, planes.
template<class P> __device__ void respond(const P *image, const Box &b, const float *taps, const double2 *windows, const double n, const double mean,
	const double inverseNorm, const double limit, const double floor, const Outcome &out)
{
	extern __shared__ float shared[];
	__shared__ P middle;
	float *tile = shared, *chunk = shared + TILE_X * TILE_Y;
	const int x0 = blockIdx.x * BLOCK_X * ACROSS, y0 = blockIdx.y * BLOCK_Y * DOWN, id = threadIdx.y * BLOCK_X + threadIdx.x;
	const P reference = median(image, b, x0, y0, blockIdx.z, &middle);
	float total[DOWN][ACROSS];
	#pragma unroll
	for (int a = 0; a < DOWN; a++)
		#pragma unroll
		for (int i = 0; i < ACROSS; i++) total[a][i] = 0;
	for (int z = 0; z < b.depth; z++)
		for (int j0 = 0; j0 < b.height; j0 += CHUNK_Y)
			for (int i0 = 0; i0 < b.width; i0 += CHUNK_X, taps += CHUNK_X * CHUNK_Y) {
				const int down = min(CHUNK_Y, b.height - j0), across = (min(CHUNK_X, b.width - i0) + 7) & ~7;
				const int rows = BLOCK_Y * DOWN + down - 1, columns = BLOCK_X * ACROSS + across;
				__syncthreads();
				for (int y = threadIdx.y; y < rows; y += BLOCK_Y)
					for (int x = threadIdx.x; x < columns; x += BLOCK_X) {
						const int px = x0 + i0 + x, py = y0 + j0 + y;
						// what lies beyond the box meets taps of 0 only, and must be finite
						const bool inside = px < b.lagsX + b.width - 1 && py < b.rows;
						tile[y * TILE_X + x] = inside ? (float) (image[((size_t) (blockIdx.z + z) * b.rows + py) * b.pitch + px] - reference) : 0;
					}
				for (int i = id; i < CHUNK_X * down; i += BLOCK_X * BLOCK_Y) chunk[i] = taps[i];
				__syncthreads();
				float sum[DOWN][ACROSS];
				#pragma unroll
				for (int a = 0; a < DOWN; a++)
					#pragma unroll
					for (int i = 0; i < ACROSS; i++) sum[a][i] = 0;
				for (int r = 0; r < down + DOWN - 1; r++) {
					const float *row = tile + (threadIdx.y * DOWN + r) * TILE_X + threadIdx.x * ACROSS;
					float p[ACROSS + 8];
					#pragma unroll
					for (int i = 0; i < 8; i += 4) *(float4 *) (p + i) = *(const float4 *) (row + i);
					for (int i = 0; i < across; i += 8) {
						#pragma unroll
						for (int k = 8; k < 16; k += 4) *(float4 *) (p + k) = *(const float4 *) (row + i + k);
						#pragma unroll
						for (int a = 0; a < DOWN; a++) {
							const int j = r - a;
							if (j < 0 || j >= down) continue;
							float t[8];
							*(float4 *) t = *(const float4 *) (chunk + j * CHUNK_X + i);
							*(float4 *) (t + 4) = *(const float4 *) (chunk + j * CHUNK_X + i + 4);
							#pragma unroll
							for (int k = 0; k < 8; k++)
								#pragma unroll
								for (int x = 0; x < ACROSS; x++) sum[a][x] = fmaf(t[k], p[x + k], sum[a][x]);
						}
						#pragma unroll
						for (int k = 0; k < 8; k++) p[k] = p[k + 8];
					}
				}
				#pragma unroll
				for (int a = 0; a < DOWN; a++)
					#pragma unroll
					for (int i = 0; i < ACROSS; i++) total[a][i] += sum[a][i];
			}
	#pragma unroll
	for (int a = 0; a < DOWN; a++)
		#pragma unroll
		for (int i = 0; i < ACROSS; i++) {
			const int x = x0 + threadIdx.x * ACROSS + i, y = y0 + threadIdx.y * DOWN + a;
			if (x >= b.lagsX || y >= b.lagsY) continue;
			const size_t lag = ((size_t) blockIdx.z * b.lagsY + y) * b.lagsX + x;
			const double2 w = windows[lag];
			const double offset = w.x - (double) reference;
			const double r = (total[a][i] - n * offset * mean) * root_inverse(w.y) * inverseNorm;
			// NaN is suspect, too
			if (w.y > floor && n * offset * offset <= limit * w.y && fabs(r) < 2) out.map[lag] = (float) fmax(-1.0, fmin(1.0, r));
			else out.suspects[atomicAdd(out.counts + 1, 1)] = (u32) lag;
		}
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) respond_floats(const float *image, const Box b, const float *taps, const double2 *windows,
	const double n, const double mean, const double inverseNorm, const double limit, const double floor, const Outcome out)
{
	respond(image, b, taps, windows, n, mean, inverseNorm, limit, floor, out);
}

extern "C" __global__ void __launch_bounds__(BLOCK_X * BLOCK_Y) respond_doubles(const double *image, const Box b, const float *taps, const double2 *windows,
	const double n, const double mean, const double inverseNorm, const double limit, const double floor, const Outcome out)
{
	respond(image, b, taps, windows, n, mean, inverseNorm, limit, floor, out);
}
