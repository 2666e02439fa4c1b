package sc.fiji.ncc.cuda.shifts;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.method.CentredTemplate;
import sc.fiji.ncc.cuda.method.RealPixels;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Kind;
import sc.fiji.ncc.cuda.shifts.TemplateCut.Part;
import sc.fiji.ncc.numeric.RoundingBound;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.numeric.ZeroMean;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** Templates of any sizes in a plane without masks, at few lags in several frames at once: see {@code smallshifts.cu}, {@code shiftwindows.cu} and
 * {@code shiftresponses.cu}. */
public final class SmallShiftsMethod implements CudaMethod {

	/** Window sums: the smallest variance above its rounding error, relative to the largest running sum. */
	private static final double SHARE = 128 * Tolerance.EPS_DOUBLE / Tolerance.RESPONSE;
	/** The smallest N·σ² that stands. Below it, products of differences in float come near the smallest float. */
	private static final double FLOOR = 0x1p-180;
	private static final int BYTES_OF_MODEL = 64, THREADS = 128, WINDOW_THREADS = 256, WINDOW_SHARED = 40 << 10;

	/** The responses {@code [frame][template][lag]} on the GPU, and for each frame the numbers of undefined, suspect and rechecked responses. */
	record Responses(CUdeviceptr map, CUdeviceptr counts) {}

	/**
	 * Frames on the GPU.
	 *
	 * @param raw the pixels of frames, as sent
	 * @param first {@code [frame][template]}: the index in {@code raw} of the first pixel of the first window
	 * @param pitch {@code [frame][template]}: the distance of rows in {@code raw}, in pixels
	 * @param undefined the value of an undefined response, per frame
	 */
	record Batch(CUdeviceptr raw, long[][] first, int[][] pitch, float[] undefined, int lagsX, int lagsY) {

		int frames() {
			return first.length;
		}
	}

	private final CudaDevice device;
	private final PixelType image;
	private final int count;
	private final TemplateCut cut;
	private final boolean whole;
	private final int widest;
	private final GpuKernel accumulate, windows, respond, recheck;
	private DeviceArray coefficients, models, parts, values, extents;

