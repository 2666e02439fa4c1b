package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.command.program.ImageCalibration;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** The text of the status bar, and the notes in the log. */
class FoundDriftTest {

	private static final int FRAMES = 12;

	/** The runner-up of a doubtful frame has 0.95 of the score, that of another frame has half of it. */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void doubtfulFramesAreCounted(final int doubtful) {
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) frames.add(new FrameShift(i, new double[2], 0.8, 1, 0, i < doubtful ? 0.76 : 0.4, false, i < doubtful
			? FrameShift.State.DOUBTFUL : FrameShift.State.OK));
		final FoundDrift found = new FoundDrift(new Drift(new long[] { 64, 64 }, "first", frames), "stack.tif", ImageCalibration.PIXELS, true);
		assertEquals("stack.tif: 12 frames, largest shift 0.00, 0.00 pixels, 1.00 s", found.summary(1));
		assertEquals(doubtful == 0 ? List.of() : List.of("the shift is doubtful in " + doubtful
			+ " of 12 frames of stack.tif: other shifts fit almost as well, or pairs of frames disagree."
			+ " See the column State."), found.notes());
	}
}
