package sc.fiji.ncc.track;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;

/** A template of 10x8 in a frame of 60x40: it fits at 0,0 to 50,32. */
class SearchWindowTest {

	private static SearchWindow window(final long... shift) {
		return new SearchWindow(new long[] { 60, 40 }, Size.of(10, 8), shift);
	}

	private final SearchWindow window = window(5, 3);

	@Test
	void theBoxStaysInTheFrame() {
		assertArrayEquals(new int[] { 11, 7 }, window.count());
		assertArrayEquals(new long[] { 15, 7 }, window.origin(new long[] { 20, 10 }));
		assertArrayEquals(new long[] { 0, 26 }, window.origin(new long[] { 2, 31 }));
		assertArrayEquals(new long[] { 40, 0 }, window.origin(new long[] { 49, 0 }));
		assertArrayEquals(new int[] { 51, 33 }, window(60, 32).count());
	}

	@Test
	void everywhere() {
		assertTrue(window(50, 32).everywhere());
		assertTrue(window(Long.MAX_VALUE, 40).everywhere());
		assertFalse(window(49, 32).everywhere());
		assertFalse(window(50, 16).everywhere(), "a box of all lags, of which some are too far from a position");
	}

	@Test
	void within() {
		final long[] place = { 20, 10 };
		for (final long[] lag : new long[][] { { 15, 7 }, { 25, 13 }, { 20, 10 } }) assertTrue(window.within(lag, place));
		for (final long[] lag : new long[][] { { 14, 10 }, { 26, 10 }, { 20, 6 }, { 20, 14 } }) assertFalse(window.within(lag, place));
	}

	/** The last lag of the search is an edge only if the template fits at the next one. */
	@Test
	void edges() {
		assertTrue(edge(25, 10, 20, 10) && edge(15, 10, 20, 10) && edge(20, 13, 20, 10) && edge(20, 7, 20, 10));
		assertFalse(edge(24, 10, 20, 10) || edge(20, 12, 20, 10) || edge(20, 10, 20, 10));
		assertTrue(edge(49, 10, 44, 10) && edge(1, 10, 6, 10) && edge(20, 31, 20, 28) && edge(20, 1, 20, 4));
		assertFalse(edge(50, 10, 45, 10) || edge(0, 10, 5, 10) || edge(20, 32, 20, 29) || edge(20, 0, 20, 3));
		assertFalse(window(0, 3).edge(new long[] { 20, 10 }, new long[] { 20, 10 }), "no shift, no edge");
	}

	private boolean edge(final long x, final long y, final long fromX, final long fromY) {
		return window.edge(new long[] { x, y }, new long[] { fromX, fromY });
	}

	@Test
	void positionsInTheFrame() {
		assertArrayEquals(new long[] { 50, 0 }, window.inside(new double[] { 50.6, -2 }));
		assertArrayEquals(new long[] { 12, 32 }, window.inside(new double[] { 11.5, 32.4 }));
		assertTrue(window.fits(new long[2]) && window.fits(new long[] { 50, 32 }));
		for (final long[] beyond : new long[][] { { -1, 0 }, { 0, -1 }, { 51, 0 }, { 0, 33 } }) assertFalse(window.fits(beyond));
	}

	@Test
	void saysWhatIsTooLarge() {
		assertArrayEquals(new int[] { 1, 1 }, new SearchWindow(new long[] { 10, 8 }, Size.of(10, 8), new long[] { 3, 3 }).count());
		assertThrows(IllegalArgumentException.class, () -> new SearchWindow(new long[] { 9, 8 }, Size.of(10, 8), new long[2]));
		final long side = 1 << 14;
		final long[] shift = { side, side };
		assertEquals(side, new SearchWindow(new long[] { side + 9, side + 7 }, Size.of(10, 8), shift).count()[1]);
		assertThrows(IllegalArgumentException.class, () -> new SearchWindow(new long[] { side + 9, side + 8 }, Size.of(10, 8), shift));
	}

	/** The box around 48,10 begins at 40,7. Peaks farther than the shift do not count, and the responses stay as they are. */
	@Test
	void peaksWithinTheShift() {
		final float[] responses = new float[11 * 7];
		responses[2 + 3 * 11] = 0.9f; // at 42,10
		responses[3 + 3 * 11] = 0.7f; // at 43,10
		responses[10 + 6 * 11] = 0.8f; // at 50,13
		final float[] before = responses.clone();
		final List<Peak> peaks = TwoPeaks.of(responses, window, new long[] { 48, 10 }, 1e-5, p -> p[0] == 50 ? 0.81 : 0.7);
		assertEquals("[50, 13] 0.81 [43, 10] 0.7", Arrays.toString(peaks.get(0).position()) + " " + peaks.get(0).value() + " "
			+ Arrays.toString(peaks.get(1).position()) + " " + peaks.get(1).value());
		assertArrayEquals(before, responses);
	}

	/** A lost template does not count. */
	@Test
	void theDriftIsTheMedianMotion() {
		final double[][] motions = { { 5, 1 }, { 1, 9 }, { 3, 4 }, { 100, 100 }, { 7, 2 }, { 4, 3 } };
		final List<TrackPoint> points = new ArrayList<>();
		for (int i = 0; i < motions.length; i++)
			points.add(new TrackPoint(i % 4, i / 4, new long[2], new double[2], 0.9, 0.3, i == 3, motions[i], false));
		final List<double[]> drift = new Tracks(points, Report.NONE, List.of(), 0).drift();
		assertArrayEquals(new double[] { 3, 4 }, drift.get(0));
		assertArrayEquals(new double[] { 5.5, 2.5 }, drift.get(1));
		assertEquals(2, drift.size());
	}

	/** Points are ordered by frame and then by template. */
	@Test
	void pointsInAnyOrder() {
		final List<TrackPoint> points = new ArrayList<>();
		for (final int[] p : new int[][] { { 1, 2 }, { 0, 2 }, { 2, 0 }, { 0, 0 }, { 1, 0 } })
			points.add(new TrackPoint(p[0], p[1], new long[2], new double[2], 0.9, 0.1, false, new double[2], false));
		final List<String> order = new Tracks(points, Report.NONE, List.of(), 0).points().stream()
			.map(p -> p.frame() + " " + p.template()).toList();
		assertEquals(List.of("0 0", "0 1", "0 2", "2 0", "2 1"), order);
	}

	@Test
	void aFixedTemplateHasNoAnchor() {
		for (final double score : new double[] { -0.5, 0, 0.5 })
			assertTrue(assertThrows(IllegalArgumentException.class, () -> Update.FIXED.anchoredBelow(score)).getMessage()
				.contains("no anchor score, here " + score));
		assertEquals(Update.FIXED, Update.FIXED.anchoredBelow(-1));
	}

	@Test
	void howTemplatesAreTrackedByDefault() {
		assertEquals(new TrackingSettings(null, Update.FIXED, 0.5, 0, true, false, TrackingSettings.DEFAULT.missing(), 1.0 / 3),
			TrackingSettings.DEFAULT);
	}
}
