package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Update;

/** One op, one prepared image, used by eight threads at once: each call gives what it gives alone. */
class SeveralThreadsTest {

	private static final int THREADS = 8, CALLS = 12, W = 90, H = 70;

	private final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(noise(W * H, 1), W, H);
	private final List<RandomAccessibleInterval<UnsignedByteType>> templates = new ArrayList<>();

	SeveralThreadsTest() {
		for (int t = 0; t < THREADS; t++) templates.add(Views.zeroMin(Views.interval(image, FinalInterval.createMinSize(3 + 7 * t, 2 + 6 * t, 9, 8))));
	}

	private static byte[] noise(final int n, final long seed) {
		return RandomPixels.bytes(seed, n);
	}

	/** What one of several threads does, and what must come of it. */
	private interface Task {

		Object result(int thread);
	}

	/** Has all threads do it again and again, at once. */
	private static void each(final Task task) throws Exception {
		final Object[] alone = new Object[THREADS];
		for (int t = 0; t < THREADS; t++) alone[t] = task.result(t);
		final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			final List<Future<?>> all = new ArrayList<>();
			for (int t = 0; t < THREADS; t++) {
				final int thread = t;
				all.add(threads.submit(() -> {
					for (int i = 0; i < CALLS; i++) {
						final Object result = task.result(thread);
						if (alone[thread] instanceof double[]) assertArrayEquals((double[]) alone[thread], (double[]) result, "thread " + thread);
						else assertEquals(alone[thread], result, "thread " + thread);
					}
				}));
			}
			for (final Future<?> f : all) f.get();
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void aPreparedImage() throws Exception {
		for (final String algorithm : new String[] { "cpu-fourier", "cpu-direct" })
			try (PreparedImage prepared = NormalizedCrossCorrelation.of(templates.get(0)).algorithm(algorithm).threads(2).prepare(image)) {
				each(t -> TestImages.values(prepared.correlate(templates.get(t)).map()));
				each(t -> TestImages.values(prepared.best(List.of(templates.get(t), templates.get((t + 3) % THREADS))).score()));
			}
	}

	/** What is set later is for later calls. */
	@Test
	void whatIsPreparedKeepsItsSettings() {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates.get(0)).threads(1);
		try (PreparedImage prepared = op.prepare(image)) {
			final double[] before = TestImages.values(prepared.correlate(templates.get(1)).map());
			op.precision(Precision.DOUBLE).undefined(Undefined.NAN);
			final Response after = prepared.correlate(templates.get(1));
			assertEquals(0, after.doubleMaps().size());
			assertArrayEquals(before, TestImages.values(after.map()));
		}
	}

