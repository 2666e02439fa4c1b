package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** The maps of all templates, and the sinks that fill them. */
public final class ResponseMaps implements FrameSinks<Response> {

	/** The maps in single and, below, in double precision; the list of the other precision is empty. */
	private final List<Img<FloatType>> maps = new ArrayList<>();
	private final List<Img<DoubleType>> doubleMaps = new ArrayList<>();
	/** The maximum share of the heap for maps that are allocated while responses are computed, and the minimum number of pixels of such a map. */
	private static final int SHARE = 16, MANY = 1 << 18;

	/** The pixels of each map; null if they do not lie in one array, or in one that is allocated later. */
	private final List<Buffer> arrays = new ArrayList<>();
	/** The arrays of all maps, in place of the lists above, if they are allocated later. Default: empty. */
	private final List<DeferredArray> deferredArrays = new ArrayList<>();
	private final List<long[]> lateSizes = new ArrayList<>();
	private final Precision precision;
	private final List<ResponseLayout> layouts;
	private final float undefined;
	private final int images;

	/** Allocates new maps. The arguments are those of the other constructor. */
	public ResponseMaps(final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts, final Undefined undefined,
		final Precision precision)
	{
		this(image, layouts, undefined, precision, null);
	}

	/**
	 * @param layouts one per template, for this image
	 * @param given the maps to write to, one per template; null to allocate new maps
	 * @throws IllegalArgumentException if a given map has another size than the result, or another pixel type than the precision
	 * @throws NccException if the heap is too small for new maps
	 */
	public ResponseMaps(final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts, final Undefined undefined,
		final Precision precision, final List<? extends Img<?>> given)
	{
		this.layouts = layouts;
		this.precision = precision;
		this.undefined = undefined.value;
		images = image.numDimensions();
		if (given != null && given.size() != layouts.size())
			throw new IllegalArgumentException(given.size() + " images for " + layouts.size() + " results: pass one image for each result");
		if (given == null && suitDeferredArrays(image)) {
			for (final ResponseLayout a : layouts) {
				lateSizes.add(size(image, a));
				deferredArrays.add(new DeferredArray(precision::allocate, (int) Size.of(size(image, a)).pixels(), a.hasUndefinedBorder() ? undefined.value : 0));
			}
			return;
		}
		try {
			for (int t = 0; t < layouts.size(); t++) add(layouts.get(t), size(image, layouts.get(t)), undefined, given == null ? null : given.get(t));
		}
		catch (final OutOfMemoryError e) {
			throw outOfHeap(image, e);
		}
	}

	/** @param given the map to write to; null to allocate a new one */
	private void add(final ResponseLayout a, final long[] size, final Undefined undefined, final Img<?> given) {
		if (given != null && !Arrays.equals(given.dimensionsAsLongArray(), size)) throw new IllegalArgumentException("cannot write a result of "
			+ Size.of(size) + " into an image of " + Size.of(given.dimensionsAsLongArray()) + ": pass an image of " + Size.of(size));
		if (precision == Precision.DOUBLE) doubleMaps.add(filled(a, undefined, given != null, given == null
			? doubles(size) : given(given, new DoubleType(), precision)));
		else maps.add(filled(a, undefined, given != null, given == null ? floats(size) : given(given, new FloatType(), precision)));
	}

	/** No candidate needs less memory for its maps: a refusal, with both sizes. */
	private NccException outOfHeap(final RandomAccessibleInterval<?> image, final OutOfMemoryError cause) {
		final long one = precision.bytes * Size.of(size(image, layouts.get(0))).pixels();
		return new NccException("not enough memory for " + (layouts.size() == 1 ? "a map" : layouts.size() + " maps") + " of "
			+ Size.of(size(image, layouts.get(0))) + " in " + precision
			+ " precision (" + (one / 1_000_000) + " MB" + (layouts.size() == 1 ? "" : " each") + ") on a Java heap of " + Runtime.getRuntime().maxMemory() / 1_000_000
			+ " MB: increase the heap (-Xmx), restrict the work to a search window, or write the map to a Zarr store", cause);
	}

	/** Whether the maps are large enough to be allocated later, and small enough that the heap certainly holds them. */
	private boolean suitDeferredArrays(final RandomAccessibleInterval<?> image) {
		double bytes = 0;
		boolean large = true;
		for (final ResponseLayout a : layouts) {
			final double pixels = Size.of(size(image, a)).pixels();
			large &= pixels >= MANY;
			bytes += pixels * (precision == Precision.DOUBLE ? Double.BYTES : Float.BYTES);
		}
		return large && bytes <= (double) Runtime.getRuntime().maxMemory() / SHARE;
	}

