package sc.fiji.ncc.cuda.method;

import java.util.Locale;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/**
 * Pixels of any type on the card: float if it holds them exactly, otherwise double. Pixels of more than 16 bits are scaled by a power of
 * two to at most 4.
 */
public final class RealPixels {

	private final boolean exact;
	private final boolean inFloat;
	private final GpuKernel reach, convert;

	RealPixels(final CudaDevice device, final PixelType type) {
		this(device, type, false);
	}

	/** @param needsReach whether {@link #reach} is also computed for 8- and 16-bit pixels */
	RealPixels(final CudaDevice device, final PixelType type, final boolean needsReach) {
		exact = type.exact();
		inFloat = type == PixelType.F32 || exact;
		final String kind = type.name().toLowerCase(Locale.ROOT);
		reach = exact && !needsReach ? null : device.kernels().get("convert", "reach_" + kind);
		convert = device.kernels().get("convert", "to_real_" + kind);
	}

	/** The arithmetic of window sums: double for pixels that are doubles and for double precision. */
	public static ExtendedPrecision wide(final CudaDevice device, final PixelType type, final Precision precision) {
		return precision == Precision.SINGLE && (type == PixelType.F32 || type.exact()) ? device.wide() : ExtendedPrecision.DOUBLE;
	}

	/** {@code floats} or {@code doubles}, as in the names of the kernels. */
	String kind() {
		return inFloat ? "floats" : "doubles";
	}

	int bytes() {
		return inFloat ? 4 : 8;
	}

	/** Whether pixels are scaled. */
	boolean scaled() {
		return !exact;
	}

	/** {@code struct Reach} of the kernels, of the box that was enqueued last. */
	CUdeviceptr reach(final StreamContext context) {
		return context.buffer("reach", 16);
	}

	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw) {
		final CUdeviceptr greatest = reach(context), pixels = context.buffer("real", box.elements() * bytes());
		if (reach != null) {
			context.clear(greatest, 4);
			if (box.pixels() > 0) context.launch(reach, new GpuKernel.Grid(box.part[1], box.part[2], 1, 256, 1), 0, raw, box.struct(), greatest);
		}
		context.launch(convert, GpuKernel.Grid.over((box.pitch + 3) / 4, box.rows, box.planes, 32, 4), 0, raw, box.struct(), greatest, pixels);
		return pixels;
	}
}
