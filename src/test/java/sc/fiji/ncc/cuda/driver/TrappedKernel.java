package sc.fiji.ncc.cuda.driver;

import java.nio.charset.StandardCharsets;

import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.result.Response;

/** A process in which a kernel traps: the GPU must be off then, and say so, and the CPU must do what is asked. Exit code 0 if so. */
public final class TrappedKernel {

	private static final String PTX = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry trapped()\n{\ntrap;\nret;\n}\n\0";

	private TrappedKernel() {}

	public static void main(final String[] arguments) {
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		trap(device);
		if (device.lost() == null) throw new AssertionError("the device is not off");
		System.out.println(new CudaBackend().unavailable().orElseThrow());
		final byte[] image = new byte[10_000];
		for (int i = 0; i < image.length; i++) image[i] = (byte) (i * i >> 3);
		final Response r = NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(new byte[] { 1, 5, 9, 2 }, 2, 2)).correlate(ArrayImgs.unsignedBytes(image, 100, 100));
		if (r.report().responses() != 99 * 99) throw new AssertionError("responses " + r.report());
	}

	/** Says what the driver said. The calling thread has entered the device. */
	static void trap(final CudaDevice device) {
		try (StreamContext context = new StreamContext(device)) {
			final CUmodule module = new CUmodule();
			device.check(JCudaDriver.cuModuleLoadData(module, PTX.getBytes(StandardCharsets.US_ASCII)), "loading");
			new GpuKernel(device, module, "trapped").launch(context.stream, new GpuKernel.Grid(1, 1, 1, 1, 1), 0);
			device.check(JCudaDriver.cuStreamSynchronize(context.stream), "the trapped kernel");
			throw new AssertionError("the kernel did not trap");
		}
		catch (final DeviceException e) {
			System.out.println(e.getMessage());
		}
	}
}
