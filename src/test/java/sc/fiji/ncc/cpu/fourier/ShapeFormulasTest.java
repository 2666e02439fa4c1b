package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** Extents, memory and counted work of the shapes of Fourier methods, worked out by hand. */
class ShapeFormulasTest {

	private static Correlation problem(final Size template, final Size lags, final boolean masked) {
		final long[] image = new long[template.dimensions()];
		for (int d = 0; d < image.length; d++) image[d] = template.get(d) + lags.get(d) - 1;
		return Problems.correlation(PixelType.U16, PixelType.U8, Size.of(image), List.of(template), Weights.NONE, new Lags(lags, false, masked, 1), 1);
	}

	/** Counts one constant. */
	private static Constants only(final String constant) {
		return (name, shipped) -> name.equals(constant) ? 1 : 0;
	}

	/** 20x10 lags of a template of 100x60: partitions fill the blocks that the lags leave. */
	@Test
	void partitionsCoverTheTemplate() {
		final Size template = Size.of(100, 60), lags = Size.of(20, 10);
		for (final int templates : new int[] { 1, 10, 1000 }) {
			final PartitionShape shape = PartitionShape.of(template, lags, templates);
			assertEquals(shape.width - 19, shape.partitionWidth);
			assertEquals(shape.height - 9, shape.partitionHeight);
			assertEquals((int) Math.ceil(100.0 / shape.partitionWidth), shape.partitionsX);
			assertEquals((int) Math.ceil(60.0 / shape.partitionHeight), shape.partitionsY);
			final int points = shape.width * shape.height, pairs = (int) Math.ceil(shape.partitionsX * shape.partitionsY / 2.0);
			assertEquals(pairs, shape.pairs());
			assertEquals(8L * pairs * points, shape.templateBytes());
			// spectra, pixels in float and as they are, and 28 bytes a lag
			final long pixels = (shape.partitionsX * shape.partitionWidth + 20L) * (shape.partitionsY * shape.partitionHeight + 10L);
			assertEquals(8L * (pairs + 2) * points + pixels * 6 + 200 * 28, shape.bytes(PixelType.U16, lags));
			final double levels = Math.log(points) / Math.log(2);
			assertEquals(pairs * points, shape.forward(only("parts-point")), 1e-6);
			assertEquals(pairs * points * levels, shape.forward(only("parts-point-level")), 1e-6);
			assertEquals(0, shape.forward(only("parts-product")));
			assertEquals(points, shape.inverse(only("parts-point")), 1e-6);
			assertEquals(points * levels, shape.inverse(only("parts-point-level")), 1e-6);
			assertEquals(pairs * points, shape.inverse(only("parts-product")), 1e-6);
		}
	}

	/** Extents are at least 16, and blocks have at most 98304 points. */
	@Test
	void blocksHaveALeastAndALargestSize() {
		final PartitionShape smallest = PartitionShape.of(Size.of(1, 1), Size.of(3, 17), 1);
		assertArrayEquals(new int[] { 16, 24 }, new int[] { smallest.width, smallest.height });
		final PartitionShape largest = PartitionShape.of(Size.of(2000, 2000), Size.of(256, 256), 1);
		assertTrue(largest.width * largest.height <= 3 << 15, largest.width + "x" + largest.height);
	}

	@Test
	void partitionsRefuse() {
		assertEquals("", PartitionShape.unsuited(problem(Size.of(2048, 2048), Size.of(256, 256), false)).orElse(""));
		for (final Size lags : List.of(Size.of(257, 256), Size.of(256, 257)))
			assertTrue(PartitionShape.unsuited(problem(Size.of(9, 9), lags, false)).orElseThrow().contains("256x256 lags"));
		for (final Size t : List.of(Size.of(2049, 9), Size.of(9, 2049)))
			assertTrue(PartitionShape.unsuited(problem(t, Size.of(9, 9), false)).orElseThrow().contains("2048x2048 pixels"));
		assertTrue(PartitionShape.unsuited(problem(Size.of(9, 9, 9), Size.of(3, 3, 3), false)).orElseThrow().contains("2 dimensions, not 3"));
		assertTrue(PartitionShape.unsuited(problem(Size.of(9, 9), Size.of(9, 9), true)).orElseThrow().contains("missing pixels"));
	}

	/** 100x50 pixels fit into 128x64 points: 96 are too few, and 48. */
	@Test
	void oneTransformHoldsAllPixels() {
		final Size template = Size.of(5, 7);
		final Correlation p = problem(template, Size.of(96, 44), false);
		final WholeShape shape = WholeShape.of(p, template);
		assertArrayEquals(new int[] { 128, 64, 32, 32, 8 }, new int[] { shape.width, shape.height, shape.rows(), shape.columns, shape.strip });
		assertEquals(8192, shape.points());
		assertEquals(8192 * 13, shape.pointLevels(), 1e-8);
		assertEquals(4 * 8192, shape.spectrumBytes());
		assertEquals(16 * 8 * 128 + 8 * 32 * 32, shape.threadBytes());
		assertEquals(5000, shape.pixels(p, template));
		assertEquals(2 * 5000 + 4 * 8192 + 4 * 96 * 44, shape.imageBytes(p, template, false));
		assertEquals(2 * 5000 + 2 * (4 * 8192 + 4 * 96 * 44), shape.imageBytes(p, template, true));
		// three times a power of two, whose thirds are strips
		final WholeShape three = WholeShape.of(problem(template, Size.of(92, 42), false), template);
		assertArrayEquals(new int[] { 96, 48, 24, 16, 2 }, new int[] { three.width, three.height, three.rows(), three.columns, three.strip });
		final WholeShape least = WholeShape.of(problem(Size.of(1, 1), Size.of(2, 3), false), Size.of(1, 1));
		assertArrayEquals(new int[] { 8, 8, 4, 1 }, new int[] { least.width, least.height, least.columns, least.strip });
		final WholeShape large = WholeShape.of(problem(Size.of(1, 1), Size.of(1024, 1024), false), Size.of(1, 1));
		assertArrayEquals(new int[] { 64, 64 }, new int[] { large.columns, large.strip });
	}

