package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.plugin.filter.GaussianBlur;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.image.JointImage;

/** {@code --channels} of every command, on files. */
class ChannelsTest extends InFolder {

	private static final String OUT = " -o map.tif";

	@BeforeEach
	void images() {
		final ColorProcessor colours = new ColorProcessor(40, 30);
		for (int i = 0; i < 1200; i++) colours.set(i, (i * 7919 + i * i * 31 ^ i * 131_071) & 0xffffff);
		save("rgb.tif", colours);
		colours.setRoi(11, 7, 9, 6);
		save("object.tif", colours.crop());
		save("gray.tif", new ByteProcessor(9, 6, noise(54)));
	}

	private static byte[] noise(final int n) {
		final byte[] v = new byte[n];
		for (int i = 0; i < n; i++) v[i] = (byte) (i * i * 37 + i * 11);
		return v;
	}

	private double[] values(final String name) {
		return TestImages.values(ImageFiles.read(path(name)).pixels());
	}

	@Test
	void coloursAreJointByDefault() {
		succeeds(("correlate rgb.tif object.tif" + OUT).split(" "));
		final double[] joint = TestImages.values(NormalizedCrossCorrelation.of(JointImage.of(ImageFiles.read(path("object.tif")).pixels(), 2))
			.correlate(JointImage.of(ImageFiles.read(path("rgb.tif")).pixels(), 2)).map());
		assertArrayEquals(joint, values("map.tif"), 0);
		assertEquals(1, joint[7 * 32 + 11], 1e-6);
		succeeds("correlate", "rgb.tif", "object.tif", "--channels", "joint", "-o", "same.tif");
		assertArrayEquals(joint, values("same.tif"), 0);
		succeeds("correlate", "rgb.tif", "--roi", "11,7,9,6", "-o", "roi.tif");
		assertArrayEquals(joint, values("roi.tif"), 0);
	}

	@Test
	void eachAndOne() {
		succeeds("correlate", "rgb.tif", "gray.tif", "--channels", "each", "-o", "each.tif");
		assertEquals("32x25x3 xyc", ImageFiles.read(path("each.tif")).size() + " " + ImageFiles.read(path("each.tif")).axes());
		succeeds("correlate", "rgb.tif", "gray.tif", "--channels", "2", "-o", "green.tif");
		assertArrayEquals(Arrays.copyOfRange(values("each.tif"), 32 * 25, 2 * 32 * 25), values("green.tif"), 0);
		succeeds("correlate", "rgb.tif", "object.tif", "--channels", "3", "-o", "blue.tif");
		assertEquals(1, values("blue.tif")[7 * 32 + 11], 1e-6);
	}

	/** Without the mask, the missing pixels would lower the score. */
	@Test
	void missingPixelsOfColours() throws IOException {
		final ImageProcessor damaged = IJ.openImage(path("rgb.tif")).getProcessor(), present = new ByteProcessor(40, 30, noise(1200));
		for (int i = 0; i < 1200; i++) if (present.get(i) == 0) damaged.set(i, 0xff00ff);
		present.setRoi(12, 8, 5, 2);
		present.setValue(0);
		present.fill();
		damaged.setRoi(12, 8, 5, 2);
		damaged.setValue(0xff00ff);
		damaged.fill();
		save("damaged.tif", damaged);
		save("present.tif", present);
		succeeds("correlate", "damaged.tif", "object.tif", "--image-mask", "present.tif", "-o", "joint.tif");
		assertEquals(1, values("joint.tif")[7 * 32 + 11], 1e-6);
		assertTrue(folder.resolve("frames").toFile().mkdir());
		save("frames/1.tif", damaged);
		save("frames/2.tif", damaged);
		succeeds("track", path("frames"), "--roi", "11,7,9,6", "--image-mask", "present.tif", "-o", "t.csv");
		assertTrue(Files.readString(folder.resolve("t.csv")).contains("1,1,11,7,"), Files.readString(folder.resolve("t.csv")));
	}

	/** One mask for all channels. */
	@Test
	void missingPixelsOfSingleChannels() {
		save("present.tif", new ByteProcessor(40, 30, noise(1200)));
		succeeds("correlate", "rgb.tif", "gray.tif", "--channels", "each", "--image-mask", "present.tif", "-o", "each.tif");
		succeeds("correlate", "rgb.tif", "gray.tif", "--channels", "2", "--image-mask", "present.tif", "-o", "green.tif");
		assertArrayEquals(Arrays.copyOfRange(values("each.tif"), 32 * 25, 2 * 32 * 25), values("green.tif"), 0);
		assertArrayEquals(TestImages.values(NormalizedCrossCorrelation.of(ImageFiles.read(path("gray.tif")).pixels()).imageMask(ImageFiles.read(path("present.tif")).pixels())
			.correlate(JointImage.of(ImageFiles.read(path("rgb.tif")).pixels(), 2).channels().get(1)).map()), values("green.tif"), 0);
	}

