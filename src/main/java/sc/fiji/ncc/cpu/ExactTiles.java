package sc.fiji.ncc.cpu;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Template;

/** One 8- or 16-bit template for {@link DirectExact}. All sums are whole numbers, whatever type holds them. */
final class ExactTiles implements TileMethod {

	/** Products of two centred 8-bit values are at most 2^14: 1024 of them are exact in float. */
	private static final int FLOAT_RUN = 1024;
	/** Centred 16-bit squares are at most 2^30. */
	private static final int BITS_8 = 14, BITS_16 = 30;

	private final TemplatePlanes planes;
	private final double[] centred, weights;
	private final PixelType image;
	private final Lags lags;
	private final TileScale scale;
	private final boolean narrow;
	private final long n, sum, energy;
	private final double norm;
	private final OverlapSums overlapSums;
	/** How many bits {@code N·Σ} of squares or products may take. */
	private final int bits;

	ExactTiles(final Template template, final PixelType image, final Lags lags) {
		template.requireContrast();
		planes = new TemplatePlanes(template.size());
		this.image = image;
		this.lags = lags;
		scale = TileScale.about(centre(image));
		narrow = image.bytes == 1 && template.type().bytes == 1;
		weights = template.weights();
		centred = new double[template.values().length];
		long n = 0, sum = 0, energy = 0;
		for (int i = 0; i < centred.length; i++) {
			if (template.weight(i) == 0) continue;
			centred[i] = template.values()[i] - centre(template.type());
			n++;
			sum += (long) centred[i];
			energy += (long) (centred[i] * centred[i]);
		}
		this.n = n;
		this.sum = sum;
		this.energy = energy;
		norm = Math.sqrt(Int128.difference(n, energy, sum, sum));
		final int square = narrow ? BITS_8 : BITS_16;
		bits = square + 2 * (64 - Long.numberOfLeadingZeros(n - 1));
		overlapSums = lags.partial() ? new OverlapSums(planes.size, weights, centred) : null;
	}

	private static double centre(final PixelType type) {
		return type.min == 0 ? (type.max + 1) / 2 : 0;
	}

	@Override
	public int mostLags(final int d) {
		return lagsOfTile()[Math.min(d, 2)];
	}

	private int[] lagsOfTile() {
		return TileShape.direct(planes.height);
	}

	@Override
	public int leastRows() {
		return TileShape.LEAST_ROWS;
	}

	@Override
	public Worker worker() {
		return new ExactWorker();
	}

	private final class ExactWorker implements Worker {

		private final int most = mostLags(0);
		private final int columns = most + planes.width - 1;
		private final TileReader[] readers = new TileReader[planes.count];
		private final FloatTaps floatTaps = narrow ? floatTaps(centred) : null;
		private final DoubleTaps doubleTaps = narrow ? null : doubleTaps(centred);
		private final boolean masked = weights != null;
		private final FloatTaps floatSum = masked && narrow ? floatTaps(weights) : null, floatEnergy = masked && narrow ? floatTaps(weights) : null;
		private final DoubleTaps doubleSum = masked && !narrow ? doubleTaps(weights) : null,
			doubleEnergy = masked && !narrow ? doubleTaps(weights) : null;
		private final WindowMoments windows = masked ? null : IntWindowSums.holds(image, n) ? new IntWindowSums(planes, lagsOfTile())
			: new WindowSums(planes, lagsOfTile(), false);
		private final OverlapSums overlap = lags.partial() ? overlapSums.copy() : null;
		private final float[] floats = new float[narrow ? columns : 0], floatSquares = new float[masked && narrow ? columns : 0];
		private final double[] doubles = new double[narrow ? 0 : columns], doubleSquares = new double[masked && !narrow ? columns : 0];
		private final double[] products = new double[most], sums = new double[most], energies = new double[most], r = new double[most];

		ExactWorker() {
			for (int p = 0; p < planes.count; p++) readers[p] = new TileReader(image);
		}

		private FloatTaps floatTaps(final double[] c) {
			return FloatTaps.of(planes.width, planes.height, planes.cut(Rows.toFloat(c)), FLOAT_RUN, most);
		}

		private DoubleTaps doubleTaps(final double[] c) {
			return DoubleTaps.of(planes.width, planes.height, planes.cut(c), most);
		}

		@Override
		public Count compute(final Pixels in, final long[] lag, final int[] size, final float undefined, final float[] out,
			final BooleanSupplier stop)
		{
			final int lagsX = size[0], lagsY = size.length > 1 ? size[1] : 1;
			final int width = lagsX + planes.width - 1, height = lagsY + planes.height - 1;
			for (int p = 0; p < planes.count; p++) {
				final long[] min = lag.clone();
				for (int d = 2; d < min.length; d++) min[d] += planes.places[p][d];
				readers[p].read(in, min, width, height);
			}
			begin(lagsX, lagsY, stop);
			long missing = 0;
			for (int row = 0; row < height; row++) {
				if (stop.getAsBoolean()) throw new CancellationException("canceled");
				add(row, Math.max(0, row - planes.height + 1), Math.min(row, lagsY - 1), width);
				final int y = row - planes.height + 1;
				if (y < 0) continue;
				finish(y);
				if (lags.partial()) overlapping(in, lag, y, lagsX);
				else inside(lagsX);
				missing += write(out, y * lagsX, lagsX, undefined);
			}
			return new Count(missing, 0);
		}

