package sc.fiji.ncc.cpu.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.PairRows;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;

/** Variances from pairs of doubles against exact decimal numbers: accurate wherever they exceed the stated floor. */
class PairWindowSumsTest {

	private static final MathContext DIGITS = new MathContext(60);

	/** Bright rows that fade over the tile, far from the reference, like a faint field below a spot: running sums keep a trace of the rows that left. */
	@ParameterizedTest
	@CsvSource({ "5,4,1,23,60,false", "5,4,1,23,60,true", "1,3,1,9,50,false", "16,7,1,40,70,false", "31,2,2,11,50,false", "31,2,2,11,50,true", "3,3,3,8,60,false" })
	void variancesAboveTheFloorAreWithinTheTolerance(final int w, final int h, final int d, final int lagsX, final int lagsY, final boolean independent) {
		final int width = lagsX + w - 1, height = lagsY + h - 1;
		final Random random = new Random(w + h);
		final double[][] planes = new double[d][width * height];
		for (final double[] plane : planes)
			for (int i = 0; i < plane.length; i++) plane[i] = (1 + random.nextDouble()) * Math.scalb(1.0, -i / width);
		final TemplatePlanes shape = new TemplatePlanes(Size.of(w, h, d));
		final TileReader[] readers = new TileReader[d];
		for (int z = 0; z < d; z++) {
			readers[z] = new TileReader(PixelType.F64);
			readers[z].read(new Plane(planes[z], width, height), new long[2], width, height);
		}
		final PairWindowSums windows = new PairWindowSums(shape, new int[] { lagsX, lagsY, 1 }, independent);
		windows.begin(TileInput.of(readers, TileScale.about(0), new int[] { lagsX, lagsY, 1 }, () -> false));
		final double[] sums = new double[lagsX], energies = new double[lagsX];
		int above = 0, below = 0;
		for (int y = 0; y < lagsY; y++) {
			windows.row(0, y, sums, energies);
			final WindowMoments.LowOrderParts low = windows.lowOrderParts();
			for (int x = 0; x < lagsX; x++) {
				BigDecimal sum = BigDecimal.ZERO, energy = BigDecimal.ZERO;
				for (final double[] plane : planes)
					for (int i = 0; i < w * h; i++) {
						final BigDecimal v = new BigDecimal(plane[(y + i / w) * width + x + i % w]);
						sum = sum.add(v);
						energy = energy.add(v.multiply(v));
					}
				final double n = shape.size.pixels();
				final double exact = energy.subtract(sum.multiply(sum).divide(new BigDecimal(n), DIGITS)).doubleValue();
				final double found = PairRows.variance(sums[x], low.sums()[x], energies[x], low.energies()[x], n);
				if (found <= windows.floor()) below++;
				else {
					assertEquals(exact, found, Tolerance.of(Precision.DOUBLE) * exact, "at " + x + ", " + y);
					above++;
				}
			}
		}
		assertTrue(above > lagsX * lagsY / 4, above + " windows stand out");
		// after 100 bits nothing of the faint rows is left
		assertEquals(independent, below == 0, below + " windows do not");
	}

	/** The floor is a share of all energy that was added to a band of rows, at most three times as much; of the brightest band so far. Independent sums have none. */
	@ParameterizedTest
	@CsvSource({ "5,4,23", "1,3,9", "16,7,40", "31,2,11", "7,7,1" })
	void theFloorIsAShareOfTheBrightestBand(final int w, final int h, final int lagsX) {
		final int width = lagsX + w - 1, lagsY = 3, height = lagsY + h - 1;
		final double[] pixels = new double[width * height];
		for (int i = 0; i < pixels.length; i++) pixels[i] = i / width == h ? 3 : 1 + i % width % 2;
		final TileReader reader = new TileReader(PixelType.F64);
		reader.read(new Plane(pixels, width, height), new long[2], width, height);
		for (final boolean independent : new boolean[] { false, true }) {
			final PairWindowSums windows = new PairWindowSums(new TemplatePlanes(Size.of(w, h)), new int[] { lagsX, lagsY, 1 }, independent);
			windows.begin(TileInput.of(new TileReader[] { reader }, TileScale.about(0), new int[] { lagsX, lagsY, 1 }, () -> false));
			double brightest = 0;
			for (int y = 0; y < lagsY; y++) {
				windows.row(0, y, new double[lagsX], new double[lagsX]);
				double band = 0;
				for (int i = y * width; i < (y + h) * width; i++) band += pixels[i] * pixels[i];
				brightest = Math.max(brightest, band);
				final double energy = windows.floor() * Tolerance.of(Precision.DOUBLE) / 0x1p-90;
				assertTrue(independent ? energy == 0 : energy >= brightest * (1 - 1e-12) && energy <= 3 * brightest, "row " + y + ": " + energy + " of " + brightest);
			}
		}
	}

	/** One plane. */
	private record Plane(double[] pixels, int width, int height) implements Pixels {

		@Override
		public PixelType type() {
			return PixelType.F64;
		}

		@Override
		public long[] size() {
			return new long[] { width, height };
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			((DoubleBuffer) to).duplicate().put(pixels, 0, width * height);
		}
	}
}
