package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import ij.ImagePlus;
import ij.ImageStack;
import ij.VirtualStack;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageConverter;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;

import net.imglib2.RandomAccess;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.planar.PlanarImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.result.FrameException;
import sc.fiji.ncc.result.Match;

class StackPixelsTest {

	private static final int WIDTH = 30, HEIGHT = 20;

	/** A virtual stack of noise. Each plane has the template, 6x5 random bytes of seed 0, at (3, 4). All planes reuse one array. */
	private static final class Noise extends VirtualStack {

		private final int planes;
		private final byte[] pixels = new byte[WIDTH * HEIGHT];
		private final List<Integer> read = new ArrayList<>();
		private int broken;

		Noise(final int planes) {
			super(WIDTH, HEIGHT, null, "");
			this.planes = planes;
		}

		@Override
		public int getSize() {
			return planes;
		}

		@Override
		public int size() {
			return planes;
		}

		@Override
		public int getBitDepth() {
			return 8;
		}

		@Override
		public ImageProcessor getProcessor(final int n) {
			if (n == broken) return null;
			read.add(n);
			new Random(n).nextBytes(pixels);
			final byte[] template = template();
			for (int y = 0; y < 5; y++) System.arraycopy(template, 6 * y, pixels, (4 + y) * WIDTH + 3, 6);
			return new ByteProcessor(WIDTH, HEIGHT, pixels);
		}
	}

	private static byte[] template() {
		final byte[] template = new byte[30];
		new Random(0).nextBytes(template);
		return template;
	}

	private static ImagePlus image(final ImageStack stack) {
		return new ImagePlus("noise", stack);
	}

