package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.estimate.ForwardNoise;
import sc.fiji.ncc.estimate.LineEnergies;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The estimate of transforms of whole images, by closed forms. */
class LineEnergiesTest {

	private static final WholeShape SHAPE = WholeShape.of(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(256, 128),
		List.of(Size.of(1, 1)), Weights.NONE, Lags.inside(Size.of(256, 128)), 1), Size.of(1, 1));

	private static int[] mirrored(final int n) {
		return IntStream.range(0, n).map(i -> (n - i) % n).toArray();
	}

	/** An image with all energy at one frequency along x and one along y. */
	private static LineEnergies energies(final int x, final int y, final double energy) {
		final LineEnergies energies = new LineEnergies(SHAPE.width, SHAPE.height, SHAPE.strip, mirrored(SHAPE.width), mirrored(SHAPE.rows()));
		for (int at = 0; at < SHAPE.rows(); at += SHAPE.strip) {
			final int n = Math.min(SHAPE.strip, SHAPE.rows() - at);
			final double[] rows = new double[SHAPE.width];
			final float[] columns = new float[n];
			if (y >= at && y < at + n) {
				rows[x] = energy;
				columns[y - at] = (float) energy;
			}
			energies.set(rows, columns, at, n);
		}
		energies.finish();
		return energies;
	}

	@Test
	void energiesMeetOnTheLinesOfAnAxis() {
		final double n = SHAPE.points(), levelsY = Math.log(SHAPE.height) / Math.log(2), levelsX = Math.log(SHAPE.width) / Math.log(2);
		final LineEnergies image = energies(3, 5, 7);
		// the energy is that of a frequency and its negative
		assertEquals(2 * 7 / n, image.energy(), 1e-12);
		final double line = 2 * (7 / n) * (7 / n), spread = 2 * 7 / n * (2 * 7 / n) / n;
		final double alongY = line / SHAPE.height, alongX = line / SHAPE.width;
		assertEquals(Math.sqrt(alongY * levelsY + alongX * levelsX), image.noise(energies(3, 5, 7)), 1e-12);
		assertEquals(Math.sqrt(alongY * levelsY + alongX * levelsX), image.noise(energies(SHAPE.width - 3, SHAPE.rows() - 5, 7)), 1e-12);
		assertEquals(Math.sqrt(alongY * levelsY + spread * levelsX), image.noise(energies(3, 9, 7)), 1e-12);
		assertEquals(Math.sqrt(spread * levelsY + alongX * levelsX), image.noise(energies(8, 5, 7)), 1e-12);
		assertEquals(Math.sqrt(spread * (levelsY + levelsX)), image.noise(energies(8, 9, 7)), 1e-12);
	}

	/** Columns have what exceeds the error of the block, rows what exceeds that and the least of the columns. */
	@Test
	void theGreatestErrorCounts() {
		final double[] columns = { 5, 3, 9 }, rows = { 2, 4, 10 };
		ForwardNoise.reduce(columns, rows, 4, 2);
		assertArrayEquals(new double[] { 2, 0, 10 }, columns);
		assertArrayEquals(new double[] { 0, 0, 12 }, rows);
		final double[] others = { 5, 3, 9 }, more = { 2, 4, 10 };
		ForwardNoise.reduce(others, more, 1, 1);
		assertArrayEquals(new double[] { 4, 2, 8 }, others);
		assertArrayEquals(new double[] { 0, 1, 7 }, more);
	}
}
