package sc.fiji.ncc.image;

import java.nio.Buffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.planar.PlanarImg;
import net.imglib2.transform.integer.MixedTransform;
import net.imglib2.view.IntervalView;
import net.imglib2.view.MixedTransformView;

import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Boxes;

/**
 * Copies blocks of an image, and of its border, if the pixels lie in arrays or buffers: one for all pixels or one per plane. The image may be
 * a view that moves, cuts, selects or swaps dimensions, as long as its rows lie in one piece. ImgLib2's PrimitiveBlocks does this and more.
 * With this class, a new process does not load its ninety classes for the most frequent images. Also, a single row costs no more here than a
 * row of a larger block.
 */
final class ArrayBlocks {

	/** The array or buffer of each plane of a planar image, read only on demand; or the one array of all pixels. */
	private final IntFunction<Object> arrays;
	/** Where the pixel at 0 lies, and the distances of neighbours along each dimension: in its array, and among the arrays. */
	private final Place pixels, planes;
	/** The number of pixels of the one array; 0 if there are several. */
	private final long count;
	/** The first and the last pixel of the image. Outside of them is the border. */
	private final long[] first, last;
	private final Border.Kind border;
	/** An array with the constant of the border. */
	private final Object constant;

	/** An index that is linear in the coordinates of an image. */
	private record Place(long zero, long[] strides) {

		/** @param from the dimensions of the source that count, and the ones behind them */
		static Place of(final long[] size, final int from, final int to) {
			final long[] strides = new long[size.length];
			long stride = 1;
			for (int d = from; d < to; d++) {
				strides[d] = stride;
				stride *= size[d];
			}
			return new Place(0, strides);
		}

		/** The same index for a view; null if a dimension of it runs backwards. */
		Place in(final MixedTransform view) {
			final long[] seen = new long[view.numSourceDimensions()];
			long at = zero;
			for (int d = 0; d < strides.length; d++) {
				at += strides[d] * view.getTranslation(d);
				if (view.getComponentZero(d)) continue;
				if (view.getComponentInversion(d)) return null;
				seen[view.getComponentMapping(d)] += strides[d];
			}
			return new Place(at, seen);
		}

		/** The same index if dimension 0 has one pixel only, whose coordinate then does not matter. */
		Place withRowsOfOne(final long x, final long stride) {
			final long[] others = strides.clone();
			others[0] = stride;
			return new Place(zero + x * (strides[0] - stride), others);
		}

		long of(final long[] x) {
			long at = zero;
			for (int d = 0; d < strides.length; d++) at += strides[d] * x[d];
			return at;
		}
	}

	private ArrayBlocks(final IntFunction<Object> arrays, final Place pixels, final Place planes, final long count,
		final RandomAccessibleInterval<?> image, final Border.Kind border, final Object constant)
	{
		this.arrays = arrays;
		this.pixels = pixels;
		this.planes = planes;
		this.count = count;
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
		Object source = image;
		final Deque<MixedTransform> views = new ArrayDeque<>();
		while (source instanceof IntervalView || source instanceof MixedTransformView)
			// a view of an interval does not change the coordinates
			if (source instanceof IntervalView) source = ((IntervalView<?>) source).getSource();
			else {
				views.push(((MixedTransformView<?>) source).getTransformToSource());
				source = ((MixedTransformView<?>) source).getSource();
			}
		final IntFunction<Object> arrays;
		final long[] size;
		final boolean planar = source instanceof PlanarImg;
		if (source instanceof ArrayImg) {
			final ArrayImg<?, ?> img = (ArrayImg<?, ?>) source;
			size = img.dimensionsAsLongArray();
			final Object all = array(img.update(null));
			arrays = p -> all;
		}
		else if (planar) {
			final PlanarImg<?, ?> img = (PlanarImg<?, ?>) source;
			size = img.dimensionsAsLongArray();
			arrays = p -> array(img.getPlane(p));
		}
		else return null;
		final int inArray = planar ? Math.min(2, size.length) : size.length;
		Place pixels = Place.of(size, 0, inArray), planes = Place.of(size, inArray, size.length);
		for (final MixedTransform view : views) {
			pixels = pixels.in(view);
			if (pixels == null) return null;
			planes = planes.in(view);
		}
		final long[] min = image.minAsLongArray();
		if (image.dimension(0) == 1) {
			pixels = pixels.withRowsOfOne(min[0], 1);
			planes = planes.withRowsOfOne(min[0], 0);
		}
		if (pixels.strides[0] != 1 || planes.strides[0] != 0 || arrays.apply((int) planes.of(min)) == null) return null;
		return new ArrayBlocks(arrays, pixels, planes, planar ? 0 : Size.of(size).pixels(), image, border.kind(),
			border.kind() == Border.Kind.CONSTANT ? constant.get() : null);
	}

	private static Object array(final Object access) {
		return access instanceof ArrayDataAccess ? ((ArrayDataAccess<?>) access).getCurrentStorageArray() : null;
	}

	/** The direct buffer that contains this block and nothing else; null if there is none. */
	Buffer memory(final long[] from, final long[] box) {
		final Object array = count == Size.of(box).pixels()
			&& contiguousOffset(from, Arrays.stream(box).mapToInt(Math::toIntExact).toArray()) == 0
			? arrays.apply(0) : null;
		return array instanceof Buffer && ((Buffer) array).isDirect() && PixelCopies.hasNativeOrder((Buffer) array) ? (Buffer) array : null;
	}

	/**
	 * @param from the first pixel; outside of the image only if the border extends the image
	 * @param to an array or a buffer of the pixels' type, filled from index {@code begin} on, x fastest
	 */
	void copy(final long[] from, final Object to, final int begin, final int[] box) {
		final int rows = Boxes.rows(box);
		final long offset = contiguousOffset(from, box);
		if (offset >= 0) {
			PixelCopies.copy(arrays.apply(0), (int) offset, to, begin, rows * box[0]);
			return;
		}
		for (int row = 0, t = begin; row < rows; row++, t += box[0]) {
			long rowStart = pixels.zero, array = planes.zero;
			boolean outside = false;
			for (int d = 1, rest = row; d < box.length; d++) {
				final long x = source(from[d] + rest % box[d], d);
				rest /= box[d];
				outside |= x < first[d] || x > last[d];
				rowStart += x * pixels.strides[d];
				array += x * planes.strides[d];
			}
			if (outside) fill(constant, 0, to, t, box[0]);
			else row(arrays.apply((int) array), rowStart, from[0], to, t, box[0]);
		}
	}

	/** The index of the first pixel if the block lies in the one array in one piece, as whole rows of the image, and whole planes of a volume. Else -1. */
	private long contiguousOffset(final long[] from, final int[] box) {
		if (count == 0) return -1;
		long next = 1;
		for (int d = 0; d < box.length; d++) {
			if (from[d] < first[d] || from[d] + box[d] - 1 > last[d] || box[d] != 1 && pixels.strides[d] != next) return -1;
			next *= box[d];
		}
		return pixels.of(from);
	}

	/** The coordinate of the pixel that the border policy puts at {@code x}; {@code x} itself if the border is constant. */
	private long source(final long x, final int d) {
		final long a = first[d], b = last[d];
		if (x >= a && x <= b || border == Border.Kind.CONSTANT) return x;
		if (border != Border.Kind.EDGE && border != Border.Kind.MIRROR)
			throw new IllegalStateException("internal error: the border " + border + " has no pixel at " + x);
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
