package sc.fiji.ncc.match;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.result.Match;

/** The quality of matches against direct sums over the responses of the definition. */
class PeakSurroundingsTest {

	/** Matches in the middle, at a border and in a corner of the map. In three dimensions responses up to 5 lags away count, otherwise up to 10. */
	@ParameterizedTest
	@CsvSource({ "2, 10, 48, 40, 1", "3, 5, 20, 18, 17" })
	void qualityIsADirectSum(final int dimensions, final int radius, final int width, final int height, final int depth) {
		final int[] size = Arrays.copyOf(new int[] { width, height, depth }, dimensions), side = dimensions == 2 ? new int[] { 7, 6 } : new int[] { 4, 3, 5 };
		final double[] image = smooth(size, new Random(dimensions));
		final int[] lags = IntStream.range(0, dimensions).map(d -> size[d] - side[d] + 1).toArray();
		final int[][] places = { new int[dimensions], lags.clone(), lags.clone() };
		for (int d = 0; d < dimensions; d++) {
			places[1][d] = lags[d] / 2;
			places[2][d] = d == 0 ? lags[d] - 1 : lags[d] / 3;
		}
		for (final int[] at : places) {
			final double[] template = part(image, size, at, side);
			final double[] map = new ReferenceNcc(image, size, template, side, null).inside(ReferenceNcc.Form.AFFORDABLE, new long[dimensions], lags);
			final List<Match> matches = TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.doubles(template, longs(side))).backend("cpu")).minScore(0.3)
				.maxMatches(4).quality(true).find(ArrayImgs.doubles(image, longs(size))).matches();
			assertTrue(matches.size() > 2, "some matches are not the template itself");
			for (final Match m : matches) {
				final double[] expected = direct(map, lags, Arrays.stream(m.position()).mapToInt(p -> (int) p).toArray(), radius);
				assertEquals(expected[0], m.quality().sidelobe(), 1e-5 * expected[0], m.toString());
				assertEquals(expected[1], m.quality().runnerUp(), 1e-6, m.toString());
			}
		}
	}

	/** The peak-to-sidelobe ratio, and the highest other maximum that does not touch the peak. */
	private static double[] direct(final double[] map, final int[] lags, final int[] peak, final int radius) {
		double mean = 0, squares = 0, runnerUp = Double.NaN;
		int count = 0;
		for (int i = 0; i < map.length; i++) {
			final int distance = distance(i, lags, peak);
			if (distance > radius || distance < 3) continue;
			mean += map[i];
			count++;
		}
		mean /= count;
		for (int i = 0; i < map.length; i++) {
			final int distance = distance(i, lags, peak);
			if (distance > radius) continue;
			if (distance > 2) squares += (map[i] - mean) * (map[i] - mean);
			if (distance > 1 && !(map[i] <= runnerUp) && isMaximum(map, lags, i, peak, radius)) runnerUp = map[i];
		}
		return new double[] { (map[ReferenceNcc.index(lags, peak)] - mean) / Math.sqrt(squares / count), runnerUp };
	}

	/** Whether all neighbours are lower and close enough to the peak. */
	private static boolean isMaximum(final double[] map, final int[] lags, final int index, final int[] peak, final int radius) {
		final int[] at = new int[lags.length];
		ReferenceNcc.unravel(index, lags, at);
		return IntStream.range(0, map.length).filter(j -> j != index && distance(j, lags, at) == 1)
			.allMatch(j -> map[j] < map[index] && distance(j, lags, peak) <= radius);
	}

	/** The largest distance along an axis. */
	private static int distance(final int index, final int[] size, final int[] from) {
		final int[] at = new int[size.length];
		ReferenceNcc.unravel(index, size, at);
		return IntStream.range(0, at.length).map(d -> Math.abs(at[d] - from[d])).max().orElseThrow();
	}

	private static double[] part(final double[] image, final int[] size, final int[] from, final int[] side) {
		final double[] part = new double[ReferenceNcc.pixels(side)];
		final int[] at = new int[side.length];
		for (int i = 0; i < part.length; i++) {
			ReferenceNcc.unravel(i, side, at);
			for (int d = 0; d < at.length; d++) at[d] += from[d];
			part[i] = image[ReferenceNcc.index(size, at)];
		}
		return part;
	}

	/** Noise of 8 bits, averaged with the next pixels along x. */
	private static double[] smooth(final int[] size, final Random random) {
		final double[] noise = random.ints(ReferenceNcc.pixels(size) + 2L, 0, 256).asDoubleStream().toArray();
		return IntStream.range(0, noise.length - 2).mapToDouble(i -> noise[i] + 2 * noise[i + 1] + noise[i + 2]).toArray();
	}

	private static long[] longs(final int[] values) {
		return Arrays.stream(values).asLongStream().toArray();
	}
}