	@SuppressWarnings("unchecked") // the type is checked
	private static <T extends RealType<T>> Img<T> given(final Img<?> map, final T type, final Precision precision) {
		if (map.getType().getClass() != type.getClass()) throw new IllegalArgumentException("cannot write results in " + precision + " precision into an image of "
			+ map.getType().getClass().getSimpleName() + ": pass an image of " + type.getClass().getSimpleName() + ", or choose the other precision");
		return (Img<T>) map;
	}

	/** Fills the responses that are not computed, unless a new map holds their value already, and adds the map's array to the list. */
	private <T extends RealType<T>> Img<T> filled(final ResponseLayout a, final Undefined undefined, final boolean reused, final Img<T> map) {
		if (a.hasUndefinedBorder() && (reused || undefined != Undefined.ZERO)) LoopBuilder.setImages(map).forEachPixel(p -> p.setReal(undefined.value));
		final Object array = map instanceof ArrayImg ? ((ArrayDataAccess<?>) ((ArrayImg<?, ?>) map).update(null)).getCurrentStorageArray() : null;
		arrays.add(array == null ? null : array instanceof float[] ? FloatBuffer.wrap((float[]) array) : DoubleBuffer.wrap((double[]) array));
		return map;
	}

	/** The extents of the map of an image. */
	public static long[] size(final RandomAccessibleInterval<?> image, final ResponseLayout a) {
		final long[] size = image.dimensionsAsLongArray();
		System.arraycopy(a.size, 0, size, 0, a.size.length);
		return size;
	}

	/** The position in the image of the first response of its map. */
	public static long[] origin(final int dimensions, final ResponseLayout a) {
		final long[] origin = new long[dimensions];
		System.arraycopy(a.origin, 0, origin, 0, a.origin.length);
		return origin;
	}

	static Img<FloatType> floats(final long[] size) {
		return Size.of(size).pixels() <= Integer.MAX_VALUE - 8 ? ArrayImgs.floats(size) : new CellImgFactory<>(new FloatType(), 256).create(size);
	}

	static Img<DoubleType> doubles(final long[] size) {
		return Size.of(size).pixels() <= Integer.MAX_VALUE - 8 ? ArrayImgs.doubles(size) : new CellImgFactory<>(new DoubleType(), 256).create(size);
	}

	/** The position in the map of the first response of a box. */
	static long[] place(final ResponseLayout a, final long[][] box) {
		final long[] place = a.place.clone();
		for (int d = 0; d < place.length; d++) place[d] += box[0][d];
		return place;
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<MapSink> sinks = new ArrayList<>();
		for (final int t : bank.indices()) {
			final ResponseLayout a = layouts.get(t);
			final long offset = frame * Size.of(a.size).pixels();
			if (!deferredArrays.isEmpty()) {
				sinks.add(new MapSink(deferredArrays.get(t), a.size, offset, place(a, box), undefined));
				continue;
			}
			@SuppressWarnings("unchecked") // a frame of a map of real numbers
			final RandomAccessibleInterval<? extends RealType<?>> target =
				(RandomAccessibleInterval<? extends RealType<?>>) StackFrames.get((doubleMaps.isEmpty() ? maps : doubleMaps).get(t), a.size.length, frame);
			final Buffer array = arrays.get(t);
			sinks.add(new MapSink(target, array, array == null ? 0 : offset, place(a, box), undefined));
		}
		return new BankSink(undefined, sinks);
	}

	private void add(final DeferredArray late, final long[] size) {
		late.allocate();
		final Object array = late.get().array();
		if (array instanceof float[]) maps.add(ArrayImgs.floats((float[]) array, size));
		else doubleMaps.add(ArrayImgs.doubles((double[]) array, size));
	}

	/** Does nothing: each frame writes every computed response again, and the others keep their value. */
	@Override
	public void begin(final RandomAccessibleInterval<?> frame, final long index) {}

	@Override
	public Response finish(final Report report, final List<Ranking> rankings, final double seconds) {
		if (maps.isEmpty() && doubleMaps.isEmpty())
			for (int t = 0; t < deferredArrays.size(); t++) add(deferredArrays.get(t), lateSizes.get(t));
		final List<long[]> origins = new ArrayList<>();
		for (final ResponseLayout a : layouts) origins.add(origin(images, a));
		return new Response(List.copyOf(maps), List.copyOf(doubleMaps), origins, report, rankings, seconds);
	}
}
