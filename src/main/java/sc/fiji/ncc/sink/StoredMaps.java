package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.ImageStore;
import sc.fiji.ncc.result.MapStore;

/** The maps of all templates in a store, and the sinks that fill them. */
public final class StoredMaps implements Sinks, AutoCloseable {

	/** The maximum number of lags of a box: large enough that boxes share few pixels at their edges, small enough that repeating a box is fast. */
	private static final long MAX_LAGS = 1L << 22;
	/** The share of the heap for boxes in flight, one part in this many; and their minimum number, as some devices need. */
	private static final int SHARE_OF_HEAP = 8, MIN_IN_FLIGHT = 4;

	/** The default memory for boxes in flight, in bytes, for a process with this heap. */
	public static long memory(final long heap) {
		return heap / SHARE_OF_HEAP;
	}

	private final List<? extends MapStore> stores;
	private final List<ResponseLayout> layouts;
	private final Undefined undefined;
	private final Precision precision;
	private final ResponseType type;
	private final long[] image;
	/** The maximum number of responses of all boxes in flight, and the maximum number of lags of one box. */
	private final long maxResponses, maxLags;
	private final ChunkSink.ArrayPool pool;
	private final ChunkQueue queue;
	private long responsesBefore;

	/**
	 * How responses are written to stores.
	 *
	 * @param precision the precision of the responses
	 * @param type the type of the responses in the stores
	 * @param maxLags the maximum number of lags of a box; less if the memory does not suffice
	 * @param threads the number of computing threads
	 * @param memory the memory for boxes in flight, in bytes
	 */
	public record Storing(Undefined undefined, Precision precision, ResponseType type, long maxLags, int threads, long memory) {}

	/**
	 * @param stores one per template
	 * @throws IllegalArgumentException if the number of stores, a size or the precision does not match the maps, or if a store is the image
	 */
	public StoredMaps(final List<? extends MapStore> stores, final RandomAccessibleInterval<?> image, final List<ResponseLayout> layouts,
		final Storing storing)
	{
		Given.nonNull(image, "image");
		Given.list(stores, "store");
		this.stores = stores;
		this.layouts = layouts;
		undefined = storing.undefined;
		precision = storing.precision;
		type = storing.type;
		this.image = image.dimensionsAsLongArray();
		maxResponses = storing.memory / type.bytes(precision);
		this.maxLags = maxLags(storing.maxLags, maxResponses / layouts.size(), storing.threads);
		if (stores.size() != layouts.size())
			throw new IllegalArgumentException(stores.size() + " stores for " + layouts.size()
				+ " templates: pass one store for each template");
		for (int t = 0; t < layouts.size(); t++) require(t, image);
		final long largest = stores.stream().mapToLong(StoredMaps::chunkLags).max().orElse(1);
		pool = new ChunkSink.ArrayPool(precision, type, largest);
		queue = new ChunkQueue(largest * type.bytes(precision));
	}

	/** The maximum number of lags of a box, if all boxes in flight may have {@code inFlight}. */
	static long maxLags(final long requested, final long inFlight, final int threads) {
		return Math.min(Math.min(requested, MAX_LAGS), inFlight / Math.max(MIN_IN_FLIGHT, threads + 1));
	}

	/** The number of lags of a chunk. */
	static long chunkLags(final MapStore store) {
		long n = 1;
		for (int d = 0; d < store.chunk().length; d++) n *= Math.min(store.chunk()[d], store.size()[d]);
		return n;
	}

	private void require(final int t, final RandomAccessibleInterval<?> from) {
		requireFits(stores.get(t), from, layouts.get(t), precision, type);
		for (int u = 0; u < t; u++)
			if (stores.get(t).equals(stores.get(u))) throw new IllegalArgumentException("templates " + u + " and " + t
				+ " have the same store: pass one store for each template");
	}