	@Test
	void oneOp() throws Exception {
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates).threads(1);
		final List<RandomAccessibleInterval<UnsignedByteType>> images = new ArrayList<>();
		for (int t = 0; t < THREADS; t++) images.add(ArrayImgs.unsignedBytes(noise(W * H, 10 + t), W, H));
		each(t -> TestImages.values(op.correlate(images.get(t)).maps().get(t)));
		each(t -> TestImages.values(op.best(images.get(t)).score()));
		final TemplateMatching matching = TemplateMatching.with(op).minScore(0.3).maxMatches(5);
		each(t -> matching.find(images.get(t)).matches().toString());
		final Convolution convolution = Convolution.of(templates.get(0)).threads(1);
		each(t -> TestImages.values(convolution.convolve(images.get(t)).map()));
		final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(20, 20, 9, 8))).maxShift(5, 5).threads(1);
		each(t -> tracking.track(Views.stack(images.get(t), images.get((t + 1) % THREADS))).points().toString());
	}

	/** A call goes on with the settings that it began with: here they change before the second frame, which needs a plan of its own. */
	@Test
	void settingsThatChangeDuringACall() {
		final RandomAccessibleInterval<UnsignedByteType> smaller = Views.zeroMin(Views.interval(image, FinalInterval.createMinSize(1, 1, 80, 60)));
		final List<RandomAccessibleInterval<UnsignedByteType>> frames = List.of(image, smaller);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates.get(0)).threads(1);
		final List<String> shapes = new ArrayList<>();
		op.correlateEach(source(frames, () -> op.extent(Extent.SAME).precision(Precision.DOUBLE)),
			(frame, r) -> shapes.add(r.maps().size() + " of " + r.images().get(0).dimension(0) + "x" + r.images().get(0).dimension(1)));
		assertEquals(List.of("1 of 82x63", "1 of 72x53"), shapes);
		final NormalizedCrossCorrelation found = NormalizedCrossCorrelation.of(templates.get(0)).threads(1);
		final TemplateMatching matching = TemplateMatching.with(found).minScore(0.99);
		final List<Integer> counts = new ArrayList<>();
		matching.findEach(source(frames, () -> matching.minScore(-1)), (frame, r) -> counts.add(r.matches().size()));
		assertEquals(List.of(1, 1), counts);
		final Convolution convolution = Convolution.of(templates.get(0)).threads(1);
		shapes.clear();
		convolution.convolveEach(source(frames, () -> convolution.extent(Extent.VALID)), (frame, r) -> shapes.add(r.images().get(0).dimension(0) + ""));
		assertEquals(List.of("90", "80"), shapes);
		final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(3, 2, 9, 8))).maxShift(2, 2).threads(1).minScore(-1);
		final List<TrackPoint> points = new ArrayList<>();
		tracking.track(source(List.of(image, image, image), () -> tracking.minScore(1).update(Update.MEAN)), points::addAll);
		assertEquals(List.of(false, false, false), points.stream().map(TrackPoint::lost).toList());
	}

	/** Does something before the second frame comes. */
	private static <T> Iterable<T> source(final List<T> frames, final Runnable before) {
		return () -> new Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				return next < frames.size();
			}

			@Override
			public T next() {
				if (next == 1) before.run();
				return frames.get(next++);
			}
		};
	}

	/** Windows that lie inside a box, with each extent and templates of two sizes. */
	@Test
	void windowsInside() {
		final FinalInterval box = FinalInterval.createMinSize(5, 4, 30, 25);
		final RandomAccessibleInterval<UnsignedByteType> small = Views.zeroMin(Views.interval(image, FinalInterval.createMinSize(40, 40, 4, 3)));
		final double[] expected = TestImages.values(NormalizedCrossCorrelation.of(templates.get(0)).correlate(Views.zeroMin(Views.interval(image, box))).map());
		for (final Extent extent : Extent.values()) {
			final Response r = NormalizedCrossCorrelation.of(List.of(templates.get(0), small)).extent(extent).inside(box).correlate(image);
			assertArrayEquals(new long[] { 22, 18 }, r.maps().get(0).dimensionsAsLongArray());
			assertArrayEquals(new long[] { 27, 23 }, r.maps().get(1).dimensionsAsLongArray());
			assertArrayEquals(extent == Extent.SAME ? new long[] { 9, 8 } : new long[] { 5, 4 }, r.origins().get(0));
			assertArrayEquals(expected, TestImages.values(r.maps().get(0)), 2e-5);
		}
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates.get(0));
		refuses("9x8 is larger than the box for windows, 9x7", () -> op.inside(FinalInterval.createMinSize(5, 4, 9, 7)).correlate(image));
		refuses("extends beyond the image of 90x70", () -> op.inside(FinalInterval.createMinSize(82, 4, 9, 8)).correlate(image));
		refuses("3 dimensions", () -> op.inside(FinalInterval.createMinSize(2, 4, 1, 9, 8, 1)).correlate(image));
		refuses("one of them", () -> op.inside(box).search(box).correlate(image));
	}

	private static void refuses(final String says, final Runnable run) {
		final IllegalArgumentException e = assertThrows(IllegalArgumentException.class, run::run);
		assertTrue(e.getMessage().contains(says), e.getMessage());
	}

	@Test
	void shapesInWords() {
		final List<MapShape> shapes = NormalizedCrossCorrelation.of(templates.get(0)).extent(Extent.FULL).mapShapes(image);
		assertEquals("[[98, 77] from [-8, -7]]", shapes.toString());
		assertEquals(shapes, NormalizedCrossCorrelation.of(templates.get(1)).extent(Extent.FULL).mapShapes(image));
	}
}
