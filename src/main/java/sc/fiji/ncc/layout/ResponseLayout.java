package sc.fiji.ncc.layout;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Size;

/**
 * Converts extent, border and search window of a correlation to lags. All coordinates are relative to the first pixel of the image, and only along the
 * template's dimensions.
 */
public final class ResponseLayout {

	private final Border border;
	private final long[] image, template;
	/** The position of the first requested response, and their number along each dimension. */
	public final long[] origin, size;
	/** The first computed lag, the number of computed lags, and the position of the first in the map. The map can have further lags. */
	public final long[] firstLag, lags, place;
	final double minOverlap;
	/** The first and the last lag without a search window. */
	private final long[] outerFirst, outerLast;
	private final MissingPixels missing;

	/**
	 * The layout of a correlation.
	 *
	 * @param given the border; null for the default of the extent
	 * @param minOverlap the smallest overlap with {@link Border#OVERLAP} and with missing pixels; negative for the default: a third with FULL and with missing
	 *        pixels, otherwise 0
	 * @param search the requested responses; null for all
	 * @param missing the missing pixels of the image; {@link MissingPixels#NONE} if no pixel may be missing
	 */
	public ResponseLayout(final Size template, final long[] image, final Extent extent, final Border given, final double minOverlap, final Interval search,
		final MissingPixels missing)
	{
		this("template", template, image, true, new Positions(extent, extent == Extent.SAME ? centre(template) : new long[template.dimensions()],
			given != null ? given : extent == Extent.FULL ? Border.OVERLAP : Border.UNDEFINED, search),
			minOverlap >= 0 ? minOverlap : extent == Extent.FULL || missing != MissingPixels.NONE ? 1.0 / 3 : 0, missing);
	}

	/**
	 * Where responses lie.
	 *
	 * @param anchor the position in a window of its response
	 * @param search the requested responses; null for all
	 */
	public record Positions(Extent extent, long[] anchor, Border border, Interval search) {}

	/** The layout of a convolution. The kernel may be larger than the image, unless the extent is VALID. */
	public static ResponseLayout ofKernel(final Size kernel, final long[] image, final Positions positions) {
		return new ResponseLayout("kernel", kernel, image, false, positions, 0, MissingPixels.NONE);
	}

	/**
	 * @param noun the name of the template in messages: template or kernel
	 * @param within whether an image smaller than the template is an error with every extent
	 * @param minOverlap the smallest share of the weight that must overlap, with {@link Border#OVERLAP}
	 */
	private ResponseLayout(final String noun, final Size template, final long[] image, final boolean within, final Positions positions,
		final double minOverlap, final MissingPixels missing)
	{
		final Extent extent = positions.extent;
		final long[] anchor = positions.anchor;
		this.missing = missing;
		final int n = template.dimensions();
		this.image = image;
		this.template = template.toArray();
		if (within || extent == Extent.VALID) requireFits(noun);
		border = positions.border;
		this.minOverlap = minOverlap;
		origin = new long[n];
		size = new long[n];
		firstLag = new long[n];
		lags = new long[n];
		place = new long[n];
		outerFirst = new long[n];
		outerLast = new long[n];
		for (int d = 0; d < n; d++) {
			final long t = this.template[d];
			origin[d] = extent == Extent.SAME ? 0 : anchor[d] + (extent == Extent.FULL ? 1 - t : 0);
			size[d] = extent.responses(image[d], t);
		}
		for (int d = 0; d < n; d++) {
			outerFirst[d] = firstLag(d, anchor);
			outerLast[d] = lastLag(d, anchor);
		}
		if (positions.search != null) restrict(noun, positions.search, extent);
		for (int d = 0; d < n; d++) {
			firstLag[d] = firstLag(d, anchor);
			lags[d] = Math.max(0, lastLag(d, anchor) - firstLag[d] + 1);
			place[d] = firstLag[d] + anchor[d] - origin[d];
		}
	}

	private long firstLag(final int d, final long[] anchor) {
		final long first = origin[d] - anchor[d];
		return border.kind() == Border.Kind.UNDEFINED ? Math.max(0, first) : first;
	}