	/** @throws IllegalArgumentException if a store does not fit the map of an image, or is the image */
	static void requireFits(final MapStore store, final RandomAccessibleInterval<?> from, final ResponseLayout layout,
		final Precision precision, final ResponseType type)
	{
		final long[] expected = ResponseMaps.size(from, layout);
		if (!Arrays.equals(expected, store.size())) throw new IllegalArgumentException("the map has " + Size.of(expected)
			+ " pixels, its store has " + Size.of(store.size()) + ": make a store of the size that mapShapes returns");
		if (store.chunk().length != expected.length || Arrays.stream(store.chunk()).anyMatch(c -> c < 1))
			throw new IllegalArgumentException("the store of a map of " + Size.of(expected) + " has chunks of "
				+ Arrays.toString(store.chunk()) + ": choose an extent of at least 1 along each dimension");
		if (store.precision() != precision) throw new IllegalArgumentException("the map is computed in " + precision
			+ " precision, its store holds " + store.precision() + " precision: make a store of "
			+ (precision == Precision.SINGLE ? "floats" : "doubles") + ", or choose the other precision");
		if (store.responseType() != type) throw new IllegalArgumentException("the map has " + type + " responses, its store has "
			+ store.responseType() + " responses: make a store of " + type + " responses");
		if (store instanceof ImageStore && ((ImageStore) store).image() == from)
			throw new IllegalArgumentException("the map's store is the input image: pass another image");
	}

	/** The chunk's extents along the template's dimensions. */
	private int[] chunk(final int template) {
		return Arrays.copyOf(stores.get(template).chunk(), layouts.get(template).size.length);
	}

	/** Divides the lags into boxes of whole chunks, in the store of the bank's first template. */
	@Override
	public BoxGrid grid(final TemplateBank bank, final long requested) {
		return BoxGrid.ofChunks(bank.lags().lags, bank.lags().place, chunk(bank.indices()[0]), maxLags);
	}

	/** A box holds at least one chunk, and chunks can be large in proportion to the heap. */
	@Override
	public int maxBoxes(final TemplateBank bank, final long requested) {
		final long box = grid(bank, requested).largest().pixels() * bank.indices().length;
		return (int) Math.max(1, Math.min(Integer.MAX_VALUE, maxResponses / Math.max(1, box)));
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<ChunkSink> sinks = new ArrayList<>();
		boolean written = true;
		for (final int t : bank.indices()) {
			final ResponseLayout a = layouts.get(t);
			final ChunkSink sink = new ChunkSink(stores.get(t), queue, pool, undefined.value,
				new ChunkSink.Part(a.size, ResponseMaps.place(a, box), box[1],
					position(a, frame)));
			sinks.add(sink);
			written &= sink.written();
		}
		if (!written) return new BankSink(undefined.value, sinks);
		responsesBefore += Size.of(box[1]).pixels() * sinks.size();
		return null;
	}

	/** The position of a frame along the dimensions beyond the template's. */
	private long[] position(final ResponseLayout a, final long frame) {
		final long[] position = new long[image.length - a.size.length];
		long rest = frame;
		for (int d = 0; d < position.length; d++) {
			position[d] = rest % image[a.size.length + d];
			rest /= image[a.size.length + d];
		}
		return position;
	}

	/** Writes the chunks that contain no computed response: those that lie in the undefined border alone. */
	public void fillBorders(final long frames, final Monitor monitor) {
		for (int t = 0; t < layouts.size(); t++) {
			final ResponseLayout a = layouts.get(t);
			if (!a.hasUndefinedBorder()) continue;
			final int[] chunk = chunk(t);
			final List<long[][]> chunks = new BoxGrid(a.size, Arrays.stream(chunk).asLongStream().toArray(),
				new long[chunk.length]).boxes();
			for (long f = 0; f < frames; f++)
				for (final long[][] c : chunks)
					if (!computed(a, c)) fill(t, c, position(a, f), monitor);
		}
	}

	private static boolean computed(final ResponseLayout a, final long[][] chunk) {
		for (int d = 0; d < a.size.length; d++)
			if (chunk[0][d] >= a.place[d] + a.lags[d] || chunk[0][d] + chunk[1][d] <= a.place[d]) return false;
		return true;
	}

	private void fill(final int template, final long[][] chunk, final long[] frame, final Monitor monitor) {
		monitor.requireNotCanceled();
		final int n = chunk[0].length;
		final long[] min = Arrays.copyOf(chunk[0], n + frame.length);
		final int[] size = Arrays.copyOf(Size.of(chunk[1]).toIntArray(), min.length);
		System.arraycopy(frame, 0, min, n, frame.length);
		Arrays.fill(size, n, size.length, 1);
		final MapStore store = stores.get(template);
		if (store.has(min)) return;
		final Buffer responses = type.allocate(precision, Math.toIntExact(Size.of(chunk[1]).pixels()));
		Buffers.fill(responses, undefined.value);
		store.write(min, size, responses);
	}

	/** Waits until all chunks are written. */
	@Override
	public void close() {
		queue.close();
	}

	/** The number of responses that existed before. */
	public long before() {
		return responsesBefore;
	}
}
