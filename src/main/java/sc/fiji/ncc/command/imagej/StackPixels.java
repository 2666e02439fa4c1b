package sc.fiji.ncc.command.imagej;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ImageProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.FloatAccess;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.planar.PlanarImg;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.Intervals;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.DiskImage;
import sc.fiji.ncc.store.PlaneArrays;

/**
 * Converts between the pixels of ImageJ 1.x and ImgLib2. ImgLib2's own wrappers are not used, because not every Fiji has them. Dimensions of size 1 beyond
 * the second are left out.
 */
final class StackPixels {

	/** A stack that would fill more than this share of the memory is computed plane by plane. */
	private static final double SHARE_OF_HEAP = 3;

	private StackPixels() {}

	/**
	 * The pixels of an image. Pixels in memory are shared, not copied. Planes of a virtual stack are read on demand and cached.
	 *
	 * @throws IllegalArgumentException if the pixels are indices of colours
	 */
	static Img<?> of(final ImagePlus imp) {
		if (isVirtual(imp)) return virtual(imp);
		if (imp.getType() == ImagePlus.COLOR_256) throw new IllegalArgumentException("'" + imp.getTitle()
			+ "' is an 8-bit colour image: its pixels are indices of colours. Convert the image to one channel first: Image > Type > 8-bit.");
		final List<Object> planes = imp.getStackSize() == 1 ? List.of(imp.getProcessor().getPixels())
			: IntStream.rangeClosed(1, imp.getStackSize()).mapToObj(imp.getStack()::getPixels).toList();
		return imp.getType() == ImagePlus.COLOR_RGB ? PlaneArrays.ofColours(planes, size(imp)) : PlaneArrays.of(planes, type(imp), size(imp));
	}

	private static PixelType type(final ImagePlus imp) {
		return imp.getBitDepth() == 8 ? PixelType.U8 : imp.getBitDepth() == 16 ? PixelType.U16 : PixelType.F32;
	}

	/** @return width, height, and the numbers of channels, slices and frames that are above 1 */
	private static long[] size(final ImagePlus imp) {
		final long[] size = new long[imp.getNDimensions()];
		size[0] = imp.getWidth();
		size[1] = imp.getHeight();
		int n = 2;
		for (final int count : new int[] { imp.getNChannels(), imp.getNSlices(), imp.getNFrames() }) if (count > 1) size[n++] = count;
		return size;
	}

	/** @return whether the image is a virtual stack with one value per pixel */
	static boolean isVirtual(final ImagePlus imp) {
		return imp.getStackSize() > 1 && imp.getStack().isVirtual() && (imp.getType() == ImagePlus.GRAY8 || imp.getType() == ImagePlus.GRAY16
			|| imp.getType() == ImagePlus.GRAY32);
	}

	private static Img<?> virtual(final ImagePlus imp) {
		final int[] all = { imp.getNChannels(), imp.getNSlices(), imp.getNFrames() };
		final long[] size = size(imp);
		final int[] plane = new int[size.length], place = new int[all.length];
		plane[0] = imp.getWidth();
		plane[1] = imp.getHeight();
		int n = 2;
		for (int i = 0; i < all.length; i++) {
			if (all[i] == 1) continue;
			place[i] = n;
			plane[n++] = 1;
		}
		return DiskImage.of("'" + imp.getTitle() + "'", type(imp), size, plane, (min, extents) -> {
			final int[] at = new int[all.length];
			for (int i = 0; i < at.length; i++) at[i] = place[i] == 0 ? 1 : (int) min[place[i]] + 1;
			return copy(imp, imp.getStackIndex(at[0], at[1], at[2]), plane[0] * plane[1]);
		});
	}

	/** Copies a plane, because some virtual stacks reuse one array for all planes. */
	private static Object copy(final ImagePlus imp, final int index, final int count) throws IOException {
		final ImageStack stack = imp.getStack();
		// virtual stacks are not documented as thread-safe
		synchronized (stack) {
			final ImageProcessor plane = stack.getProcessor(index);
			if (plane == null) throw new IOException("plane " + index + " is missing");
			if (plane.getPixelCount() != count || plane.getBitDepth() != imp.getBitDepth()) throw new IOException("plane " + index + " is " + plane.getWidth() + "x"
				+ plane.getHeight() + " with " + plane.getBitDepth() + " bits, unlike the stack");
			return plane.getPixelsCopy();
		}
	}

	/**
	 * Makes a stack from an image: planes of 8 or 16 bits for unsigned integers of that size, and of 32-bit floats for all others. It shares the arrays of floats if the
	 * image has one array for each plane; otherwise it copies. If a copy would fill a large part of the memory, the planes are computed when they are used.
	 */
	static ImageStack stack(final RandomAccessibleInterval<? extends RealType<?>> image) {
		final int width = Math.toIntExact(image.dimension(0)), height = Math.toIntExact(image.dimension(1));
		final int planes = Math.toIntExact(Intervals.numElements(image) / Math.max(1, (long) width * height));
		final PlaneReader reader = new PlaneReader(image);
		if (planes > 1 && shared(image, 0, width * height) == null && (double) planes * reader.planeBytes() > Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)
			return new PlanesOnDemand(reader, width, height, planes);
		final ImageStack stack = new ImageStack(width, height);
		for (int i = 0; i < planes; i++) {
			final float[] plane = shared(image, i, width * height);
			stack.addSlice("", plane != null ? plane : reader.read(i));
		}
		return stack;
	}

	/** @return the array that holds exactly this plane; null if there is none */
	private static float[] shared(final RandomAccessibleInterval<?> map, final int plane, final int pixels) {
		final Object access = map instanceof PlanarImg ? ((PlanarImg<?, ?>) map).getPlane(plane) : map instanceof ArrayImg && Intervals.numElements(map) == pixels
			? ((ArrayImg<?, ?>) map).update(null) : null;
		if (!(access instanceof FloatAccess) || !(access instanceof ArrayDataAccess)) return null;
		final Object array = ((ArrayDataAccess<?>) access).getCurrentStorageArray();
		return array instanceof float[] && ((float[]) array).length == pixels ? (float[]) array : null;
	}
}
