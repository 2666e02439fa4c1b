package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.planar.PlanarImg;
import net.imglib2.view.IntervalView;

import sc.fiji.ncc.option.Border;

/**
 * Copies blocks of an image, and of its border, if the pixels lie in arrays or buffers: one for all pixels or one per plane. ImgLib2's PrimitiveBlocks does
 * this and more. This class spares a new process the loading of its ninety classes for the most frequent images. Also, a single row costs no more here
 * than a row of a larger block.
 */
final class ArrayBlocks {

	/** The array or buffer of each plane of a planar image, read only on demand; or the one array of all pixels. */
	private final IntFunction<Object> arrays;
	/** The extents of the whole source; below, the number of dimensions that one array holds. */
	private final long[] size;
	private final int dimensionsOfArray;
	/** The first and the last pixel of the image. Outside of them is the border. */
	private final long[] first, last;
	private final Border.Kind border;
	/** An array with the constant of the border. */
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
	 * Blocks of an image; null if its pixels do not lie in arrays.
	 *
	 * @param constant an array of the pixels' type with the constant of the border; called only if the border has a constant
	 */
	static ArrayBlocks of(final RandomAccessibleInterval<?> image, final Border border, final Supplier<Object> constant) {
		// a view of an interval does not change the coordinates
		final Object source = image instanceof IntervalView ? ((IntervalView<?>) image).getSource() : image;
		final IntFunction<Object> arrays;
		final long[] size;
		final int dimensions;
		if (source instanceof ArrayImg) {
			final ArrayImg<?, ?> img = (ArrayImg<?, ?>) source;
			size = img.dimensionsAsLongArray();
			dimensions = size.length;
			final Object pixels = array(img.update(null));
			arrays = p -> pixels;
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

	/** The direct buffer that contains this block and nothing else; null if there is none. */
	Buffer memory(final long[] from, final long[] box) {
		final Object array = dimensionsOfArray == size.length && Arrays.equals(box, size) ? arrays.apply(0) : null;
		if (!(array instanceof Buffer) || !((Buffer) array).isDirect() || !PixelCopies.hasNativeOrder((Buffer) array)) return null;
		for (final long f : from) if (f != 0) return null;
		return (Buffer) array;
	}

	/**
	 * @param from the first pixel; outside of the image only if the border extends the image
	 * @param to an array or a buffer of the pixels' type, filled from index {@code begin} on, x fastest
	 */
	void copy(final long[] from, final Object to, final int begin, final int[] box) {
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		final int offset = contiguousOffset(from, box);
		if (offset >= 0) {
			PixelCopies.copy(arrays.apply(0), offset, to, begin, rows * box[0]);
			return;
		}
		for (int row = 0, t = begin; row < rows; row++, t += box[0]) {
			long rowStart = 0, stride = size[0];
			int array = 0, planes = 1;
			boolean outside = false;
			for (int d = 1, rest = row; d < box.length; d++) {
				final long x = source(from[d] + rest % box[d], d);
				rest /= box[d];
				if (x < first[d] || x > last[d]) outside = true;
				else if (d < dimensionsOfArray) {
					rowStart += x * stride;
					stride *= size[d];
				}
				else {
					array += (int) x * planes;
					planes *= (int) size[d];
				}
			}
			if (outside) fill(constant, 0, to, t, box[0]);
			else row(arrays.apply(array), rowStart, from[0], to, t, box[0]);
		}
	}

	/** The index of the first pixel if the block is contiguous: whole rows of the image, and whole planes of a volume. Else -1. */
	private int contiguousOffset(final long[] from, final int[] box) {
		if (dimensionsOfArray != size.length) return -1;
		long offset = 0;
		for (int d = box.length - 1; d >= 0; d--) {
			if (from[d] < first[d] || from[d] + box[d] - 1 > last[d] || d < box.length - 1 && box[d] != size[d]) return -1;
			offset = offset * size[d] + from[d];
		}
		return (int) offset;
	}

	/** The coordinate of the pixel that the border policy puts at {@code x}; {@code x} itself if the border is constant. */
	private long source(final long x, final int d) {
		final long a = first[d], b = last[d];
		if (x >= a && x <= b || border == Border.Kind.CONSTANT) return x;
		if (border != Border.Kind.EDGE && border != Border.Kind.MIRROR) throw new IllegalStateException("internal error: the border " + border + " has no pixel at " + x);
		if (border == Border.Kind.EDGE || a == b) return Math.max(a, Math.min(b, x));
		final long folded = Math.floorMod(x - a, 2 * (b - a));
		return a + Math.min(folded, 2 * (b - a) - folded);
	}

	/** Copies {@code n} pixels from {@code x} on, of the row that begins at index {@code rowStart}. */
	private void row(final Object row, final long rowStart, final long x, final Object to, final int t, final int n) {
		final int before = (int) Math.max(0, Math.min(n, first[0] - x)), after = (int) Math.max(0, Math.min(n, x + n - 1 - last[0]));
		if (n > before + after) PixelCopies.copy(row, (int) (rowStart + x + before), to, t + before, n - before - after);
		if (before > 0) border(row, rowStart, x, to, t, before);
		if (after > 0) border(row, rowStart, x + n - after, to, t + n - after, after);
	}

	private void border(final Object row, final long rowStart, final long x, final Object to, final int t, final int n) {
		if (border == Border.Kind.CONSTANT) fill(constant, 0, to, t, n);
		else if (border == Border.Kind.EDGE) fill(row, (int) (rowStart + source(x, 0)), to, t, n);
		else for (int i = 0; i < n; i++) PixelCopies.copy(row, (int) (rowStart + source(x + i, 0)), to, t + i, 1);
	}

	/** Writes one value {@code n} times. Each copy doubles the number of values. */
	private static void fill(final Object from, final int o, final Object to, final int t, final int n) {
		PixelCopies.copy(from, o, to, t, 1);
		for (int done = 1; done < n; done *= 2) PixelCopies.copy(to, t, to, t + done, Math.min(done, n - done));
	}
}
