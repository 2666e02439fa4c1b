package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/** The moments of masked windows by transforms against direct sums in double, and their estimated errors against the true ones. */
class FourierMomentsTest {

	private enum Content { NOISE, SIGNS, HILLS, SINE, STEP, HALF, SPOT, COLUMN, ROW, RAMP, RARE, GROWING, TILES }

	/** Extents of the block, the template and the tile's lags: several blocks, or a part of one. */
	private static final int[][][] SHAPES = { { { 64, 64, 1 }, { 16, 16, 1 }, { 110, 60, 1 } }, { { 96, 48, 1 }, { 40, 7, 1 }, { 57, 99, 1 } },
		{ { 256, 128, 1 }, { 64, 64, 1 }, { 193, 65, 1 } }, { { 16, 64, 1 }, { 3, 30, 1 }, { 40, 20, 1 } },
		{ { 32, 32, 32 }, { 12, 12, 12 }, { 40, 21, 30 } }, { { 16, 16, 8 }, { 5, 9, 3 }, { 24, 8, 13 } } };

	private final Random random = new Random(7);

	private double value(final Content content, final int x, final int y, final int w, final int h) {
		return switch (content) {
			case NOISE -> random.nextGaussian();
			case SIGNS -> random.nextBoolean() ? 1 : -1;
			case HILLS -> 35 * (Math.sin(0.07 * x) * Math.cos(0.05 * y) + 0.3 * Math.sin(0.0023 * x * y) + 0.02 * random.nextGaussian());
			case SINE -> Math.sin(0.5 * x) * 10 + random.nextGaussian();
			case STEP -> (2 * x < w ? 0 : 1e6) + random.nextGaussian();
			case HALF -> (2 * y < h ? 1 : 8) * 15 * random.nextDouble();
			case SPOT -> x == w / 2 && y == h / 3 ? 1e5 : random.nextGaussian();
			case COLUMN -> x == w / 2 ? 300 : random.nextGaussian();
			case ROW -> y == h / 2 ? 300 : random.nextGaussian();
			case RAMP -> 100.0 * x / w + 50.0 * y / h;
			case RARE -> Math.pow(random.nextDouble(), 20) * 1e3;
			case GROWING -> Math.exp(8.0 * x / w) * random.nextGaussian();
			case TILES -> ((x / 40 + y / 40) % 2 == 0 ? 100 : 1) * random.nextGaussian() + 50 * Math.sin(0.01 * x * y);
		};
	}

	@ParameterizedTest
	@EnumSource
	void noWindowWithinItsEstimateErrsBeyondTheTolerance(final Content content) {
		for (final int[][] shape : SHAPES)
			for (final boolean ofAnyWeight : new boolean[] { false, true }) {
				check(content, shape[0], shape[1], shape[1], shape[2], ofAnyWeight);
				check(content, shape[0], Arrays.stream(shape[1]).map(extent -> (extent + 1) / 2).toArray(), shape[1], shape[2], ofAnyWeight);
			}
	}

	/** @param part the extents of the parts of the template */
	private void check(final Content content, final int[] block, final int[] part, final int[] size, final int[] lags, final boolean ofAnyWeight) {
		final Case c = new Case(content, size, lags, ofAnyWeight);
		final TemplateParts parts = new TemplateParts(c.planes, block, part);
		final FourierNumerator inFloat = new FourierNumerator(List.of(spectra(parts, c.zeroMean)), spectra(parts, c.weights), c.n, false, lags);
		inFloat.begin(c.tile(lags[2]), null);
		inFloat.correlate(0);
		c.compare(inFloat.moments()[0], lags[2], 1);
		final DoubleFourierNumerator inDouble = new DoubleFourierNumerator(new DoubleSpectra(parts, List.of(c.zeroMean), c.weights), c.n, new int[] { lags[0], lags[1], 1 },
			Precision.SINGLE);
		inDouble.begin(c.tile(1), null);
		inDouble.correlate(0);
		c.compare(inDouble.moments()[0], 1, 0.1);
	}

	private static PartSpectra spectra(final TemplateParts parts, final double[] coefficients) {
		final float[] c = new float[coefficients.length];
		Rows.toFloat(coefficients, c, c.length);
		return new PartSpectra(parts.fft(), parts, Rows.toDouble(c));
	}

	/** An image of one tile and a mask: elliptic, or with random weights within the ellipse. */
	private final class Case {

		final String name;
		final int[] lags;
		final TemplatePlanes planes;
		final double[] weights, zeroMean;
		final double n;
		final TileReader[] readers;
		final TileScale scale;

