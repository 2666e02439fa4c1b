package sc.fiji.ncc.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

class MatchTableTest {

	private static final String FIRST = "image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,";
	private static final MatchTable PLANES = new MatchTable(List.of("t.tif", "a, b.tif"), List.of(new long[] { 9, 7 }, new long[] { 4, 3 }), false);
	private static final Calibration MICRONS = new Calibration(0.5, 0.25, 2, "\u00b5m", null, null, 0, "sec", 4, -8, 1);

	@Test
	void statisticsOnRequest() {
		final MatchTable table = new MatchTable(List.of("t.tif"), List.of(new long[] { 4, 3 }), true);
		assertTrue(table.head().endsWith(",unit,probability,false_alarms,min_score,background\r\n"));
		final Match match = new Match(0, new long[0], new long[] { 1, 2 }, 0.75, new double[] { 1, 2 }).rated(1.23456e-9, 0, 0.625, BackgroundState.SKEWED);
		assertTrue(table.rows("i.tif", 0, Calibration.NONE, List.of(match)).endsWith(",1.23E-9,0,0.625,skewed\r\n"),
			table.rows("i.tif", 0, Calibration.NONE, List.of(match)));
	}

	/** The refinement of an exact match leaves rounding errors. */
	@Test
	void roundingErrorsAreZero() {
		final MatchTable table = new MatchTable(List.of("t.tif"), List.of(new long[] { 4, 3 }), false, true, false, false);
		final Pose grid = Pose.of(0, 1, false), pose = Pose.of(-3.8e-18, 1, false);
		final PoseMatch match = new PoseMatch(0, new long[0], new long[] { 0, 2 }, grid, 1, pose, new double[] { -1e-17, 2 }, 1,
			new double[][] { { 1e-30, 0 }, { 0, 1e-30 } }, 4.7e-15, Double.NaN, Double.NaN, null, false);
		assertEquals("i.tif,1,1,0,2,0,1,0,2,0,4,3,t.tif,2,3.5,pixel,0,1,0,0,0,0,0,NaN\r\n",
			table.poseRows("i.tif", 0, Calibration.NONE, List.of(match)));
		assertEquals("0.00000 degrees, scale 1.00000", pose.toString());
	}

	@Test
	void columns() {
		assertEquals(FIRST + "width,height,template_name,calibrated_x,calibrated_y,unit\r\n", PLANES.head());
		assertEquals(FIRST + "width,height,depth,template_name,calibrated_x,calibrated_y,calibrated_z,unit\r\n",
			new MatchTable(List.of("v"), List.of(new long[] { 1, 2, 3 }), false).head());
	}

	@Test
	void planes() {
		final Match m = new Match(0, new long[0], new long[] { 10, -2 }, 0.1 + 0.2, new double[] { 10.25, -2 });
		assertEquals("a.tif,24,1,10,-2,0,0.3,10.25,-2,0,9,7,t.tif,14.75,1.5,pixel\r\n", PLANES.rows("a.tif", 23, Calibration.NONE, List.of(m)));
		assertEquals("a.tif,24,1,10,-2,0,0.3,10.25,-2,0,9,7,t.tif,5.375,2.375,\u00b5m\r\n", PLANES.rows("a.tif", 23, MICRONS, List.of(m)));
		assertEquals("", PLANES.rows("a.tif", 5, MICRONS, List.of()));
	}

	/** A slice has no thickness: the middle of three lies at the second. */
	@Test
	void volumes() {
		final Match m = new Match(0, new long[0], new long[] { 1, 2, 3 }, 1, new double[] { 1.5, 2.5, 3.5 });
		final MatchTable table = new MatchTable(List.of("v.tif"), List.of(new long[] { 5, 4, 3 }), false);
		assertEquals("a.tif,1,1,1,2,3,1,1.5,2.5,3.5,5,4,3,v.tif,0,3.125,7,\u00b5m\r\n", table.rows("a.tif", 0, MICRONS, List.of(m)));
		final Calibration mixed = new Calibration(1, 1, 1, "mm", null, "nm", 0, "sec", 0, 0, 0);
		assertEquals("mm mm nm", mixed.units(3));
		assertEquals("mm", mixed.units(2));
	}

	@Test
	void namesAreQuotedWhereTheyMust() {
		final Match m = new Match(1, new long[0], new long[] { 0, 0 }, 1, new double[] { 0, 0 });
		assertEquals("\"a, \"\"b\"\".tif\",1,2,0,0,0,1,0,0,0,4,3,\"a, b.tif\",2,1.5,pixel\r\n",
			PLANES.rows("a, \"b\".tif", 0, Calibration.NONE, List.of(m)));
	}

	@Test
	void theEdgeOfARegion() {
		final Match m = new Match(0, new long[0], new long[] { 1, 2 }, 1, new double[] { 1, 2 });
		final MatchTable table = new MatchTable(List.of("t.tif"), List.of(new long[] { 4, 3 }), false, false, false, true);
		assertTrue(table.head().endsWith(",edge\r\n"), table.head());
		final String rows = table.rows("image", 0, Calibration.NONE, List.of(m, m.atEdge(true)));
		assertTrue(rows.matches("(?s).*,0\r\n.*,1\r\n"), rows);
	}

	/** The first of the frames whose best match has the highest score; without matches, the first frame. */
	@Test
	void theFrameWithTheBestMatch() {
		final InputFrames.Place[] places = IntStream.range(0, 5).mapToObj(i -> new InputFrames.Place(null, "frame " + i, i, 5))
			.toArray(InputFrames.Place[]::new);
		final MatchSummary<Double> none = new MatchSummary<>(null, 2, null, null, m -> m), summary = new MatchSummary<>(null, 2, null, null, m -> m);
		none.add(places[0], List.of(), null);
		assertEquals("the matches of the first frame are in a.csv", none.unfinished(Path.of("a.csv"), new RuntimeException()).getMessage());
		none.add(places[1], List.of(), null);
		assertEquals(places[0], none.where());
		final List<List<Double>> found = List.of(List.of(), List.of(0.5, 0.4), List.of(0.7, 0.2), List.of(0.7, 0.1), List.of(0.6));
		for (int i = 0; i < 5; i++) summary.add(places[i], found.get(i), null);
		assertEquals(places[2], summary.where());
		assertEquals(List.of(0.7, 0.2), summary.best());
		assertEquals(5, summary.count());
		summary.retain(1, m -> m > 0.3);
		assertEquals(List.of(0.7), summary.best());
		assertEquals("the matches of the first 5 frames are in a.csv", summary.unfinished(Path.of("a.csv"), new RuntimeException()).getMessage());
	}
}