	@Test
	void stacksOfChannels() {
		final ImageStack stack = new ImageStack(40, 30);
		for (int i = 0; i < 6; i++) stack.addSlice(new ByteProcessor(40, 30, Arrays.copyOfRange(noise(1200 + 77 * i), 77 * i, 1200 + 77 * i)));
		final ImagePlus imp = new ImagePlus("stack", stack);
		imp.setDimensions(2, 1, 3);
		new FileSaver(imp).saveAsTiffStack(path("stack.tif"));
		succeeds("correlate", "stack.tif", "--roi", "5,5,9,6", "-o", "each.tif");
		assertEquals("32x25x2x3", ImageFiles.read(path("each.tif")).size());
		succeeds("correlate", "stack.tif", "--roi", "5,5,9,6", "--channels", "joint", "-o", "joint.tif");
		assertEquals("32x25x3 xyt", ImageFiles.read(path("joint.tif")).size() + " " + ImageFiles.read(path("joint.tif")).axes());
		assertEquals(1, values("joint.tif")[5 * 32 + 5], 1e-6);
	}

	@Test
	void matchesAndTracks() throws IOException {
		succeeds("match", "rgb.tif", "object.tif", "--min-score", "0.9", "--overlay", "seen.png", "-o", "m.csv");
		final String table = Files.readString(folder.resolve("m.csv"));
		assertTrue(table.contains("rgb.tif,1,1,11,7,0,1,11,7,0,"), table);
		final int pixel = IJ.openImage(path("seen.png")).getProcessor().getPixel(205, 20);
		assertTrue((pixel & 0xff) != (pixel >> 8 & 0xff) || (pixel & 0xff) != (pixel >> 16 & 0xff), "the overlay is in colour");
		final ImageStack frames = new ImageStack(40, 30);
		for (int f = 0; f < 3; f++) {
			final ImageProcessor moved = IJ.openImage(path("rgb.tif")).getProcessor();
			moved.translate(2 * f, f);
			frames.addSlice(moved);
		}
		new FileSaver(new ImagePlus("frames", frames)).saveAsTiffStack(path("frames.tif"));
		succeeds("track", "frames.tif", "--roi", "11,7,9,6", "-o", "t.csv");
		assertTrue(Files.readString(folder.resolve("t.csv")).contains("1,3,15,9,"), Files.readString(folder.resolve("t.csv")));
	}

	/** Transparent pixels of a template count, and a note says so, unless a mask says which pixels count. */
	@Test
	void transparencyDoesNotCount() throws IOException {
		final BufferedImage template = new BufferedImage(9, 6, BufferedImage.TYPE_INT_ARGB), opaque = new BufferedImage(9, 6, BufferedImage.TYPE_INT_ARGB);
		final ImageProcessor object = IJ.openImage(path("object.tif")).getProcessor(), mask = new ByteProcessor(9, 6, noise(54));
		for (int y = 0; y < 6; y++)
			for (int x = 0; x < 9; x++) {
				opaque.setRGB(x, y, 0xff000000 | object.get(x, y));
				template.setRGB(x, y, (x < 2 ? 0 : 0xff000000) | object.get(x, y) & 0xffffff);
				mask.set(x, y, x < 2 ? 0 : 255);
			}
		ImageIO.write(template, "png", folder.resolve("template.png").toFile());
		ImageIO.write(opaque, "png", folder.resolve("opaque.png").toFile());
		save("mask.tif", mask);
		final String note = "Note: the transparent pixels of " + path("template.png") + " count as the others do. Give a --mask";
		assertTrue(succeeds("match", "rgb.tif", "template.png").contains(note), out.toString());
		assertTrue(succeeds("correlate", "rgb.tif", "template.png", "-o", "map.tif").contains(note), out.toString());
		assertFalse(succeeds("match", "rgb.tif", "template.png", "--mask", "mask.tif").contains("Note"), out.toString());
		assertFalse(succeeds("match", "rgb.tif", "opaque.png").contains("Note"), out.toString());
	}

