package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import sc.fiji.ncc.motion.DeformationFit.Fitted;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.FrameShift.State;

/**
 * With the reference previous: fits each frame to the last good frame before. A frame is good if its shift is, and if its fit is like those of
 * the frames around. This is judged when these are fitted: if the frame is not good, the frames after it are fitted again, so that its motion is
 * no part of theirs. The chain begins with the first frame that is not lost by its shift. If no frame fits it, and two later frames fit each
 * other, the chain begins with the first one of these.
 */
final class FittedChain {

	/** Fits a frame to another one. */
	interface Measure {

		/**
		 * @param known the motion of the frame before
		 * @return null if its windows show nothing of the frame before
		 */
		Fitted fit(int before, Fitted known, int frame);
	}

	private final List<FrameShift> shifts;
	private final boolean moveDoubtful;
	private final Fitted still;
	private final Measure measure;
	private final Fitted[] fitted;
	/** Frames that are no reference, because of their fit. */
	private final boolean[] left;
	private int anchor;

	/**
	 * @param shifts those of all frames
	 * @param moveDoubtful as in {@link DriftSettings}
	 * @param anchor the first frame
	 * @param still the fit of a frame that does not move
	 */
	FittedChain(final List<FrameShift> shifts, final boolean moveDoubtful, final int anchor, final Fitted still, final Measure measure) {
		this.shifts = shifts;
		this.moveDoubtful = moveDoubtful;
		this.anchor = anchor;
		this.still = still;
		this.measure = measure;
		fitted = new Fitted[shifts.size()];
		left = new boolean[fitted.length];
	}

	/**
	 * @param each receives the number of frames whenever further frames are fitted
	 * @return the motion of each frame relative to the first one of the chain; null for frames without one
	 */
	Fitted[] all(final IntConsumer each) {
		fitted[anchor] = still;
		each.accept(anchor + 1);
		int done = anchor + 1;
		for (int i = done; i < fitted.length; i++) {
			if (shifts.get(i).state() != State.FLAT) fit(i);
			if (i >= done) each.accept(1);
			done = Math.max(done, i + 1);
			final int bad = bad(i);
			if (bad >= 0) i = bad;
		}
		return fitted;
	}

	private void fit(final int frame) {
		final int last = last(frame);
		fitted[frame] = measure.fit(last, fitted[last], frame);
		if (fitted[frame] != null || last != anchor) return;
		final int next = IntStream.range(anchor + 1, frame).filter(this::isShifted).max().orElse(-1);
		if (next < 0) return;
		fitted[frame] = measure.fit(next, still, frame);
		if (fitted[frame] == null) return;
		Arrays.fill(fitted, anchor, frame, null);
		anchor = next;
		fitted[anchor] = still;
	}

	/** The last good frame before a frame. */
	private int last(final int frame) {
		return IntStream.range(anchor + 1, frame).filter(this::isReference).max().orElse(anchor);
	}

	/** Whether a frame has a shift of its own, and is no outlier. */
	private boolean isShifted(final int frame) {
		final State state = shifts.get(frame).state();
		return state != State.OUTLIER && !DriftEvaluation.isReplaced(state, moveDoubtful);
	}

	private boolean isReference(final int frame) {
		return fitted[frame] != null && isShifted(frame) && !left[frame];
	}

	/** The first frame that turns out to be no reference, when a frame is fitted; -1 if there is none. */
	private int bad(final int newest) {
		final int from = Math.max(anchor, newest - 3 * DriftEvaluation.AROUND), to = newest + 1;
		// the frames whose neighbours are all fitted
		final int judged = to == fitted.length ? to : to - DriftEvaluation.AROUND;
		final Fitted[] some = Arrays.copyOfRange(fitted, from, to);
		final State[] states = DriftEvaluation.judged(
			IntStream.range(from, to).mapToObj(i -> fitted[i] == null ? State.LOST : State.OK).toArray(State[]::new), scores(some));
		final int bad = IntStream.range(Math.max(anchor + 1, newest - 2 * DriftEvaluation.AROUND), judged)
			.filter(i -> isReference(i) && states[i - from] != State.OK).findFirst().orElse(-1);
		if (bad < 0) return -1;
		left[bad] = true;
		if (states[bad - from] == State.LOST) fitted[bad] = null;
		return bad;
	}

	/** NaN for frames without a motion. */
	static double[] scores(final Fitted[] fitted) {
		return Arrays.stream(fitted).mapToDouble(f -> f == null ? Double.NaN : f.score()).toArray();
	}
}
