package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.result.Mosaic.Link;

/** What loops of links prove, in closed form, and the details on which links are judged a second time. */
class LinkLoopsTest {

	/** The standard deviation of a shift along each dimension, in pixels. */
	private static final double SIGMA = 0.01;
	private static final double ALARMS = 0.05;

	private final List<TilePair> pairs = new ArrayList<>();
	private final List<Link> links = new ArrayList<>();

	/** @param error the error of the stage, null without positions */
	private void link(final int a, final int b, final boolean used, final long[] error, final double... shift) {
		final int n = shift.length;
		final long[] zeros = new long[n], size = new long[n];
		Arrays.fill(size, 100);
		final double[][] covariance = new double[n][n];
		for (int d = 0; d < n; d++) covariance[d][d] = SIGMA * SIGMA;
		pairs.add(new TilePair(a, b, error == null ? null : new double[n], zeros, zeros, size, size, zeros, error));
		links.add(new Link(a, b, shift, 0.9, 0.5, used ? 1e-6 : ALARMS, covariance, Double.NaN, Double.NaN, used, used ? "" : "ambiguous"));
	}

	/** The first link after its loops were tried. */
	private Link first(final double level) {
		return LinkLoops.confirmed(pairs, links, i -> i == 0, level).get(0);
	}

	/** A loop of three links, one of them from its second tile to its first one: 2r over the width of 41, with r the deviation of the three. */
	@Test
	void oneLoopHasTheChanceOfItsWidth() {
		final long[] error = { 20, 20 };
		link(0, 1, false, error, 90, 3);
		link(2, 1, true, error, -4, 95);
		link(0, 2, true, error, 94, -92);
		final double chance = 2 * Math.sqrt(3 * 2) * SIGMA / 41;
		final Link confirmed = first(0.001);
		assertTrue(confirmed.used());
		assertEquals(ALARMS * chance, confirmed.falseAlarms(), 1e-12);
		assertFalse(first(0.9 * ALARMS * chance).used());
	}

	/** A second loop without a common link: both chances, and two times two choices. */
	@Test
	void disjointLoopsCountTogether() {
		final long[] error = { 20, 20 };
		link(0, 1, false, error, 90, 3);
		link(1, 2, true, error, 4, -95);
		link(0, 2, true, error, 94, -92);
		link(1, 3, true, error, 5, 90);
		link(0, 3, true, error, 95, 93);
		final double chance = 2 * Math.sqrt(3 * 2) * SIGMA / 41;
		assertEquals(ALARMS * 4 * chance * chance, first(0.001).falseAlarms(), 1e-15);
	}

	/** The dimension with the least shifts counts: with 3 shifts along z a wrong shift closes the loop there nearly always. */
	@Test
	void theLeastWidthCounts() {
		final long[] error = { 60, 60, 1 };
		link(0, 1, false, error, 90, 3, 0);
		link(1, 2, true, error, 4, -95, 0);
		link(0, 2, true, error, 94, -92, 0);
		assertEquals(ALARMS * 2 * 3 * SIGMA / 3, first(0.5).falseAlarms(), 1e-12);
	}

	/** Loops that do not close prove nothing. */
	@Test
	void anOpenLoopConfirmsNothing() {
		final long[] error = { 20, 20 };
		link(0, 1, false, error, 90, 3);
		link(1, 2, true, error, 4, -95);
		link(0, 2, true, error, 84, -92);
		assertFalse(first(0.001).used());
	}

	/** A pattern of the camera lies at the same place in all tiles, so its loops close exactly. */
	@Test
	void withoutPositionsTilesAtTheSamePlaceAreNotConfirmed() {
		link(0, 1, false, null, 0.3, 0);
		link(1, 2, true, null, 0, 0);
		link(0, 2, true, null, 0.3, 0);
		assertFalse(first(1).used());
		pairs.clear();
		links.clear();
		link(0, 1, false, null, 30, 0);
		link(1, 2, true, null, 0, 40);
		link(0, 2, true, null, 30, 40);
		assertTrue(first(0.01).used());
	}
}
