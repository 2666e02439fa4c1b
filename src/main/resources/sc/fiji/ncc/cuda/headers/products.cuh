// Sums of products of all windows of a box with the coefficients of a template or kernel, in float or in double: a block reads a tile of pixels at a
// time, and each thread keeps ACROSS·DOWN lags in registers. The caller defines how products are added up.
#pragma once
#include "common.cuh"

#define BLOCK_X 32
#define BLOCK_Y 8
#define CHUNK_X 32
#define CHUNK_Y 16

template<class Real> struct __align__(16) Four { Real v[4]; };

// The lags of a thread, and the tile of pixels for them and a chunk of coefficients.
template<class Real, int ACROSS, int DOWN> struct Tiling {
	static constexpr int LAGS_X = BLOCK_X * ACROSS, LAGS_Y = BLOCK_Y * DOWN, TILE_X = LAGS_X + CHUNK_X, TILE_Y = LAGS_Y + CHUNK_Y - 1;
};

template<class Real> __device__ inline void load(Real *to, const Real *from, const int n) {
	#pragma unroll
	for (int i = 0; i < n; i += 4) *(Four<Real> *) (to + i) = *(const Four<Real> *) (from + i);
}

// coefficients: in chunks of CHUNK_Y rows by CHUNK_X columns, 0 beyond their edge; chunks along x, then y, then z. width: of the template. Grid:
// LAGS_X by LAGS_Y lags, planes. sums.number(pixel) is the value of a pixel; sums.octet(a, t, p, n) adds n ≤ 8 products t[k]·p[x + k] to each lag x
// of row a; sums.row(a, j) and sums.chunk() follow all of row j of a chunk's coefficients, and of a chunk. shared: TILE_X·TILE_Y numbers and a chunk.
template<class Real, int ACROSS, int DOWN, class P, class Sums> __device__ inline void products(const P *image, const Box &b, const int width,
	const Real *coefficients,
	Real *shared, Sums &sums)
{
	typedef Tiling<Real, ACROSS, DOWN> T;
	Real *tile = shared, *chunk = shared + T::TILE_X * T::TILE_Y;
	const int x0 = blockIdx.x * T::LAGS_X, y0 = blockIdx.y * T::LAGS_Y, id = threadIdx.y * BLOCK_X + threadIdx.x;
	for (int z = 0; z < b.depth; z++)
		for (int j0 = 0; j0 < b.height; j0 += CHUNK_Y)
			for (int i0 = 0; i0 < width; i0 += CHUNK_X, coefficients += CHUNK_X * CHUNK_Y) {
				const int down = min(CHUNK_Y, b.height - j0), wide = min(CHUNK_X, width - i0), across = (wide + 7) & ~7;
				const int rows = BLOCK_Y * DOWN + down - 1, columns = T::LAGS_X + across;
				__syncthreads();
				for (int y = threadIdx.y; y < rows; y += BLOCK_Y) {
					const int py = y0 + j0 + y;
					const P *from = image + ((size_t) (blockIdx.z + z) * b.rows + py) * b.pitch + x0 + i0;
					// pixels beyond the box are multiplied by coefficients of 0 only, and must be finite
					const int until = py < b.rows ? min(columns, b.lagsX + b.width - 1 - x0 - i0) : 0;
					P v[T::TILE_X / BLOCK_X];
					// all loads start before the first value is used
					#pragma unroll
					for (int n = 0; n < T::TILE_X / BLOCK_X; n++) {
						v[n] = 0;
						if ((int) threadIdx.x + n * BLOCK_X < until) v[n] = from[threadIdx.x + n * BLOCK_X];
					}
					#pragma unroll
					for (int n = 0; n < T::TILE_X / BLOCK_X; n++) {
						const int x = threadIdx.x + n * BLOCK_X;
						tile[y * T::TILE_X + x] = x < until ? sums.number(v[n]) : (Real) 0;
					}
				}
				for (int i = id; i < CHUNK_X * down; i += BLOCK_X * BLOCK_Y) chunk[i] = coefficients[i];
				__syncthreads();
				for (int r = 0; r < down + DOWN - 1; r++) {
					const Real *row = tile + (threadIdx.y * DOWN + r) * T::TILE_X + threadIdx.x * ACROSS;
					Real p[ACROSS + 8];
					load(p, row, ACROSS);
					#pragma unroll
					for (int i = 0; i < CHUNK_X; i += 8) {
						if (i >= across) break;
						load(p + ACROSS, row + i + ACROSS, 8);
						#pragma unroll
						for (int a = 0; a < DOWN; a++) {
							const int j = r - a;
							if (j < 0 || j >= down) continue;
							Real t[8];
							load(t, chunk + j * CHUNK_X + i, 8);
							sums.octet(a, t, p, min(8, wide - i));
						}
						#pragma unroll
						for (int k = 0; k < ACROSS; k++) p[k] = p[k + 8];
					}
					#pragma unroll
					for (int a = 0; a < DOWN; a++)
						if (r - a >= 0 && r - a < down) sums.row(a, r - a);
				}
				sums.chunk();
			}
}

// Moves the numbers of each thread, numbers[row][column], so that adjacent threads have adjacent lags: answer(x, y, number) for the lags of the box.
template<class Real, int ACROSS, int DOWN, class Answer> __device__ inline void spread(const Box &b, Real (&numbers)[DOWN][ACROSS], Real *shared,
	const Answer answer) {
	typedef Tiling<Real, ACROSS, DOWN> T;
	__syncthreads();
	#pragma unroll
	for (int a = 0; a < DOWN; a++)
		#pragma unroll
		for (int i = 0; i < ACROSS; i += 4)
			*(Four<Real> *) (shared + (threadIdx.y * DOWN + a) * T::LAGS_X + threadIdx.x * ACROSS + i) = *(const Four<Real> *) &numbers[a][i];
	__syncthreads();
	const int x0 = blockIdx.x * T::LAGS_X, y0 = blockIdx.y * T::LAGS_Y;
	for (int row = threadIdx.y; row < min(T::LAGS_Y, b.lagsY - y0); row += BLOCK_Y)
		#pragma unroll
		for (int n = 0; n < T::LAGS_X / BLOCK_X; n++) {
			const int column = threadIdx.x + n * BLOCK_X;
			if (x0 + column < b.lagsX) answer(x0 + column, y0 + row, shared[row * T::LAGS_X + column]);
		}
}
