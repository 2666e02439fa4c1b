package sc.fiji.ncc.cuda.deform;

import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.numeric.CubicSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.deform.SumLayout;
import sc.fiji.ncc.plan.resample.Block;

/**
 * Frames deformed on a GPU. A frame goes there once, with its means over boxes and the splines through them. Each pass sends a motion, and
 * gets the sums of all cells. Executions have streams of their own, so that the passes of several frames overlap.
 */
public final class GpuDeform implements DeformExecution {

	/** The floats of an execution for a pixel of the area, all levels and temporary values together. */
	public static final int FLOATS = 14;
	/** As in the kernels: threads of a row of pixels, and of a cell; the coefficients of the filter from the middle on. */
	private static final int ROW = 256, CELL = 128, FILTER = 14;
	/** Half the length of a line that gives the filter. */
	private static final int LINE = 100;
	private static final SumLayout SUMS = new SumLayout(2);

	private final CudaDevice device;
	private final List<Level> levels;
	private final StreamContext context;
	private final DeviceArray[] cuts;
	private DeviceArray filter;
	private int masked;
	/** What the GPU has the values and the gradient of. */
	private DeformReference reference;

	/** @throws DeviceException if the GPU fails */
	public GpuDeform(final CudaDevice device, final Deformations problem) {
		this.device = device;
		levels = Level.of(problem);
		device.enter();
		context = new StreamContext(device);
		cuts = new DeviceArray[2 * (levels.size() - 1)];
		try {
			filter = DeviceArray.of(device, filter());
			for (int i = 0; i < cuts.length; i++) cuts[i] = DeviceArray.of(device, levels.get(i / 2).cuts(i % 2));
		}
		catch (final RuntimeException | Error e) {
			close();
			throw e;
		}
	}

	/** The bytes of the sums of all cells of the level with the most. They come back at once. */
	public static long bytesOfSums(final Deformations problem) {
		final List<Level> levels = Level.of(problem);
		return levels.subList(0, levels.size() - 1).stream().mapToLong(l -> (long) Double.BYTES * SUMS.count * (l.cuts(0).length - 1)
			* (l.cuts(1).length - 1)).max().orElseThrow();
	}

	/** The response of the filter of a spline to a single value. */
	private static float[] filter() {
		final double[] line = new double[2 * LINE + 1];
		line[LINE] = 1;
		CubicSpline.coefficients(line);
		final float[] filter = new float[FILTER];
		for (int k = 0; k < FILTER; k++) filter[k] = (float) line[LINE + k];
		return filter;
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("deform", function);
	}

	private static GpuKernel.Grid rows(final int[] plane) {
		return GpuKernel.Grid.over(plane[0], plane[1], 1, ROW, 1);
	}

	private static long floats(final int[] plane) {
		return (long) Float.BYTES * plane[0] * plane[1];
	}

	private CUdeviceptr values(final int level) {
		return context.buffer("values " + level, floats(levels.get(level).frame()));
	}

	private CUdeviceptr send(final String name, final float[] values) {
		final long bytes = (long) Float.BYTES * values.length;
		final CUdeviceptr to = context.buffer(name, bytes);
		context.pinned(name, bytes).asFloatBuffer().put(values);
		context.send(to, context.pinnedPointer(name, bytes), bytes);
		return to;
	}

	@Override
	public void frame(final float[] values, final boolean coarse) {
		device.enter();
		context.settle(); // what was sent before may be on its way
		final int whole = levels.size() - 2;
		masked = 0;
		for (final float v : values) if (v != v) masked = 1;
		send("values " + whole, values);
		spline(whole);
		if (!coarse) return;
		for (int l = whole - 1; l >= 0; l--) means(l + 1, l);
		means(0, whole + 1);
	}

	private void means(final int finer, final int level) {
		final int[] from = levels.get(finer).frame(), to = levels.get(level).frame(), box = levels.get(level).box(),
			before = levels.get(finer).box();
		context.launch(kernel("means"), GpuKernel.Grid.over(to[0], to[1], 1, 32, 8), 0, values(finer), from, box[0] / before[0],
			box[1] / before[1], to, values(level));
		spline(level);
	}

