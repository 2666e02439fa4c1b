package sc.fiji.ncc.cpu.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/** Sums over the template's pixels that lie on present pixels of the image, against a loop over each window. */
class MaskSumsTest {

	private static final int LAGS_X = 9, LAGS_Y = 6, LAGS_Z = 2;

	private enum Mask {
		MOST, FEW, ALL, NONE
	}

	/** The weights are powers of two, so that every sum is exact; 0 marks pixels outside the template's mask. */
	@ParameterizedTest
	@CsvSource({ "MOST,4,3,1,false", "MOST,4,3,2,true", "FEW,5,2,2,true", "FEW,3,3,1,false", "ALL,4,3,2,true", "NONE,4,3,2,true", "ALL,4,3,1,false",
		"MOST,1,1,1,true" })
	void asALoopOverEachWindow(final Mask kind, final int w, final int h, final int d, final boolean weighted) {
		final Random random = new Random(7);
		final int n = w * h * d, width = LAGS_X + w - 1, height = LAGS_Y + h - 1, depth = LAGS_Z + d - 1;
		final double[] weights = weighted ? random.ints(n, 0, 4).mapToDouble(i -> i == 0 ? 0 : 1 << i).toArray() : null;
		if (weighted) weights[0] = 2;
		final double[][] deviations = new double[2][n];
		for (final double[] v : deviations) for (int i = 0; i < n; i++) v[i] = weighted && weights[i] == 0 ? 0 : random.nextInt(21) - 10;
		final double[][] present = new double[depth][width * height];
		final TileReader[] readers = new TileReader[depth];
		for (int p = 0; p < depth; p++) {
			for (int i = 0; i < present[p].length; i++)
				present[p][i] = kind == Mask.ALL ? 1 : kind == Mask.NONE ? 0 : random.nextInt(5) == 0 ^ kind == Mask.MOST ? 1 : 0;
			readers[p] = new TileReader(PixelType.F32);
			readers[p].read(new ArrayPixels(PixelType.F32, new int[] { width, height }, new double[width * height], false, present[p]), new long[2], width, height);
		}
		final DirectMaskSums sums = new DirectMaskSums(new TemplatePlanes(Size.of(w, h, d)), weights, weights, List.of(deviations),
			new int[] { LAGS_X, LAGS_Y, LAGS_Z });
		sums.begin(TileInput.of(readers, TileScale.about(0), new int[] { LAGS_X, LAGS_Y, LAGS_Z }, () -> false));
		int decided = 0;
		for (int t = 0; t < 2; t++) {
			sums.select(t);
			for (int z = 0; z < LAGS_Z; z++)
				for (int y = 0; y < LAGS_Y; y++) {
					sums.row(new long[3], new long[] { width, height, depth }, z, y, LAGS_X);
					final boolean[] outside = new boolean[LAGS_X];
					final int enough = sums.enough(0.5, outside, LAGS_X);
					int expected = 0;
					for (int x = 0; x < LAGS_X; x++) {
						double weight = 0, value = 0, square = 0, total = 0;
						for (int i = 0; i < n; i++) {
							final int column = x + i % w, row = y + i / w % h, plane = z + i / (w * h);
							final double weightHere = weighted ? weights[i] : 1, v = deviations[t][i];
							total += weightHere;
							if (present[plane][row * width + column] == 0) continue;
							weight += weightHere;
							value += weightHere * v;
							square += weightHere * v * v;
						}
						final String at = "lag " + x + ", " + y + ", " + z;
						assertEquals(weight, sums.weight[x], at);
						assertEquals(value, sums.value[x], at);
						assertEquals(square, sums.square[x], at);
						assertEquals(weight, sums.weights(z, y)[x], at);
						for (final double share : new double[] { 0, 0.25, 0.5, 1 })
							assertEquals(weight > 0 && weight >= share * total, sums.enough(x, share), at + ": " + weight + " of " + total + " for " + share);
						assertEquals(!(weight > 0 && weight >= total / 2), outside[x], at);
						if (!outside[x]) expected++;
					}
					assertEquals(expected, enough);
					decided += enough;
				}
		}
		assertTrue(kind == Mask.NONE ? decided == 0 : kind != Mask.ALL || decided == 2 * LAGS_X * LAGS_Y * LAGS_Z, decided + " have enough");
	}
}
