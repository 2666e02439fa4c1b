package sc.fiji.ncc.cpu.fourier;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.execution.CpuPool;
import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.LineEnergies;
import sc.fiji.ncc.estimate.PixelNoise;
import sc.fiji.ncc.estimate.ResultNoise;
import sc.fiji.ncc.estimate.SignedSums;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Pixels;

/**
 * The numerators of all lags of an image, by one transform of all its pixels. The first thread that needs them computes them with the other threads. If there
 * are several templates, they share the transform of the image, and the numerators of the last two templates are kept.
 */
final class WholeFrame implements FrameData {

	/** The numerators of a template. {@code columnNoise}, {@code rowNoise}: the estimated errors that each column and each row add, in tolerances times ‖T̂‖. */
	record Numerators(float[][] rows, double[] columnNoise, double[] rowNoise) {}

	/** The error of two forward transforms in float, those of the image and of the template, as a multiple of that of one. */
	private static final double TRANSFORMS = 2;
	private static final int KEPT = 2;

	private final WholeTransform transform;
	private final List<WholeTemplate> templates;
	private final Pixels in;
	private final long[] origin;
	private final int lagsX, lagsY, threads;
	private final int templateWidth, templateHeight;
	private final Queue<WholeTransform.Memory> memories = new ConcurrentLinkedQueue<>();
	private final Map<Integer, Numerators> numerators = new LinkedHashMap<>();
	/** The part of the image that lies under a window. */
	private TileReader pixels;
	private TileScale scale;
	private int width, height;
	/** With several templates: the spectrum of the image. */
	private WholeTransform.Pair[] spectrum;
	private LineEnergies energies;
	private final PixelNoise pixelNoise;

	WholeFrame(final List<WholeTemplate> templates, final int[] template, final Pixels in, final long[] origin, final int[] lags,
		final int threads) {
		this.templates = templates;
		transform = templates.get(0).transform;
		templateWidth = template[0];
		templateHeight = template[1];
		this.in = in;
		this.origin = origin;
		lagsX = lags[0];
		lagsY = lags[1];
		this.threads = threads;
		pixelNoise = new PixelNoise(transform.shape.width, transform.shape.height, 1, false);
	}

	/** The first lag of the image. */
	long[] origin() {
		return origin;
	}

	@Override
	public synchronized TileScale scale() {
		if (scale != null) return scale;
		final long[] min = new long[origin.length];
		for (int d = 0; d < min.length; d++) min[d] = Math.max(0, origin[d]);
		width = extent(0, lagsX + templateWidth - 1);
		height = extent(1, lagsY + templateHeight - 1);
		final TileReader reader = new TileReader(in.type());
		reader.read(in, min, width, height);
		scale = TileScale.of(new TileReader[] { reader }, 1, in.type());
		pixels = reader;
		return scale;
	}

	/** The number of pixels of the image, of so many from the first lag on. */
	private int extent(final int d, final int n) {
		return (int) Math.max(0, Math.min(in.size()[d], origin[d] + n) - Math.max(0, origin[d]));
	}

	synchronized Numerators numerators(final int template, final BooleanSupplier stop) {
		final Numerators known = numerators.get(template);
		if (known != null) return known;
		scale();
		final Numerators computed = compute(templates.get(template), stop);
		if (numerators.size() == KEPT) numerators.remove(numerators.keySet().iterator().next());
		numerators.put(template, computed);
		// the pixels are transformed
		pixels = null;
		return computed;
	}

	private Numerators compute(final WholeTemplate template, final BooleanSupplier stop) {
		final WholeShape shape = transform.shape;
		final float[][] re = new float[shape.width][], im = new float[shape.width][];
		if (spectrum == null) columns(re, im, stop);
		// the numerators of a strip of frequencies take the place of its pixels
		final int columns = SignedSums.columns(lagsX, shape.width);
		for (int x = 0; x < columns; x++)
			if (re[x] == null) {
				re[x] = new float[shape.rows()];
				im[x] = new float[shape.rows()];
			}
		final boolean several = templates.size() > 1, known = spectrum != null;
		final WholeTransform.Pair[] kept = !several ? null : known ? spectrum : new WholeTransform.Pair[transform.pairs()];
		final LineEnergies measured = known ? energies : transform.newEnergies();
		CpuPool.each(threads, transform.pairs(), i -> {
			poll(stop);
			final WholeTransform.Memory memory = WholeTemplate.take(memories, transform);
			if (known) memory.pair.copy(kept[i]);
			else {
				transform.alongX(re, im, i, memory.pair);
				transform.measure(memory.pair, i, memory, measured);
				if (several) {
					kept[i] = transform.newPair();
					kept[i].copy(memory.pair);
				}
			}
			transform.correlate(memory.pair, template.pairs[i], i, memory);
			transform.inverseAlongX(memory.pair, i, lagsX, re, im);
			memories.add(memory);
		});
		if (!known) {
			measured.finish();
			spectrum = kept;
			energies = measured;
		}
		final float[][] rows = new float[lagsY][lagsX];
		final ResultNoise noise = new ResultNoise(shape.width, shape.height, columns, transform.strips(columns));
		CpuPool.each(threads, transform.strips(columns), strip -> {
			poll(stop);
			final WholeTransform.Memory memory = WholeTemplate.take(memories, transform);
			transform.inverseAlongY(re, im, strip, memory, rows, noise);
			memories.add(memory);
		});
		noise.finish();
		return estimate(template, measured, noise, rows);
	}

	/** Transforms the pixels along y. */
	private void columns(final float[][] re, final float[][] im, final BooleanSupplier stop) {
		final WholeTransform.Source source = (y, x, n, to) -> pixels.row(y, x, n, scale, to);
		final WholeTransform.Placed placed = new WholeTransform.Placed(source, width, height, (int) Math.max(0, -origin[0]),
			(int) Math.max(0, -origin[1]));
		final double[][] ofRows = new double[transform.strips(width)][];
		CpuPool.each(threads, ofRows.length, strip -> {
			poll(stop);
			final WholeTransform.Memory memory = WholeTemplate.take(memories, transform);
			ofRows[strip] = transform.alongY(placed, strip, memory, re, im, pixelNoise);
			memories.add(memory);
		});
		// in this order, so that the sums do not depend on the threads
		for (final double[] rows : ofRows) pixelNoise.addToRows(rows);
	}

	/**
	 * Estimates the errors of the forward transforms from the energies of pixels and spectra, and those of the inverse transform from the energies of
	 * its result.
	 */
	private Numerators estimate(final WholeTemplate template, final LineEnergies image, final ResultNoise result, final float[][] rows) {
		final WholeShape shape = transform.shape;
		final double factor = PixelNoise.MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * template.norms.all()),
			block = image.noise(template.energies);
		final double[] columnNoise = new double[shape.width], rowNoise = new double[shape.height];
		pixelNoise.measure(0, template.width, template.height);
		pixelNoise.addColumns(template.norms, columnNoise);
		pixelNoise.addRows(template.norms, rowNoise);
		ForwardNoise.reduce(columnNoise, rowNoise, block, TRANSFORMS * factor);
		for (int x = 0; x < lagsX; x++) columnNoise[x] += factor * result.ofColumn(x);
		for (int y = 0; y < lagsY; y++) rowNoise[y] += factor * (TRANSFORMS * block + result.ofRow(y));
		return new Numerators(rows, columnNoise, rowNoise);
	}

	private static void poll(final BooleanSupplier stop) {
		if (stop.getAsBoolean()) throw new CancellationException("canceled");
	}
}
