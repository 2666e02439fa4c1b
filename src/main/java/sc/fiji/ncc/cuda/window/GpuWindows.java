package sc.fiji.ncc.cuda.window;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.numeric.QuinticSpline;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.window.FoundWindow;
import sc.fiji.ncc.plan.window.WindowExecution;

/**
 * The windows of pairs of frames on a GPU. Both frames go there once. The kernels sum the products of patches at every lag, add up those of each window,
 * and find its two highest peaks and, on request, the motion between the pixels with its covariance. Only these come back. Windows with peaks that the
 * errors of responses do not decide come back with all responses, computed from their pixels.
 */
public final class GpuWindows implements WindowExecution {

	/** The threads of a block of a window, and of other blocks, which sum {@link WindowLayout#ROW} places. */
	private static final int THREADS = 128, MANY = 256;
	/** The rows of a thread that sums windows; the pixels of a row, and the rows, of a thread of splines. */
	private static final int STRIP = 16, BESIDE = 4, DEEP = 8;
	/** The coefficients of the filter of splines from the middle on, and half the length of a line that gives them. */
	private static final int FILTER = 21, LINE = 100;
	/** The state of a window with sure peaks; 0 without a peak, 2 for peaks that are not sure. */
	private static final int FOUND = 1;
	/** The pixels of a frame that a thread reads at a time, at least. */
	private static final int PIECE = 1 << 17;
	/** The blocks that add up the pixels of a frame. */
	private static final int TOTALS_BLOCKS = 1024;

	private final CudaDevice device;
	private final WindowLayout layout;
	private final PixelType type;
	private final Parallel parallel;
	private final StreamContext context;
	private DeviceArray cuts, segments, filter;

