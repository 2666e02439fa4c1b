package sc.fiji.ncc.cuda.run;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;

/** Which positions of a box have a pixel: one byte each, 1 inside the image where no pixel is missing, else 0. */
public final class Present {

	private Present() {}

	/** Enqueues the kernel {@code present} of {@code convert.cu}, which makes this array of a box from the pixels as sent. */
	public static CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final SentPixels sent) {
		final CUdeviceptr present = context.buffer("present", box.elements());
		context.launch(context.device.kernels().get("convert", "present"), GpuKernel.Grid.over(box.pitch, box.rows, box.planes, 32, 8), 0,
			sent.mask(raw, box), box.struct(), present);
		return present;
	}
}
