package sc.fiji.ncc.sink;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapStore;

/**
 * The greatest response of each lag over all templates, and the number of its template, in stores. A box holds whole chunks of the map. The templates of all banks are
 * merged in memory, box by box.
 */
public final class StoredBest implements AutoCloseable {

	private final List<? extends MapStore> stores;
	private final List<TemplateBank> banks;
	private final Undefined undefined;
	private final Precision precision;
	private final int templates;
	private final ResponseLayout layout;
	/** The extents of the image beyond the template's dimensions. */
	private final long[] further;
	private final long maxLags, lagsInFlight;
	private final ChunkQueue queue;

	/**
	 * @param stores for the responses, and for the numbers of the templates if there are two; the numbers are counted from 1, unsigned, and 0 where no template has a
	 *        response, in 8 bits for up to 255 templates, in 16 for up to 65535, and otherwise in 32
	 * @param banks of templates whose maps have one size and origin
	 * @throws IllegalArgumentException if a size or the precision does not match the maps, or if a store is the image
	 */
	public StoredBest(final List<? extends MapStore> stores, final RandomAccessibleInterval<?> image, final List<TemplateBank> banks,
		final StoredMaps.Storing storing)
	{
		this.stores = stores;
		this.banks = banks;
		undefined = storing.undefined();
		precision = storing.precision();
		templates = banks.stream().mapToInt(b -> b.indices().length).sum();
		layout = banks.get(0).lags();
		further = Arrays.copyOfRange(image.dimensionsAsLongArray(), layout.size.length, image.numDimensions());
		// each bank has a buffer of its own, and all share the result
		lagsInFlight = storing.memory() / ((banks.size() + 1L) * (precision.bytes + Integer.BYTES));
		this.maxLags = StoredMaps.maxLags(storing.maxLags(), lagsInFlight, storing.threads());
		StoredMaps.requireFits(stores.get(0), image, layout, precision, ResponseType.FLOAT);
		if (stores.size() == 2) requireNumbers(stores.get(1), image);
		if (stores.size() == 2 && stores.get(0).equals(stores.get(1)))
			throw new IllegalArgumentException("scores and numbers have the same store: pass two stores");
		if (!Arrays.equals(stores.get(0).chunk(), stores.get(stores.size() - 1).chunk()))
			throw new IllegalArgumentException("the stores have chunks of "
			+ Arrays.toString(stores.get(0).chunk()) + " and " + Arrays.toString(stores.get(1).chunk()) + ": choose equal chunks");
		queue = new ChunkQueue(StoredMaps.chunkLags(stores.get(0)) * precision.bytes);
	}

	private void requireNumbers(final MapStore store, final RandomAccessibleInterval<?> image) {
		StoredMaps.requireFits(store, image, layout, store.precision(), store.responseType());
		final int bits = Byte.SIZE * store.responseType().bytes(Precision.SINGLE);
		if (templates >= 1L << bits) throw new IllegalArgumentException("the numbers of " + templates
			+ " templates do not fit into a store of " + bits + " bits: make a store of floats");
	}

	private int[] chunk() {
		return Arrays.copyOf(stores.get(0).chunk(), layout.size.length);
	}

	/** The division of the map of a frame into boxes of whole chunks. */
	public BoxGrid grid() {
		return BoxGrid.ofChunks(layout.size, new long[layout.size.length], chunk(), maxLags);
	}

	/** The division of a bank's lags by the same boxes. */
	public BoxGrid grid(final TemplateBank bank) {
		final long[] step = grid().step(), anchor = new long[step.length];
		for (int d = 0; d < step.length; d++) anchor[d] = Math.floorMod(-bank.lags().place[d], step[d]);
		return new BoxGrid(bank.lags().lags, step, anchor);
	}

	/** The maximum number of boxes of a bank in flight for which the memory suffices; at least 1. */
	public int maxBoxes(final TemplateBank bank) {
		return (int) Math.max(1, Math.min(Integer.MAX_VALUE, lagsInFlight / Math.max(1, grid().largest().pixels())));
	}

	/** The lags of a bank in a box of the map: the first one, relative to the bank's first lag, and their number along each dimension. */
	public static long[][] lags(final TemplateBank bank, final long[][] box) {
		final ResponseLayout a = bank.lags();
		final long[][] lags = new long[2][a.size.length];
		for (int d = 0; d < a.size.length; d++) {
			lags[0][d] = Math.max(0, box[0][d] - a.place[d]);
			lags[1][d] = Math.max(0, Math.min(a.lags[d], box[0][d] + box[1][d] - a.place[d]) - lags[0][d]);
		}
		return lags;
	}

