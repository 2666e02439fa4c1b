package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.numeric.Tolerance;

/** ΣP and ΣP² of all windows of a box, or their mean and N·σ²: see {@code windows.cu}. */
public final class WindowSumsKernel {

	/** The maximum width of windows, as a share of the columns of a block. */
	private static final double MAX_WIDTH = 0.75;

	/** The name of the buffer for sums. */
	static final String MEMORY = "windows";
	/** The number of rows that are summed in advance. */
	private static final int GROUP = 16;
	/** The number of blocks per multiprocessor. */
	private static final int BLOCKS = 8;
	/** Of integers in volumes: the least and the greatest number of rows of lags per warp, the warps of a block, the blocks of a multiprocessor at a time. */
	private static final int FEWEST_ROWS = 8, MOST_ROWS = 32, WARPS = 4, SWEEPS = 3;
	/** In planes: the threads of a multiprocessor, and the time of a row of lags, relative to that of adding a row of pixels. */
	private static final int THREADS = 640, STEP = 25;
	/** Of other pixels in volumes: the rows of lags of a block, the most planes, the columns of a thread and of a block. */
	private static final int ROWS = 8, MOST_PLANES = 32, COLUMNS_OF_THREAD = 2, COLUMNS = 256;

	private final CudaDevice device;
	private final String kind;
	private final int width, bytes, maxColumns;
	private final boolean whole;

	/** @param maxColumns columns of the widest block */
	private WindowSumsKernel(final CudaDevice device, final String pixels, final int width, final int bytes, final int maxColumns) {
		this.device = device;
		this.width = width;
		this.bytes = bytes;
		this.maxColumns = maxColumns;
		kind = pixels;
		whole = !pixels.endsWith("s");
	}

	/** Whether windows of this width are supported. */
	public static boolean fit(final long width, final boolean narrow) {
		return width <= MAX_WIDTH * (narrow ? 2048 : 1024);
	}

	/** Sums in 32 bits, for up to 2^17 pixels of 8 bits. */
	static WindowSumsKernel narrow(final CudaDevice device, final int width) {
		return new WindowSumsKernel(device, "bytes_32", width, 8, 2048);
	}

	/** Sums in 64 bits. @param pixels {@code bytes} or {@code shorts} */
	static WindowSumsKernel wide(final CudaDevice device, final String pixels, final int width) {
		return new WindowSumsKernel(device, pixels + "_64", width, 16, 1024);
	}

	/** Mean and N·σ², in double or pairs of floats. @param pixels {@code floats} or {@code doubles} */
	static WindowSumsKernel real(final CudaDevice device, final String pixels, final int width) {
		return new WindowSumsKernel(device, pixels, width, 16, 1024);
	}

	/** The buffer of a context for the sums of a box. */
	CUdeviceptr memory(final StreamContext context, final BoxGeometry box) {
		return context.buffer(MEMORY, (long) bytes * box.count());
	}

	/** Bytes for each lag. */
	int bytes() {
		return bytes;
	}

	/** The columns of a block: at least twice the width, if possible. */
	private int columns() {
		for (int c = 512; c < maxColumns; c *= 2)
			if (width <= c / 2) return c;
		return maxColumns;
	}

	/** The lags of a block along x. */
	private int lags(final BoxGeometry box, final int columns, final int own) {
		return box.lags[0] + width - 1 <= columns ? box.lags[0] : (columns - width + 1) / own * own;
	}

