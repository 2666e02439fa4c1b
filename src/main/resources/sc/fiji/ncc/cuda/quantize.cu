// Quantized responses: ResponseType on the host, with the same rounding. NaN becomes 0. Whole numbers are what is copied to the host.
#include "common.cuh"

// The number of a response. steps: from the response 0 to 1.
template<int steps> __device__ __forceinline__ int number(const float response)
{
	if (response != response) return 0;
	const int n = __float2int_rn(__fmul_rn((float) steps, response));
	return steps + 1 + (n < -steps ? -steps : n > steps ? steps : n);
}

// Consecutive maps of "responses" responses become numbers without gaps. lagsX, pitch: of a row of the maps. Any number of blocks.
template<int steps, typename T> __device__ __forceinline__ void quantize(const float *maps, const u32 responses, const u32 lagsX, const u32 pitch, T *to)
{
	for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < responses; i += gridDim.x * blockDim.x)
		to[i] = (T) number<steps>(maps[(size_t) (i / lagsX) * pitch + i % lagsX]);
}

extern "C" __global__ void quantize16(const float *maps, const u32 responses, const u32 lagsX, const u32 pitch, u16 *to)
{
	quantize<32767>(maps, responses, lagsX, pitch, to);
}

extern "C" __global__ void quantize8(const float *maps, const u32 responses, const u32 lagsX, const u32 pitch, u8 *to)
{
	quantize<127>(maps, responses, lagsX, pitch, to);
}