	@Test
	void matchesInAllPlanesOfWhichEachIsReadOnce() {
		final Noise stack = new Noise(100);
		final ImagePlus imp = image(stack);
		assertTrue(StackPixels.isVirtual(imp));
		final Img<?> img = StackPixels.of(imp);
		assertArrayEquals(new long[] { WIDTH, HEIGHT, 100 }, img.dimensionsAsLongArray());
		stack.read.clear();
		final List<Match> found = TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(template(), 6, 5))).minScore(0.95).find(img).matches();
		assertEquals(IntStream.range(0, 100).mapToObj(i -> "template 0 at [3, 4] in frame [" + i + "], score 1.0").toList(),
			found.stream().map(Match::toString).toList());
		assertEquals(IntStream.rangeClosed(1, 100).boxed().toList(), stack.read);
	}

	@Test
	void channelsSlicesAndFrames() {
		final ImagePlus imp = image(new Noise(12));
		imp.setDimensions(2, 1, 6);
		final Img<?> img = StackPixels.of(imp);
		assertArrayEquals(new long[] { WIDTH, HEIGHT, 2, 6 }, img.dimensionsAsLongArray());
		final RandomAccess<?> access = img.randomAccess();
		access.setPosition(new long[] { 7, 15, 1, 3 });
		final int value = (int) ((RealType<?>) access.get()).getRealDouble();
		assertEquals(new Noise(12).getProcessor(8).get(7, 15), value);
	}

	@Test
	void aPlaneThatCannotBeReadIsNamed() {
		final Noise stack = new Noise(9);
		final Img<?> img = StackPixels.of(image(stack));
		stack.broken = 6;
		final FrameException e = assertThrows(FrameException.class,
			() -> TemplateMatching.with(NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(template(), 6, 5))).find(img));
		assertEquals(5, e.frame());
		assertEquals("frame 6 could not be read: 'noise' cannot be read: plane 6 is missing", e.getMessage());
	}

	@Test
	void whatLiesInMemoryIsNone() {
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		stack.addSlice(new ByteProcessor(WIDTH, HEIGHT));
		stack.addSlice(new ByteProcessor(WIDTH, HEIGHT));
		assertFalse(StackPixels.isVirtual(image(stack)));
	}

	@Test
	void planesInMemoryAreShared() {
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		for (int i = 0; i < 6; i++) stack.addSlice(new ShortProcessor(WIDTH, HEIGHT));
		final ImagePlus imp = image(stack);
		imp.setDimensions(2, 3, 1);
		final Img<?> img = StackPixels.of(imp);
		assertArrayEquals(new long[] { WIDTH, HEIGHT, 2, 3 }, img.dimensionsAsLongArray());
		// channel 2, slice 3
		stack.getProcessor(imp.getStackIndex(2, 3, 1)).set(4, 5, 60000);
		assertEquals(60000, ((RealType<?>) img.getAt(4, 5, 1, 2)).getRealDouble());
		final ImagePlus single = new ImagePlus("single", new FloatProcessor(WIDTH, HEIGHT));
		final Img<?> plane = StackPixels.of(single);
		single.getProcessor().setf(3, 2, -0.5f);
		assertEquals(-0.5, ((RealType<?>) plane.getAt(3, 2)).getRealDouble());
		assertArrayEquals(new long[] { WIDTH, HEIGHT }, plane.dimensionsAsLongArray());
	}

	@Test
	void numbersOfColoursAreRefused() {
		final ColorProcessor colours = new ColorProcessor(4, 3);
		colours.set(1, 2, 0xff0000);
		colours.set(2, 2, 0x00ff00);
		final ImagePlus imp = new ImagePlus("palette", colours);
		new ImageConverter(imp).convertRGBtoIndexedColor(64);
		assertEquals(ImagePlus.COLOR_256, imp.getType());
		assertTrue(assertThrows(IllegalArgumentException.class, () -> StackPixels.of(imp)).getMessage().startsWith("'palette' is an 8-bit colour image"));
		assertTrue(new ImageJImage(new ImagePlus("colours", new ColorProcessor(2, 2))).isColor());
	}

	@Test
	void mapsBecomePlanesThatShareTheirArrays() {
		final Img<FloatType> planar = PlanarImgs.floats(4, 3, 2);
		final ImageStack stack = StackPixels.stack(planar);
		assertFalse(stack.isVirtual());
		stack.getProcessor(2).setf(1, 2, 7);
		assertEquals(7, planar.getAt(1, 2, 1).get());
		final Img<FloatType> array = ArrayImgs.floats(4, 3);
		StackPixels.stack(array).getProcessor(1).setf(1, 2, 7);
		assertEquals(7, array.getAt(1, 2).get());
		// this map has no array that is a plane
		final Img<DoubleType> doubles = ArrayImgs.doubles(4, 3, 2);
		doubles.getAt(3, 1, 1).set(0.25);
		final ImageStack copies = StackPixels.stack(doubles);
		assertEquals(2, copies.getSize());
		assertEquals(0.25f, copies.getProcessor(2).getf(3, 1));
	}

	/** An image from a script has slices before channels. ImageJ 1.x has channels before slices. */
	@Test
	void planesOfAMapLieInTheOrderOfImageJ() {
		final Img<FloatType> map = ArrayImgs.floats(2, 2, 3, 5, 4);
		final int z = 1, c = 3, t = 2;
		map.getAt(1, 0, z, c, t).set(1);
		final ImageInput source = new ScriptImage(map);
		assertEquals("xyzct", source.axes());
		final ImagePlus imp = ImageJImage.of(map, new MapDescription("map", source, new long[] { 3, 0, 2, 0, 0 }, -1, 1, Map.of("NCC.extent", "valid")));
		assertArrayEquals(new int[] { 2, 2, 5, 3, 4 }, imp.getDimensions());
		assertEquals(1, imp.getStack().getVoxel(1, 0, imp.getStackIndex(c + 1, z + 1, t + 1) - 1));
		assertEquals(-3, imp.getCalibration().xOrigin);
		assertEquals(-2, imp.getCalibration().zOrigin);
		assertEquals("valid", imp.getProp("NCC.extent"));
	}
}