		private void begin(final int lagsX, final int lagsY, final BooleanSupplier stop) {
			if (narrow) floatTaps.begin(lagsX);
			else doubleTaps.begin(lagsX);
			if (!masked) windows.begin(readers, scale, lagsX, lagsY, 1, stop);
			else if (narrow) {
				floatSum.begin(lagsX);
				floatEnergy.begin(lagsX);
			}
			else {
				doubleSum.begin(lagsX);
				doubleEnergy.begin(lagsX);
			}
		}

		private void add(final int row, final int y0, final int y1, final int width) {
			for (int p = 0; p < planes.count; p++) {
				if (narrow) {
					readers[p].row(row, scale, floats);
					floatTaps.add(p, floats, row, y0, y1);
					if (masked) {
						Rows.square(floats, floatSquares, width);
						floatSum.add(p, floats, row, y0, y1);
						floatEnergy.add(p, floatSquares, row, y0, y1);
					}
				}
				else {
					readers[p].row(row, scale, doubles);
					doubleTaps.add(p, doubles, row, y0, y1);
					if (masked) {
						Rows.square(doubles, doubleSquares, width);
						doubleSum.add(p, doubles, row, y0, y1);
						doubleEnergy.add(p, doubleSquares, row, y0, y1);
					}
				}
			}
			if (!masked) windows.add(0, row, y0, y1);
		}

		private void finish(final int y) {
			if (narrow) floatTaps.finish(y, products);
			else doubleTaps.finish(y, products);
			if (!masked) windows.finish(0, y, sums, energies);
			else if (narrow) {
				floatSum.finish(y, sums);
				floatEnergy.finish(y, energies);
			}
			else {
				doubleSum.finish(y, sums);
				doubleEnergy.finish(y, energies);
			}
		}

		/** Windows inside the image: the template's sums are the same for all. A flat window gives 0/0, which is NaN. */
		private void inside(final int lagsX) {
			if (bits <= 53) inDouble(products, sums, energies, r, n, sum, norm, lagsX);
			else if (bits <= 62) inLong(lagsX);
			else for (int x = 0; x < lagsX; x++) r[x] = wide((long) products[x], (long) sums[x], (long) energies[x], n, sum, norm);
		}

		private void inLong(final int lagsX) {
			for (int x = 0; x < lagsX; x++) {
				final long s = (long) sums[x];
				final long variance = n * (long) energies[x] - s * s;
				r[x] = (n * (long) products[x] - s * sum) / (Math.sqrt(variance) * norm);
			}
		}

		private double wide(final long products, final long s, final long q, final long n, final long t, final double norm) {
			return Int128.difference(n, products, s, t) / (Math.sqrt(Int128.difference(n, q, s, s)) * norm);
		}

		private void overlapping(final Pixels in, final long[] lag, final int y, final int lagsX) {
			final long[] at = lag.clone();
			if (at.length > 1) at[1] += y;
			final long[] size = in.size();
			overlap.row(at, size);
			for (int x = 0; x < lagsX; x++) {
				final int a = overlap.from(at[0] + x), b = overlap.to(at[0] + x, size[0]);
				final long count = (long) (overlap.weight[b] - overlap.weight[a]);
				final long t = (long) (overlap.value[b] - overlap.value[a]), e = (long) (overlap.square[b] - overlap.square[a]);
				final boolean enough = count > 0 && count >= lags.leastOverlap() * n;
				r[x] = enough ? wide((long) products[x], (long) sums[x], (long) energies[x], count, t,
					Math.sqrt(Int128.difference(count, e, t, t))) : Double.NaN;
				if (Double.isInfinite(r[x])) r[x] = Double.NaN;
			}
		}

		private long write(final float[] out, final int o, final int lagsX, final float undefined) {
			if (!Rows.toFloat(r, out, o, lagsX)) return 0;
			long missing = 0;
			for (int x = o; x < o + lagsX; x++)
				if (out[x] != out[x]) {
					out[x] = undefined;
					missing++;
				}
			return missing;
		}
	}

	private static void inDouble(final double[] products, final double[] sums, final double[] energies, final double[] r, final double n,
		final double sum, final double norm, final int lags)
	{
		for (int x = 0; x < lags; x++) {
			final double s = sums[x];
			r[x] = (n * products[x] - s * sum) / (Math.sqrt(n * energies[x] - s * s) * norm);
		}
	}
}