		Case(final Content content, final int[] size, final int[] lags, final boolean ofAnyWeight) {
			name = content + " " + size[0] + "x" + size[1] + "x" + size[2];
			this.lags = lags;
			planes = new TemplatePlanes(size[2] == 1 ? Size.of(size[0], size[1]) : Size.of(size[0], size[1], size[2]));
			weights = new double[size[0] * size[1] * size[2]];
			zeroMean = new double[weights.length];
			double sum = 0, all = 0;
			for (int i = 0; i < weights.length; i++) {
				final double u = (2 * (i % size[0]) + 1.0) / size[0] - 1, v = (2 * (i / size[0] % size[1]) + 1.0) / size[1] - 1;
				final double q = (2 * (i / (size[0] * size[1])) + 1.0) / size[2] - 1;
				weights[i] = u * u + v * v + q * q > 1 ? 0 : ofAnyWeight ? 2 * random.nextFloat() : 1;
				zeroMean[i] = weights[i] * random.nextGaussian();
				sum += zeroMean[i];
				all += weights[i];
			}
			n = all;
			for (int i = 0; i < weights.length; i++) zeroMean[i] -= weights[i] * sum / n;
			final int w = lags[0] + size[0] - 1, h = lags[1] + size[1] - 1, d = lags[2] + size[2] - 1;
			final double[] pixels = new double[w * h * d];
			for (int i = 0; i < pixels.length; i++) pixels[i] = value(content, i % w, i / w % h, w, h);
			readers = new TileReader[d];
			for (int z = 0; z < d; z++) {
				readers[z] = new TileReader(PixelType.F64);
				readers[z].read(plane(pixels, w, h, z), new long[] { 0, 0 }, w, h);
			}
			scale = TileScale.of(readers, d, PixelType.F64);
		}

		TileInput tile(final int depth) {
			return TileInput.of(readers, scale, new int[] { lags[0], lags[1], depth }, () -> false);
		}

		/** @param factor the maximum share of the tolerance, for windows that need no recheck */
		void compare(final WindowMoments moments, final int depth, final double factor) {
			final WeightedMoments direct = new WeightedMoments(planes, weights, Tolerance.RESPONSE, lags[0]);
			direct.begin(tile(depth));
			final WindowMoments.Error estimate = moments.error();
			final double[] expectedSums = new double[lags[0]], expectedEnergies = new double[lags[0]];
			final double[] sums = new double[lags[0]], energies = new double[lags[0]];
			for (int z = 0; z < depth; z++)
				for (int y = 0; y < lags[1]; y++) {
					final int row = y;
					direct.row(z, y, expectedSums, expectedEnergies);
					moments.row(z, y, sums, energies);
					for (int x = 0; x < lags[0]; x++) {
						final double s = expectedSums[x], expected = expectedEnergies[x] - s * (s / n);
						final double v = energies[x] - sums[x] * (sums[x] / n), error = Math.abs(v - expected) / 2 / Tolerance.RESPONSE;
						final String at = name + " at " + x + ", " + row + ", " + z;
						// pixels as floats: about the reference and about the mean
						final double rounding = 2 * Tolerance.EPS_FLOAT / Tolerance.RESPONSE * Math.sqrt(expected * expectedEnergies[x] / n);
						assertTrue(error <= estimate.minVariance()[x] + rounding, () -> at + ": error beyond the estimate");
						final double ofPixels = 2 * Tolerance.EPS_FLOAT / Tolerance.RESPONSE * Math.sqrt(expectedEnergies[x] * n);
						assertTrue(Math.abs(sums[x] - s) / Tolerance.RESPONSE <= estimate.sumError(x) + ofPixels, () -> at + ": error of the sum");
						if (v > estimate.minVariance()[x])
							assertTrue(error < factor * 0.9 * expected + rounding, () -> at + ": accepted");
						assertEquals(estimate.minVariance()[x], estimate.partialMinVariance(x, sums[x], n), 1e-4 * estimate.minVariance()[x]);
					}
				}
		}
	}

	/** On noise no window needs a recheck: otherwise transforms of moments would not pay. */
	@ParameterizedTest
	@CsvSource({ "NOISE", "SIGNS", "SINE" })
	void windowsOfEvenContrastAreAccepted(final Content content) {
		for (final int[][] shape : SHAPES) {
			if (shape[1][0] < 8) continue;
			final Case c = new Case(content, shape[1], shape[2], false);
			final int[] lags = shape[2];
			final TemplateParts parts = new TemplateParts(c.planes, shape[0], shape[1]);
			final FourierNumerator way = new FourierNumerator(List.of(spectra(parts, c.zeroMean)), spectra(parts, c.weights), c.n, false, lags);
			way.begin(c.tile(lags[2]), null);
			way.correlate(0);
			final WindowMoments moments = way.moments()[0];
			final double[] sums = new double[lags[0]], energies = new double[lags[0]];
			for (int z = 0; z < lags[2]; z++)
				for (int y = 0; y < lags[1]; y++) {
					moments.row(z, y, sums, energies);
					for (int x = 0; x < lags[0]; x++)
						assertTrue(energies[x] - sums[x] * sums[x] / c.n > moments.error().minVariance()[x] + moments.error().floor(), c.name);
				}
		}
	}

	private static Pixels plane(final double[] volume, final int w, final int h, final int z) {
		return new Pixels() {

			@Override
			public PixelType type() {
				return PixelType.F64;
			}

			@Override
			public long[] size() {
				return new long[] { w, h };
			}

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				final DoubleBuffer buffer = (DoubleBuffer) to;
				buffer.clear();
				for (int y = 0; y < size[1]; y++) buffer.put(volume, (int) ((z * h + min[1] + y) * w + min[0]), size[0]);
				buffer.flip();
			}
		};
	}
}
