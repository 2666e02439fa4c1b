package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** The largest shift, the notes in the log, and the graph of a drift. */
class FoundDriftTest {

	private static final int FRAMES = 12;

	/** The runner-up of a doubtful frame has 0.95 of the score, that of another frame has half of it. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void doubtfulFramesAreCounted(final int doubtful) {
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) frames.add(new FrameShift(i, new double[2], 0.8, 1, 0, i < doubtful ? 0.76 : 0.4, false, i < doubtful
			? FrameShift.State.DOUBTFUL : FrameShift.State.OK));
		final Deformation still = new Deformation(new int[] { 1, 1 }, new double[2], new double[] { 32, 32 }, Collections.nCopies(FRAMES, new float[2][1]));
		final FoundDrift found = new FoundDrift(new Drift(new long[] { 64, 64 }, "first", frames), "stack.tif", Calibration.NONE, true),
			deformed = new FoundDrift(new Drift(new long[] { 64, 64 }, "first", frames, still), "stack.tif", Calibration.NONE, true);
		assertEquals("largest shift 0.00, 0.00 pixels", found.drift().largestText());
		assertEquals(doubtful == 0 ? List.of() : List.of(
			(doubtful == 1 ? "frame to check in stack.tif: 1" : "frames to check in stack.tif: 1 to 2") + " (doubtful). See the column State.",
			"the shift is doubtful in " + doubtful + " of 12 frames of stack.tif: other shifts fit almost as well, or pairs of frames disagree."),
			found.notes());
		assertEquals(doubtful > 0, String.join("\n", deformed.notes()).endsWith(" frames disagree. Increase the window, or choose another reference."));
	}

	/** A lost frame has no point, because its shift is only interpolated. The reference is the first frame of the graph, too. */
	@Test
	void theGraphIsInTheUnitOfTheImage() {
		final double[][] shifts = { { 0, 0, 0 }, { 2, -3, 1 }, { 5, 7, 9 }, { 4, 6, -2 } };
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < shifts.length; i++)
			frames.add(new FrameShift(i, shifts[i], 0.8, 1, 0, 0.4, false, i == 2 ? FrameShift.State.LOST : FrameShift.State.OK));
		final Drift drift = new Drift(new long[] { 64, 64, 64 }, "first", frames);
		final Calibration timed = Calibration.of(new double[] { 0.5, 0.25, 3 }, new double[3], "nm", 0.2, "s");
		final Graph graph = new FoundDrift(drift, "stack.tif", timed, true).graph();
		assertEquals(List.of("Drift of stack.tif", "Time (s)", "Shift (nm)"), List.of(graph.title(), graph.across(), graph.up()));
		assertArrayEquals(new double[] { 0, 0.2, 0.4, 0.6 }, graph.x(), 1e-12);
		assertEquals(List.of("x", "y", "z"), graph.lines().stream().map(Graph.Line::label).toList());
		assertArrayEquals(new double[] { 0, 1, Double.NaN, 2 }, graph.lines().get(0).y());
		assertArrayEquals(new double[] { 0, -0.75, Double.NaN, 1.5 }, graph.lines().get(1).y());
		assertArrayEquals(new double[] { 0, 3, Double.NaN, -6 }, graph.lines().get(2).y());
		// without an interval, and over slices: numbers from 1
		final Calibration still = Calibration.of(new double[] { 0.5, 0.25, 3 }, new double[3], "nm", 0, "s");
		final Graph counted = new FoundDrift(drift, "stack.tif", still, true).graph(), slices = new FoundDrift(drift, "stack.tif", timed, false).graph();
		assertEquals(List.of("Frame", "Slice"), List.of(counted.across(), slices.across()));
		for (final Graph g : List.of(counted, slices)) assertArrayEquals(new double[] { 1, 2, 3, 4 }, g.x());
	}

	@Test
	void whatNeedsACheckIsCounted() {
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) frames.add(new FrameShift(i, new double[2], 0.8, 1, 0, 0.4, i == 3, i == 5 || i == 7 ? FrameShift.State.LOST
			: FrameShift.State.OK));
		assertEquals(List.of("frames to check in stack.tif: 6 (lost), 8 (lost). See the column State.",
			"in 1 of 12 frames of stack.tif the peak lies at the end of the search. Increase the maximum shift."),
			new FoundDrift(new Drift(new long[] { 64, 64 }, "first", frames), "stack.tif", Calibration.NONE, true).notes());
	}

	/** Ten runs of frames are named, and the frames of the others are counted. */
	@Test
	void manyFramesToCheckAreCounted() {
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < 40; i++) frames.add(new FrameShift(i, new double[2], 0.8, 1, 0, 0.4, false, i > 35 ? FrameShift.State.LOST
			: i % 3 == 0 ? FrameShift.State.OUTLIER : FrameShift.State.OK));
		final Drift drift = new Drift(new long[] { 64, 64 }, "first", frames);
		assertEquals("frames to check: 1 (outlier), 4 (outlier), 7 (outlier), 10 (outlier), 13 (outlier), 16 (outlier), 19 (outlier), 22 (outlier), "
			+ "25 (outlier), 28 (outlier) and 6 more", drift.checkText(""));
		assertEquals(16, drift.toCheck().size());
	}
}
