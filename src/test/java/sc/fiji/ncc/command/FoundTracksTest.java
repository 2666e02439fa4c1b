package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.command.input.FrameSequence;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/** Tracks on a calibrated image, with one template that is lost for a while: rows, lines and graph in calibrated units. */
class FoundTracksTest {

	private static final Calibration CALIBRATION = Calibration.of(new double[] { 0.5, 0.25, 1 }, new double[] { 2, -4, 0 }, "um", 0.2, "s");
	/** Frames of channel 2 and slice 4; the reference frame is frame 3. */
	private static final FrameSequence TRACKED = new FrameSequence(ArrayImgs.bytes(100, 90, 6), 't', new long[] { 1, 3, 2 }, "xyczt", 1);
	private static final long[] ALL = { 1, 3, -1 };
	private static final List<Region> TEMPLATES = List.of(new Region("nucleus", new Selection(10, 20, 7, 4, null, ALL)),
		new Region("rim", new Selection(40, 50, 3, 9, null, ALL)));
	private static final boolean[] LOST = { false, false, true, false, false, true };

	private static TrackPoint point(final int template, final int frame) {
		final double dx = 1.5 * frame + template, dy = -2.25 * frame;
		final Selection began = TEMPLATES.get(template).area();
		return new TrackPoint(template, frame, new long[] { began.x() + Math.round(dx), began.y() + Math.round(dy) }, new double[] { began.x() + dx, began.y() + dy }, 0.75, 0.5,
			template == 0 && LOST[frame], new double[] { dx, dy }, false);
	}

	private static FoundTracks found() {
		return found(CALIBRATION, TRACKED);
	}

	private static FoundTracks found(final Calibration calibration, final FrameSequence tracked) {
		final List<TrackPoint> points = new ArrayList<>();
		for (int frame = 0; frame < LOST.length; frame++)
			for (int template = 0; template < TEMPLATES.size(); template++) points.add(point(template, frame));
		return new FoundTracks(new Tracks(points, Report.NONE, List.of(), 1), TEMPLATES, tracked, "movie", calibration);
	}

	@Test
	void rowsAreInTheUnitOfTheImage() {
		final Table table = found().table();
		assertEquals(2 * LOST.length, table.rows().size());
		assertEquals(List.of("Score", "X", "Y", "Template", "Frame", "Image"), table.columns().subList(0, 6));
		for (int row = 0; row < table.rows().size(); row++) {
			final int template = row / LOST.length, frame = row % LOST.length;
			final TrackPoint p = point(template, frame);
			final Selection began = TEMPLATES.get(template).area();
			assertArrayEquals(new Object[] { 0.75, p.position()[0], p.position()[1], TEMPLATES.get(template).name(), frame + 1L, "movie", 2L, 4L,
				p.subpixel()[0], p.subpixel()[1],
				(p.subpixel()[0] + began.width() / 2.0 - 2) * 0.5, (p.subpixel()[1] + began.height() / 2.0 + 4) * 0.25, p.motion()[0] * 0.5 + 0.0,
				p.motion()[1] * 0.25 + 0.0, "um", 0.5,
				1.5, p.lost() ? 1 : 0, p.edge() ? 1 : 0 }, table.rows().get(row));
		}
	}

	/** Templates of several slices: the middle slice, of two in the middle the first one, and the centre in z. */
	@ParameterizedTest
	@CsvSource({ "5, 10", "4, 9" })
	void rowsOfVolumes(final int depth, final long middle) {
		final TrackPoint p = new TrackPoint(0, 4, new long[] { 13, 24, 7 }, new double[] { 13.25, 23.5, 6.75 }, 0.75, 0.5, false, new double[] { 3.25, 3.5, -1.25 }, false);
		final Calibration space = Calibration.of(new double[] { 0.5, 0.25, 2 }, new double[] { 2, -4, 1 }, "um", 0.2, "s");
		final FrameSequence tracked = new FrameSequence(ArrayImgs.bytes(100, 90, 20, 6), 't', new long[] { 1, 3, 2 }, "xyczt", depth);
		final List<List<Object>> rows = new FoundTracks(new Tracks(List.of(p), Report.NONE, List.of(), 1), TEMPLATES.subList(0, 1), tracked, "movie", space).table().rows().stream()
			.map(List::of).toList();
		assertEquals(List.of(List.of(0.75, 13L, 24L, 7L, "nucleus", 5L, "movie", 2L, middle, 13.25, 23.5, 6.75,
			(13.25 + 7 / 2.0 - 2) * 0.5, (23.5 + 4 / 2.0 + 4) * 0.25,
			(6.75 + depth / 2.0 - 1) * 2, 3.25 * 0.5, 3.5 * 0.25, -1.25 * 2, "um", 0.5, 1.5, 0, 0)), rows);
	}

