package sc.fiji.ncc.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.command.program.ImageCalibration;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** The text of the status bar. */
class FoundDriftTest {

	private static final int FRAMES = 12;

	/** The runner-up of a doubtful frame has 0.95 of the score, that of another frame has half of it. */
	@ParameterizedTest
	@CsvSource({ "0, 1.00 s", "1, 1.00 s; doubtful in 1 of 12 frames: ", "2, 1.00 s; doubtful in 2 of 12 frames: " })
	void doubtfulFramesAreCounted(final int doubtful, final String end) {
		final List<FrameShift> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) frames.add(new FrameShift(i, new double[2], 0.8, 1, 0, i < doubtful ? 0.76 : 0.4, false, FrameShift.State.OK));
		final String summary = new FoundDrift(new Drift(new long[] { 64, 64 }, "first", frames), "stack.tif", ImageCalibration.PIXELS, true).summary(1);
		assertTrue(doubtful == 0 ? summary.endsWith(end) : summary.contains(end), summary);
	}
}
