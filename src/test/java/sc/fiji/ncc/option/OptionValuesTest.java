package sc.fiji.ncc.option;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;

/** Each option changes its own value only, and its text is read as it is written. */
class OptionValuesTest {

	private static final ComputeOptions START = ComputeOptions.DEFAULT;

	@Test
	void eachComputeOptionChangesItsOwnValue() throws ReflectiveOperationException {
		final Planner planner = new Planner(List.of(new CpuBackend(1)));
		final Monitor monitor = new Monitor() {};
		assertChange(START.backend("cpu"), "backend", Optional.of("cpu"));
		assertChange(START.algorithm("cpu-direct"), "algorithm", Optional.of("cpu-direct"));
		assertChange(START.threads(START.threads() + 1), "threads", START.threads() + 1);
		assertChange(START.memory(1), "memory", 1L);
		assertChange(START.precision(Precision.DOUBLE), "precision", Precision.DOUBLE);
		assertChange(START.monitor(monitor), "monitor", monitor);
		assertChange(START.planner(planner), "planner", Optional.of(planner));
		assertChange(START.effort(Effort.MEASURE, Planner.MEASURING_SECONDS), "effort", Effort.MEASURE);
		assertChange(START.effort(Effort.ESTIMATE, 0.125), "measuringSeconds", 0.125);
		for (final String any : new String[] { "auto", null }) {
			assertEquals(START, START.backend("cpu").backend(any));
			assertEquals(START, START.algorithm("cpu-direct").algorithm(any));
		}
		assertEquals(START, START.planner(planner).planner(null));
		assertEquals(1, START.threads(1).threads());
		assertThrows(IllegalArgumentException.class, () -> START.threads(0));
		assertThrows(IllegalArgumentException.class, () -> START.memory(0));
	}

	@Test
	void optionsInWords() {
		assertEquals("backend any, algorithm cpu-direct, effort estimate, 1 thread, 64 MiB, single precision",
			START.algorithm("cpu-direct").threads(1).memory(64 << 20).toString());
		assertEquals("backend cpu, algorithm any, effort measure, 2 threads, 1024 MiB, double precision",
			START.backend("cpu").effort(Effort.MEASURE, 1).threads(2).memory(1 << 30).precision(Precision.DOUBLE).toString());
	}

	private record Settings(int number) {}

	/** An operation that notes for how many threads and bytes its backends were made. */
	private static final class Op extends ComputingOp<Op, Settings> {

		Op(final List<String> made) {
			super((threads, memory) -> {
				made.add(threads + " " + memory);
				return List.of(new CpuBackend(threads));
			}, new Settings(1));
		}
	}

	/** All calls share a planner until the number of threads or the memory changes. */
	@Test
	void plannersAreShared() {
		final List<String> made = new ArrayList<>();
		final Op op = new Op(made).threads(1).memory(100);
		final Planner first = planner(op);
		assertEquals(op.planned(), op.planned());
		assertSame(first, planner(op.precision(Precision.DOUBLE)));
		assertEquals(Precision.DOUBLE, op.planned().precision());
		assertEquals(List.of("1 100"), made);
		assertNotSame(first, planner(op.threads(2)));
		planner(op.memory(200));
		assertEquals(List.of("1 100", "2 100", "2 200"), made);
		final Planner given = planner(op.planWith(List.of(new CpuBackend(1))));
		assertSame(given, planner(op.threads(3)));
		assertNotSame(given, planner(op.planWith(null)));
		assertEquals(List.of("1 100", "2 100", "2 200", "3 200"), made);
	}

	private static Planner planner(final Op op) {
		return op.planned().planner().orElseThrow();
	}

	@Test
	void rangesHaveEnds() {
		for (final double share : new double[] { 0, 1 }) assertEquals(share, Range.SHARE.of("s ", share));
		assertEquals(1, Range.PART.of("p ", 1.0));
		assertEquals("p 0.0: give a number above 0 and up to 1", message(() -> Range.PART.of("p ", 0.0)));
		for (final double alarms : new double[] { 1e-12, 1e9 }) assertEquals(alarms, Range.FALSE_ALARMS.of("a ", alarms));
		for (final double wrong : new double[] { 0, 0.9e-12, 1.1e9, Double.NaN })
			assertEquals("a " + wrong + ": give a number from 1e-12 to 1e9, such as 0.05",
				message(() -> Range.FALSE_ALARMS.of("a ", wrong)));
	}

	@Test
	void aHeapHasBytes() {
		final SlidingSettings settings = new SlidingSettings(Extent.VALID, Undefined.ZERO);
		assertEquals(1, Components.with(settings, SlidingSettings::heap, 1L).heap());
		assertEquals("the heap in bytes is 0: give at least 1", message(() -> Components.with(settings, SlidingSettings::heap, 0L)));
	}

	@Test
	void aMaximumShiftIsCopied() {
		final long[] pixels = { 3, 0 };
		final long[] copy = Range.distances(pixels, 2, "frames");
		pixels[0] = 7;
		assertArrayEquals(new long[] { 3, 0 }, copy);
		for (final int n : new int[] { 1, 3 }) assertEquals("the maximum shift has 2 numbers, the frames have " + n
			+ " dimensions: give one number per dimension",
			message(() -> Range.distances(pixels, n, "frames")));
		assertEquals("the maximum shift is -1 pixels: give 0 or more", message(() -> Range.distances(new long[] { 3, -1 }, 2, "frames")));
	}

