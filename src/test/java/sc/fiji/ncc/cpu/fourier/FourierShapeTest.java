package sc.fiji.ncc.cpu.fourier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The templates that blocks of transforms take, and blocks and parts of the right size. */
class FourierShapeTest {

	private static Size size(final String text) {
		return Size.of(Arrays.stream(text.split("x")).mapToLong(Long::parseLong).toArray());
	}

	private static Device device(final long memory) {
		return new Device("cpu", "test", 2, memory);
	}

	/** On an image with some lags along each dimension. */
	@ParameterizedTest
	@CsvSource({ "1024x1024x64, true", "1025x3x3, true", "3x3x65, true", "1025x1, true", "5000x5000, true", "1048577, true", "1x1x1x1, false", "2x2x2x2, false" })
	void templatesOfAnySizeAreTaken(final String template, final boolean taken) {
		final Size t = size(template);
		assertEquals(taken, FourierShape.unsuited(problem(t, 7, t.dimensions())).isEmpty(), () -> FourierShape.unsuited(problem(t, 7, t.dimensions())).toString());
	}

	@ParameterizedTest
	@CsvSource({ "1x1x1, 1x1x1", "3x3x1, 2000x2000x1", "1024x1024x1, 9x9x1", "64x64x64, 5x5x5", "1x1024x1, 50x50x1", "7x5x64, 300x2x9", "100000x1x1, 3x1x1",
		"20x1x1, 1000000x1x1",
		"5000x5000x1, 3000x1x1", "100x100000x1, 1x1x1", "3000000x1x1, 3000000x1x1", "200x200x200, 57x57x57", "2049x1x1, 3x3x1" })
	void aBlockHoldsAPartAndAtLeastOneLagWithinTheMemory(final String template, final String lags) {
		final Size t = size(template), n = size(lags);
		for (long memory = 1000; memory <= 64L << 30; memory *= 64) {
			final FourierShape shape = FourierShape.of(t, n, device(memory));
			final TemplateParts parts = new TemplateParts(new TemplatePlanes(t), shape);
			long points = 1, pixels = 0;
			for (int d = 0; d < 3; d++) {
				points *= shape.block()[d];
				assertTrue(shape.unit()[d] >= 1, "lags of a block");
				final int step = shape.block()[d] - shape.part()[d] + 1;
				assertTrue(shape.unit()[d] == step || d < 2 && shape.unit()[d] == 2 * step, "block " + Arrays.toString(shape.block()));
				assertEquals(0, shape.maxLags()[d] == n.get(d) ? 0 : shape.maxLags()[d] % shape.unit()[d], "tiles of whole blocks");
			}
			for (int p = 0; p < parts.count; p++) {
				long part = 1;
				for (int d = 0; d < 3; d++) part *= Math.min(shape.part()[d], t.get(d) - parts.offset(p, d));
				pixels += part;
			}
			assertEquals(t.pixels(), pixels, "pixels of all parts");
			assertTrue(64 * points <= Math.max(1 << 14, memory / 8), "memory of a block of " + points + " points with " + memory + " bytes");
		}
	}

	@Test
	void memoryLimitsTheThreads() {
		assertEquals(2, FourierShape.threads(device(1000), 500));
		assertEquals(1, FourierShape.threads(device(1000), 501));
		assertEquals(1, FourierShape.threads(device(1000), 5000));
		assertEquals(2, FourierShape.threads(device(1000), 1));
	}

	private static Correlation problem(final Size template, final long lags, final int alongSoMany) {
		final long[] count = LongStream.range(0, template.dimensions()).map(d -> d < alongSoMany ? lags : 1).toArray();
		final long[] image = new long[count.length];
		for (int d = 0; d < count.length; d++) image[d] = template.get(d) + count[d] - 1;
		return Problems.correlation(PixelType.U8, PixelType.U8, Size.of(image), List.of(template), Weights.NONE, Lags.inside(Size.of(count)), 1);
	}
}
