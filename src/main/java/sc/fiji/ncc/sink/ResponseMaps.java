package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;

/** The maps of all templates, and the sinks that fill them. */
public final class ResponseMaps implements FrameSinks<Response> {

	private final List<Img<? extends RealType<?>>> maps = new ArrayList<>();
	/** The maximum share of the heap for maps that are allocated while responses are computed, and the minimum number of pixels of such a map. */
	private static final int SHARE = 16, MANY = 1 << 18;

	/** The pixels of each map; null if they do not lie in one array, or in one that is allocated later. */
	private final List<Buffer> arrays = new ArrayList<>();
	/** The arrays of all maps, in place of the lists above, if they are allocated later. Default: empty. */
	private final List<DeferredArray> deferredArrays = new ArrayList<>();
	private final List<long[]> lateSizes = new ArrayList<>();
	private final Precision precision;
	private final ResponseType type;
	private final List<ResponseLayout> layouts;
	private final float undefined;
	private final int images;

	/** Allocates new maps. The arguments are those of the other constructor. */
	public ResponseMaps(final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts, final Undefined undefined,
		final Precision precision, final ResponseType type)
	{
		this(image, layouts, undefined, precision, type, null);
	}

	/**
	 * @param layouts one per template, for this image
	 * @param given the maps to write to, one per template; null to allocate new maps
	 * @throws IllegalArgumentException if a given map has another size than the result, or another pixel type than the responses
	 * @throws NccException if the heap is too small for new maps
	 */
	public ResponseMaps(final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts, final Undefined undefined,
		final Precision precision, final ResponseType type, final List<? extends Img<?>> given)
	{
		this.layouts = layouts;
		this.precision = precision;
		this.type = type;
		this.undefined = undefined.value;
		images = image.numDimensions();
		if (given != null && given.size() != layouts.size())
			throw new IllegalArgumentException(given.size() + " images for " + layouts.size() + " results: pass one image for each result");
		if (given == null && suitDeferredArrays(image)) {
			for (final ResponseLayout a : layouts) {
				lateSizes.add(size(image, a));
				deferredArrays.add(new DeferredArray(n -> array(a, n), (int) Size.of(size(image, a)).pixels()));
			}
			return;
		}
		try {
			for (int t = 0; t < layouts.size(); t++) add(layouts.get(t), size(image, layouts.get(t)), given == null ? null : given.get(t));
		}
		catch (final OutOfMemoryError e) {
			throw outOfHeap(image, e);
		}
	}

	private Buffer array(final ResponseLayout a, final int responses) {
		final Buffer array = type.allocate(precision, responses);
		if (a.hasUndefinedBorder() && !type.initial(undefined)) Buffers.fill(array, undefined);
		return array;
	}

	/** @param given the map to write to; null to allocate a new one */
	private void add(final ResponseLayout a, final long[] size, final Img<?> given) {
		if (given != null && !Arrays.equals(given.dimensionsAsLongArray(), size)) throw new IllegalArgumentException("cannot write a result of "
			+ Size.of(size) + " into an image of " + Size.of(given.dimensionsAsLongArray()) + ": pass an image of " + Size.of(size));
		maps.add(switch (type) {
			case FLOAT -> precision == Precision.DOUBLE ? filled(a, given, new DoubleType(), size) : filled(a, given, new FloatType(), size);
			case BITS_16 -> filled(a, given, new UnsignedShortType(), size);
			case BITS_8 -> filled(a, given, new UnsignedByteType(), size);
		});
	}

	/** No candidate needs less memory for its maps: a refusal, with both sizes. */
	private NccException outOfHeap(final RandomAccessibleInterval<?> image, final OutOfMemoryError cause) {
		final long one = type.bytes(precision) * Size.of(size(image, layouts.get(0))).pixels();
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
			bytes += pixels * type.bytes(precision);
		}
		return large && bytes <= (double) Runtime.getRuntime().maxMemory() / SHARE;
	}

	@SuppressWarnings("unchecked") // the type is checked
	private <T extends RealType<T>> Img<T> given(final Img<?> map, final T pixel) {
		if (map.getType().getClass() != pixel.getClass()) throw new IllegalArgumentException("cannot write "
			+ (type.quantized() ? type + " responses" : "results in "
			+ precision + " precision") + " into an image of " + map.getType().getClass().getSimpleName() + ": pass an image of "
			+ pixel.getClass().getSimpleName() + ", or choose the other " + (type.quantized() ? "type of responses" : "precision"));
		return (Img<T>) map;
	}

	/**
	 * A map with the value of responses that are not computed, unless a new map holds this value already. Adds its array to the list.
	 *
	 * @param given the map to write to; null to allocate a new one
	 */
	private <T extends RealType<T> & NativeType<T>> Img<T> filled(final ResponseLayout a, final Img<?> given, final T pixel, final long[] size) {
		final Img<T> map = given == null ? pixels(pixel, size) : given(given, pixel);
		final double value = type.quantized() ? type.quantize(undefined) : undefined;
		if (a.hasUndefinedBorder() && (given != null || !type.initial(undefined))) LoopBuilder.setImages(map).forEachPixel(p -> p.setReal(value));
		arrays.add(map instanceof ArrayImg ? Buffers.of(BestMaps.array(map)) : null);
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

	/** A new image of zeros: in one array if they fit. */
	static <T extends NativeType<T>> Img<T> pixels(final T pixel, final long[] size) {
		return Size.of(size).pixels() <= Integer.MAX_VALUE - 8 ? new ArrayImgFactory<>(pixel).create(size) : new CellImgFactory<>(pixel, 256).create(size);
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
				sinks.add(new MapSink(deferredArrays.get(t), a.size, offset, place(a, box), undefined, type));
				continue;
			}
			@SuppressWarnings("unchecked") // a frame of a map of real numbers
			final RandomAccessibleInterval<? extends RealType<?>> target =
				(RandomAccessibleInterval<? extends RealType<?>>) StackFrames.get(maps.get(t), a.size.length, frame);
			final Buffer array = arrays.get(t);
			sinks.add(new MapSink(target, array, array == null ? 0 : offset, place(a, box), undefined, type));
		}
		return new BankSink(undefined, sinks);
	}

	private void add(final DeferredArray late, final long[] size) {
		late.allocate();
		final Object array = late.get().array();
		maps.add(switch (type) {
			case FLOAT -> precision == Precision.DOUBLE ? ArrayImgs.doubles((double[]) array, size) : ArrayImgs.floats((float[]) array, size);
			case BITS_16 -> ArrayImgs.unsignedShorts((short[]) array, size);
			case BITS_8 -> ArrayImgs.unsignedBytes((byte[]) array, size);
		});
	}

	/** Does nothing: each frame writes every computed response again, and the others keep their value. */
	@Override
	public void begin(final RandomAccessibleInterval<?> frame, final long index) {}

	@Override
	public Response finish(final Report report, final List<Ranking> rankings, final double seconds) {
		if (maps.isEmpty())
			for (int t = 0; t < deferredArrays.size(); t++) add(deferredArrays.get(t), lateSizes.get(t));
		final List<long[]> origins = new ArrayList<>();
		for (final ResponseLayout a : layouts) origins.add(origin(images, a));
		return new Response(List.copyOf(maps), origins, report, rankings, seconds);
	}
}