	/** @throws DeviceException if the GPU fails */
	public GpuWindows(final CudaDevice device, final WindowLayout layout, final int threads) {
		this.device = device;
		this.layout = layout;
		type = layout.problem.image();
		device.enter();
		context = new StreamContext(device);
		parallel = new Parallel(threads);
		try {
			cuts = DeviceArray.of(device, layout.cuts());
			segments = DeviceArray.of(device, layout.segments());
			filter = DeviceArray.of(device, filter());
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	/** The response of the filter of a spline to a single value. */
	private static float[] filter() {
		final double[] line = new double[2 * LINE + 1];
		line[LINE] = 1;
		QuinticSpline.coefficients(line);
		final float[] filter = new float[FILTER];
		for (int k = 0; k < FILTER; k++) filter[k] = (float) line[LINE + k];
		return filter;
	}

	/** One search. */
	private final class Search {

		final boolean[] wanted;
		final Receiver to;
		final Monitor monitor;
		final boolean masked;
		final boolean refined;
		final long windows = (long) layout.count[0] * layout.count[1];
		/** Both frames, then their states: {@code struct Frames}. */
		long[] frames;
		CUdeviceptr sums, squares, asked, counts;

		Search(final boolean[] wanted, final Receiver to, final Monitor monitor, final boolean masked) {
			this.wanted = wanted;
			this.to = to;
			this.monitor = monitor;
			this.masked = masked;
			refined = to.wanted() == Wanted.REFINED && layout.fits(device.sharedMemory);
		}
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("patches", layout.kind.function(function));
	}

	private GpuKernel fit(final String function) {
		return device.kernels().get("windowfit", function);
	}

	@Override
	public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to, final Monitor monitor) {
		device.enter();
		final Search s = new Search(wanted, to, monitor, fixed.mask() != null || moving.mask() != null);
		s.monitor.requireNotCanceled();
		try {
			frames(s, fixed, moving);
			return to.wanted() == Wanted.RESPONSES ? responses(s) : peaks(s);
		}
		finally {
			// memory of a search that ended early must not be in use
			context.settle();
		}
	}

	/** Sends both frames, and sums the second one over windows. */
	private void frames(final Search s, final Pixels fixed, final Pixels moving) {
		final long pixels = layout.pixels();
		s.counts = context.buffer("counts", 32);
		context.clear(s.counts, 8);
		final CUdeviceptr[] padded = new CUdeviceptr[2], state = new CUdeviceptr[2];
		for (int i = 0; i < 2; i++) {
			padded[i] = context.buffer("padded " + i, pixels * layout.kind.pixel);
			state[i] = context.buffer("state " + i, pixels);
			final Pixels of = i == 0 ? fixed : moving;
			final CUdeviceptr raw = send("frame " + i, of);
			final Object mask = of.mask() == null ? (Object) 0L : send("mask " + i, of.mask());
			context.launch(kernel("pad"), columns(layout.rows), 0, raw, mask, type.ordinal(), layout.struct(0), padded[i],
				state[i], notFinite(s));
		}
		s.frames = new long[] { Addresses.of(padded[0]), Addresses.of(padded[1]), Addresses.of(state[0]), Addresses.of(state[1]) };
		final CUdeviceptr rowSums = context.buffer("row sums", pixels * layout.kind.sum), rowSquares = context.buffer("row squares",
			pixels * layout.kind.square);
		s.sums = context.buffer("sums", pixels * layout.kind.sum);
		s.squares = context.buffer("squares", pixels * layout.kind.square);
		context.launch(kernel("across"), new GpuKernel.Grid((layout.pitch + WindowLayout.ROW - 1) / WindowLayout.ROW,
			layout.rows, 1, MANY, 1), layout.kind.pixel * (WindowLayout.ROW + layout.window[0]), padded[1], layout.struct(0),
			rowSums, rowSquares);
		context.launch(kernel("down"), columns((layout.rows - layout.window[1]) / STRIP + 1), 0, rowSums, rowSquares, layout.struct(0),
			s.sums, s.squares);
		if (s.wanted == null) return;
		final ByteBuffer flags = context.pinned("wanted", s.windows);
		for (final boolean w : s.wanted) flags.put((byte) (w ? 1 : 0));
		s.asked = context.buffer("wanted", s.windows);
		context.send(s.asked, context.pinnedPointer("wanted", s.windows), s.windows);
	}

	/** The number of pixels that are not finite. */
	private static CUdeviceptr notFinite(final Search s) {
		return s.counts.withByteOffset(12);
	}

	private GpuKernel.Grid columns(final int rows) {
		return new GpuKernel.Grid((layout.pitch + MANY - 1) / MANY, rows, 1, MANY, 1);
	}

	/** Reads a frame by several threads, and sends it. */
	private CUdeviceptr send(final String name, final Pixels pixels) {
		final int width = layout.frame[0], height = layout.frame[1], all = width * height;
		final long bytes = (long) all * pixels.type().bytes;
		final CUdeviceptr to = context.buffer(name, bytes);
		final Buffer pinned = Buffers.view(context.pinned(name, bytes), pixels.type());
		final int pieces = Math.max(1, Math.min(height, all / PIECE));
		parallel.each(pieces, i -> {
			final int from = (int) ((long) height * i / pieces), until = (int) ((long) height * (i + 1) / pieces);
			pixels.read(new long[] { 0, from }, new int[] { width, until - from },
				ParallelCopy.of(pinned, from * width, (until - from) * width));
		});
		context.send(to, context.pinnedPointer(name, bytes), bytes);
		return to;
	}

	/** The sums of the patches of some rows of windows. */
	private CUdeviceptr totals(final int row, final int rows) {
		final CUdeviceptr totals = context.buffer("totals", layout.totals(row, rows));
		final int segmentRows = layout.y.to[row + rows - 1] - layout.y.from[row],
			blocks = (layout.x.count() + layout.patches - 1) / layout.patches;
		context.launch(kernel("products"), new GpuKernel.Grid(blocks, segmentRows, 1, layout.threads(), 1), layout.sharedOfPatches(),
			context.buffer("padded 0", 1), context.buffer("padded 1", 1), layout.struct(row), cuts.pointer(), layout.patches, layout.wide,
			layout.high, totals);
		return totals;
	}

	/** What a launch is asked for. */
	private record Request(int windows, CUdeviceptr list, CUdeviceptr responses, CUdeviceptr found, CUdeviceptr counts) {}

	private static long address(final CUdeviceptr p) {
		return p == null ? 0 : Addresses.of(p);
	}

	private void respond(final Search s, final int row, final Request q, final CUdeviceptr totals) {
		final CUdeviceptr errors = context.buffer("errors", 8L * q.windows);
		final long[] struct = { address(s.asked), q.list == null ? 0 : 1, address(q.list),
			Double.doubleToRawLongBits(layout.problem.minOverlap()), Double.doubleToRawLongBits(layout.rounding()), address(q.responses),
			address(errors), address(q.found), address(q.counts), address(notFinite(s)),
			(s.masked ? 1 : 0) | (q.list == null ? 0 : 1L << 32), layout.lines() ? 1 : 0 };
		context.launch(kernel("respond"), new GpuKernel.Grid(q.windows, 1, 1, THREADS, 1), layout.sharedOfResponses(), s.frames,
			layout.struct(row), struct, segments.pointer(), totals == null ? (Object) 0L : totals, s.sums, s.squares);
	}

	private Report report(final Search s) {
		context.fetch(context.pinnedPointer("counts", 32), s.counts, 32);
		context.await(s.monitor);
		final ByteBuffer counts = context.pinned("counts", 32);
		return new Report((long) counts.getInt(8) * layout.all, Integer.toUnsignedLong(counts.getInt(0)),
			Integer.toUnsignedLong(counts.getInt(4)));
	}

	/** The rows of windows of a launch. Windows of masked frames, and those of real pixels at the border, are summed pixel by pixel. */
	private int rowsAtATime(final Search s, final boolean responses) {
		final int most = layout.rowsAtATime(responses);
		return s.masked || layout.kind == WindowLayout.Kind.REALS
			? Math.max(1, Math.min(most, layout.windowsByPixels() / layout.count[0])) : most;
	}

	/** All responses, some rows of windows at a time. */
	private Report responses(final Search s) {
		final int most = rowsAtATime(s, true);
		for (int row = 0; row < layout.count[1]; row += most) {
			s.monitor.requireNotCanceled();
			final int rows = Math.min(most, layout.count[1] - row), windows = rows * layout.count[0], first = row * layout.count[0];
			final CUdeviceptr all = context.buffer("responses", 8L * windows * layout.all);
			respond(s, row, new Request(windows, null, all, null, s.counts), totals(row, rows));
			deliver(s, all, windows, i -> first + i);
			s.monitor.done((long) windows * layout.all);
		}
		return report(s);
	}

	/** The number of a window of a launch. */
	private interface Numbers {

		int of(int i);
	}

	/** Fetches the responses of windows and passes them on. */
	private void deliver(final Search s, final CUdeviceptr all, final int windows, final Numbers numbers) {
		final long bytes = 8L * windows * layout.all, few = 8L * windows;
		context.fetch(context.pinnedPointer("responses", bytes), all, bytes);
		context.fetch(context.pinnedPointer("errors", few), context.buffer("errors", few), few);
		context.await(s.monitor);
		final DoubleBuffer responses = context.pinned("responses", bytes).asDoubleBuffer(),
			errors = context.pinned("errors", few).asDoubleBuffer();
		parallel.each(windows, i -> {
			if (errors.get(i) < 0) return;
			final double[] map = new double[layout.all];
			responses.get(i * layout.all, map);
			s.to.take(numbers.of(i), map, errors.get(i));
		});
	}

	/** The peaks of all windows, and the responses of those whose peaks are not sure. */
	private Report peaks(final Search s) {
		final int most = rowsAtATime(s, false), n = Math.toIntExact(s.windows);
		final long bytes = s.windows * WindowLayout.FOUND;
		final CUdeviceptr found = context.buffer("found", bytes);
		for (int row = 0; row < layout.count[1]; row += most) {
			s.monitor.requireNotCanceled();
			final int rows = Math.min(most, layout.count[1] - row);
			respond(s, row, new Request(rows * layout.count[0], null, null, found, s.counts), totals(row, rows));
		}
		if (s.refined) refine(s, n, found);
		context.fetch(context.pinnedPointer("found", bytes), found, bytes);
		final Report report = report(s);
		final ByteBuffer all = context.pinned("found", bytes);
		final int[] unsure = IntStream.range(0, n).filter(i -> state(all, i) > FOUND).toArray();
		final int pieces = Math.min(n, 4 * ParallelCopy.THREADS);
		parallel.each(pieces, p -> {
			for (int i = (int) ((long) n * p / pieces); i < (int) ((long) n * (p + 1) / pieces); i++)
				if (state(all, i) == FOUND) s.to.take(i, found(all, i * WindowLayout.FOUND, s.to.wanted() == Wanted.REFINED, s.refined));
		});
		final int at = layout.windowsAtATime();
		for (int from = 0; from < unsure.length; from += at) {
			s.monitor.requireNotCanceled();
			again(s, Arrays.copyOfRange(unsure, from, Math.min(unsure.length, from + at)));
		}
		s.monitor.done(s.windows * layout.all);
		return report;
	}

	private static int state(final ByteBuffer all, final int window) {
		return all.getInt(window * WindowLayout.FOUND + 128);
	}

	/** Reads {@code struct Found}. */
	private static FoundWindow found(final ByteBuffer all, final int at, final boolean fit, final boolean fits) {
		final int fitted = all.getInt(at + 132);
		final double[][] covariance = fit && fitted > 0
			? new double[][] { { all.getDouble(at + 96), all.getDouble(at + 104) }, { all.getDouble(at + 104),
			all.getDouble(at + 112) } } : null;
		return new FoundWindow(all.getInt(at + 120), all.getInt(at + 124), all.getDouble(at + 32), all.getDouble(at + 72),
			new double[] { all.getDouble(at + 80), all.getDouble(at + 88) }, covariance, fitted >= 0 && (!fit || fits));
	}

	/** Passes on the responses of windows whose peaks are not sure. */
	private void again(final Search s, final int[] windows) {
		final int n = windows.length;
		context.pinned("list", 4L * n).asIntBuffer().put(windows);
		final CUdeviceptr list = context.buffer("list", 4L * n), all = context.buffer("responses", 8L * n * layout.all);
		context.send(list, context.pinnedPointer("list", 4L * n), 4L * n);
		respond(s, 0, new Request(n, list, all, null, context.buffer("unused counts", 32)), null);
		deliver(s, all, n, i -> windows[i]);
	}

	/** Fits the offsets of the highest peaks on the splines of both frames. */
	private void refine(final Search s, final int windows, final CUdeviceptr found) {
		final int width = layout.frame[0], height = layout.frame[1];
		final long floats = 4L * width * height;
		final int[] struct = layout.struct(0);
		final CUdeviceptr totals = context.buffer("frame totals", 32), across = context.buffer("across", floats),
			slopes = context.buffer("slopes", 2 * floats);
		context.clear(totals, 8);
		final GpuKernel.Grid tiles = new GpuKernel.Grid((width + 31) / 32, (height + 8 * DEEP - 1) / (8 * DEEP), 1, 32, 8);
		final CUdeviceptr[] splines = new CUdeviceptr[2];
		for (int i = 0; i < 2; i++) {
			final CUdeviceptr of = totals.withByteOffset(16L * i), padded = context.buffer("padded " + i, 1),
				state = context.buffer("state " + i, 1);
			splines[i] = context.buffer("spline " + i, floats);
			context.launch(fit(layout.kind.function("total")), new GpuKernel.Grid(TOTALS_BLOCKS, 1, 1, MANY, 1), 0, padded,
				state, struct, of);
			context.launch(fit(layout.kind.function("spline_across")),
				new GpuKernel.Grid((width + BESIDE * MANY - 1) / (BESIDE * MANY), height, 1, MANY, 1), 0, padded,
				state, struct, of, filter.pointer(), across);
			context.launch(fit("spline_down"), tiles, 0, across, struct, filter.pointer(), splines[i]);
		}
		context.launch(fit("spline_slopes"), tiles, 0, splines[0], struct, slopes);
		context.launch(fit(layout.kind.function("fit")), new GpuKernel.Grid(windows, 1, 1, THREADS, 1), layout.sharedOfFit(), s.frames,
			struct, new long[] {
			Addresses.of(splines[0]), Addresses.of(splines[1]), Addresses.of(slopes) }, s.masked ? 1 : 0, notFinite(s), found);
	}

	@Override
	public void close() {
		try (Parallel threads = parallel) {
			if (device.lost() != null) return; // the driver has released its memory
			device.enter();
			context.settle();
			for (final DeviceArray a : new DeviceArray[] { cuts, segments, filter }) if (a != null) a.close();
			context.close();
		}
	}
}
