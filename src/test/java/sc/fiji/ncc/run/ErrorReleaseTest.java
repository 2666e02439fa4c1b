package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FaultyPreparation;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.stitch.Tile;

/**
 * Faults in all kinds of calls. After an Error in a read of the image or in a preparation the call ends, no thread and no execution
 * is left, the image is not kept, and the next
 * call gives the result of a call without an Error. One list of cases for all kinds of problems.
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
		final RandomAccessibleInterval<UnsignedByteType> stack;

		Faulty(final long reads, final Supplier<Error> error) {
			left = new AtomicLong(reads);
			stack = Converters.convert((RandomAccessibleInterval<UnsignedByteType>) SCENE.copy(), (in, out) -> {
				if (left.decrementAndGet() == 0) throw error.get();
				out.set(in);
			}, new UnsignedByteType());
		}

		RandomAccessibleInterval<UnsignedByteType> frame(final long number) {
			return Views.hyperSlice(stack, 2, number);
		}
	}

	/** A call: what it finds, as a text. */
	private interface Call {

		Object on(Faulty image, ComputeOptions options);
	}

	/** Each kind of call. */
	private static Map<String, Call> calls() {
		final Map<String, Call> all = new LinkedHashMap<>();
		for (final String algorithm : List.of("cpu-direct", "cpu-direct-exact", "cpu-fourier", "cpu-fourier-whole")) {
			all.put(algorithm + " maps", (f, o) -> sum(ncc(o.algorithm(algorithm)).correlate(f.frame(0)).map()));
			all.put(algorithm + " stream", (f, o) -> {
				final StringBuilder s = new StringBuilder();
				ncc(o.algorithm(algorithm)).correlateEach(List.of(f.frame(0), f.frame(1), f.frame(2)), (i, r) -> s.append(sum(r.map())));
				return s.toString();
			});
		}
		all.put("several sizes", (f, o) -> NormalizedCrossCorrelation.of(List.of(TEMPLATE, cut(7, 6), cut(5, 9))).compute(o).correlate(f.frame(0)).maps().stream()
			.map(ErrorReleaseTest::sum).toList());
		all.put("best", (f, o) -> sum(ncc(o).best(f.frame(0)).score()));
		all.put("matches", (f, o) -> TemplateMatching.with(ncc(o)).minScore(0.7).find(f.stack).matches().toString());
		all.put("false alarms", (f, o) -> TemplateMatching.with(ncc(o)).falseAlarms(0.01).find(f.frame(0)).matches().toString());
		all.put("prepared image", (f, o) -> {
			try (PreparedImage prepared = ncc(o).prepare(f.frame(0))) {
				return sum(prepared.correlate(TEMPLATE).map());
			}
		});
		all.put("prepared templates", (f, o) -> {
			try (PreparedTemplates prepared = ncc(o).prepare(PixelType.U8, Size.of(W, H))) {
				return sum(prepared.correlate(f.frame(0)).map());
			}
		});
		for (final String algorithm : List.of("cpu-convolve-direct", "cpu-convolve-fourier"))
			all.put(algorithm, (f, o) -> sum(Convolution.of(TEMPLATE).compute(o.algorithm(algorithm)).convolve(f.frame(0)).map()));
		for (final String algorithm : List.of("cpu-bounded", "cpu-every-pose"))
			all.put(algorithm, (f, o) -> PoseSearch.of(TEMPLATE).angles(0, 90, 180).scales(1,
				0.9).minScore(0.5).compute(o.algorithm(algorithm)).find(f.frame(0)).matches()
				.toString());
		// frames may share a transform with others, and another algorithm may repeat the work: shifts, tracks and vectors are equal but for roundings
		for (final String algorithm : List.of("cpu-frames", "auto"))
			all.put("drift " + algorithm, (f, o) -> DriftCorrection.ofFrames(2).maxShift(5, 5).compute(o.algorithm(algorithm)).measure(f.stack).frames().stream()
				.map(s -> String.format("%s %.5f %.5f %.6f", s.state(), s.shift()[0], s.shift()[1], s.score())).toList());
		all.put("correction", (f, o) -> sum(DriftCorrection.ofFrames(2).compute(o).corrected(f.stack, 2, new Drift(new long[] { W, H }, "first",
			IntStream.range(0, 6).mapToObj(i -> new FrameShift(i, new double[] { 0.3 * i, -0.4 * i }, 1, 1, 0, Double.NaN, false, FrameShift.State.OK)).toList()), Interpolation.CUBIC,
			Outside.EDGE)));
		all.put("registration", (f, o) -> {
			final Alignment a = Registration.of(Views.hyperSlice(SCENE, 2, 3)).maxShift(5, 5).compute(o).register(f.frame(1));
			return String.format("%.5f %.5f %.6f", a.shift()[0], a.shift()[1], a.score());
		});
		all.put("tracking", (f, o) -> TemplateTracking.ofRegions(List.of(FinalInterval.createMinSize(10, 12, 9, 8))).maxShift(3,
			3).compute(o).track(f.stack).points().stream().map(t -> t.score() > 0.5
			? String.format("%.3f %.3f", t.subpixel()[0], t.subpixel()[1]) : "lost").toList());
		for (final String algorithm : List.of("cpu-windows", "cpu-window-templates", "auto"))
			all.put("motion " + algorithm, (f, o) -> MotionField.ofWindows(12, 12).maxShift(3,
				3).passes(2).compute(o.algorithm(algorithm)).measure(Views.interval(f.stack,
				new long[3], new long[] { W - 1, H - 1, 1 })).fields().get(0).vectors().stream().map(v -> String.format("%s %.4f %.4f", v.state(), v.motion()[0] + 0.5,
				v.motion()[1] + 0.5)).toList());
		all.put("mosaic", (f, o) -> Stitching.of(List.of(Tile.of("a", Views.zeroMin(Views.interval(f.frame(0), new long[2], new long[] { 31, H - 1 })), 0, 0),
			Tile.of("b", Views.zeroMin(Views.interval(f.frame(0), new long[] { 16, 0 }, new long[] { W - 1, H - 1 })), 16, 0))).compute(o).measure().tiles());
		return all;
	}

	private static NormalizedCrossCorrelation ncc(final ComputeOptions options) {
		return NormalizedCrossCorrelation.of(TEMPLATE).compute(options);
	}

	private static String sum(final Img<?> map) {
		double sum = 0;
		for (final Object p : map) sum += ((net.imglib2.type.numeric.RealType<?>) p).getRealDouble();
		return String.format("%.3f", sum);
	}

	/** An Error at a place: in a read of the image, or in a preparation. */
	private record Fault(String name, Faulty image, FaultyPreparation preparation, Class<? extends Error> error) {

		static Fault reading(final long read, final Supplier<Error> error) {
			return new Fault("read " + read, new Faulty(read, error), new FaultyPreparation(0, error), error.get().getClass());
		}

		static Fault preparing(final int number, final Supplier<Error> error) {
			return new Fault("preparation " + number, new Faulty(-1, error), new FaultyPreparation(number, error), error.get().getClass());
		}

		Object on(final Call call) {
			return call.on(image, OPTIONS.planner(new Planner(List.of(preparation.of(CPU)))));
		}
	}

	private static final Backend CPU = new CpuBackend(2);
	private static final ComputeOptions OPTIONS = ComputeOptions.DEFAULT.threads(2);
	private static final List<Supplier<Error>> ERRORS = List.of(() -> new OutOfMemoryError("on request"), () -> new StackOverflowError("on request"));

	/** A device with the algorithms of the CPU, which comes before the CPU. */
	private static final Device FIRST = new Device("first", "a device that fails", 2, CPU.devices().get(0).memory(), CPU.devices().get(0).constants());

	/**
	 * A device fails while memory is allocated, or while it computes: for each kind of problem the CPU repeats what is missing, with the result of a call without
	 * a failure.
	 */
	@TestFactory
	Stream<DynamicTest> theNextDeviceContinuesEveryCall() {
		return calls().entrySet().stream().map(call -> DynamicTest.dynamicTest(call.getKey(), () -> continues(call.getValue())));
	}

	private static void continues(final Call call) {
		final FaultyPreparation none = new FaultyPreparation(0, InternalError::new);
		final Object expected = on(call, none);
		final int preparations = none.prepared.get(), runs = none.ran.get();
		assertTrue(preparations > 0 && runs > 0, preparations + " preparations and " + runs + " runs of the first device");
		for (final int number : new TreeSet<>(List.of(1, preparations))) continues(call, new FaultyPreparation(number, 0, LOST), expected, "preparation " + number);
		for (final int number : new TreeSet<>(List.of(1, (runs + 1) / 2, runs))) continues(call, new FaultyPreparation(0, number, LOST), expected, "run " + number);
	}

	private static final Supplier<DeviceException> LOST = () -> new DeviceException("lost on request");

	private static void continues(final Call call, final FaultyPreparation faulty, final Object expected, final String what) {
		assertEquals(expected, assertTimeoutPreemptively(Duration.ofSeconds(60), () -> on(call, faulty), what), what);
		assertEquals(0, faulty.open.get(), () -> what + ": executions are open");
	}

	private static Object on(final Call call, final FaultyPreparation first) {
		return call.on(new Faulty(-1, InternalError::new), OPTIONS.planner(new Planner(List.of(first.of(CPU, FIRST), CPU))));
	}

	@TestFactory
	Stream<DynamicTest> everyCallReleasesWhatItHolds() {
		return calls().entrySet().stream().map(call -> DynamicTest.dynamicTest(call.getKey(), () -> check(call.getValue())));
	}

	private static void check(final Call call) throws Exception {
		final Fault none = Fault.preparing(0, InternalError::new);
		final Object expected = none.on(call);
		final long reads = -1 - none.image.left.get();
		final Set<Thread> before = threads();
		final int preparations = none.preparation.prepared.get();
		final List<Supplier<Fault>> faults = new ArrayList<>();
		for (final Supplier<Error> error : ERRORS) {
			for (final long read : new TreeSet<>(List.of(1L, reads / 2, reads - 1))) faults.add(() -> Fault.reading(read, error));
			for (final int number : new TreeSet<>(List.of(1, preparations))) faults.add(() -> Fault.preparing(number, error));
		}
		final Map<String, WeakReference<Object>> images = new LinkedHashMap<>();
		for (final Supplier<Fault> fault : faults) {
			final String[] name = new String[1];
			final WeakReference<Object> image = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> failing(call, fault.get(), expected, name));
			images.put(name[0], image);
			// one look decides: a thread of the pool that all calls share may work between two looks
			Set<Thread> left = started(before);
			for (int i = 0; i < 100 && !left.isEmpty(); i++) {
				Thread.sleep(20);
				left = started(before);
			}
			assertEquals(Set.of(), left, () -> name[0] + ": threads are left");
			assertEquals(expected, assertDoesNotThrow(() -> none.on(call)), () -> name[0] + ": the next call");
		}
		for (int i = 0; i < 100 && images.values().stream().anyMatch(image -> image.get() != null); i++) {
			System.gc();
			Thread.sleep(10);
		}
		images.forEach((name, image) -> assertNull(image.get(), () -> name + ": the image is kept"));
	}

	/** The image, of which nothing else is held. */
	private static WeakReference<Object> failing(final Call call, final Fault fault, final Object expected, final String[] name) {
		name[0] = fault.error.getSimpleName() + " in " + fault.name;
		Object found = null;
		Throwable failure = null;
		try {
			found = fault.on(call);
		}
		catch (final Throwable e) {
			failure = e;
		}
		if (failure == null) {
			// a full heap is a failure of the candidate, and the next one repeats the work
			assertEquals(OutOfMemoryError.class, fault.error, () -> name[0] + ": the Error is lost");
			assertEquals(expected, found, name[0]);
		}
		else {
			Throwable cause = failure;
			while (cause != null && cause.getClass() != fault.error) cause = cause.getCause();
			final Throwable thrown = failure;
			assertNotNull(cause, () -> name[0] + ": the Error is not the cause of " + thrown);
		}
		assertEquals(0, fault.preparation.open.get(), () -> name[0] + ": executions are open");
		return new WeakReference<>(fault.image.stack);
	}

	private static Set<Thread> started(final Set<Thread> before) {
		return threads().stream().filter(t -> !before.contains(t)).collect(Collectors.toSet());
	}

	/** The live threads. The JVM's own, and idle threads of the pool that all calls share, do not count. */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces().entrySet().stream().filter(t -> t.getKey().isAlive() && t.getKey().getThreadGroup() != null
			&& !t.getKey().getThreadGroup().getName().equals("system") && !t.getKey().getName().startsWith("junit") && (!t.getKey().getName().startsWith("ncc-cpu-")
			|| Stream.of(t.getValue()).anyMatch(f -> f.getClassName().startsWith("sc.fiji.ncc")))).map(Map.Entry::getKey).collect(Collectors.toSet());
	}
}