	public SmallShiftsMethod(final CudaDevice device, final List<Template> templates, final Sliding problem, final TemplateCut cut) {
		templates.forEach(Template::requireContrast);
		this.device = device;
		this.cut = cut;
		image = problem.image();
		count = templates.size();
		whole = cut.kind != Kind.FLOATS;
		widest = (int) templates.stream().mapToLong(t -> t.size().get(0)).max().orElseThrow();
		final String kind = cut.kind.name().toLowerCase(java.util.Locale.ROOT);
		accumulate = device.kernels().get("smallshifts", "accumulate_" + kind, cut.options());
		windows = whole ? device.kernels().get("shiftwindows", "windows_whole")
			: device.kernels().get(RealPixels.wide(device, problem.image(), Precision.SINGLE), "shiftwindows", "windows_real");
		respond = device.kernels().get("shiftresponses", "respond_" + kind);
		recheck = whole ? null : device.kernels().get("recheck", "recheck_small_shifts");
		try {
			prepare(templates);
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	/** The words of a row of coefficients. In float it is a multiple of four. */
	private int pitch(final Template t) {
		final int width = (int) t.size().get(0);
		return whole ? (width + cut.kind.each - 1) / cut.kind.each : (width + 3) / 4 * 4;
	}

	private void prepare(final List<Template> templates) {
		int words = 0, pixels = 0;
		for (final Template t : templates) {
			words = Math.addExact(words, Math.multiplyExact(pitch(t), (int) t.size().get(1)));
			pixels = Math.addExact(pixels, t.values().length);
		}
		final ByteBuffer rows = buffer(4L * words), known = buffer((long) BYTES_OF_MODEL * count);
		final double[] rawValues = new double[whole ? 0 : pixels];
		final int[] shapes = new int[4 * count];
		for (int t = 0, from = 0, at = 0; t < count; t++) {
			final Template template = templates.get(t);
			final int width = (int) template.size().get(0), height = (int) template.size().get(1), pitch = pitch(template), which = t;
			int firstPart = 0;
			while (cut.parts.get(firstPart).template() != t) firstPart++;
			final int many = (int) cut.parts.stream().filter(p -> p.template() == which).count();
			for (final int v : new int[] { width, height, from, pitch, firstPart, many, 0, 0 }) known.putInt(v);
			final double n = template.values().length;
			if (whole) whole(template, rows, 4 * from, known);
			else {
				real(template, t, rows, 4 * from, known);
				System.arraycopy(template.values(), 0, rawValues, at, template.values().length);
			}
			System.arraycopy(new int[] { width, height, at, 0 }, 0, shapes, 4 * t, 4);
			from += pitch * height;
			at += (int) n;
		}
		coefficients = DeviceArray.of(device, rows.array());
		models = DeviceArray.of(device, known.array());
		parts = DeviceArray.of(device, cut.struct(cut.parts));
		if (whole) return;
		values = DeviceArray.of(device, rawValues);
		extents = DeviceArray.of(device, shapes);
	}

	private static ByteBuffer buffer(final long bytes) {
		return ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
	}

	/** Coefficients minus the middle of their type: four bytes per word; or the upper bytes of two coefficients, then their lower bytes. */
	private void whole(final Template template, final ByteBuffer rows, final int from, final ByteBuffer known) {
		final CentredTemplate centred = CentredTemplate.of(template);
		final int width = (int) template.size().get(0), pitch = 4 * pitch(template);
		for (int i = 0; i < centred.values().length; i++) {
			final int v = centred.values()[i], row = from + i / width * pitch, x = i % width;
			if (cut.kind == Kind.BYTES) rows.put(row + x, (byte) v);
			else {
				rows.put(row + x / 2 * 4 + x % 2, (byte) (v >> 8));
				rows.put(row + x / 2 * 4 + 2 + x % 2, (byte) v);
			}
		}
		known.putDouble(centred.values().length).putDouble(centred.sum()).putDouble(centred.norm()).putDouble(0);
	}

	/** Coefficients minus their mean, in float. */
	private void real(final Template template, final int t, final ByteBuffer rows, final int from, final ByteBuffer known) {
		final double[] zeroMean = ZeroMean.of(template, ParallelCopy.THREADS);
		final int width = (int) template.size().get(0);
		final float[] inFloat = coefficients(cut, zeroMean, width, t, ParallelCopy.THREADS);
		final int pitch = 4 * pitch(template);
		double sum = 0, energy = 0, rounded = 0;
		for (int i = 0; i < zeroMean.length; i++) {
			sum += zeroMean[i];
			energy += zeroMean[i] * zeroMean[i];
			rounded += inFloat[i];
			rows.putFloat(from + i / width * pitch + 4 * (i % width), inFloat[i]);
		}
		final double n = zeroMean.length;
		known.putDouble(n).putDouble(rounded / n).putDouble(1 / Math.sqrt(energy - sum * (sum / n))).putDouble(limit(cut, inFloat, width, t, image.exact()));
	}

	/** The indices of the coefficients of a template in the order in which they are added: tile by tile of each thread, then the next thread of the block. */
	private static int[] order(final TemplateCut cut, final int width, final int template, final int n) {
		final int[] order = new int[n];
		int k = 0;
		for (final Part p : cut.parts) {
			if (p.template() != template) continue;
			for (int j = 0; j < p.down(); j++)
				for (int i = 0; i < p.across(); i++)
					for (int tile = j; tile < p.tiles(); tile += p.down())
						for (int y = 0; y < p.shape().rows(); y++)
							for (int x = 0; x < p.shape().columns(); x++) order[k++] = (p.y() + tile * p.shape().rows() + y) * width + p.x() + i * p.shape().columns() + x;
		}
		return order;
	}

	/** The coefficients in float. Their random changes have the size of the partial sums in the order in which they are added. */
	static float[] coefficients(final TemplateCut cut, final double[] zeroMean, final int width, final int template, final int threads) {
		final int[] order = order(cut, width, template, zeroMean.length);
		final double[] ordered = new double[order.length];
		for (int k = 0; k < order.length; k++) ordered[k] = zeroMean[order[k]];
		final float[] changed = ZeroMean.toFloat(ordered, threads), coefficients = new float[order.length];
		for (int k = 0; k < order.length; k++) coefficients[order[k]] = changed[k];
		return coefficients;
	}

	/**
	 * The limit of {@link sc.fiji.ncc.cuda.method.TiledDirectMethod}, for sums over the tiles of a thread, then over the threads of a block. Sums of blocks
	 * are added in double.
	 * <p>
	 * Of the rounding error of a partial sum S, a share is common to all sums: the mean of the first harmonic over a change of the coefficient, which is
	 * the difference of two random numbers between ±c. It is at most {@code 2/π·(u/2πc)²} of the maximum, u the last place of S.
	 *
	 * @param whole whether pixels are whole numbers of at most 16 bits
	 * @return the largest (μ - ref)²/σ²
	 */
	static double limit(final TemplateCut cut, final float[] coefficients, final int width, final int template, final boolean whole) {
		final int[] order = order(cut, width, template, coefficients.length);
		double all = 0, largest = 0, squares = 0;
		for (final int k : order) {
			all += coefficients[k];
			squares += (double) coefficients[k] * coefficients[k];
			largest = Math.max(largest, Math.max(Math.abs(all), Math.abs(coefficients[k])));
		}
		final double change = ZeroMean.minChange(largest, Math.sqrt(squares));
		double partials = 0, common = 0;
		int run = 0, tiles = 0, k = 0;
		for (final Part p : cut.parts) {
			if (p.template() != template) continue;
			double total = 0;
			for (int j = 0; j < p.down(); j++)
				for (int i = 0; i < p.across(); i++) {
					double partial = 0;
					final int end = k + (p.tiles() - j + p.down() - 1) / p.down() * p.shape().rows() * p.shape().columns();
					while (k < end) {
						final double coefficient = coefficients[order[k++]];
						partial += coefficient;
						partials += partial * partial;
						common += common(partial, coefficient, change);
					}
					total += partial;
					partials += total * total;
					common += common(total, partial, change);
				}
			run = Math.max(run, p.steps() * p.shape().rows() * p.shape().columns());
			tiles = Math.max(tiles, p.across() * p.down());
		}
		final double n = coefficients.length, ofPixels = whole ? 0 : Tolerance.EPS_FLOAT;
		final double ofMean = Tolerance.EPS_FLOAT * (8 / 2 * Math.sqrt(partials + squares) + common) / Math.sqrt(n * squares) + ofPixels;
		final double ofDeviations = Tolerance.EPS_FLOAT * (1 + 0.5 * Math.sqrt(run) + 0.5 * Math.sqrt(tiles));
		return Math.pow(Math.max(0, Tolerance.RESPONSE - ofDeviations) / ofMean, 2);
	}

	/** The common part of the rounding errors of a partial sum, in eps of a pixel. */
	private static double common(final double partial, final double added, final double change) {
		final double places = partial / (2 * Math.PI * change);
		return Math.min(Math.abs(partial), 2 / Math.PI * Math.min(1, places * places) * Math.abs(partial) + RoundingBound.common(partial, added));
	}

	@Override
	public int templates() {
		return count;
	}

	/** The kernels read the pixels as sent. */
	@Override
	public int pitch(final int lagsX) {
		return lagsX + widest - 1;
	}

	@Override
	public double bytesPerLag() {
		return (double) bytesPerFrame(1, 1);
	}

	/** The bytes of a frame on the GPU, without its pixels. */
	long bytesPerFrame(final int lagsX, final int lagsY) {
		return cut.sums() * cut.kind.sum + (16L + 4 + 4) * count * lagsX * lagsY + 40L * count;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final long[][] first = new long[1][count];
		final int[][] pitch = new int[1][count];
		java.util.Arrays.fill(pitch[0], box.part[0]);
		enqueue(context, new Batch(raw, first, pitch, new float[] { out.undefined() }, box.lags[0], box.lags[1]), out.map(), out.counts());
	}

	/** Enqueues the computation of all responses of frames. */
	Responses enqueue(final StreamContext context, final Batch batch) {
		final CUdeviceptr map = context.buffer("map", 4L * batch.frames() * count * batch.lagsX * batch.lagsY), counts = context.buffer("counts",
			16L * batch.frames());
		context.clear(counts, 4L * batch.frames());
		enqueue(context, batch, map, counts);
		return new Responses(map, counts);
	}

	private void enqueue(final StreamContext context, final Batch batch, final CUdeviceptr map, final CUdeviceptr counts) {
		final int frames = batch.frames();
		final long responses = (long) frames * count * batch.lagsX * batch.lagsY;
		final long[] struct = struct(context, batch);
		final CUdeviceptr windowSums = context.buffer("windows", 16 * responses), partials = context.buffer("partials", cut.sums() * cut.kind.sum * frames);
		final CUdeviceptr references = context.buffer("references", 8L * frames * count);
		final GpuKernel.Grid each = new GpuKernel.Grid(count, frames, 1, WINDOW_THREADS, 1);
		final int columns = widest + batch.lagsX - 1, line = (whole ? 16 : 24) * columns;
		final int rows = Math.max(1, Math.min(Math.min(batch.lagsY, WINDOW_THREADS / 32), WINDOW_SHARED / line - 1)), shared = (rows + 1) * line;
		if (whole) context.launch(windows, each, shared, struct, rows, windowSums);
		else context.launch(windows, each, shared, struct, rows, SHARE, references, windowSums);
		accumulate(context, struct, frames, references, partials);
		respond(context, batch, struct, map, counts);
	}

	/** Enqueues only the last step: sums of the blocks, responses and recheck. For benchmarks. */
	void respond(final StreamContext context, final Batch batch, final long[] struct) {
		respond(context, batch, struct, context.buffer("map", 1), context.buffer("counts", 1));
	}

	private void respond(final StreamContext context, final Batch batch, final long[] struct, final CUdeviceptr map, final CUdeviceptr counts) {
		final int frames = batch.frames();
		final long responses = (long) frames * count * batch.lagsX * batch.lagsY;
		final CUdeviceptr windowSums = context.buffer("windows", 16 * responses), partials = context.buffer("partials", cut.sums() * cut.kind.sum * frames);
		final GpuKernel.Grid lags = new GpuKernel.Grid(count, frames, (batch.lagsX * batch.lagsY + THREADS - 1) / THREADS, THREADS, 1);
		if (whole) {
			context.launch(respond, lags, 0, struct, partials, windowSums, map, counts);
			return;
		}
		final CUdeviceptr suspects = context.buffer("suspects", 4 * responses), many = context.buffer("suspects' count", 4);
		context.clear(many, 1);
		context.launch(respond, lags, 0, struct, partials, windowSums, FLOOR, map, suspects, many);
		context.launch(recheck, new GpuKernel.Grid(8L * device.processors, 1, 1, THREADS, 1), 0, batch.raw, image.ordinal(), context.buffer("places",
			16L * frames * count), extents.pointer(), values.pointer(), count, batch.lagsX, batch.lagsY, suspects, many, map, counts);
	}

	/** Enqueues the numerators of each block. */
	void accumulate(final StreamContext context, final long[] struct, final int frames, final CUdeviceptr references, final CUdeviceptr partials) {
		final int least = cut.parts.stream().mapToInt(Part::frames).min().orElseThrow();
		context.launch(accumulate, new GpuKernel.Grid(cut.parts.size(), (frames + least - 1) / least, 1, cut.threads, 1), cut.shared, struct, parts.pointer(),
			coefficients.pointer(), references, partials);
	}

	/** {@code struct Batch} of the kernels. Sends the positions. */
	long[] struct(final StreamContext context, final Batch batch) {
		final int frames = batch.frames();
		final long bytes = 16L * frames * count;
		final ByteBuffer places = context.pinned("places", bytes);
		for (int f = 0; f < frames; f++)
			for (int t = 0; t < count; t++) places.putLong(batch.first[f][t]).putInt(batch.pitch[f][t]).putFloat(batch.undefined[f]);
		final CUdeviceptr to = context.buffer("places", bytes);
		context.send(to, context.pinnedPointer("places", bytes), bytes);
		return new long[] { Addresses.of(batch.raw), Addresses.of(models.pointer()), Addresses.of(to), pair(image.ordinal(), count), pair(frames, cut.parts.size()),
			pair(batch.lagsX, batch.lagsY), pair(cut.down, 0) };
	}

	/** Two 32-bit numbers in one word, the first one in the lower half. */
	private static long pair(final int a, final int b) {
		return (long) b << 32 | a & 0xffff_ffffL;
	}

	@Override
	public void close() {
		for (final DeviceArray a : new DeviceArray[] { coefficients, models, parts, values, extents })
			if (a != null) a.close();
	}
}
