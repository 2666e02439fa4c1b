package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cpu.fourier.DoubleFourierNumerator;
import sc.fiji.ncc.cpu.fourier.FourierShape;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;

/** The fallback of the Fourier method computes one z at a time, with blocks that are as deep as the template. */
class FourierFallbackTest {

	@Test
	void blocksOfOnePlane() throws ReflectiveOperationException {
		final Device device = new Device("cpu", "one thread", 1, 1L << 32);
		final Size template = Size.of(8, 8, 8), image = Size.of(90, 90, 90);
		final Correlation problem = NormalizedCrossCorrelation.problem(PixelType.F32, image, PixelType.F32, template, Extent.VALID, 1);
		final int[] tiles = FourierShape.of(template, problem.lags().count(), device).block();
		assertTrue(tiles[2] > 8, "tiles have several z");
		final Template noise = new Template(template, PixelType.F32, new Random(1).doubles(512).toArray(), null);
		final CorrelationMethod method = (CorrelationMethod) CpuFourier.tiles(List.of(noise), problem, device);
		final Field pair = DoubleFourierNumerator.class.getDeclaredField("pair"), rows = pair.getType().getDeclaredField("re");
		pair.setAccessible(true);
		rows.setAccessible(true);
		final int[] plane = FourierShape.of(template, Size.of(83, 83, 1), device).block();
		assertEquals(8, plane[2]);
		assertEquals(plane[1] * 8, ((double[][]) rows.get(pair.get(method.fallback()))).length);
	}
}
