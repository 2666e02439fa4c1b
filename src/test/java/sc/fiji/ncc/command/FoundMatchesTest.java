package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PeakQuality;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/** The row of a match in the table. All numbers differ, so that a swap of two columns is detected. */
class FoundMatchesTest {

	private static final Calibration CALIBRATION = Calibration.of(new double[] { 0.5, 0.25, 3 }, new double[] { 2, -4, 1 }, "nm", 0, "");
	private static final Match MATCH = new Match(1, new long[] { 5, 7 }, new long[] { 10, 20, 30 }, 0.875, new double[] { 10.25, 19.5, 30.75 });

	private static List<NamedTemplate> templates() {
		return List.of(new NamedTemplate("a", ArrayImgs.bytes(2, 2, 2), null, false), new NamedTemplate("b.tif", ArrayImgs.bytes(7, 4, 6), null, false));
	}

	private static Object cell(final Table table, final String column) {
		assertEquals(1, table.rows().size());
		return table.rows().get(0)[table.columns().indexOf(column)];
	}

	@Test
	void aRefinedMatchInAVolume() {
		final Table table = new FoundMatches(List.of(MATCH), templates(), new FoundMatches.Searched("xyzct", "image", CALIBRATION, 0, false), true, false).table();
		assertEquals(List.of("Label", "Score", "X", "Y", "Z", "Image", "Channel", "Slice", "Frame", "Template", "CenterX", "CenterY", "CenterZ",
			"SubpixelX", "SubpixelY", "SubpixelZ",
			"CalibratedX", "CalibratedY", "CalibratedZ", "Unit"), table.columns());
		assertEquals("image", cell(table, "Image"));
		assertEquals(6L, cell(table, "Channel"));
		assertEquals(31L, cell(table, "Slice"));
		assertEquals(8L, cell(table, "Frame"));
		assertEquals("b.tif", cell(table, "Template"));
		assertEquals(0.875, cell(table, "Score"));
		assertEquals(10L, cell(table, "X"));
		assertEquals(20L, cell(table, "Y"));
		assertEquals(30L, cell(table, "Z"));
		assertEquals(10 + 7 / 2.0, cell(table, "CenterX"));
		assertEquals(20 + 4 / 2.0, cell(table, "CenterY"));
		assertEquals(30 + 5 / 2.0, cell(table, "CenterZ"), "half the way between the first plane and the last");
		assertEquals(10.25, cell(table, "SubpixelX"));
		assertEquals(19.5, cell(table, "SubpixelY"));
		assertEquals(30.75, cell(table, "SubpixelZ"));
		assertEquals((10.25 + 7 / 2.0 - 2) * 0.5, cell(table, "CalibratedX"));
		assertEquals((19.5 + 4 / 2.0 + 4) * 0.25, cell(table, "CalibratedY"));
		assertEquals((30.75 + 5 / 2.0 - 1) * 3, cell(table, "CalibratedZ"));
		assertEquals("nm", cell(table, "Unit"));
	}

	@Test
	void withoutRefinementTheCalibratedMiddleIsThatOfWholePixels() {
		final Table table = new FoundMatches(List.of(MATCH), templates(), new FoundMatches.Searched("xyzct", "image", CALIBRATION, 0, false), false, false).table();
		assertEquals(-1, table.columns().indexOf("SubpixelX"));
		assertEquals((10 + 7 / 2.0 - 2) * 0.5, cell(table, "CalibratedX"));
		assertEquals((20 + 4 / 2.0 + 4) * 0.25, cell(table, "CalibratedY"));
		assertEquals((30 + 5 / 2.0 - 1) * 3, cell(table, "CalibratedZ"));
	}

	@Test
	void boxesLieOnTheImage() {
		assertEquals(List.of(new Box("1: b 0.88", 1, 10, 20, 7, 4, 5, 30, 7, 1, 6, 1)),
			new FoundMatches(List.of(MATCH), templates(), new FoundMatches.Searched("xyzct", "image", CALIBRATION, 0, false), true, false).boxes());
		final Match flat = new Match(0, new long[] { 3 }, new long[] { 1, 2 }, 0.5, new double[] { 1, 2 });
		assertEquals(List.of(new Box("1: 0.50", 0, 1, 2, 7, 4, 0, 0, 3, 1, 1, 1)),
			new FoundMatches(List.of(flat), List.of(new NamedTemplate("a", ArrayImgs.bytes(7, 4), null, false)),
			new FoundMatches.Searched("xyt", "image", CALIBRATION, 0, false), true, false).boxes());
	}

