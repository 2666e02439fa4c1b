package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.PreparedImage;
import sc.fiji.ncc.PreparedTemplates;
import sc.fiji.ncc.Registration;
import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.stitch.Tile;

/**
 * After an Error in the middle of a call the call ends, no thread is left, the image is not kept, and the next call gives the result of a call without an
 * Error. One list of cases for all kinds of problems.
 */
class ErrorReleaseTest {

	private static final int W = 48, H = 40;
	private static final Img<UnsignedByteType> SCENE = scene(W, H, 6), TEMPLATE = cut(9, 8);

	private static Img<UnsignedByteType> scene(final long... size) {
		final Img<UnsignedByteType> image = ArrayImgs.unsignedBytes(size);
		final Random random = new Random(7);
		final byte[] plane = new byte[W * H];
		random.nextBytes(plane);
		long i = 0;
		// frames of one content, with a little noise
		for (final UnsignedByteType p : Views.flatIterable(image)) p.set(((plane[(int) (i++ % plane.length)] & 0xFF) * 3 + random.nextInt(64)) / 4);
		return image;
	}

	private static Img<UnsignedByteType> cut(final int w, final int h) {
		final Img<UnsignedByteType> template = ArrayImgs.unsignedBytes(w, h);
		final var from = Views.flatIterable(Views.interval(Views.hyperSlice(SCENE, 2, 0), FinalInterval.createMinSize(10, 12, w, h))).cursor();
		Views.flatIterable(template).forEach(p -> p.set(from.next()));
		return template;
	}

	/** The pixels of the scene, of which one read throws an Error. */
	private static final class Faulty {

		final AtomicLong left;
		final Supplier<Error> error;
		final RandomAccessibleInterval<UnsignedByteType> stack;

		Faulty(final long reads, final Supplier<Error> error) {
			left = new AtomicLong(reads);
			this.error = error;
			stack = Converters.convert((RandomAccessibleInterval<UnsignedByteType>) SCENE.copy(), (in, out) -> {
				if (left.decrementAndGet() == 0) throw error.get();
				out.set(in);
			}, new UnsignedByteType());
		}

		RandomAccessibleInterval<UnsignedByteType> frame(final long number) {
			return Views.hyperSlice(stack, 2, number);
		}
	}

