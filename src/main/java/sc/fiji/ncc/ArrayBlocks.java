package sc.fiji.ncc;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.planar.PlanarImg;
import net.imglib2.view.IntervalView;

/**
 * Copies blocks of an image whose pixels lie in arrays or buffers, one for all or one a plane, and of what it goes on with beyond its border. ImgLib2's
 * PrimitiveBlocks does that as well and more; this way a new process need not load its ninety classes for the commonest of images, and a row by itself
 * costs no more than one of many.
 */
final class ArrayBlocks {

	/** The array, or buffer, of each plane of a planar image, which may be read only when it is asked for; else the one of all. */
	private final IntFunction<Object> arrays;
	/** Extents of one array, and of all. */
	private final long[] size;
	private final int dimensionsOfArray;
	/** The image: outside of it begins the border. */
	private final long[] first, last;
	private final Border.Kind border;
	/** An array with the value beyond the border. */
	private final Object constant;

	private ArrayBlocks(final IntFunction<Object> arrays, final long[] size, final int dimensionsOfArray, final RandomAccessibleInterval<?> image,
		final Border.Kind border, final Object constant)
	{
		this.arrays = arrays;
		this.size = size;
		this.dimensionsOfArray = dimensionsOfArray;
		first = image.minAsLongArray();
		last = image.maxAsLongArray();
		this.border = border;
		this.constant = constant;
	}

	/**
	 * Null if the pixels do not lie in arrays.
	 *
	 * @param constant an array of the pixels' type that holds the constant beyond the border; asked for only where there is one
	 */
	static ArrayBlocks of(final RandomAccessibleInterval<?> image, final Border border, final Supplier<Object> constant) {
		// a view that only cuts leaves the coordinates as they are
		final Object source = image instanceof IntervalView ? ((IntervalView<?>) image).getSource() : image;
		final IntFunction<Object> arrays;
		final long[] size;
		final int dimensions;
		if (source instanceof ArrayImg) {
			final ArrayImg<?, ?> img = (ArrayImg<?, ?>) source;
			size = img.dimensionsAsLongArray();
			dimensions = size.length;
			final Object all = array(img.update(null));
			arrays = p -> all;
		}
		else if (source instanceof PlanarImg) {
			final PlanarImg<?, ?> img = (PlanarImg<?, ?>) source;
			size = img.dimensionsAsLongArray();
			dimensions = Math.min(2, size.length);
			arrays = p -> array(img.getPlane(p));
		}
		else return null;
		if (arrays.apply(0) == null) return null;
		return new ArrayBlocks(arrays, size, dimensions, image, border.kind(), border.kind() == Border.Kind.CONSTANT ? constant.get() : null);
	}

	private static Object array(final Object access) {
		return access instanceof ArrayDataAccess ? ((ArrayDataAccess<?>) access).getCurrentStorageArray() : null;
	}

	/** What holds this block, and nothing else, if that is a buffer outside of Java's heap; else null. */
	Buffer memory(final long[] from, final long[] box) {
		final Object all = dimensionsOfArray == size.length && Arrays.equals(box, size) ? arrays.apply(0) : null;
		if (!(all instanceof Buffer) || !((Buffer) all).isDirect() || !PixelCopies.isInTheMachinesOrder((Buffer) all)) return null;
		for (final long f : from) if (f != 0) return null;
		return (Buffer) all;
	}

	/**
	 * @param from first pixel; beyond the image only where it has a border that goes on
	 * @param to an array or a buffer of the pixels' type, filled from index {@code begin} on, x fastest
	 */
	void copy(final long[] from, final Object to, final int begin, final int[] box) {
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		final int whole = wholeRows(from, box);
		if (whole >= 0) {
			PixelCopies.copy(arrays.apply(0), whole, to, begin, rows * box[0]);
			return;
		}
		for (int row = 0, t = begin; row < rows; row++, t += box[0]) {
			long at = 0, stride = size[0];
			int array = 0, planes = 1;
			boolean beyond = false;
			for (int d = 1, rest = row; d < box.length; d++) {
				final long x = inside(from[d] + rest % box[d], d);
				rest /= box[d];
				if (x < first[d] || x > last[d]) beyond = true;
				else if (d < dimensionsOfArray) {
					at += x * stride;
					stride *= size[d];
				}
				else {
					array += (int) x * planes;
					planes *= (int) size[d];
				}
			}
			if (beyond) fill(constant, 0, to, t, box[0]);
			else row(arrays.apply(array), at, from[0], to, t, box[0]);
		}
	}

	/** Where the block begins if it lies in one piece: whole rows of the image, and whole planes of a volume; else -1. */
	private int wholeRows(final long[] from, final int[] box) {
		if (dimensionsOfArray != size.length) return -1;
		long at = 0;
		for (int d = box.length - 1; d >= 0; d--) {
			if (from[d] < first[d] || from[d] + box[d] - 1 > last[d] || d < box.length - 1 && box[d] != size[d]) return -1;
			at = at * size[d] + from[d];
		}
		return (int) at;
	}

	/** Which pixel along a dimension stands where {@code x} is; itself if the border is a constant one. */
	private long inside(final long x, final int d) {
		final long a = first[d], b = last[d];
		if (x >= a && x <= b || border == Border.Kind.CONSTANT) return x;
		if (border == Border.Kind.EDGE || a == b) return Math.max(a, Math.min(b, x));
		final long folded = Math.floorMod(x - a, 2 * (b - a));
		return a + Math.min(folded, 2 * (b - a) - folded);
	}

	/** {@code n} pixels from {@code x} on of the row that begins at {@code at}. */
	private void row(final Object row, final long at, final long x, final Object to, final int t, final int n) {
		final int before = (int) Math.max(0, Math.min(n, first[0] - x)), after = (int) Math.max(0, Math.min(n, x + n - 1 - last[0]));
		if (n > before + after) PixelCopies.copy(row, (int) (at + x + before), to, t + before, n - before - after);
		if (before > 0) beyond(row, at, x, to, t, before);
		if (after > 0) beyond(row, at, x + n - after, to, t + n - after, after);
	}

	private void beyond(final Object row, final long at, final long x, final Object to, final int t, final int n) {
		if (border == Border.Kind.CONSTANT) fill(constant, 0, to, t, n);
		else if (border == Border.Kind.EDGE) fill(row, (int) (at + inside(x, 0)), to, t, n);
		else for (int i = 0; i < n; i++) PixelCopies.copy(row, (int) (at + inside(x + i, 0)), to, t + i, 1);
	}

	/** One value {@code n} times: twice as many with each copy. */
	private static void fill(final Object from, final int o, final Object to, final int t, final int n) {
		PixelCopies.copy(from, o, to, t, 1);
		for (int done = 1; done < n; done *= 2) PixelCopies.copy(to, t, to, t + done, Math.min(done, n - done));
	}
}
