package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import org.junit.jupiter.api.Test;

import ij.ImagePlus;
import ij.VirtualStack;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;

/** Planes of a virtual stack, each of which says in its pixels which one it is. */
class VirtualPixelsTest {

	private final List<Integer> read = new ArrayList<>();

	/** Hands out the same array again and again, as some do. */
	private final VirtualStack stack = new VirtualStack(4, 3, null, "") {

		private final short[] pixels = new short[4 * 3];

		@Override
		public ImageProcessor getProcessor(final int n) {
			read.add(n);
			for (int i = 0; i < pixels.length; i++) pixels[i] = (short) (1000 * n + i);
			return new ShortProcessor(4, 3, pixels, null);
		}

		@Override
		public int getSize() {
			return 30;
		}

		@Override
		public int getBitDepth() {
			return 16;
		}
	};

	@Test
	void onlyThePlanesThatAreUsedAreRead() {
		final ImagePlus imp = new ImagePlus("virtual", stack);
		imp.setDimensions(2, 1, 15);
		assertTrue(VirtualPixels.isFor(imp));
		read.clear();
		final Img<?> pixels = VirtualPixels.of(imp);
		assertArrayEquals(new long[] { 4, 3, 2, 15 }, pixels.dimensionsAsLongArray());
		assertEquals(List.of(), read);
		// channel 2 of frame 8, and channel 1 of frame 1
		assertEquals(1000 * 16 + 2 + 4 * 1, ((UnsignedShortType) pixels.getAt(2, 1, 1, 7)).get());
		assertEquals(1000, ((UnsignedShortType) pixels.getAt(0, 0, 0, 0)).get());
		assertEquals(1000 * 16 + 3, ((UnsignedShortType) pixels.getAt(3, 0, 1, 7)).get());
		assertEquals(List.of(16, 1), read);
	}
}
