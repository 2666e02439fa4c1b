package sc.fiji.ncc;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/** The maps of all templates in a store, and the sinks that fill them. */
final class StoredMaps implements Sinks, AutoCloseable {

	/** The most lags of a box: what boxes share at their edges is little, and one that failed is soon done again. */
	private static final long MOST_LAGS = 1L << 22;
	/** The share of the heap that boxes in flight may take, and for how many there is room at least, as some devices take them. */
	private static final int SHARE_OF_HEAP = 8, IN_FLIGHT = 4;

	private final List<? extends MapStore> stores;
	private final List<Arrangement> arrangements;
	private final Undefined undefined;
	private final Precision precision;
	private final long[] image;
	/** How many responses the boxes in flight may hold, and lags one of them may have. */
	private final long room, mostLags;
	private final ChunkSink.Spare spare;
	private final ChunkQueue queue;
	private long before;

	/**
	 * @param stores one a template
	 * @param precision of the responses
	 * @param mostLags of a box if memory allows
	 * @param threads that work at once
	 * @throws IllegalArgumentException if they are not as many or not of the sizes and the precision that the maps have, or one of them is the image
	 */
	StoredMaps(final List<? extends MapStore> stores, final RandomAccessibleInterval<?> image, final List<Arrangement> arrangements, final Undefined undefined,
		final Precision precision, final long mostLags, final int threads)
	{
		this.stores = stores;
		this.arrangements = arrangements;
		this.undefined = undefined;
		this.precision = precision;
		this.image = image.dimensionsAsLongArray();
		room = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / precision.bytes;
		this.mostLags = Math.min(Math.min(mostLags, MOST_LAGS), room / Math.max(IN_FLIGHT, threads + 1) / arrangements.size());
		if (stores.size() != arrangements.size())
			throw new IllegalArgumentException("places for " + stores.size() + " maps, and there are " + arrangements.size() + " templates: give one for each");
		for (int t = 0; t < arrangements.size(); t++) require(t, image);
		final long largest = stores.stream().mapToLong(StoredMaps::chunkLags).max().orElse(1);
		spare = new ChunkSink.Spare(precision, largest);
		queue = new ChunkQueue(largest * precision.bytes);
	}

	private static long chunkLags(final MapStore store) {
		long n = 1;
		for (int d = 0; d < store.chunk().length; d++) n *= Math.min(store.chunk()[d], store.size()[d]);
		return n;
	}

	private void require(final int t, final RandomAccessibleInterval<?> from) {
		final MapStore store = stores.get(t);
		final long[] wanted = ResponseMaps.size(from, arrangements.get(t));
		if (!Arrays.equals(wanted, store.size())) throw new IllegalArgumentException("the map will be " + Size.of(wanted) + ", and the place for it is "
			+ Size.of(store.size()) + ": make it of that size, which mapShapes tells");
		if (store.chunk().length != wanted.length || Arrays.stream(store.chunk()).anyMatch(c -> c < 1)) throw new IllegalArgumentException(
			"chunks of " + Arrays.toString(store.chunk()) + " for a map of " + Size.of(wanted) + ": give an extent of at least 1 along each dimension");
		if (store.precision() != precision) throw new IllegalArgumentException("the map will be in " + precision + " precision, and the place for it takes "
			+ store.precision() + ": make it of " + (precision == Precision.SINGLE ? "floats" : "doubles") + ", or choose the other precision");
		if (store instanceof ImageStore && ((ImageStore) store).image() == from)
			throw new IllegalArgumentException("the map would be written over the image: give another one for it");
		for (int u = 0; u < t; u++)
			if (store.equals(stores.get(u))) throw new IllegalArgumentException("one place is given for the maps of two templates: give one for each");
	}

	/** Along the template's dimensions. */
	private int[] chunk(final int template) {
		return Arrays.copyOf(stores.get(template).chunk(), arrangements.get(template).size.length);
	}

	/** Boxes of whole chunks, of those of the bank's first template. */
	@Override
	public BoxGrid grid(final TemplateBank bank, final long most) {
		return BoxGrid.ofChunks(bank.lags().lags, bank.lags().place, chunk(bank.indices()[0]), mostLags);
	}

	/** A box holds a chunk at least, and chunks may be large beside a small heap. */
	@Override
	public int mostBoxes(final TemplateBank bank, final long most) {
		final long box = grid(bank, most).largest().pixels() * bank.indices().length;
		return (int) Math.max(1, Math.min(Integer.MAX_VALUE, room / Math.max(1, box)));
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<ChunkSink> sinks = new ArrayList<>();
		boolean written = true;
		for (final int t : bank.indices()) {
			final Arrangement a = arrangements.get(t);
			final ChunkSink sink = new ChunkSink(stores.get(t), queue, spare, undefined.value, a.size, ResponseMaps.place(a, box), box[1], position(a, frame));
			sinks.add(sink);
			written &= sink.written();
		}
		if (!written) return new BankSink(undefined.value, sinks);
		before += Size.of(box[1]).pixels() * sinks.size();
		return null;
	}

	/** The position of a frame along the dimensions beyond the template's. */
	private long[] position(final Arrangement a, final long frame) {
		final long[] at = new long[image.length - a.size.length];
		long rest = frame;
		for (int d = 0; d < at.length; d++) {
			at[d] = rest % image[a.size.length + d];
			rest /= image[a.size.length + d];
		}
		return at;
	}

	/** Writes the chunks in which nothing is computed: those that lie in the undefined border alone. */
	void fillBorders(final long frames, final Monitor monitor) {
		for (int t = 0; t < arrangements.size(); t++) {
			final Arrangement a = arrangements.get(t);
			if (!a.hasUndefinedBorder()) continue;
			final int[] chunk = chunk(t);
			final List<long[][]> all = new BoxGrid(a.size, Arrays.stream(chunk).asLongStream().toArray(), new long[chunk.length]).boxes();
			for (long f = 0; f < frames; f++)
				for (final long[][] c : all)
					if (!computed(a, c)) fill(t, c, position(a, f), monitor);
		}
	}

	private static boolean computed(final Arrangement a, final long[][] chunk) {
		for (int d = 0; d < a.size.length; d++)
			if (chunk[0][d] >= a.place[d] + a.lags[d] || chunk[0][d] + chunk[1][d] <= a.place[d]) return false;
		return true;
	}

	private void fill(final int template, final long[][] chunk, final long[] frame, final Monitor monitor) {
		if (monitor.canceled()) throw new CancellationException("canceled");
		final int n = chunk[0].length;
		final long[] min = Arrays.copyOf(chunk[0], n + frame.length);
		final int[] size = Arrays.copyOf(Size.of(chunk[1]).toIntArray(), min.length);
		System.arraycopy(frame, 0, min, n, frame.length);
		Arrays.fill(size, n, size.length, 1);
		final MapStore store = stores.get(template);
		if (store.has(min)) return;
		final Buffer responses = precision.allocate(Math.toIntExact(Size.of(chunk[1]).pixels()));
		Buffers.fill(responses, undefined.value);
		store.write(min, size, responses);
	}

	/** Waits until all that was handed over is written. */
	@Override
	public void close() {
		queue.close();
	}

	/** How many responses were there before. */
	long before() {
		return before;
	}
}
