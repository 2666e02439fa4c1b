package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Tolerance;

/** ΣP and ΣP² of all windows of a box, or their mean and N·σ²: see {@code windows.cu}. */
public final class WindowSumsKernel {

	/** Of all columns of a block, the most that its windows are wide: the others are done for several lags. */
	private static final double MOST_WIDTH = 0.75;

	/** Rows that are summed beforehand. */
	private static final int GROUP = 16;
	/** Blocks for each multiprocessor. */
	private static final int BLOCKS = 8;
	/** Rows of lags for each warp. */
	private static final int ROWS = 32;

	private final CudaDevice device;
	private final String kind;
	private final int width, bytes, most;
	private final boolean whole;

	/** @param most columns of the widest block */
	private WindowSumsKernel(final CudaDevice device, final String pixels, final int width, final int bytes, final int most) {
		this.device = device;
		this.width = width;
		this.bytes = bytes;
		this.most = most;
		kind = pixels;
		whole = !pixels.endsWith("s");
	}

	/** Whether the sums of windows of this width can be computed here. */
	public static boolean fit(final long width, final boolean narrow) {
		return width <= MOST_WIDTH * (narrow ? 2048 : 1024);
	}

	/** In 32 bits: up to 2^17 8-bit pixels. */
	static WindowSumsKernel narrow(final CudaDevice device, final int width) {
		return new WindowSumsKernel(device, "bytes_32", width, 8, 2048);
	}

	/** In 64 bits. @param pixels {@code bytes} or {@code shorts} */
	static WindowSumsKernel wide(final CudaDevice device, final String pixels, final int width) {
		return new WindowSumsKernel(device, pixels + "_64", width, 16, 1024);
	}

	/** Mean and N·σ², in double or pairs of floats. @param pixels {@code floats} or {@code doubles} */
	static WindowSumsKernel real(final CudaDevice device, final String pixels, final int width) {
		return new WindowSumsKernel(device, pixels, width, 16, 1024);
	}

	/** Bytes for each lag. */
	int bytes() {
		return bytes;
	}

	/** Columns of a block: as few as are worth it. */
	private int columns() {
		for (int c = 512; c < most; c *= 2)
			if (width <= c / 2) return c;
		return most;
	}

	/** Of a block. */
	private int lags(final BoxGeometry box, final int columns, final int own) {
		return box.lags[0] + width - 1 <= columns ? box.lags[0] : (columns - width + 1) / own * own;
	}

	/** Of all windows of a box, whole numbers, in the context's buffer {@code windows}. */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final double n) {
		return enqueue(context, box, pixels, n, Tolerance.RESPONSE, ExtendedPrecision.DOUBLE);
	}

	/** The same of any. @param tolerance of the responses */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final double n, final double tolerance, final ExtendedPrecision wide) {
		final CUdeviceptr to = context.buffer("windows", (long) bytes * box.count());
		final double share = share(box.height, box.depth, tolerance);
		// whole numbers are the same
		final ExtendedPrecision own = whole ? ExtendedPrecision.DOUBLE : wide;
		if (inVolumes(box)) volumes(context, box, own, "windows", pixels, to);
		else windows(context, box, own, "windows", pixels, 1 / n, share, to);
		return to;
	}

	/**
	 * Of what passed through the sums, the least variance that stands above its rounding: equal pixels round alike, so the errors of a column's sum grow with the number
	 * of its pixels.
	 */
	static double share(final int height, final int depth, final double tolerance) {
		return (128 + 2.0 * height * depth) * Tolerance.EPS_DOUBLE / tolerance;
	}

	/** Responses from products in float, each with the sums of its window as they arise. */
	void respond(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final CUdeviceptr products, final long[] trust, final Outcome out,
		final ExtendedPrecision wide)
	{
		if (inVolumes(box)) volumes(context, box, wide, "normalise", pixels, products, trust, out.struct());
		else windows(context, box, wide, "normalise", pixels, products, trust, out.struct());
	}

	/** Whether sums move through planes. */
	private boolean inVolumes(final BoxGeometry box) {
		return whole && box.depth > 1 && width <= 128;
	}

	private void volumes(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels, final Object... further) {
		final CUdeviceptr sums = context.buffer("pillars", (long) bytes * box.pitch * box.rows * box.lags[2]);
		final long blocks = ((long) box.pitch / 4 * box.rows + 127) / 128;
		// more pieces keep more of the card at work, and each begins with the sums of a whole window
		final long pieces = Math.max(1, Math.min(BLOCKS * device.processors / blocks, 2L * box.lags[2] / box.depth));
		final int planes = (int) ((box.lags[2] + pieces - 1) / pieces);
		context.launch(device.kernels().get("windows", "pillars_" + kind), new GpuKernel.Grid(blocks, (box.lags[2] + planes - 1) / planes, 1, 128, 1), 0, pixels,
			box.struct(), planes, sums);
		final int each = lags(box, 256, 8);
		final int strips = (box.lags[1] + ROWS - 1) / ROWS;
		final List<Object> arguments = new ArrayList<>(List.of(sums, box.struct(), ROWS));
		arguments.addAll(List.of(further));
		context.launch(device.kernels().get(wide, file, "sweep_" + 4 * bytes), new GpuKernel.Grid((box.lags[0] + each - 1) / each, (strips + 3) / 4,
			box.lags[2], 128, 1), 0, arguments.toArray());
	}

	private void windows(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels, final Object... further) {
		final int columns = columns(), threads = columns == 512 ? 128 : columns == 2048 ? 256 : most == 2048 ? 128 : 256;
		final int each = lags(box, columns, columns / threads);
		final boolean inGroups = whole && box.height >= 2 * GROUP;
		final int rows = inGroups ? GROUP : Math.max(8, Math.min(16, box.height / 8));
		CUdeviceptr groups = new CUdeviceptr();
		if (inGroups) {
			groups = context.buffer("groups", (long) bytes * box.pitch * (box.rows / GROUP) * box.planes);
			context.launch(device.kernels().get("windows", "groups_" + kind), GpuKernel.Grid.over((box.pitch + 3) / 4, box.rows / GROUP, box.planes, 128, 1), 0, pixels,
				box.struct(), groups);
		}
		final List<Object> arguments = new ArrayList<>(List.of(pixels, box.struct(), rows, groups));
		arguments.addAll(List.of(further));
		context.launch(device.kernels().get(wide, file, "windows_" + kind + "_" + columns), new GpuKernel.Grid((box.lags[0] + each - 1) / each, (box.lags[1] + rows - 1) / rows,
			box.lags[2], threads, 1), 0, arguments.toArray());
	}
}