	@Test
	void errorsAndQualityOnRequest() {
		final Match match = MATCH.refined(new double[] { 10, 20, 30 }, new double[][] { { 4, 1, 0 }, { 1, 1, 0 }, { 0, 0, 0.25 } }).with(new PeakQuality(0.4, 7));
		final Table table = new FoundMatches(List.of(match), templates(), new FoundMatches.Searched("xyzct", "image", CALIBRATION, 0, false), true, false).table();
		assertEquals(2.0, cell(table, "SigmaX"));
		assertEquals(0.5, cell(table, "SigmaZ"));
		assertEquals(0.5, cell(table, "CorrelationXY"));
		for (final String column : List.of("SigmaX", "SigmaY", "SigmaZ", "CorrelationXY")) assertEquals(ShownNumber.SCORE,
			table.decimals().get(column), column);
		assertEquals(0.4, cell(table, "RunnerUp"));
		assertEquals(2.1875, cell(table, "Ratio"));
		assertEquals(7.0, cell(table, "SidelobeRatio"));
	}

	/** The covariance has the deviations 2 and 1 and the correlation 1/2. Points on the ellipse have the same Mahalanobis distance, and the ellipse reaches as far as its deviations say. */
	@Test
	void ellipsesLieAroundTheCentre() {
		final Match match = MATCH.refined(new double[] { 10, 20, 30 }, new double[][] { { 4, 1, 0 }, { 1, 1, 0 }, { 0, 0, 0.25 } });
		final List<Box> ellipses = new FoundMatches(List.of(match, MATCH), templates(),
			new FoundMatches.Searched("xyzct", "image", CALIBRATION, 0, false), true, false).ellipses();
		assertEquals(1, ellipses.size(), "only refined matches have one");
		assertEquals(null, ellipses.get(0).label());
		final float[][] outline = ellipses.get(0).outline();
		final double quantile = -2 * Math.log(1 - 0.68);
		double widest = 0, highest = 0;
		for (int i = 0; i < outline[0].length; i++) {
			final double x = (outline[0][i] - 10 - 3.5) / 20, y = (outline[1][i] - 20 - 2) / 20;
			assertEquals(quantile, (x * x - 2 * x * y + 4 * y * y) / 3, 1e-4);
			widest = Math.max(widest, x);
			highest = Math.max(highest, y);
		}
		assertEquals(2 * Math.sqrt(quantile), widest, 1e-4);
		assertEquals(Math.sqrt(quantile), highest, 0.01);
	}

	/** A chosen channel is no axis of the searched pixels. */
	@Test
	void aChosenChannelAndTheEdgeOfARegion() {
		final Match match = new Match(0, new long[] { 3 }, new long[] { 1, 2 }, 0.5, new double[] { 1, 2 });
		final List<NamedTemplate> template = List.of(new NamedTemplate("a", ArrayImgs.bytes(7, 4), null, false));
		final FoundMatches.Searched searched = new FoundMatches.Searched("xyt", "image", CALIBRATION, 1, true);
		final Table table = new FoundMatches(List.of(match), template, searched, true, false).table();
		assertEquals(2L, cell(table, "Channel"));
		assertEquals(4L, cell(table, "Frame"));
		assertEquals(0, cell(table, "Edge"));
		assertEquals(1, cell(new FoundMatches(List.of(match.atEdge(true)), template, searched, true, false).table(), "Edge"));
	}

