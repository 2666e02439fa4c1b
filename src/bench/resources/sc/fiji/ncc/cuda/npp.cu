// NPP's normalized cross-correlation of 8-bit images on the card. Medians of 20.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include <npp.h>

static void check(const int code, const char *what) {
	if (code == 0) return;
	printf("NPP: %s failed with %d\n", what, code);
	exit(1);
}

int main() {
	const int n = 2000, repeats = 20;
	NppStreamContext context = {};
	cudaDeviceProp properties;
	check(cudaGetDeviceProperties(&properties, 0), "asking for the device");
	context.nMultiProcessorCount = properties.multiProcessorCount;
	context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
	context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
	context.nSharedMemPerBlock = properties.sharedMemPerBlock;
	context.nCudaDevAttrComputeCapabilityMajor = properties.major;
	context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
	std::vector<unsigned char> pixels(n * n);
	for (auto &p : pixels) p = rand() & 255;
	Npp8u *image, *buffer;
	Npp32f *map;
	const NppiSize size = { n, n };
	size_t bytes = 0;
	check(nppiValidNormLevelGetBufferHostSize_8u32f_C1R_Ctx(size, &bytes, context), "asking for the buffer");
	check(cudaMalloc(&image, n * n), "getting memory");
	check(cudaMalloc(&map, 4 * n * n), "getting memory");
	check(cudaMalloc(&buffer, bytes + 16), "getting memory");
	check(cudaMemcpy(image, pixels.data(), n * n, cudaMemcpyHostToDevice), "sending");
	cudaEvent_t from, to;
	check(cudaEventCreate(&from), "making an event");
	check(cudaEventCreate(&to), "making an event");
	for (const int side : { 8, 32, 128 }) {
		Npp8u *model;
		check(cudaMalloc(&model, side * side), "getting memory");
		for (int y = 0; y < side; y++) check(cudaMemcpy(model + y * side, image + (y + 10) * n + 20, side, cudaMemcpyDeviceToDevice), "cutting a template");
		std::vector<float> times;
		for (int i = -2; i < repeats; i++) {
			cudaEventRecord(from);
			check(nppiCrossCorrValid_NormLevel_8u32f_C1R_Ctx(image, n, size, model, side, { side, side }, map, 4 * (n - side + 1), buffer, context), "correlating");
			cudaEventRecord(to);
			check(cudaEventSynchronize(to), "waiting");
			float ms;
			cudaEventElapsedTime(&ms, from, to);
			if (i >= 0) times.push_back(ms);
		}
		std::sort(times.begin(), times.end());
		printf("NPP %d.%d, 2000x2000 with %dx%d: %.4f ms\n", NPP_VER_MAJOR, NPP_VER_MINOR, side, side, (times[(repeats - 1) / 2] + times[repeats / 2]) / 2);
		cudaFree(model);
	}
}
