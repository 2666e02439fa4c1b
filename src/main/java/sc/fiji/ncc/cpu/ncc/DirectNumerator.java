package sc.fiji.ncc.cpu.ncc;

import java.util.List;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.fft.BlockSpectra;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.estimate.DirectError;
import sc.fiji.ncc.estimate.NumeratorError;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Precision;

/**
 * Numerators as direct sums, in float or double. A row of lags needs the rows of pixels down to its windows' last one; each is read once and added to all rows
 * of lags that need it. Belongs to one thread.
 */
abstract class DirectNumerator implements Numerator {

	final TemplatePlanes planes;
	final int maxLags;
	TileInput tile;
	/** The next row of pixels to add, and the last row of lags. */
	int next, lagY;

	private DirectNumerator(final TemplatePlanes planes, final int maxLags) {
		this.planes = planes;
		this.maxLags = maxLags;
	}

	@Override
	public void begin(final TileInput tile, final BlockSpectra kept) {
		this.tile = tile;
	}

	@Override
	public void correlate(final int template) {
		next = 0;
		start(template);
	}

	/** The first and the last row of lags that need row {@code next} of pixels. */
	final int first() {
		return Math.max(0, next - planes.height + 1);
	}

	final int last() {
		return Math.min(next, tile.lagsY() - 1);
	}

	abstract void start(int template);

	/**
	 * A template for sums in float.
	 *
	 * @param coefficients those of all channels
	 * @param run the number of products that are added up in float
	 * @param exact whether no run may be longer
	 */
	record FloatTemplate(float[] coefficients, int run, boolean exact, NumeratorError error) {}

	/** Sums in float. */
	static final class InFloat extends DirectNumerator {

		private List<FloatTemplate> templates;
		/** Created when they are first needed. */
		private FloatRowCorrelator[] correlators;
		private FloatRowCorrelator correlator;
		private NumeratorError error;
		private final float[] row;

		InFloat(final TemplatePlanes planes, final List<FloatTemplate> templates, final int maxLags) {
			super(planes, maxLags);
			row = new float[maxLags + planes.width - 1];
			with(templates);
		}

		/** Changes to other templates of the same size and weights. */
		InFloat with(final List<FloatTemplate> others) {
			templates = others;
			correlators = new FloatRowCorrelator[others.size()];
			return this;
		}

		@Override
		void start(final int template) {
			final FloatTemplate t = templates.get(template);
			if (correlators[template] == null) {
				final float[][] c = planes.cut(t.coefficients);
				correlators[template] = t.exact ? FloatRowCorrelator.exact(planes.width, planes.height, c, t.run, maxLags)
					: FloatRowCorrelator.of(planes.width, planes.height, c, t.run, maxLags);
			}
			correlator = correlators[template];
			correlator.begin(tile.lagsX());
			error = t.error;
		}

		/** Adds all rows of pixels that the row of lags needs. Tiles have one z. */
		@Override
		public void startRow(final int z, final int y) {
			lagY = y;
			for (; next < y + planes.height; next++) {
				tile.poll();
				for (int p = 0; p < tile.planes().length; p++) {
					tile.planes()[p].row(next, tile.scale(), row);
					correlator.add(p, row, next, first(), last());
				}
			}
		}

		@Override
		public float[] floats(final float[] buffer) {
			correlator.finish(lagY, buffer);
			return buffer;
		}

		@Override
		public void doubles(final double[] to) {
			correlator.finish(lagY, to);
		}

		@Override
		public NumeratorError error() {
			return error;
		}
	}

	/** A template for sums in double, with the coefficients of all channels. */
	record DoubleTemplate(double[] coefficients, NumeratorError error) {

		/** The templates of a batch, for responses in the precision of its problem. */
		static List<DoubleTemplate> of(final TemplateBatch batch) {
			final TemplatePlanes planes = batch.planes();
			final Precision precision = batch.problem().precision();
			final boolean single = precision == Precision.SINGLE;
			final double partial = DirectCoefficients.partialErrorInDouble(planes);
			return batch.zeroMeans().stream().map(t -> new DoubleTemplate(t.coefficients(), new DirectError(single ? Tolerance.DOUBLE_LIMIT
				: DirectCoefficients.doubleLimit(planes, t, batch.weights()), 0, partial, Tolerance.of(precision), single ? Tolerance.FLOOR
					: Tolerance.DOUBLE_FLOOR))).toList();
		}
	}

	/** Sums in double. */
	static final class InDouble extends DirectNumerator {

		private List<DoubleTemplate> templates;
		/** Created when they are first needed. */
		private DoubleRowCorrelator[] correlators;
		private DoubleRowCorrelator correlator;
		private NumeratorError error;
		private final double[] row;

		InDouble(final TemplatePlanes planes, final List<DoubleTemplate> templates, final int maxLags) {
			super(planes, maxLags);
			row = new double[maxLags + planes.width - 1];
			with(templates);
		}

		/** Changes to other templates of the same size and weights. */
		InDouble with(final List<DoubleTemplate> others) {
			templates = others;
			correlators = new DoubleRowCorrelator[others.size()];
			return this;
		}

		@Override
		void start(final int template) {
			final DoubleTemplate t = templates.get(template);
			if (correlators[template] == null) correlators[template] =
				DoubleRowCorrelator.of(planes.width, planes.height, planes.cut(t.coefficients), maxLags);
			correlator = correlators[template];
			correlator.begin(tile.lagsX());
			error = t.error;
		}

		/** Adds all rows of pixels that the row of lags needs. Tiles have one z. */
		@Override
		public void startRow(final int z, final int y) {
			lagY = y;
			for (; next < y + planes.height; next++) {
				tile.poll();
				for (int p = 0; p < tile.planes().length; p++) {
					tile.planes()[p].row(next, tile.scale(), row);
					correlator.add(p, row, next, first(), last());
				}
			}
		}

		@Override
		public float[] floats(final float[] buffer) {
			doubles(row);
			Rows.toFloat(row, buffer, tile.lagsX());
			return buffer;
		}

		@Override
		public void doubles(final double[] to) {
			correlator.finish(lagY, to);
		}

		@Override
		public NumeratorError error() {
			return error;
		}
	}
}
