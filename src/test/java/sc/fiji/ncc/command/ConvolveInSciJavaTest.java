package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import org.scijava.command.CommandModule;
import org.scijava.log.LogListener;
import org.scijava.log.LogService;

/** The command for convolution, run by SciJava. */
class ConvolveInSciJavaTest extends InSciJava {

	private static CommandModule run(final Object... inputs) throws Exception {
		return run(ConvolveImageCommand.class, inputs);
	}

	private static Img<FloatType> spot() {
		final Img<FloatType> image = ArrayImgs.floats(7, 6);
		image.getAt(3, 2).set(1);
		return image;
	}

	private static Img<FloatType> kernel() {
		return ArrayImgs.floats(new float[] { 1, 2, 3, 4, 5, 6 }, 3, 2);
	}

	private static Img<?> result(final Object... inputs) throws Exception {
		final CommandModule module = run(inputs);
		assertFalse(module.isCanceled(), module.getCancelReason());
		return (Img<?>) module.getOutput("output");
	}

	private static float at(final Img<?> image, final int x, final int y) {
		return ((FloatType) image.getAt(x, y)).get();
	}

	/** One line in the log for each command that has a border. */
	@Test
	void aBorderWithoutEffectIsNoted() throws Exception {
		final List<String> lines = Collections.synchronizedList(new ArrayList<>());
		final LogListener listener = message -> lines.add(message.text());
		final LogService log = context.service(LogService.class);
		log.addLogListener(listener);
		try {
			for (final String extent : List.of("valid", "same")) {
				run(ConvolveImageCommand.class, "image", noise(30, 20), "kernel", cut(noise(30, 20), 7, 5, 3, 3), "extent", extent, "border", "mirror");
				for (final Class<? extends CorrelationCommand> command : List.of(NormalizedCrossCorrelationCommand.class, FindMatchesCommand.class))
					run(command, "image", noise(30, 20), "template", cut(noise(30, 20), 7, 5, 6, 4), "extent", extent, "border", "mirror");
				assertEquals(3, lines.stream().filter(line -> line.contains("border=mirror has no effect with extent=valid")).count(), lines.toString());
			}
		}
		finally {
			log.removeLogListener(listener);
		}
	}

	@Test
	void aBrightPixelBecomesTheKernel() throws Exception {
		final Img<?> result = result("image", spot(), "kernel", kernel());
		assertArrayEquals(new long[] { 7, 6 }, result.dimensionsAsLongArray());
		for (int j = 0; j < 6; j++) assertEquals(j + 1, at(result, 2 + j % 3, 1 + j / 3), 1e-6);
	}

	@Test
	void senseExtentAndBorderReachTheOp() throws Exception {
		assertEquals(6, at(result("image", spot(), "kernel", kernel(), "sense", "correlation"), 2, 2), 1e-6);
		assertArrayEquals(new long[] { 9, 7 }, result("image", spot(), "kernel", kernel(), "extent", "full").dimensionsAsLongArray());
		final Img<?> bordered = result("image", spot(), "kernel", kernel(), "border", "constant", "constant", 2.0);
		// flipped, the kernel's last column lies beyond the corner
		assertEquals(2 * (3 + 6), at(bordered, 0, 0), 1e-6);
		assertTrue(Float.isNaN(at(result("image", spot(), "kernel", kernel(), "border", "undefined"), 0, 0)));
		assertEquals(0, at(result("image", spot(), "kernel", kernel(), "border", "undefined", "undefined", "0"), 0, 0));
	}

	@Test
	void theMethodIsChosenAsInTheOtherCommands() throws Exception {
		for (int j = 0; j < 6; j++)
			assertEquals(j + 1, at(result("image", spot(), "kernel", kernel(), "algorithm", "cpu-convolve-fourier", "threads", 1), 2 + j % 3, 1 + j / 3), 1e-5);
		assertTrue(run("image", spot(), "kernel", kernel(), "algorithm", "cpu-direct").getCancelReason().contains("cpu-direct"));
	}

	@Test
	void inDoublePrecisionTheResultIsOfDoubles() throws Exception {
		// 1/3 is not a float
		final Img<DoubleType> image = ArrayImgs.doubles(7, 6), kernel = ArrayImgs.doubles(new double[] { 1, 2, 3 }, 3, 1);
		image.getAt(3, 2).set(1 / 3.0);
		final Img<?> result = result("image", image, "kernel", kernel, "precision", "double");
		for (int i = 0; i < 3; i++) assertEquals((i + 1) / 3.0, ((DoubleType) result.getAt(2 + i, 2)).get(), 1e-13);
	}

	@Test
	void wrongParametersAreReported() throws Exception {
		for (final Object[] inputs : new Object[][] { { "image", spot() }, { "image", spot(), "kernel", kernel(), "border", "egde" },
			{ "image", spot(), "kernel", ArrayImgs.argbs(3, 3) } })
		{
			final CommandModule module = run(inputs);
			assertTrue(module.isCanceled());
			assertNull(module.getOutput("output"));
			assertFalse(module.getCancelReason().isEmpty());
		}
	}
}
