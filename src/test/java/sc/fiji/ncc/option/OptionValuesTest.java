package sc.fiji.ncc.option;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
