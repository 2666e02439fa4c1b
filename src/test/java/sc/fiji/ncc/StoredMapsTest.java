package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static sc.fiji.ncc.fixture.TestImages.values;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.ConstantUtils;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.ChunksInMemory;
import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.sink.StoredMaps;

/** Maps that go to a store, in boxes of whole chunks: the same as in memory, each chunk once, and nothing twice after a kill. */
class StoredMapsTest {

	private static final List<Backend> CPU = List.of(new CpuBackend(2));
	private static final List<Border> BORDERS = List.of(Border.UNDEFINED, Border.MIRROR, Border.OVERLAP, Border.constant(7));

	private final Img<UnsignedByteType> stack = RandomPixels.image(4, 40, 30, 3);
	private final RandomAccessibleInterval<UnsignedByteType> template = cut(5, 6, 12, 12);

	private RandomAccessibleInterval<UnsignedByteType> cut(final long... xyXY) {
		return Views.interval(Views.hyperSlice(stack, 2, 1), new long[] { xyXY[0], xyXY[1] }, new long[] { xyXY[2], xyXY[3] });
	}

	/** @param most lags in a box: few, so that there are many */
	private static NormalizedCrossCorrelation op(final List<? extends RandomAccessibleInterval<?>> templates, final long most) {
		return NormalizedCrossCorrelation.of(templates).backends(CPU).algorithm("cpu-direct-exact").undefined(Undefined.NAN).maxLags(most);
	}

	private static Img<FloatType> cells(final MapShape shape, final int... cell) {
		return new CellImgFactory<>(new FloatType(), cell).create(shape.size());
	}

	/** A box is a chunk at least: of chunks that are large beside the heap there is one under way. */
	@Test
	void asManyBoxesAtOnceAsMemoryHolds() {
		final RandomAccessibleInterval<UnsignedByteType> image = Views.interval(Views.raster(ConstantUtils.constantRealRandomAccessible(new UnsignedByteType(), 2)),
			new FinalInterval(1L << 20, 1L << 20));
		final NormalizedCrossCorrelation op = op(List.of(template), 1 << 20);
		final List<ResponseLayout> layouts = op.call().layouts(image);
		final TemplateBank bank = TemplateBank.of(op.call().templates(), layouts).get(0);
		final long floats = Runtime.getRuntime().maxMemory() / 4;
		for (final int boxes : new int[] { 1, 3, 50 }) {
			final int edge = (int) Math.sqrt(floats / (8.0 * boxes + 4));
			try (StoredMaps maps = new StoredMaps(List.of(new ChunksInMemory(op.mapShapes(image).get(0), edge, edge)), image, layouts, 
				new StoredMaps.Storing(Undefined.ZERO, Precision.SINGLE, ResponseType.FLOAT, 1, 2, StoredMaps.memory(Runtime.getRuntime().maxMemory())))) {
				assertEquals(boxes, maps.maxBoxes(bank, 1));
			}
		}
	}

	@Test
	@Tag("slow")
	void theSameAsInMemory() {
		for (final Extent extent : Extent.values())
			for (final Border border : BORDERS)
				for (final long most : new long[] { 1, 150, 1 << 20 }) {
					final NormalizedCrossCorrelation op = op(List.of(template), most).extent(extent).border(extent == Extent.VALID ? null : border);
					final Response expected = op.correlate(stack);
					final MapShape shape = op.mapShapes(stack).get(0);
					assertArrayEquals(expected.origin(), shape.origin());
					for (final int[] cell : new int[][] { { 7, 5, 2 }, { 64, 64, 1 }, { 1, 30, 3 }, { 3, 2, 1 } }) {
						final Img<FloatType> map = cells(shape, cell);
						final StoredResponse stored = op.correlateInto(stack, MapStore.of(map));
						assertArrayEquals(values(expected.map()), values(map), extent + " " + border + " " + Arrays.toString(cell) + " " + most);
						assertEquals(expected.report(), stored.report());
						assertEquals(0, stored.before());
					}
				}
	}

	@Test
	void ofACellImageInThreeDimensionsWithFrames() {
		final Img<UnsignedShortType> image = new CellImgFactory<>(new UnsignedShortType(), 6, 5, 4, 1).create(17, 14, 11, 3);
		final Random random = new Random(8);
		image.forEach(p -> p.set(random.nextInt(65_536)));
		final RandomAccessibleInterval<UnsignedShortType> cube =
			Views.interval(Views.hyperSlice(image, 3, 2), new FinalInterval(new long[] { 3, 4, 5 }, new long[] { 6, 8, 7 }));
		for (final Extent extent : Extent.values()) {
			final NormalizedCrossCorrelation op = op(List.of(cube), 200).extent(extent);
			final Img<FloatType> map = cells(op.mapShapes(image).get(0), 4, 3, 5, 2);
			op.correlateInto(image, MapStore.of(map));
			assertArrayEquals(values(op.correlate(image).map()), values(map), extent.toString());
		}
	}