	/** 96 lags need 100 pixels along x, but those beyond the image wrap around at 92 + 4. */
	@Test
	void lagsBeyondTheImageWrapAround() {
		final Size template = Size.of(5, 5), image = Size.of(92, 28);
		final Correlation p = Problems.correlation(PixelType.U16, PixelType.U8, image, List.of(template), Weights.NONE,
			new Lags(Size.of(96, 32), true, false, 0.1), 1);
		final WholeShape shape = WholeShape.of(p, template);
		// without wrapping, 100 and 36 pixels would need 128 and 48 points
		assertArrayEquals(new int[] { 96, 32 }, new int[] { shape.width, shape.height });
		assertEquals(92 * 28, shape.pixels(p, template));
		// a part of the lags needs a part of the pixels
		final Correlation part = Problems.correlation(PixelType.U16, PixelType.U8, Size.of(200, 100), List.of(template), Weights.NONE,
			Lags.inside(Size.of(96, 44)), 1);
		assertEquals(100 * 48, WholeShape.of(part, template).pixels(part, template));
	}

	@Test
	void oneTransformRefuses() {
		assertEquals("", WholeShape.unsuited(problem(Size.of(9, 9), Size.of(90, 90), false)).orElse(""));
		assertTrue(WholeShape.unsuited(problem(Size.of(9, 9, 9), Size.of(3, 3, 3), false)).orElseThrow().contains("has 3"));
		assertTrue(WholeShape.unsuited(problem(Size.of(9, 9), Size.of(9, 9), true)).orElseThrow().contains("missing pixels"));
		final Correlation p = problem(Size.of(9, 9), Size.of(9, 9), false);
		assertTrue(WholeShape.unsuited(new Correlation(p.windows(), Weights.BINARY, 1, Result.MAP)).orElseThrow().contains("without masks"));
		assertTrue(WholeShape.unsuited(new Correlation(p.windows(), Weights.NONE, 3, Result.MAP)).orElseThrow().contains("one channel, not 3"));
		// 2^29 points are the most
		assertEquals("", WholeShape.unsuited(problem(Size.of(1, 1), Size.of(1 << 15, 1 << 14), false)).orElse(""));
		assertTrue(WholeShape.unsuited(problem(Size.of(2, 1), Size.of(1 << 15, 1 << 14), false)).orElseThrow().contains("49152x16384 points"));
	}

	@Test
	void workAndMemoryOfBlocks() {
		for (final Size[] t : new Size[][] { { Size.of(32, 20, 1), Size.of(700, 500, 1) }, { Size.of(9, 8, 5), Size.of(40, 41, 30) },
			{ Size.of(3000, 1, 1), Size.of(9, 9, 1) } }) {
			final FourierShape shape = FourierShape.find(t[0], t[1], 1 << 23);
			final int[] b = shape.block(), part = shape.part(), lags = shape.maxLags();
			long points = 1, parts = 1, tile = 1, columns = 1, pairs = 1;
			for (int d = 0; d < 3; d++) {
				points *= b[d];
				parts *= (t[0].get(d) + part[d] - 1) / part[d];
				tile *= lags[d];
				columns *= lags[d] + t[0].get(d) - 1;
				pairs *= (lags[d] + b[d] - part[d]) / (b[d] - part[d] + 1);
			}
			pairs = (pairs + 1) / 2;
			assertEquals(8 * points * parts, shape.templateBytes());
			assertEquals(points * parts / 2.0, shape.templateSeconds(only("fourier-point")), 1e-6);
			assertEquals(points * parts * Math.log(points * parts) / Math.log(2) / 2, shape.templateSeconds(only("fourier-point-level")), 1e-3);
			assertEquals((lags[0] + t[0].get(0) - 1.0) / lags[0] * ((lags[1] + t[0].get(1) - 1.0) / lags[1]), shape.pixelsPerLag(), 1e-12);
			final long inPlace = b[0] == b[1] && b[2] == 1 ? 16 : 32;
			assertEquals(points * (inPlace + (parts > 1 ? 8 : 0)) + 16 * tile + columns, shape.maskBytes(false));
			assertEquals(points * (inPlace + (parts > 1 ? 8 : 8 * pairs)) + 16 * tile + columns, shape.maskBytes(true));
			// a line has one level more, for its folding
			final double levels = Math.log(points) / Math.log(2) + (b[1] * b[2] == 1 ? 1 : 0);
			// each row of a volume counts as 22 further points, and as 20 in each level
			final double rows = b[2] > 1 ? 1 + 22.0 / b[0] + 22.0 / b[1] : 1, x = Math.log(b[0]) / Math.log(2);
			final double all = levels + (b[2] > 1 ? 20 * (x / b[1] + (levels - x) / b[0]) : 0);
			assertEquals(all * shape.secondsPerLag(only("fourier-point")) / rows, shape.secondsPerLag(only("fourier-point-level")), 1e-9 * levels * points);
			// no more lags are served than blocks hold
			assertTrue(shape.secondsPerLag(only("fourier-point")) >= 1, "points of a lag");
		}
	}
}
