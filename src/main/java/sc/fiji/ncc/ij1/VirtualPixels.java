package sc.fiji.ncc.ij1;

import java.io.IOException;
import java.util.Arrays;

import net.imglib2.img.Img;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.DiskImage;

/** A virtual stack of ImageJ 1.x: its planes are read when they are used, and forgotten when others were used since. Wrapping it would read all. */
final class VirtualPixels {

	private VirtualPixels() {}

	static boolean isFor(final ImagePlus imp) {
		return imp.getStack().isVirtual() && imp.getType() != ImagePlus.COLOR_RGB;
	}

	/** @return without dimensions of size 1 beyond the second */
	static Img<?> of(final ImagePlus imp) {
		final PixelType type = imp.getType() == ImagePlus.GRAY16 ? PixelType.U16 : imp.getType() == ImagePlus.GRAY32 ? PixelType.F32 : PixelType.U8;
		// channels, slices and frames lie in the stack one after the other, channels fastest
		final long[] size = Arrays.stream(imp.getDimensions()).asLongStream().toArray();
		final long[] all = new long[size.length];
		int n = 0;
		for (int d = 0; d < size.length; d++) if (d < 2 || size[d] > 1) all[n++] = size[d];
		final long[] own = Arrays.copyOf(all, n);
		final int[] plane = new int[n];
		Arrays.fill(plane, 1);
		plane[0] = imp.getWidth();
		plane[1] = imp.getHeight();
		final ImageStack stack = imp.getStack();
		return DiskImage.of(imp.getTitle(), type, own, plane, (min, extents) -> {
			long index = 0;
			for (int d = own.length - 1; d >= 2; d--) index = index * own[d] + min[d];
			// its readers are made for one at a time, and some hand out the same array again
			synchronized (stack) {
				final ImageProcessor pixels = stack.getProcessor((int) index + 1);
				if (pixels == null) throw new IOException("ImageJ gives no plane " + (index + 1));
				return pixels.getPixelsCopy();
			}
		});
	}
}