	/** Sums over all windows of a box of integers, into the buffer {@code windows} of the context. */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final double n) {
		return enqueue(context, box, pixels, n, Tolerance.RESPONSE, ExtendedPrecision.DOUBLE);
	}

	/** The same for any pixels. @param tolerance of the responses */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final double n, final double tolerance,
		final ExtendedPrecision wide)
	{
		final CUdeviceptr to = memory(context, box);
		final double share = share(box.height, box.depth, tolerance);
		// sums of integers are the same in all variants
		final ExtendedPrecision own = whole ? ExtendedPrecision.DOUBLE : wide;
		if (inVolumes(box) && whole) sweep(context, box, own, "windows", pixels, to);
		else if (inVolumes(box)) volumes(context, box, own, "windows", pixels, 1 / n, tolerance, to);
		else windows(context, box, own, "windows", pixels, 1 / n, share, to);
		return to;
	}

	/**
	 * The smallest variance above its rounding error, relative to the sum of squares that passed through the running sums. Equal pixels are rounded
	 * alike, so the error of the sum of a column grows with the number of its pixels.
	 */
	static double share(final int height, final int depth, final double tolerance) {
		return (128 + 2.0 * height * depth) * Tolerance.EPS_DOUBLE / tolerance;
	}

	/** Launches the kernels of a file that use window sums at once, so that these are not stored. @param further their arguments after the window sums */
	void launch(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels,
		final Object... further)
	{
		if (inVolumes(box) && whole) sweep(context, box, wide, file, pixels, further);
		else if (inVolumes(box)) volumes(context, box, wide, file, pixels, further);
		else windows(context, box, wide, file, pixels, further);
	}

	/** Whether running sums go through planes. */
	private boolean inVolumes(final BoxGeometry box) {
		return box.depth > 1 && width <= COLUMNS / 2;
	}

	private void volumes(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels,
		final Object... further)
	{
		final int columns = box.lags[0] + width - 1 <= COLUMNS ? COLUMNS : 2 * COLUMNS, each = lags(box, columns, COLUMNS_OF_THREAD);
		final long across = (box.lags[0] + each - 1) / each, down = (box.lags[1] + ROWS - 1) / ROWS;
		// fewer planes use more of the GPU, but each block begins with the sums of complete windows
		final long enough = across * down * box.lags[2] / ((long) BLOCKS * device.processors);
		final int planes = (int) Math.min(MOST_PLANES, Math.max(enough, box.depth / 2));
		final List<Object> arguments = new ArrayList<>(List.of(pixels, box.struct(), planes));
		arguments.addAll(List.of(further));
		context.launch(device.kernels().get(wide, file, "volumes_" + kind + "_" + columns), new GpuKernel.Grid(across, down, (box.lags[2] + planes - 1) / planes,
			columns / COLUMNS_OF_THREAD, 1), 0, arguments.toArray());
	}

	private void sweep(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels,
		final Object... further)
	{
		final CUdeviceptr sums = context.buffer("pillars", (long) bytes * box.pitch * box.rows * box.lags[2]);
		final long blocks = ((long) box.pitch / 4 * box.rows + 127) / 128;
		// more pieces use more of the GPU, but each begins with the sums of a complete window
		final long pieces = Math.max(1, Math.min(BLOCKS * device.processors / blocks, 2L * box.lags[2] / box.depth));
		final int planes = (int) ((box.lags[2] + pieces - 1) / pieces);
		context.launch(device.kernels().get("windows", "pillars_" + kind), new GpuKernel.Grid(blocks, (box.lags[2] + planes - 1) / planes, 1, 128, 1), 0, pixels,
			box.struct(), planes, sums);
		final int each = lags(box, 256, 8);
		final int across = (box.lags[0] + each - 1) / each, rows = rowsOfWarp(box, across);
		final List<Object> arguments = new ArrayList<>(List.of(sums, box.struct(), rows));
		arguments.addAll(List.of(further));
		context.launch(device.kernels().get(wide, file, "sweep_" + 4 * bytes), new GpuKernel.Grid(across, blocksDown(box, rows),
			box.lags[2], 128, 1), 0, arguments.toArray());
	}

	/** The rows of lags of a warp with which the GPU is done first. Each strip begins with the sums of complete windows. */
	private int rowsOfWarp(final BoxGeometry box, final long across) {
		return best(FEWEST_ROWS, MOST_ROWS, SWEEPS, rows -> across * blocksDown(box, rows) * box.lags[2], rows -> box.height + 2L * rows);
	}

	/** The same of a block. */
	private int rowsOfBlock(final BoxGeometry box, final long across, final int threads) {
		return best(FEWEST_ROWS, box.depth > 1 ? MOST_ROWS / 2 : 2 * MOST_ROWS, THREADS / threads,
			rows -> across * ((box.lags[1] + rows - 1) / rows) * box.lags[2], rows -> (long) box.height * box.depth + STEP * rows);
	}

	/**
	 * The number of rows with which the GPU is done first.
	 *
	 * @param atOnce blocks of a multiprocessor
	 * @param blocks the number of blocks for a number of rows
	 * @param work the time of a block
	 */
	private int best(final int least, final int most, final int atOnce, final IntToLongFunction blocks, final IntToLongFunction work) {
		final long places = (long) atOnce * device.processors;
		return IntStream.rangeClosed(-most, -least).map(r -> -r).boxed().min(Comparator.comparingLong(
			r -> (blocks.applyAsLong(r) + places - 1) / places * work.applyAsLong(r))).orElseThrow();
	}

	private static int blocksDown(final BoxGeometry box, final int rows) {
		final int strips = (box.lags[1] + rows - 1) / rows;
		return (strips + WARPS - 1) / WARPS;
	}

	private void windows(final StreamContext context, final BoxGeometry box, final ExtendedPrecision wide, final String file, final CUdeviceptr pixels,
		final Object... further)
	{
		final int columns = columns(), threads = columns == 512 ? 128 : columns == 2048 ? 256 : maxColumns == 2048 ? 128 : 256;
		final int each = lags(box, columns, columns / threads);
		final boolean inGroups = whole && box.height >= 2 * GROUP;
		final long across = (box.lags[0] + each - 1) / each;
		final int rows = inGroups ? GROUP : rowsOfBlock(box, across, threads);
		CUdeviceptr groups = new CUdeviceptr();
		if (inGroups) {
			groups = context.buffer("groups", (long) bytes * box.pitch * (box.rows / GROUP) * box.planes);
			context.launch(device.kernels().get("windows", "groups_" + kind), GpuKernel.Grid.over((box.pitch + 3) / 4, box.rows / GROUP, box.planes, 128, 1), 0, pixels,
				box.struct(), groups);
		}
		final List<Object> arguments = new ArrayList<>(List.of(pixels, box.struct(), rows, groups));
		arguments.addAll(List.of(further));
		context.launch(device.kernels().get(wide, file, "windows_" + kind + "_" + columns), new GpuKernel.Grid(across,
			(box.lags[1] + rows - 1) / rows, box.lags[2], threads, 1), 0, arguments.toArray());
	}
}
