package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.estimate.ResultNoise;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** Each term of the estimate by its closed form, on energies for which it is the greatest. */
class ResultNoiseTest {

	private static final int STRIPS = 16;
	private static final WholeShape SHAPE = WholeShape.of(Problems.correlation(PixelType.F32, PixelType.F32, Size.of(1024, 512),
		List.of(Size.of(1, 1)), Weights.NONE, Lags.inside(Size.of(1024, 512)), 1), Size.of(1, 1));
	private static final double LEVELS = Math.log((double) SHAPE.width * SHAPE.height) / Math.log(2);

	/** Row 3 has this energy in each strip, and all columns of a strip have {@code column}. */
	private static ResultNoise noise(final double column, final double... strips) {
		final ResultNoise noise = new ResultNoise(SHAPE.width, SHAPE.height, 2 * STRIPS, STRIPS);
		for (int s = 0; s < STRIPS; s++) {
			final double[] rows = new double[SHAPE.height];
			rows[3] = strips[strips.length == 1 ? 0 : s];
			noise.set(s, 2 * s, new float[] { (float) column, (float) (s * column) }, 2, rows);
		}
		noise.finish();
		return noise;
	}

	@Test
	void theErrorOfAColumnIsThatOfItsMeanSquare() {
		final ResultNoise noise = noise(9, 1);
		assertEquals(Math.sqrt(LEVELS * 9 / SHAPE.height), noise.ofColumn(6), 1e-9);
		assertEquals(Math.sqrt(LEVELS * 9 * 5 / SHAPE.height), noise.ofColumn(11), 1e-9);
	}

	/** Energy in all strips is that of noise: the mean square of the row. All other rows have the mean square of the whole result. */
	@Test
	void theErrorOfARowIsThatOfItsMeanSquareOrOfAll() {
		final ResultNoise noise = noise(0, 4);
		assertEquals(16 * 4, noise.energy());
		assertEquals(Math.sqrt(LEVELS * 64 / SHAPE.width), noise.ofRow(3), 1e-9);
		assertEquals(Math.sqrt(LEVELS * 64 / SHAPE.width / SHAPE.height), noise.ofRow(7), 1e-9);
	}

	/** Energy in one strip can be that of one value, which errs by 2 eps at its alias: 2/8 of its magnitude. */
	@Test
	void aStrongValueErrsAtItsAlias() {
		final double[] one = new double[STRIPS];
		one[5] = 100;
		assertEquals(2 / 8.0 * 10, noise(0, one).ofRow(3), 1e-9);
	}
}
