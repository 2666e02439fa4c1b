package sc.fiji.ncc.ij1;

import java.io.IOException;

import net.imglib2.img.Img;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.DiskImage;

/** A virtual stack of ImageJ 1.x, whose planes are read when they are used, and forgotten when others were used since. */
final class VirtualPlanes {

	private VirtualPlanes() {}

	/** Whether an image is one, of pixels of one value each. */
	static boolean are(final ImagePlus imp) {
		return imp.getStack().isVirtual() && imp.getStackSize() > 1 && imp.getType() != ImagePlus.COLOR_RGB;
	}

	/** Width, height, and those of channels, slices and frames of which there are several. */
	static Img<?> of(final ImagePlus imp) {
		final PixelType type = imp.getBitDepth() == 8 ? PixelType.U8 : imp.getBitDepth() == 16 ? PixelType.U16 : PixelType.F32;
		final int[] all = { imp.getNChannels(), imp.getNSlices(), imp.getNFrames() };
		final long[] size = new long[imp.getNDimensions()];
		final int[] plane = new int[size.length], place = new int[all.length];
		size[0] = plane[0] = imp.getWidth();
		size[1] = plane[1] = imp.getHeight();
		int n = 2;
		for (int i = 0; i < all.length; i++) {
			if (all[i] == 1) continue;
			place[i] = n;
			plane[n] = 1;
			size[n++] = all[i];
		}
		return DiskImage.of("'" + imp.getTitle() + "'", type, size, plane, (min, extents) -> {
			final int[] at = new int[all.length];
			for (int i = 0; i < at.length; i++) at[i] = place[i] == 0 ? 1 : (int) min[place[i]] + 1;
			return pixels(imp, imp.getStackIndex(at[0], at[1], at[2]), plane[0] * plane[1]);
		});
	}

	/** A copy: some stacks use one array again and again. */
	private static Object pixels(final ImagePlus imp, final int index, final int count) throws IOException {
		final ImageStack stack = imp.getStack();
		// no virtual stack says that it may be read by several threads at once
		synchronized (stack) {
			final ImageProcessor plane = stack.getProcessor(index);
			if (plane == null) throw new IOException("plane " + index + " is not to be had");
			if (plane.getPixelCount() != count || plane.getBitDepth() != imp.getBitDepth()) throw new IOException("plane " + index + " is " + plane.getWidth() + "x"
				+ plane.getHeight() + " with " + plane.getBitDepth() + " bits, unlike the stack");
			return plane.getPixelsCopy();
		}
	}
}
