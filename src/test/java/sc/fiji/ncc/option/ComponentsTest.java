package sc.fiji.ncc.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.track.TrackPoint;

/** Results with equal numbers are equal, and their texts can be read. */
class ComponentsTest {

	private static FrameShift shift(final double v) {
		return new FrameShift(0, new double[] { 1, v }, 0.9, 1, 0, Double.NaN, false, FrameShift.State.OK, new double[][] { { 0.01, 0 }, { 0, 0.01 } });
	}

	/** Each makes a result that depends on one number, which lies in an array. */
	private static final List<DoubleFunction<Object>> RESULTS = List.of(
		v -> new Match(0, new long[] { 3 }, new long[] { 4, 5 }, 0.9, new double[] { 4.25, v }),
		v -> new Match(0, new long[0], new long[2], 0.9, new double[2]).refined(new double[2], new double[][] { { v, 0 }, { 0, 1 } }),
		v -> new PoseMatch(0, new long[0], new long[2], Pose.of(10, 1, false), 0.8, Pose.of(11, 1, false), new double[] { v, 2 }, 0.9),
		v -> Pose.of(new double[] { 1, v, 0, 0 }, 1, false), ComponentsTest::shift, v -> new Drift(new long[] { 64, 48 }, "first", List.of(shift(v))),
		v -> new Alignment(new double[2], 0.9, 1, null, false, 0, "", List.of(new Alignment.Peak(new double[] { v, 0 }, 0.9, 1))),
		v -> new TrackPoint(0, 2, new long[2], new double[2], 0.9, Double.NaN, false, new double[] { v, 0 }, false));

	@Test
	void equalNumbersAreEqualResults() {
		for (final DoubleFunction<Object> result : RESULTS) {
			assertEquals(result.apply(0.5), result.apply(0.5));
			assertEquals(result.apply(0.5).hashCode(), result.apply(0.5).hashCode());
			assertNotEquals(result.apply(0.5), result.apply(0.25));
			assertNotEquals(result.apply(0.5), null);
			assertNotEquals(result.apply(0.5), "another class");
		}
	}

	@Test
	void textsHaveNumbersInPlaceOfAddresses() {
		assertEquals("FrameShift: frame 0, shift [1.0, 0.5], score 0.9, overlap 1.0, residual 0.0, edge false, state OK, covariance [[0.01, 0.0], [0.0, "
			+ "0.01]]", shift(0.5).toString());
		assertEquals("Drift: frame size [64, 48], reference first, frames 1", new Drift(new long[] { 64, 48 }, "first", List.of(shift(1))).toString());
		assertEquals("Alignment: shift [3.0, -1.5], score 0.98, overlap 0.9, edge true, false alarms 1.0E-9",
			new Alignment(new double[] { 3, -1.5 }, 0.98, 0.9, null, true, 1e-9, "", List.of()).toString());
		for (final DoubleFunction<Object> result : RESULTS) assertEquals(false, result.apply(0.5).toString().contains("@"), result.apply(0.5).toString());
	}

	private record Shown(Optional<String> known, Optional<String> unknown, List<String> some, List<String> none, double[][] numbers,
		String missing) {}

	@Test
	void whatIsMissingIsLeftOut() {
		assertEquals("Shown: known yes, some 2, numbers [[1.0], [2.0, 3.0]]",
			Components.text(new Shown(Optional.of("yes"), Optional.empty(), List.of("a", "b"), List.of(),
			new double[][] { { 1 }, { 2, 3 } }, null)));
	}

	/** A record with a check, and one with a record. */
	private record Inner(int count, double share) {

		private Inner {
			Range.COUNT.of("the count is ", count);
		}
	}

	private record Outer(String name, Inner inner, long[] size) {}

	private static final Outer OUTER = new Outer("a", new Inner(1, 0.5), new long[] { 3 });

	@Test
	void aCopyDiffersInOneComponent() {
		final Outer renamed = Components.with(OUTER, Outer::name, "b");
		assertEquals("b", renamed.name());
		assertSame(OUTER.inner(), renamed.inner());
		assertSame(OUTER.size(), renamed.size());
		assertEquals("a", OUTER.name());
		assertNull(Components.with(OUTER, Outer::size, null).size());
		final Outer counted = Components.with(OUTER, Outer::inner, Inner::count, 7);
		assertEquals(new Inner(7, 0.5), counted.inner());
		assertEquals("a", counted.name());
	}

	@Test
	void theRecordChecksTheValue() {
		assertEquals("the count is 0: give at least 1",
			assertThrows(IllegalArgumentException.class, () -> Components.with(OUTER, Outer::inner, Inner::count, 0)).getMessage());
	}

	/** Only the accessor of a component names one. */
	@Test
	void otherFunctionsAreRefused() {
		assertThrows(IllegalArgumentException.class, () -> Components.with(OUTER, o -> o.name(), "b"));
		assertThrows(IllegalArgumentException.class, () -> Components.with(OUTER, Outer::toString, "b"));
		assertThrows(IllegalArgumentException.class, () -> Components.with(OUTER, new Components.Accessor<Outer, String>() {

			@Override
			public String of(final Outer outer) {
				return outer.name();
			}
		}, "b"));
	}
}