	/** A line ends where its template is lost. Another line begins where the template is found again. A single point has no line. */
	@Test
	void linesAreBrokenWhereATemplateIsLost() {
		final List<TrackLine> lines = found().lines();
		assertEquals(List.of("nucleus", "nucleus", "rim"), lines.stream().map(TrackLine::label).toList());
		assertEquals(List.of(0, 0, 1), lines.stream().map(TrackLine::group).toList());
		way(lines.get(0), 0, 0, 1);
		way(lines.get(1), 0, 3, 4);
		way(lines.get(2), 1, 0, 5);
	}

	private static void way(final TrackLine way, final int template, final int first, final int last) {
		assertEquals(last - first + 1, way.x().length);
		for (int frame = first; frame <= last; frame++) {
			final TrackPoint p = point(template, frame);
			final Selection began = TEMPLATES.get(template).area();
			assertEquals(p.subpixel()[0] + began.width() / 2.0 - 0.5, way.x()[frame - first]);
			assertEquals(p.subpixel()[1] + began.height() / 2.0 - 0.5, way.y()[frame - first]);
		}
		assertEquals(List.of(1, 3, -1), List.of(way.channel(), way.slice(), way.frame()));
	}

	@Test
	void boxesAreWhereTheTemplatesAre() {
		final List<Box> boxes = found().boxes();
		assertEquals(2 * LOST.length, boxes.size());
		final TrackPoint p = point(0, 2), q = point(1, 2);
		assertEquals(new Box("nucleus lost", 0, (int) p.position()[0], (int) p.position()[1], 7, 4, 1, 3, 2, 1, 1, 1), boxes.get(4));
		assertEquals(new Box("rim 0.75", 1, (int) q.position()[0], (int) q.position()[1], 3, 9, 1, 3, 2, 1, 1, 1), boxes.get(5));
	}

	@Test
	void theGraphIsOverTimeAndHasGapsWhereATemplateIsLost() {
		final Graph graph = found().graph();
		assertEquals("Time (s)", graph.across());
		assertEquals("Motion (um)", graph.up());
		assertEquals(List.of("nucleus x", "nucleus y", "rim x", "rim y"), graph.lines().stream().map(Graph.Line::label).toList());
		for (int frame = 0; frame < LOST.length; frame++) {
			assertEquals(0.2 * frame, graph.x()[frame]);
			for (int line = 0; line < 4; line++)
				assertEquals(line < 2 && LOST[frame] ? Double.NaN : point(line / 2, frame).motion()[line % 2] * CALIBRATION.size(line % 2),
					graph.lines().get(line).y()[frame]);
		}
	}

	/** Without an interval the graph is over frames, and over slices of a stack, counted from 1. TrackMate then gets frames as its unit of time. */
	@Test
	void withoutAnIntervalFramesAreCounted() {
		final Calibration still = Calibration.of(new double[] { 0.5, 0.25, 1 }, new double[3], "um", 0, "s");
		final FrameSequence slices = new FrameSequence(ArrayImgs.bytes(100, 90, 6), 'z', new long[] { 1, 3 }, "xycz", 1);
		final FoundTracks timed = found(), counted = found(still, TRACKED), deep = found(CALIBRATION, slices);
		assertEquals("Frame", counted.graph().across());
		assertEquals("Slice", deep.graph().across());
		for (final FoundTracks f : List.of(counted, deep)) {
			assertArrayEquals(new double[] { 1, 2, 3, 4, 5, 6 }, f.graph().x());
			assertTrue(trackMate(f).contains("timeunits=\"frame\"") && trackMate(f).contains("timeinterval=\"1.0\""), trackMate(f));
		}
		assertTrue(trackMate(timed).contains("timeunits=\"s\"") && trackMate(timed).contains("timeinterval=\"0.2\""), trackMate(timed));
		// spots lie in the slice of the templates; slices that are frames are time points
		assertTrue(trackMate(timed).contains("POSITION_Z=\"" + 3 * CALIBRATION.size(2) + "\""), trackMate(timed));
		assertTrue(trackMate(deep).contains("POSITION_Z=\"0.0\""), trackMate(deep));
	}

	private static String trackMate(final FoundTracks found) {
		final StringWriter to = new StringWriter();
		found.writeTrackMate(to);
		return to.toString();
	}
}