	private void spline(final int level) {
		final int[] plane = levels.get(level).frame();
		final CUdeviceptr across = context.buffer("across", floats(levels.get(levels.size() - 2).frame())),
			spline = context.buffer("spline " + level, floats(plane));
		context.launch(kernel("across"), rows(plane), 0, values(level), plane, filter.pointer(), across);
		context.launch(kernel("down"), rows(plane), 0, across, plane, filter.pointer(), spline);
	}

	private CUdeviceptr deform(final int level, final double[][] motion) {
		final Level l = levels.get(level);
		final Block.Field field = new GridSpline(l.count(), l.origin(), l.distances(), l.inFrame(motion)).field();
		final int nodes = field.nodes()[0] * field.nodes()[1];
		final long bytes = 2L * Double.BYTES * nodes;
		final DoubleBuffer pinned = context.pinned("motion", bytes).asDoubleBuffer();
		for (int c = 0; c < 2; c++) pinned.put(field.coefficients()[c]);
		final CUdeviceptr sent = context.buffer("motion", bytes);
		context.send(sent, context.pinnedPointer("motion", bytes), bytes);
		final int[] area = l.area().toIntArray(), frame = l.frame();
		final CUdeviceptr to = context.buffer("deformed", floats(levels.get(levels.size() - 2).area().toIntArray()));
		final double[] origin = l.origin(), distances = l.distances();
		// struct Field
		final long[] struct = { Double.doubleToRawLongBits(origin[0]), Double.doubleToRawLongBits(origin[1]),
			Double.doubleToRawLongBits(distances[0]), Double.doubleToRawLongBits(distances[1]), Addresses.of(sent), Addresses.of(sent) + bytes / 2,
			field.nodes()[0] | (long) field.nodes()[1] << 32 };
		context.launch(kernel("deform"), rows(area), 0, context.buffer("spline " + level, floats(frame)), values(level), frame, struct, area,
			masked, to);
		return to;
	}

	@Override
	public float[] deformed(final int level, final double[][] motion) {
		device.enter();
		final CUdeviceptr from = deform(level, motion);
		final int[] area = levels.get(level).area().toIntArray();
		final long bytes = floats(area);
		context.fetch(context.pinnedPointer("result", bytes), from, bytes);
		context.await(Monitor.NONE);
		final FloatBuffer found = context.pinned("result", bytes).asFloatBuffer();
		final float[] deformed = new float[area[0] * area[1]];
		found.get(deformed);
		return deformed;
	}

	@Override
	public double[][] sums(final int level, final DeformReference with, final double[][] motion, final boolean exact) {
		device.enter();
		if (reference != with) send(with);
		final CUdeviceptr moving = deform(level, motion);
		final int[] area = levels.get(level).area().toIntArray();
		final int cellsX = levels.get(level).cuts(0).length - 1, cellsY = levels.get(level).cuts(1).length - 1, cells = cellsX * cellsY;
		final long bytes = (long) Double.BYTES * SUMS.count * cells;
		final CUdeviceptr sums = context.buffer("sums", bytes);
		context.launch(kernel("cells"), new GpuKernel.Grid(cellsX, cellsY, 1, CELL, 1), 0, context.buffer("reference " + level, floats(area)),
			context.buffer("gradient " + level, 2 * floats(area)), moving, area, cuts[2 * level].pointer(), cuts[2 * level + 1].pointer(),
			exact ? 1 : 0, sums);
		context.fetch(context.pinnedPointer("result", bytes), sums, bytes);
		context.await(Monitor.NONE);
		final DoubleBuffer found = context.pinned("result", bytes).asDoubleBuffer();
		final double[][] all = new double[cells][SUMS.count];
		for (final double[] cell : all) found.get(cell);
		return all;
	}

	private void send(final DeformReference with) {
		for (int l = 0; l < levels.size() - 1; l++) {
			final int[] area = levels.get(l).area().toIntArray();
			final CUdeviceptr sent = send("reference " + l, with.values(l)), to = context.buffer("gradient " + l, 2 * floats(area));
			context.launch(kernel("gradient"), rows(area), 0, sent, area, to);
		}
		reference = with;
	}

	@Override
	public void close() {
		if (device.lost() != null) return; // the driver has released its memory
		device.enter();
		context.settle();
		if (filter != null) filter.close();
		for (final DeviceArray a : cuts) if (a != null) a.close();
		context.close();
	}
}
