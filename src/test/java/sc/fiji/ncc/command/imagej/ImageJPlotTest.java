package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.program.Graph;

/** What plots look like. */
class ImageJPlotTest {

	/** The smallest distance of two colours in RGB, and the smallest contrast with white. */
	private static final double DISTANCE = 90, CONTRAST = 2.5;

	@BeforeAll
	static void runsWithoutAScreen() {
		System.setProperty("java.awt.headless", "true");
	}

	/** A line for each dimension, or for each of three templates. */
	@Test
	void threeLinesHaveDifferentColours() {
		// all lines begin at the lower border of the plot and end at the upper one, and run between them
		final Graph graph = new Graph("drift", "Frame", "Shift", new double[] { 1, 2, 9, 10 }, IntStream.range(0, 3)
			.mapToObj(d -> new Graph.Line("line " + d, d, false, new double[] { -1, d, d, 3 })).toList());
		final List<Color> lines = colours(ImageJPlot.drawing(graph));
		assertEquals(3, lines.size(), lines.toString());
		for (final Color a : lines) {
			assertTrue(1.05 / (luminance(a) + 0.05) > CONTRAST, a.toString());
			for (final Color b : lines) assertTrue(a == b || distance(a, b) > DISTANCE, a + " " + b);
		}
	}

	/** The colours of lines that run over a third of the picture. */
	private static List<Color> colours(final BufferedImage picture) {
		return IntStream.range(0, picture.getHeight()).mapToObj(y -> IntStream.range(0, picture.getWidth()).map(x -> picture.getRGB(x, y)).boxed().toList())
			.flatMap(row -> row.stream().distinct().filter(rgb -> 3 * row.stream().filter(rgb::equals).count() > row.size())).distinct().map(Color::new)
			.filter(c -> c.getRed() != c.getGreen() || c.getGreen() != c.getBlue()).toList();
	}

	private static double distance(final Color a, final Color b) {
		return Math.sqrt(Math.pow(a.getRed() - b.getRed(), 2) + Math.pow(a.getGreen() - b.getGreen(), 2) + Math.pow(a.getBlue() - b.getBlue(), 2));
	}

	/** The relative luminance of WCAG 2. */
	private static double luminance(final Color c) {
		return 0.2126 * linear(c.getRed()) + 0.7152 * linear(c.getGreen()) + 0.0722 * linear(c.getBlue());
	}

	private static double linear(final int channel) {
		return Math.pow((channel / 255.0 + 0.055) / 1.055, 2.4);
	}
}