	/** Each kind of call: what it finds, as a text. */
	private static Map<String, Function<Faulty, Object>> calls() {
		final Map<String, Function<Faulty, Object>> all = new LinkedHashMap<>();
		for (final String algorithm : List.of("cpu-direct", "cpu-direct-exact", "cpu-fourier", "cpu-fourier-whole")) {
			final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(TEMPLATE).backend("cpu").threads(2).algorithm(algorithm);
			all.put(algorithm + " maps", f -> sum(ncc.correlate(f.frame(0)).map()));
			all.put(algorithm + " stream", f -> {
				final StringBuilder s = new StringBuilder();
				ncc.correlateEach(List.of(f.frame(0), f.frame(1), f.frame(2)), (i, r) -> s.append(sum(r.map())));
				return s.toString();
			});
		}
		final NormalizedCrossCorrelation ncc = NormalizedCrossCorrelation.of(TEMPLATE).backend("cpu").threads(2);
		all.put("best", f -> sum(ncc.best(f.frame(0)).score()));
		all.put("matches", f -> TemplateMatching.with(ncc).minScore(0.7).find(f.stack).matches().toString());
		all.put("false alarms", f -> TemplateMatching.with(ncc).falseAlarms(0.01).find(f.frame(0)).matches().toString());
		all.put("prepared image", f -> {
			try (PreparedImage prepared = ncc.prepare(f.frame(0))) {
				return sum(prepared.correlate(TEMPLATE).map());
			}
		});
		all.put("prepared templates", f -> {
			try (PreparedTemplates prepared = ncc.prepare(PixelType.U8, Size.of(W, H))) {
				return sum(prepared.correlate(f.frame(0)).map());
			}
		});
		for (final String algorithm : List.of("cpu-convolve-direct", "cpu-convolve-fourier")) {
			final Convolution convolution = Convolution.of(TEMPLATE).backend("cpu").threads(2).algorithm(algorithm);
			all.put(algorithm, f -> sum(convolution.convolve(f.frame(0)).map()));
		}
		for (final String algorithm : List.of("cpu-bounded", "cpu-every-pose")) {
			final PoseSearch poses = PoseSearch.of(TEMPLATE).angles(0, 90, 180).minScore(0.5).backend("cpu").threads(2).algorithm(algorithm);
			all.put(algorithm, f -> poses.find(f.frame(0)).matches().toString());
		}
		for (final String algorithm : List.of("cpu-frames", "auto")) {
			final DriftCorrection drift = DriftCorrection.ofFrames(2).maxShift(5, 5).backend("cpu").threads(2).algorithm(algorithm);
			all.put("drift " + algorithm, f -> drift.measure(f.stack).frames());
		}
		final Registration registration = Registration.of(Views.hyperSlice(SCENE, 2, 3)).maxShift(5, 5).backend("cpu").threads(2);
		all.put("registration", f -> registration.register(f.frame(1)));
		final TemplateTracking tracking = TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(10, 12, 9, 8))).maxShift(3, 3).backend("cpu").threads(2);
		all.put("tracking", f -> tracking.track(f.stack).points());
		// another algorithm may repeat the work: its vectors are equal but for roundings
		for (final String algorithm : List.of("cpu-windows", "auto")) {
			final MotionField motion = MotionField.ofWindows(12, 12).maxShift(3, 3).passes(2).backend("cpu").threads(2).algorithm(algorithm);
			all.put("motion " + algorithm, f -> motion.measure(Views.interval(f.stack, new long[3], new long[] { W - 1, H - 1, 1 })).fields().get(0).vectors()
				.stream().map(v -> String.format("%s %.4f %.4f", v.state(), v.motion()[0] + 0.5, v.motion()[1] + 0.5)).toList());
		}
		all.put("mosaic", f -> {
			final Stitching stitching = Stitching.of(List.of(Tile.of("a", Views.zeroMin(Views.interval(f.frame(0), new long[2], new long[] { 31, H - 1 })), 0, 0),
				Tile.of("b", Views.zeroMin(Views.interval(f.frame(0), new long[] { 16, 0 }, new long[] { W - 1, H - 1 })), 16, 0))).backend("cpu").threads(2);
			return stitching.measure().tiles();
		});
		return all;
	}

	private static String sum(final Img<?> map) {
		double sum = 0;
		for (final Object p : map) sum += ((net.imglib2.type.numeric.RealType<?>) p).getRealDouble();
		return String.format("%.3f", sum);
	}

	@TestFactory
	Stream<DynamicTest> everyCallReleasesWhatItHolds() {
		return calls().entrySet().stream().flatMap(call -> {
			final Faulty whole = new Faulty(-1, () -> null);
			final Object expected = call.getValue().apply(whole);
			final long reads = -1 - whole.left.get();
			return Stream.of(1L, reads / 2, reads - 1).distinct().flatMap(read -> Stream.<Supplier<Error>>of(() -> new OutOfMemoryError("on request"),
				() -> new StackOverflowError("on request")).map(error -> DynamicTest.dynamicTest(call.getKey() + ", " + error.get().getClass().getSimpleName()
				+ " at read " + read + " of " + reads, () -> check(call.getValue(), expected, read, error))));
		});
	}

	private static void check(final Function<Faulty, Object> call, final Object expected, final long read, final Supplier<Error> error) throws Exception {
		final Set<Thread> before = threads();
		final WeakReference<Object> image = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> failing(call, expected, read, error));
		for (int i = 0; i < 100 && (image.get() != null || !before.containsAll(threads())); i++) {
			System.gc();
			Thread.sleep(20);
		}
		assertNull(image.get(), "the image is kept");
		assertEquals(Set.of(), threads().stream().filter(t -> !before.contains(t)).collect(Collectors.toSet()), "threads are left");
		assertEquals(expected, assertDoesNotThrow(() -> call.apply(new Faulty(-1, error))), "the next call");
	}

	/** The image, of which nothing else is held. */
	private static WeakReference<Object> failing(final Function<Faulty, Object> call, final Object expected, final long read, final Supplier<Error> error) {
		final Faulty faulty = new Faulty(read, error);
		Object found = null;
		Throwable failure = null;
		try {
			found = call.apply(faulty);
		}
		catch (final Throwable e) {
			failure = e;
		}
		if (failure == null) {
			// a full heap is a failure of the candidate, and the next one repeats the work
			assertEquals(OutOfMemoryError.class, error.get().getClass(), "the Error is lost");
			assertEquals(expected, found);
		}
		else {
			Throwable cause = failure;
			while (cause != null && cause.getClass() != error.get().getClass()) cause = cause.getCause();
			assertNotNull(cause, () -> "the Error is not the cause");
		}
		return new WeakReference<>(faulty.stack);
	}

	/** The live threads. The JVM's own, and idle threads of the pool that all calls share, do not count. */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces().entrySet().stream().filter(t -> t.getKey().isAlive() && t.getKey().getThreadGroup() != null
			&& !t.getKey().getThreadGroup().getName().equals("system") && !t.getKey().getName().startsWith("junit") && (!t.getKey().getName().startsWith("ncc-cpu-")
			|| Stream.of(t.getValue()).anyMatch(f -> f.getClassName().startsWith("sc.fiji.ncc")))).map(Map.Entry::getKey).collect(Collectors.toSet());
	}
}