	private static void assertChange(final ComputeOptions changed, final String name, final Object value) throws ReflectiveOperationException {
		final List<String> differences = new ArrayList<>();
		for (final RecordComponent c : ComputeOptions.class.getRecordComponents()) {
			final Object now = c.getAccessor().invoke(changed);
			if (!Objects.equals(now, c.getAccessor().invoke(START))) differences.add(c.getName() + " " + now);
		}
		assertEquals(List.of(name + " " + value), differences);
	}

	@Test
	void theOptionsRankWithTheirPlanner() {
		final Correlation problem = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(40, 30), List.of(Size.of(5, 5)), Weights.NONE,
			Lags.inside(Size.of(36, 26)), 1);
		assertThrows(NoSuchElementException.class, () -> START.rank(problem));
		final ComputeOptions options = START.planner(new Planner(List.of(new CpuBackend(1)))).algorithm("cpu-direct");
		assertEquals("cpu-direct", options.rank(problem).best().orElseThrow().name());
	}

	@Test
	void aReferenceIsReadAsItIsWritten() {
		for (final DriftReference r : new DriftReference[] { DriftReference.FIRST, DriftReference.PREVIOUS, DriftReference.MEAN, DriftReference.MULTI,
			DriftReference.frame(0), DriftReference.frame(41) }) assertEquals(r, DriftReference.of(r.toString()));
		assertEquals("42", DriftReference.frame(41).toString());
		assertEquals(DriftReference.PREVIOUS, DriftReference.of(" Previous "));
		assertTrue(message(() -> DriftReference.of("0")).contains("frames count from 1"));
		for (final String wrong : new String[] { "", "frame", "-1", "1.5", "1234567890123456789" })
			assertTrue(message(() -> DriftReference.of(wrong)).startsWith("unknown reference '" + wrong + "'"), wrong);
		assertTrue(message(() -> DriftReference.frame(-1)).contains("is -1"));
	}

	@Test
	void whatIsOutsideIsReadAsItIsWritten() {
		for (final Outside o : new Outside[] { Outside.EDGE, Outside.BLACK, Outside.NAN, Outside.CROP, Outside.UNION,
			new Outside(Outside.Kind.CONSTANT, 12.5), new Outside(Outside.Kind.UNION, -3) }) assertEquals(o, Outside.of(o.toString()));
		assertEquals("edge constant:0.0 nan union:-3.0",
			Outside.EDGE + " " + Outside.BLACK + " " + Outside.NAN + " " + new Outside(Outside.Kind.UNION, -3));
		assertEquals(Outside.BLACK, Outside.of(" Constant "));
		assertEquals(Outside.UNION, Outside.of("union"));
		assertEquals(new Outside(Outside.Kind.CONSTANT, 2), Outside.of("constant: 2"));
		for (final String word : new String[] { "edge", "nan", "crop" })
			assertTrue(message(() -> Outside.of(word + ":1")).contains("only constant and union take a value"));
		for (final String number : new String[] { "", "x", "NaN", "Infinity" })
			assertEquals("'" + number + "' in 'union:" + number + "' is not a finite number", message(() -> Outside.of("union:" + number)));
		assertTrue(message(() -> Outside.of("wrap")).startsWith("unknown border 'wrap'"));
	}

	@Test
	void aConstantBorderIsFinite() {
		assertEquals(new Border(Border.Kind.CONSTANT, -2.5), Border.constant(-2.5));
		assertTrue(message(() -> Border.constant(Double.NaN)).contains("NaN"));
		assertEquals(Border.Kind.MIRROR, Border.MIRROR.kind());
	}

	/** Keys' cubic at a quarter, and Lanczos' sinc at a half, whose weights are 6, -4/3 and 0.24 over π² before their sum is made 1. */
	@Test
	void weightsOfNeighbours() {
		assertArrayEquals(new double[] { 1 }, Interpolation.INTEGER.weights(0.4));
		assertArrayEquals(new double[] { 0.75, 0.25 }, Interpolation.LINEAR.weights(0.25), 1e-15);
		assertArrayEquals(new double[] { -0.0703125, 0.8671875, 0.2265625, -0.0234375 }, Interpolation.CUBIC.weights(0.25), 1e-15);
		assertArrayEquals(new double[] { 0, 1, 0, 0 }, Interpolation.CUBIC.weights(0), 1e-15);
		final double sum = 2 * (6 - 4 / 3.0 + 0.24), near = 6 / sum, side = -4 / 3.0 / sum, far = 0.24 / sum;
		assertArrayEquals(new double[] { far, side, near, near, side, far }, Interpolation.LANCZOS.weights(0.5), 1e-15);
		assertArrayEquals(new double[] { 0, 0, 1, 0, 0, 0 }, Interpolation.LANCZOS.weights(0), 1e-15);
		assertThrows(UnsupportedOperationException.class, () -> Interpolation.FOURIER.weights(0.5));
	}

	private static String message(final Runnable call) {
		return assertThrows(IllegalArgumentException.class, call::run).getMessage();
	}
}
