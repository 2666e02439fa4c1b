// The kernels of quantize.cu on the host, in one thread: reads floats from one file, in rows with padding, and writes their numbers to two others.
// Arguments: the file of floats; the number of responses, of those of a row, and its pitch; the files of 16 and of 8 bits.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline

struct Three {
	unsigned x;
};
static const Three blockIdx = { 0 }, threadIdx = { 0 }, blockDim = { 1 }, gridDim = { 1 };

static float __fmul_rn(const float a, const float b) { return a * b; }

// As the instruction of a GPU: beyond an int the nearest int.
static int __float2int_rn(const float a) { return a >= 2147483648.f ? 2147483647 : a < -2147483648.f ? -2147483647 - 1 : (int) std::nearbyint(a); }

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
#include "quantize.cu"

template<typename T> static void write(const char *name, const std::vector<T> &numbers) {
	FILE *file = fopen(name, "wb");
	if (!file || fwrite(numbers.data(), sizeof(T), numbers.size(), file) != numbers.size()) exit(1);
	fclose(file);
}

int main(const int, char **arguments) {
	const u32 responses = atoi(arguments[2]), lagsX = atoi(arguments[3]), pitch = atoi(arguments[4]);
	std::vector<float> maps(responses / lagsX * pitch);
	FILE *file = fopen(arguments[1], "rb");
	if (!file || fread(maps.data(), 4, maps.size(), file) != maps.size()) return 1;
	fclose(file);
	std::vector<u16> shorts(responses);
	std::vector<u8> bytes(responses);
	quantize16(maps.data(), responses, lagsX, pitch, shorts.data());
	quantize8(maps.data(), responses, lagsX, pitch, bytes.data());
	write(arguments[5], shorts);
	write(arguments[6], bytes);
	return 0;
}