	/** A template of 8x4, turned by 90 degrees counterclockwise and twice as large: its right side lies on top. A line marks it. */
	@Test
	void theBoxOfAPoseIsTurned() {
		final Pose pose = Pose.of(90, 2, false);
		final PoseMatch match = new PoseMatch(0, new long[0], new long[] { 30, 40 }, pose, 0.9, pose, new double[] { 30.5, 40.25 }, 0.9);
		final float[][] outline = posed(match, ArrayImgs.bytes(8, 4), "xy").boxes().get(0).outline();
		// the centre lies at (34.5, 42.25); half of the long side is 8, half of the short side is 4
		assertArrayEquals(new float[] { 34.5f - 4, 34.5f - 4, 34.5f, 34.5f, 34.5f, 34.5f + 4, 34.5f + 4 }, outline[0], 1e-4f);
		assertArrayEquals(new float[] { 42.25f + 8, 42.25f - 8, 42.25f - 8, 42.25f, 42.25f - 8, 42.25f - 8, 42.25f + 8 }, outline[1], 1e-4f);
	}

	/** In three dimensions: the circle of the largest ball in the template, at its scale, whatever the rotation. */
	@Test
	void theBoxOfAPoseInSpaceIsACircle() {
		final Pose pose = Pose.of(new double[] { 1, 2, 3, 4 }, 1.5, true);
		final PoseMatch match = new PoseMatch(0, new long[0], new long[] { 30, 40, 9 }, pose, 0.9, pose, new double[] { 30, 40, 9 }, 0.9);
		final float[][] outline = posed(match, ArrayImgs.bytes(8, 10, 6), "xyz").boxes().get(0).outline();
		double length = 0;
		for (int i = 0; i < outline[0].length; i++) {
			final double x = outline[0][i] - 34, y = outline[1][i] - 45;
			assertEquals(3 * 1.5, Math.hypot(x, y), 1e-4);
			final int next = (i + 1) % outline[0].length;
			length += Math.hypot(outline[0][next] - outline[0][i], outline[1][next] - outline[1][i]);
		}
		assertEquals(2 * Math.PI * 4.5, length, 0.1, "once around");
	}

	private static FoundMatches posed(final PoseMatch match, final Img<?> template, final String axes) {
		return FoundMatches.ofPoses(List.of(match), List.of(new NamedTemplate("a", template, null, false)),
			new FoundMatches.Searched(axes, "image", CALIBRATION, 0, false), true);
	}

	/** Poses have no probabilities. In three dimensions they have a quaternion. */
	@Test
	void statisticsAndPoses() {
		final Match match = new Match(0, new long[0], new long[] { 1, 2 }, 0.5, new double[] { 1, 2 }).rated(1e-6, 0.125, 0.375, BackgroundState.SKEWED);
		final Table plain = new FoundMatches(List.of(match), List.of(new NamedTemplate("a", ArrayImgs.bytes(7, 4), null, false)),
			new FoundMatches.Searched("xy", "image", CALIBRATION, 0, false), true, true).table();
		assertEquals(List.of(1e-6, 0.125, 0.375, "skewed"), List.of(cell(plain, "Probability"), cell(plain, "FalseAlarms"), cell(plain, "MinScore"),
			cell(plain, "Background")));
		final Pose pose = Pose.of(new double[] { 0, 0, 0, 2 }, 1.5, true), flat = Pose.of(30, 0.5, false);
		final Table space = posed(new PoseMatch(0, new long[0], new long[] { 3, 4, 9 }, pose, 0.9, pose, new double[] { 3, 4, 9 }, 0.9).rated(0.6,
			BackgroundState.OK),
			ArrayImgs.bytes(8, 10, 6), "xyz").table(),
			plane = posed(new PoseMatch(0, new long[0], new long[] { 3, 4 }, flat, 0.9, flat, new double[] { 3, 4 }, 0.9).rated(0.6, BackgroundState.OK),
				ArrayImgs.bytes(8, 10), "xy").table();
		for (final Table t : List.of(space, plane)) {
			assertEquals(-1, t.columns().indexOf("Probability"));
			assertEquals(t.columns().size(), t.rows().get(0).length);
		}
		assertEquals(List.of(180.0, 1.5, 1, 0.0, 0.0, 0.0, 1.0), List.of(cell(space, "Angle"), cell(space, "Scale"), cell(space, "Mirrored"),
			cell(space, "RotationW"),
			cell(space, "RotationX"), cell(space, "RotationY"), cell(space, "RotationZ")));
		assertEquals(List.of(30.0, 0.5, 0), List.of(cell(plane, "Angle"), cell(plane, "Scale"), cell(plane, "Mirrored")));
		assertEquals(-1, plane.columns().indexOf("RotationW"));
	}
}
