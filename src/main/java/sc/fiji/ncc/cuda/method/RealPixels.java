package sc.fiji.ncc.cuda.method;

import java.util.Locale;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.SentPixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/**
 * Pixels of any type on the GPU: float if it holds them exactly, otherwise double. Pixels of more than 16 bits are scaled by a power of
 * two to at most 4.
 */
public final class RealPixels {

	/** The name of the buffer for pixels. */
	static final String MEMORY = "real";

	private final PixelType type;
	private final boolean exact;
	private final boolean inFloat;
	private final GpuKernel measure, convert;

	RealPixels(final CudaDevice device, final PixelType type) {
		this(device, type, false);
	}

	/** @param needsGreatest whether {@link #maxDistance} is also computed for 8- and 16-bit pixels */
	RealPixels(final CudaDevice device, final PixelType type, final boolean needsGreatest) {
		this.type = type;
		exact = type.exact();
		inFloat = inFloat(type);
		measure = exact && !needsGreatest ? null : device.kernels().get("convert", "reach_" + name());
		convert = device.kernels().get("convert", "to_real_" + name());
	}

	/** The arithmetic of window sums: double for pixels that are doubles and for double precision. */
	public static ExtendedPrecision wide(final CudaDevice device, final PixelType type, final Precision precision) {
		return precision == Precision.SINGLE && inFloat(type) ? device.wide() : ExtendedPrecision.DOUBLE;
	}

	/** {@code floats} or {@code doubles}, as in the names of the kernels. */
	String kind() {
		return kind(type);
	}

	static String kind(final PixelType type) {
		return inFloat(type) ? "floats" : "doubles";
	}

	private static boolean inFloat(final PixelType type) {
		return type == PixelType.F32 || type.exact();
	}

	int bytes() {
		return inFloat ? 4 : 8;
	}

	/** Whether pixels are scaled. */
	boolean scaled() {
		return !exact;
	}

	/** {@code struct Reach} of the kernels, of the box that was enqueued last. */
	CUdeviceptr maxDistance(final StreamContext context) {
		return context.buffer("reach", 16);
	}

	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw) {
		return enqueue(context, box, raw, new SentPixels(type, 1, false));
	}

	/** The pixels of all channels, one after the other, with one scale. Missing pixels are set to 0 also in {@code raw}. */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final SentPixels sent) {
		final CUdeviceptr greatest = maxDistance(context), pixels = context.buffer(MEMORY, sent.channels() * box.elements() * bytes());
		if (measure != null) context.clear(greatest, 4);
		for (int c = 0; c < sent.channels() && box.pixels() > 0; c++) {
			final CUdeviceptr channel = sent.channel(raw, box, c);
			if (sent.masked() && !exact) context.launch(context.device.kernels().get("convert", "blank_" + name()), GpuKernel.Grid.over(box.pixels(), 1, 1,
				256, 1), 0, channel, sent.mask(raw, box), box.pixels());
			if (measure != null) context.launch(measure, new GpuKernel.Grid(box.part[1], box.part[2], 1, 256, 1), 0, channel, box.struct(), greatest);
		}
		for (int c = 0; c < sent.channels(); c++) context.launch(convert, GpuKernel.Grid.over((box.pitch + 3) / 4, box.rows, box.planes, 32, 4), 0,
			sent.channel(raw, box, c), box.struct(), greatest, pixels.withByteOffset(c * box.elements() * bytes()));
		return pixels;
	}

	/** The name of the type of pixels, as in the names of the kernels. */
	private String name() {
		return type.name().toLowerCase(Locale.ROOT);
	}
}
