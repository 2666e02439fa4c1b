package sc.fiji.ncc.cpu.fourier;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.execution.CpuPool;
import sc.fiji.ncc.cpu.fft.SpectralNoise;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.FrameData;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Pixels;

/**
 * The numerators of all lags of an image, by one transform of all its pixels. The first thread that needs them computes them with the other threads. If there
 * are several templates, they share the transform of the image, and the numerators of the last two templates are kept.
 */
final class WholeFrame implements FrameData {

	/** The numerators of a template. {@code errors}: the estimated error of each column, in tolerances times ‖T̂‖, squared. */
	record Numerators(float[][] rows, double[] errors) {}

	/** The error of two forward transforms in float, those of the image and of the template, as a multiple of that of one. */
	private static final double TRANSFORMS = 2;
	private static final int KEPT = 2;

	private final WholeTransform transform;
	private final List<WholeTemplate> templates;
	private final Pixels in;
	private final long[] origin;
	private final int lagsX, lagsY, threads;
	private final int templateWidth, templateHeight;
	private final Queue<WholeTransform.Room> rooms = new ConcurrentLinkedQueue<>();
	private final Map<Integer, Numerators> numerators = new LinkedHashMap<>();
	/** The part of the image that lies under a window. */
	private TileReader pixels;
	private TileScale scale;
	private int width, height;
	/** With several templates: the spectrum of the image. */
	private WholeTransform.Pair[] spectrum;
	private LineEnergies energies;
	/** The sum of squares of the pixels of each column of the transform, about the reference. */
	private final float[] columnEnergies;

	WholeFrame(final List<WholeTemplate> templates, final int[] template, final Pixels in, final long[] origin, final int[] lags, final int threads) {
		this.templates = templates;
		transform = templates.get(0).transform;
		templateWidth = template[0];
		templateHeight = template[1];
		this.in = in;
		this.origin = origin;
		lagsX = lags[0];
		lagsY = lags[1];
		this.threads = threads;
		columnEnergies = new float[transform.shape.width];
	}

	/** The first lag of the image. */
	long[] origin() {
		return origin;
	}

	/** The scale of all pixels. */
	synchronized TileScale scale() {
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

	/** The numerators of a template. */
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
		for (int x = 0; x < lagsX; x++)
			if (re[x] == null) {
				re[x] = new float[shape.rows()];
				im[x] = new float[shape.rows()];
			}
		final boolean several = templates.size() > 1, known = spectrum != null;
		final WholeTransform.Pair[] kept = !several ? null : known ? spectrum : new WholeTransform.Pair[transform.pairs()];
		final LineEnergies measured = known ? energies : transform.newEnergies();
		final double[] energy = new double[transform.pairs()];
		CpuPool.each(threads, transform.pairs(), i -> {
			poll(stop);
			final WholeTransform.Room room = WholeTemplate.take(rooms, transform);
			if (known) room.pair.copy(kept[i]);
			else {
				transform.alongX(re, im, i, room.pair);
				transform.measure(room.pair, i, room, measured);
				if (several) {
					kept[i] = transform.newPair();
					kept[i].copy(room.pair);
				}
			}
			energy[i] = transform.correlate(room.pair, template.pairs[i], i, room);
			transform.inverseAlongX(room.pair, i, lagsX, re, im);
			rooms.add(room);
		});
		if (!known) {
			measured.finish();
			spectrum = kept;
			energies = measured;
		}
		final float[][] rows = new float[lagsY][lagsX];
		final double[] columns = new double[lagsX];
		CpuPool.each(threads, transform.strips(lagsX), strip -> {
			poll(stop);
			final WholeTransform.Room room = WholeTemplate.take(rooms, transform);
			transform.inverseAlongY(re, im, strip, room, rows, columns);
			rooms.add(room);
		});
		double all = 0;
		for (final double e : energy) all += e;
		estimate(template, measured, all, columns);
		return new Numerators(rows, columns);
	}

	/** Transforms the pixels along y. */
	private void columns(final float[][] re, final float[][] im, final BooleanSupplier stop) {
		final WholeTransform.Source source = (y, x, n, to) -> pixels.row(y, x, n, scale, to);
		final int x0 = (int) Math.max(0, -origin[0]), y0 = (int) Math.max(0, -origin[1]);
		CpuPool.each(threads, transform.strips(width), strip -> {
			poll(stop);
			final WholeTransform.Room room = WholeTemplate.take(rooms, transform);
			transform.alongY(source, width, height, x0, y0, strip, room, re, im, columnEnergies);
			rooms.add(room);
		});
	}

	/**
	 * Estimates the errors, as {@link BlockSums} does: from the spectra, and for the inverse transform from the energy of all numerators and from that of each
	 * column.
	 */
	private void estimate(final WholeTemplate template, final LineEnergies image, final double energy, final double[] columns) {
		final WholeShape shape = transform.shape;
		final double forwardFactor = BlockSums.MARGIN * Tolerance.EPS_FLOAT / (Tolerance.RESPONSE * template.norm);
		final double inverseFactor = forwardFactor * Math.sqrt(Math.log(shape.points()) / Math.log(2));
		final double forward = TRANSFORMS * image.noise(template.energies), inverse = inverseFactor * Math.sqrt(energy / 2);
		final double[] alike = alike(template, columns.length);
		for (int x = 0; x < columns.length; x++) {
			final double error = forwardFactor * Math.max(forward, alike[x] / BlockSums.MARGIN) + inverse + inverseFactor * Math.sqrt(columns[x] / shape.height);
			columns[x] = error * error;
		}
	}

	/** The errors that are due to roundings of equal sign, over eps, for each column of lags: see {@link SpectralNoise}. */
	private double[] alike(final WholeTemplate template, final int lags) {
		final int width = transform.shape.width, height = transform.shape.height;
		double most = 0, sum = 0;
		for (final float energy : columnEnergies) most = Math.max(most, energy);
		final double[] alike = new double[lags];
		for (int x = lags + template.width - 2; x >= 0; x--) {
			sum += columnEnergies[x % width];
			if (x + template.width < lags + template.width - 1) sum -= columnEnergies[(x + template.width) % width];
			if (x < lags) alike[x] = SpectralNoise.ALIKE * Math.min(Math.sqrt(most / height) * template.magnitude, Math.sqrt(Math.max(0, sum) / height) * template.ofColumns);
		}
		return alike;
	}

	private static void poll(final BooleanSupplier stop) {
		if (stop.getAsBoolean()) throw new CancellationException("canceled");
	}
}
