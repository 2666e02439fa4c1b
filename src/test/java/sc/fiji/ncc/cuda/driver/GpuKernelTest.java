package sc.fiji.ncc.cuda.driver;


import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;

import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RequiredGpu;

/** Launches from several threads. Skipped, with the reason, without a GPU. */
@Tag("gpu")
@Tag("smoke")
class GpuKernelTest {

	private static final String PTX = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n\0";
	private static final int ROUNDS = 200;

	/** Each time a kernel that nobody has launched yet, by two threads at once, one of which wants more shared memory. */
	@Test
	void threadsMayWantDifferentSharedMemory() throws Exception {
		RequiredGpu.require();
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final CyclicBarrier start = new CyclicBarrier(2);
		try (StreamContext one = new StreamContext(device); StreamContext other = new StreamContext(device)) {
			for (int i = 0; i < ROUNDS; i++) {
				final CUmodule module = new CUmodule();
				device.check(JCudaDriver.cuModuleLoadData(module, PTX.getBytes(StandardCharsets.US_ASCII)), "loading");
				final GpuKernel kernel = new GpuKernel(device, module, "nothing");
				final CompletableFuture<Void> much = CompletableFuture.runAsync(() -> launch(kernel, one, device.sharedMemory, start));
				final CompletableFuture<Void> little = CompletableFuture.runAsync(() -> launch(kernel, other, (48 << 10) + 1024, start));
				CompletableFuture.allOf(much, little).join();
				device.check(JCudaDriver.cuModuleUnload(module), "unloading");
			}
		}
	}

	private static void launch(final GpuKernel kernel, final StreamContext context, final int shared, final CyclicBarrier start) {
		context.device.enter();
		try {
			start.await();
		}
		catch (final Exception e) {
			throw new AssertionError(e);
		}
		for (int i = 0; i < 3; i++) context.launch(kernel, new GpuKernel.Grid(1, 1, 1, 32, 1), shared);
		context.device.check(JCudaDriver.cuStreamSynchronize(context.stream), "an empty kernel");
	}
}