	private long lastLag(final int d, final long[] anchor) {
		final long last = origin[d] + size[d] - 1 - anchor[d];
		return border.kind() == Border.Kind.UNDEFINED ? Math.min(image[d] - template[d], last) : last;
	}

	/**
	 * Whether a lag is at the edge of the search: it is the first or the last lag along a dimension, and without the search window there would be a further
	 * one. A dimension with one lag has no edge.
	 */
	public boolean edge(final long[] lag) {
		for (int d = 0; d < lags.length; d++)
			if (lags[d] > 1 && (lag[d] == firstLag[d] && lag[d] > outerFirst[d] || lag[d] == firstLag[d] + lags[d] - 1 && lag[d] < outerLast[d])) return true;
		return false;
	}

	/** {@code floor(size / 2)} */
	public static long[] centre(final Size template) {
		final long[] centre = template.toArray();
		for (int d = 0; d < centre.length; d++) centre[d] /= 2;
		return centre;
	}

	/**
	 * The positions of the responses whose windows lie inside a box.
	 *
	 * @param windows the box, in pixels from the first pixel of the image
	 * @throws IllegalArgumentException if the box is smaller than the template or extends beyond the image
	 */
	public static Interval responsesInside(final Interval windows, final Size template, final long[] image, final Extent extent) {
		final int n = template.dimensions();
		if (windows.numDimensions() != n) throw new IllegalArgumentException("the box for windows has " + windows.numDimensions() + " dimensions, the template of "
			+ template + " has " + n + ": give as many dimensions as the template has");
		final long[] min = windows.minAsLongArray(), max = windows.maxAsLongArray(), size = windows.dimensionsAsLongArray();
		for (int d = 0; d < n; d++) {
			if (min[d] < 0 || max[d] >= image[d]) throw new IllegalArgumentException("the box for windows " + written(min, size)
				+ " extends beyond the image of " + Size.of(image) + ": give a box inside the image, in pixels counted from 0");
			if (size[d] < template.get(d)) throw new IllegalArgumentException("the template of " + template + " is larger than the box for windows, "
				+ Size.of(size) + ": give a larger box or a smaller template");
			final long place = extent == Extent.SAME ? template.get(d) / 2 : 0;
			min[d] += place;
			max[d] += place + 1 - template.get(d);
		}
		return new FinalInterval(min, max);
	}

	private void requireFits(final String noun) {
		if (isWithin(template, image)) return;
		throw new IllegalArgumentException("the " + noun + " of " + Size.of(template) + " is larger than the image of " + Size.of(image) + ": choose a smaller "
			+ noun + (isWithin(image, template) ? ", or swap the two" : ""));
	}

	private static boolean isWithin(final long[] small, final long[] large) {
		return IntStream.range(0, small.length).allMatch(d -> small[d] <= large[d]);
	}

	private void restrict(final String noun, final Interval search, final Extent extent) {
		if (search.numDimensions() != size.length) throw new IllegalArgumentException("the search region has " + search.numDimensions()
			+ " dimensions, the " + noun + " of " + Size.of(template) + " has " + size.length + ": choose as many for both");
		for (int d = 0; d < size.length; d++)
			if (search.dimension(d) < 1 || search.min(d) < origin[d] || search.max(d) >= origin[d] + size[d])
				throw new IllegalArgumentException("the search region " + written(search.minAsLongArray(), search.dimensionsAsLongArray()) + " is not within the "
					+ extent.name().toLowerCase(Locale.ROOT) + " responses " + written(origin, size) + " of the image of " + Size.of(image) + " with the " + noun
					+ " of " + Size.of(template)
					+ ": give a region (" + (size.length == 2 ? "x,y,w,h" : size.length == 3 ? "x,y,z,w,h,d" : "first position, size") + ") that lies in them");
		search.min(origin);
		search.dimensions(size);
	}

	/** A region as in options: its first position and its size, with commas. */
	private static String written(final long[] first, final long[] size) {
		return LongStream.concat(Arrays.stream(first), Arrays.stream(size)).mapToObj(Long::toString).collect(Collectors.joining(","));
	}