	@Test
	void severalTemplatesEachToItsOwn() {
		final List<RandomAccessibleInterval<?>> templates = List.of(template, cut(0, 0, 7, 6), cut(20, 10, 22, 18), cut(1, 2, 5, 4));
		for (final Extent extent : Extent.values()) {
			final NormalizedCrossCorrelation op = op(templates, 300).extent(extent);
			final List<Img<FloatType>> maps = new ArrayList<>();
			final List<MapStore> stores = new ArrayList<>();
			for (final MapShape shape : op.mapShapes(stack)) maps.add(cells(shape, 8, 8, 1));
			for (final Img<FloatType> map : maps) stores.add(MapStore.of(map));
			op.correlateInto(stack, stores);
			final Response expected = op.correlate(stack);
			for (int t = 0; t < templates.size(); t++) assertArrayEquals(values(expected.maps().get(t)), values(maps.get(t)), extent + " " + t);
		}
	}

	@Test
	void theFourierWayToo() {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).backends(CPU).algorithm("cpu-fourier").extent(Extent.SAME).maxLags(200);
		final Img<FloatType> map = cells(op.mapShapes(stack).get(0), 9, 7, 1);
		op.correlateInto(stack, MapStore.of(map));
		assertArrayEquals(values(op.correlate(stack).map()), values(map), 2e-5);
	}

	@Test
	void anyImageTakesAMap() {
		final NormalizedCrossCorrelation op = op(List.of(template), 1 << 20);
		final double[] expected = values(op.correlate(stack).map());
		final RandomAccessibleInterval<FloatType> moved = Views.translate(ArrayImgs.floats(op.mapShapes(stack).get(0).size()), -3, 8, 100);
		op.correlateInto(stack, MapStore.of(moved));
		assertArrayEquals(expected, values(Views.zeroMin(moved)));
	}

	@Test
	void aSearchWindowInTheUndefinedBorder() {
		final NormalizedCrossCorrelation op = op(List.of(template), 100).extent(Extent.SAME).search(FinalInterval.createMinSize(0, 0, 9, 2));
		final ChunksInMemory chunks = new ChunksInMemory(op.mapShapes(stack).get(0), 4, 4, 1);
		final StoredResponse stored = op.correlateInto(stack, chunks);
		assertEquals(0, stored.report().responses());
		assertEquals(9, chunks.kept.size());
		for (final ChunksInMemory.Chunk chunk : chunks.kept.values())
			for (final double v : chunk.values()) assertEquals(Double.NaN, v);
	}

	@Test
	void eachChunkIsWrittenOnceAndNothingTwiceAfterAKill() {
		for (final Extent extent : List.of(Extent.VALID, Extent.SAME)) {
			final NormalizedCrossCorrelation op = op(List.of(template), 120).extent(extent);
			final ChunksInMemory whole = new ChunksInMemory(op.mapShapes(stack).get(0), 5, 4, 1);
			final StoredResponse first = op.correlateInto(stack, whole);
			assertEquals(whole.kept.size(), whole.written.size(), "a chunk came twice");

			final ChunksInMemory killed = new ChunksInMemory(op.mapShapes(stack).get(0), 5, 4, 1);
			int i = 0;
			for (final Map.Entry<String, ChunksInMemory.Chunk> e : whole.kept.entrySet())
				if (i++ % 7 < 5) killed.kept.put(e.getKey(), e.getValue());
			final int had = killed.kept.size();
			final StoredResponse second = op.correlateInto(stack, killed);
			assertEquals(whole.kept.size() - had, killed.written.size());
			assertEquals(whole.kept.keySet(), killed.kept.keySet());
			whole.kept.forEach((key, chunk) -> assertArrayEquals(chunk.values(), killed.kept.get(key).values(), key));
			assertEquals(first.report().responses(), second.report().responses() + second.before());

			final CountedProgress progress = new CountedProgress();
			final StoredResponse third = op.monitor(progress).correlateInto(stack, whole);
			assertEquals(0, third.report().responses());
			assertEquals(first.report().responses(), third.before());
			assertEquals(progress.total.get(), progress.done.get());
		}
	}

	/** The progress counts the responses of all templates, also of chunks that are there. */
	@Test
	void progressOfTemplatesThatAreComputedTogether() {
		final NormalizedCrossCorrelation op = op(List.of(template, cut(20, 10, 27, 16)), 120);
		final List<ChunksInMemory> stores = op.mapShapes(stack).stream().map(s -> new ChunksInMemory(s, 5, 4, 1)).toList();
		op.correlateInto(stack, stores);
		for (final ChunksInMemory s : stores) s.kept.remove("[0, 4, 1]");
		final CountedProgress progress = new CountedProgress();
		assertEquals(1, op.monitor(progress).correlateInto(stack, stores).rankings().size());
		assertEquals(2 * 33 * 24 * 3, progress.total.get());
		assertEquals(progress.total.get(), progress.done.get());
	}

	@Test
	void aDeviceThatFailsLeavesNoGapsAndNoHalves() {
		for (int lost = 0; lost < 6; lost++) {
			final FakeDevice device = new FakeDevice();
			device.loseAt = lost;
			final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(template).backends(List.of(device, CPU.get(0))).maxLags(200);
			final ChunksInMemory chunks = new ChunksInMemory(op.mapShapes(stack).get(0), 7, 5, 1);
			op.correlateInto(stack, chunks);
			final Img<FloatType> map = cells(op.mapShapes(stack).get(0), 7, 5, 1);
			NormalizedCrossCorrelation.of(template).backends(CPU).correlateInto(stack, MapStore.of(map));
			assertArrayEquals(values(map), chunks.values(), 1e-6);
		}
	}

	@Test
	void aFullDiskEndsIt() {
		final ChunksInMemory chunks = new ChunksInMemory(op(List.of(template), 120).mapShapes(stack).get(0), 5, 4, 1);
		chunks.full = 9;
		final UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> op(List.of(template), 120).correlateInto(stack, chunks));
		assertTrue(e.getMessage().contains("No space left"), e.getMessage());
		assertEquals(9, chunks.kept.size());
	}

	@Test
	void cancelLeavesWholeChunks() {
		final ChunksInMemory chunks = new ChunksInMemory(op(List.of(template), 120).mapShapes(stack).get(0), 5, 4, 1);
		assertThrows(CancellationException.class, () -> op(List.of(template), 120).monitor(new CountedProgress() {

			@Override
			public boolean canceled() {
				return done.get() > 500;
			}
		}).correlateInto(stack, chunks));
		assertTrue(!chunks.kept.isEmpty() && chunks.kept.size() < 3 * 49, chunks.kept.size() + " chunks");
	}

	private static void refused(final Runnable call, final String... words) {
		final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
		for (final String word : words) assertTrue(message.contains(word), "\"" + message + "\" does not say \"" + word + "\"");
	}

	@Test
	void mistakesAreSaid() {
		final NormalizedCrossCorrelation op = op(List.of(template), 100);
		final MapShape shape = op.mapShapes(stack).get(0);
		refused(() -> op.correlateInto(stack, MapStore.of(ArrayImgs.floats(40, 30, 3))), "33x24x3", "40x30x3", "mapShapes");
		refused(() -> op.correlateInto(stack, List.of()), "the list is empty", "at least one store");
		refused(() -> op.correlateInto(stack, new ChunksInMemory(shape, 4, 4)), "[4, 4]", "33x24x3");
		refused(() -> op.correlateInto(stack, new ChunksInMemory(shape, 4, 0, 1)), "[4, 0, 1]");
		final MapStore one = MapStore.of(ArrayImgs.floats(shape.size()));
		refused(() -> op(List.of(template, template), 100).correlateInto(stack, List.of(one, one)), "templates 0 and 1");
		final Img<FloatType> image = ArrayImgs.floats(40, 30, 3);
		refused(() -> op.extent(Extent.SAME).correlateInto(image, MapStore.of(image)), "the input image");
	}

	@Test
	void boxesOfChunksCoverAllLagsOnce() {
		final Random random = new Random(2);
		for (int i = 0; i < 300; i++) {
			final long[] lags = { 1 + random.nextInt(20), 1 + random.nextInt(20) }, place = { random.nextInt(9), random.nextInt(9) };
			final int[] chunk = { 1 + random.nextInt(8), 1 + random.nextInt(8) };
			final BoxGrid grid = BoxGrid.ofChunks(lags, place, chunk, 1 + random.nextInt(200));
			final int[][] seen = new int[(int) lags[1]][(int) lags[0]];
			long widest = 0, highest = 0;
			for (final long[][] box : grid.boxes()) {
				for (int d = 0; d < 2; d++) {
					assertTrue(box[0][d] == 0 || (box[0][d] + place[d]) % chunk[d] == 0, "a box begins within a chunk");
					assertTrue(box[0][d] + box[1][d] == lags[d] || (box[0][d] + box[1][d] + place[d]) % chunk[d] == 0, "a box ends within a chunk");
				}
				widest = Math.max(widest, box[1][0]);
				highest = Math.max(highest, box[1][1]);
				for (long y = 0; y < box[1][1]; y++)
					for (long x = 0; x < box[1][0]; x++) seen[(int) (box[0][1] + y)][(int) (box[0][0] + x)]++;
			}
			assertEquals(Size.of(widest, highest), grid.largest());
			assertEquals(grid.count(), grid.boxes().size());
			for (final int[] row : seen)
				for (final int n : row) assertEquals(1, n);
		}
	}
}
