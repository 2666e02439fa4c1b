package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.WindowGrid;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;

/** Notes on motion fields. */
class MotionTextTest {

	private static final WindowGrid GRID = new WindowGrid(Size.of(16, 16), Size.of(16, 16), Size.of(16, 16));
	private static final String FAR = ": many windows have their peak at the end of the search. Give a larger shift", NONE = ": no vector is valid";

	/** The notes on fields whose frames follow one another. */
	private static List<String> notes(final State[] states, final double[] atEnd) {
		final List<VectorField> fields = new ArrayList<>();
		for (int i = 0; i < states.length; i++)
			fields.add(new VectorField(GRID, i, i + 1, List.of(new MotionVector(GRID.centre(0), new double[2], 0.9, 0.1, null, states[i])), atEnd[i]));
		return MotionText.notes(new MotionFields(fields, Report.NONE, List.of(), 0), "shift");
	}

	/** A quarter of the peaks is many. Three frames in a row are a range. */
	@Test
	void framesAreNamed() {
		final State ok = State.MEASURED, no = State.REJECTED;
		assertEquals(List.of(), notes(new State[] { ok, ok }, new double[] { 0.249, 0 }));
		assertEquals(List.of("frame 3" + FAR), notes(new State[] { ok, ok }, new double[] { 0.249, 0.25 }));
		assertEquals(List.of("frames 2, 3" + FAR), notes(new State[] { ok, ok, ok }, new double[] { 0.25, 1, 0 }));
		assertEquals(List.of("frames 2, 4 to 6" + FAR, "frames 2, 5" + NONE), notes(new State[] { no, ok, ok, no, ok }, new double[] { 1, 0, 1, 1, 1 }));
		// a note of its own says that none is valid at all
		assertEquals(List.of(), notes(new State[] { no, no }, new double[2]));
	}
}