	/** Whether one execution can compute two templates together: same pixels, same number of lags, same position in the map. */
	boolean compatible(final ResponseLayout other) {
		return turned() == other.turned() && Arrays.equals(lags, other.lags) && Arrays.equals(place, other.place)
			&& beyond() == other.beyond() && minOverlap == other.minOverlap && border.equals(other.border)
			&& (!extended() || Arrays.equals(template, other.template) && Arrays.equals(firstLag, other.firstLag));
	}

	/** Whether two maps have the same size and origin. */
	public boolean congruent(final ResponseLayout other) {
		return Arrays.equals(origin, other.origin) && Arrays.equals(size, other.size);
	}

	/** Whether no lag is computed, because the search window lies in the undefined border. */
	public boolean empty() {
		for (final long l : lags)
			if (l == 0) return true;
		return false;
	}

	/** Whether the map has responses that are not computed. */
	public boolean hasUndefinedBorder() {
		return !Arrays.equals(lags, size);
	}

	private boolean extended() {
		return border.kind() != Border.Kind.UNDEFINED && border.kind() != Border.Kind.OVERLAP;
	}

	/** Whether windows extend beyond the image, and its pixels do not. */
	private boolean beyond() {
		if (border.kind() != Border.Kind.OVERLAP) return false;
		for (int d = 0; d < lags.length; d++)
			if (firstLag[d] < 0 || firstLag[d] + lags[d] - 1 > image[d] - template[d]) return true;
		return false;
	}

	/** @param count the maximum number of lags along each dimension in one box */
	public Lags lags(final Size count) {
		if (missing != MissingPixels.NONE) return new Lags(count, beyond(), true, minOverlap);
		return beyond() ? new Lags(count, true, minOverlap) : Lags.inside(count);
	}

	/**
	 * The windows of the problem for the planner.
	 *
	 * @param templates the sizes of all templates that are computed together
	 * @param frames the number of images of this size
	 * @param boxes the division of the lags into boxes
	 */
	public Windows windows(final PixelType imageType, final PixelType templateType, final List<Size> templates, final Precision precision,
		final long frames, final BoxGrid boxes)
	{
		final Size count = empty() ? Size.of(size) : boxes.largest(), all = Size.of(pixelsSize());
		final long parts = boxes.count(), number = Math.multiplyExact(frames, parts);
		final Size whole = Size.of(empty() ? size : lags);
		if (turned()) return new Windows(imageType, templateType, Columns.turned(all), templates.stream().map(Columns::turned).toList(),
			lags(Columns.turned(count)), number, precision, cut(Columns.turned(whole), parts));
		return new Windows(imageType, templateType, all, templates, lags(count), number, precision, cut(whole, parts));
	}

	private static Windows.Cut cut(final Size lags, final long parts) {
		return parts > 1 ? new Windows.Cut(lags, parts) : null;
	}

	/**
	 * The pixels of a frame, extended by its border if the border has pixels.
	 *
	 * @param index the index of the frame
	 */
	public ImagePixels pixels(final RandomAccessibleInterval<?> frame, final long index) {
		return extended() ? missing.in(frame, index, border, firstLag, pixelsSize()) : missing.in(frame, index);
	}

	/** Whether windows and pixels are turned for an execution: see {@link Columns}. */
	boolean turned() {
		return Columns.are(image, template);
	}

	/** The result of {@link #pixels} with x and y swapped. */
	ImagePixels turnedPixels(final RandomAccessibleInterval<?> frame, final long index) {
		final RandomAccessibleInterval<?> row = Columns.turned(frame);
		final MissingPixels ofRow = Columns.turned(missing);
		return extended() ? ofRow.in(row, index, border, Columns.turned(firstLag), Columns.turned(pixelsSize())) : ofRow.in(row, index);
	}

	/** The extents of the result of {@link #pixels}. */
	long[] pixelsSize() {
		if (!extended()) return image.clone();
		final long[] n = new long[lags.length];
		for (int d = 0; d < n.length; d++) n[d] = lags[d] + template[d] - 1;
		return n;
	}

	/** The first computed lag in the coordinates of the result of {@link #pixels}. */
	public long[] firstLagInPixels() {
		return extended() ? new long[lags.length] : firstLag.clone();
	}
}