	/** The number of responses of a bank in a box of the map. */
	public static long responses(final TemplateBank bank, final long[][] box) {
		long n = bank.indices().length;
		for (final long count : lags(bank, box)[1]) n *= count;
		return n;
	}

	/** A box of a frame's map. Returns null if the stores have all its chunks. */
	public Box of(final long frame, final long[][] box) {
		final Box result = new Box(frame, box);
		return result.missing.isEmpty() ? null : result;
	}

	/** A chunk that a store does not have: its first response and its size, in the box. */
	private record Chunk(MapStore store, long[][] part) {}

	/** A box of whole chunks: the sinks of its banks, and their result. */
	public final class Box {

		private final long[] min, frame;
		private final int[] size;
		private Img<? extends RealType<?>> score;
		private Img<? extends IntegerType<?>> which;
		private final List<Chunk> missing = new ArrayList<>();

		private Box(final long index, final long[][] box) {
			min = box[0];
			size = Size.of(box[1]).toIntArray();
			frame = new long[further.length];
			if (frame.length > 0) IntervalIndexer.indexToPosition(index, further, frame);
			final long[] chunk = Arrays.stream(chunk()).asLongStream().toArray();
			for (final MapStore store : stores)
				for (final long[][] c : new BoxGrid(box[1], chunk, new long[chunk.length]).boxes())
					if (!store.has(inMap(c[0]))) missing.add(new Chunk(store, c));
			if (missing.isEmpty()) return;
			score = precision == Precision.SINGLE ? ArrayImgs.floats(box[1]) : ArrayImgs.doubles(box[1]);
			which = BestMaps.numbers(box[1], templates);
			LoopBuilder.setImages(score).forEachPixel(p -> p.setReal(Double.NaN));
		}

		private long[] inMap(final long[] inBox) {
			final long[] position = Arrays.copyOf(inBox, inBox.length + frame.length);
			for (int d = 0; d < inBox.length; d++) position[d] += min[d];
			System.arraycopy(frame, 0, position, inBox.length, frame.length);
			return position;
		}

		/** The sink of the lags of a bank in this box. */
		public Sink sink(final TemplateBank bank) {
			final long[][] lags = lags(bank, new long[][] { min, Arrays.stream(size).asLongStream().toArray() });
			final int[] numbers = Arrays.stream(bank.indices()).map(t -> t + 1).toArray(), extents = Size.of(lags[1]).toIntArray(),
				strides = Boxes.strides(size);
			final long[] place = ResponseMaps.place(bank.lags(), lags);
			for (int d = 0; d < place.length; d++) place[d] -= min[d];
			if (banks.size() > 1 || precision == Precision.DOUBLE) return new BestSink(precision, score, which, numbers,
				this, place, extents);
			return new BestInPlace((float[]) BestMaps.array(score), Buffers.of(BestMaps.array(which)), numbers,
				new BestInPlace.Place(Boxes.index(strides, place), strides, extents), undefined.value, new AtomicBoolean());
		}

		/** Writes the chunks. All sinks are complete. */
		public CompletableFuture<Void> write() {
			if (undefined.value == undefined.value) LoopBuilder.setImages(score).forEachPixel(p -> {
				if (Double.isNaN(p.getRealDouble())) p.setReal(undefined.value);
			});
			final List<CompletableFuture<Void>> writes = new ArrayList<>();
			for (final Chunk c : missing)
				writes.add(queue.add(() -> {
					final int[] extents = Arrays.copyOf(Size.of(c.part[1]).toIntArray(), size.length + frame.length);
					Arrays.fill(extents, size.length, extents.length, 1);
					c.store.write(inMap(c.part[0]), extents, part(BestMaps.array(c.store == stores.get(0) ? score : which), c.part));
				}));
			return CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new));
		}

		/** Copies a chunk of an array of the box. */
		private Buffer part(final Object values, final long[][] c) {
			final int width = (int) c[1][0], n = Math.toIntExact(Size.of(c[1]).pixels());
			final Object copy = Array.newInstance(values.getClass().getComponentType(), n);
			final int[] strides = Boxes.strides(size), extents = Size.of(c[1]).toIntArray();
			for (int row = 0; row < n / width; row++) System.arraycopy(values, Boxes.row(strides, c[0], extents, row), copy,
				row * width, width);
			return Buffers.of(copy);
		}
	}

	/** Waits until all chunks are written. */
	@Override
	public void close() {
		queue.close();
	}
}