	/** The three channels of what is moved are in its file, which ImageJ shows in colour. They move as one of them, or all together, say. */
	@Test
	void coloursAreMoved() throws IOException {
		final ColorProcessor scene = new ColorProcessor(140, 100);
		final Random random = new Random(1);
		for (int i = 0; i < 14_000; i++) scene.set(i, random.nextInt(1 << 24));
		new GaussianBlur().blurGaussian(scene, 2);
		final ImageStack stack = new ImageStack(100, 80);
		for (int f = 0; f < 3; f++) {
			scene.setRoi(5 + 3 * f, 4 + 2 * f, 100, 80);
			stack.addSlice(scene.crop());
		}
		save("stack.tif", new ImagePlus("stack", stack));
		save("fixed.tif", stack.getProcessor(1));
		save("moving.tif", stack.getProcessor(2));
		for (final String channels : List.of("1", "3", "joint")) {
			succeeds("align", "stack.tif", "--channels", channels, "--interpolation", "integer", "-o", "aligned.tif");
			assertMoved("aligned.tif", stack.getProcessor(1), channels);
			succeeds("register", "fixed.tif", "moving.tif", "--channels", channels, "--interpolation", "integer", "-o", "moved.tif");
			assertMoved("moved.tif", stack.getProcessor(1), channels);
			assertTrue(succeeds("motion", "stack.tif", "--channels", channels, "--max-shift", "6").contains("median motion -3.00, -2.00"));
		}
		assertTrue(folder.resolve("tiles").toFile().mkdir());
		scene.setRoi(0, 0, 80, 100);
		save("tiles/1.tif", scene.crop());
		scene.setRoi(60, 0, 80, 100);
		save("tiles/2.tif", scene.crop());
		for (final String channels : List.of("1", "joint")) {
			succeeds("stitch", "tiles/1.tif", "tiles/2.tif", "--channels", channels, "--grid", "2x1", "--overlap", "20", "--interpolation", "integer",
				"-o", "mosaic.tif");
			assertMoved("mosaic.tif", scene, channels);
		}
	}

	/** Compares the channels in the middle with colours that did not move. */
	private void assertMoved(final String name, final ImageProcessor colours, final String message) {
		final ImagePlus moved = IJ.openImage(path(name));
		assertEquals(CompositeImage.COMPOSITE, moved.getDisplayMode(), message);
		assertEquals(3, moved.getNChannels(), message);
		for (int plane = 1; plane <= moved.getStackSize(); plane++)
			for (int y = 20; y < 60; y++)
				for (int x = 20; x < 80; x++)
					assertEquals(colours.getPixel(x, y) >> 8 * (2 - (plane - 1) % 3) & 0xff, moved.getStack().getProcessor(plane).get(x, y), name + " "
						+ message);
	}

	@Test
	void coloursAreConvolvedOneByOne() {
		succeeds("convolve", "rgb.tif", "gray.tif", "-o", "c.tif");
		assertEquals("40x30x3 xyc", ImageFiles.read(path("c.tif")).size() + " " + ImageFiles.read(path("c.tif")).axes());
	}

	@Test
	void mistakes() throws IOException {
		refuses("correlate rgb.tif gray.tif" + OUT, "template has 1 channel", "image has 3", "RGB");
		refuses("correlate rgb.tif object.tif --channels each" + OUT, "object.tif", "RGB", "joint");
		refuses("correlate rgb.tif object.tif --channels 4" + OUT, "rgb.tif has 3 channels", "1 to 3");
		refuses("correlate rgb.tif object.tif --channels some" + OUT, "some", "joint");
		refuses("correlate rgb.tif object.tif --mask object.tif" + OUT, "RGB", "8-bit");
		refuses("convolve rgb.tif object.tif" + OUT, "RGB", "8-bit");
		refuses("correlate rgb.tif gray.tif --channels 2 --image-mask rgb.tif" + OUT, "RGB", "8-bit");
	}

	@Test
	void imageAsPgm() throws IOException {
		succeeds("correlate", "rgb.tif", "object.tif", "--picture", "map.pgm", "-o", "map.tif");
		final byte[] file = Files.readAllBytes(folder.resolve("map.pgm")), header = "P5\n32 25\n255\n".getBytes(StandardCharsets.US_ASCII);
		assertArrayEquals(header, Arrays.copyOf(file, header.length));
		assertEquals(header.length + 32 * 25, file.length);
		final double[] map = values("map.tif");
		for (int i = 0; i < map.length; i++) assertEquals(Math.round(255 * Math.max(0, map[i])), file[header.length + i] & 0xff, 1.0);
		assertEquals("32x25", ImageFiles.read(path("map.pgm")).size());
	}

	/** The best coefficient in the middle, its neighbours from the map, and fewer at the border. */
	@Test
	void coefficientsAroundTheBest() throws IOException {
		final String said = succeeds("correlate", "rgb.tif", "object.tif", "--around", "1", "-o", "map.tif");
		final String[] lines = said.split("\\R");
		assertTrue(said.contains("object.tif: 1.000000 at 11,7"), said);
		final String[] middle = lines[lines.length - 2].trim().split(" +");
		assertEquals("7", middle[0]);
		final double[] map = values("map.tif");
		for (int x = 0; x < 3; x++) assertEquals(map[7 * 32 + 10 + x], Double.parseDouble(middle[1 + x]), 2e-6);
		final String same = succeeds("correlate", "rgb.tif", "object.tif", "--extent", "same", "--around", "0", "-o", "same.tif");
		assertTrue(same.contains("at 15,10"), same);
		refuses("correlate rgb.tif object.tif --around -1" + OUT, "--around", "0 to 100");
	}
}
