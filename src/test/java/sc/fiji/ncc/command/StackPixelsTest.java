package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.RandomAccess;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.Test;

import ij.ImagePlus;
import ij.ImageStack;
import ij.VirtualStack;
import ij.process.ByteProcessor;
import ij.process.ImageProcessor;

import sc.fiji.ncc.FrameException;
import sc.fiji.ncc.Match;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;

class StackPixelsTest {

	private static final int WIDTH = 30, HEIGHT = 20;

	/** Planes of noise that lie nowhere; the template, random bytes of seed 0, 6x5, at (3, 4) in all of them. One array is used again and again. */
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
		assertEquals("frame 5 could not be read: 'noise' cannot be read: plane 6 is not to be had", e.getMessage());
	}

	@Test
	void whatLiesInMemoryIsNone() {
		final ImageStack stack = new ImageStack(WIDTH, HEIGHT);
		stack.addSlice(new ByteProcessor(WIDTH, HEIGHT));
		stack.addSlice(new ByteProcessor(WIDTH, HEIGHT));
		assertFalse(StackPixels.isVirtual(image(stack)));
	}
}
