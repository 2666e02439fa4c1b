package sc.fiji.ncc.register;

import sc.fiji.ncc.register.ShiftSolver.Edge;

/**
 * With the reference previous: measures the frame after a bad frame against the last good frame, so that the bad frame does not bend the sum of the shifts. A frame is
 * bad if its scores with both neighbours are far below the usual score, or if it has no shift against them.
 */
final class BadFrames {

	/** A frame is bad below this share of the usual score. */
	private static final double BAD = 0.85;

	/** Measures a pair. */
	interface Measure {

		/** @return null if no shift is found */
		Edge between(int from, int to);
	}

	/** The last frame that is good, and the frame that waits for its second score; -1 before the first. */
	private int lastGood = -1, current = -1;

	/**
	 * Judges the frame before a frame.
	 *
	 * @param frame the next frame that is not flat
	 * @param pairs the measurements up to this frame
	 */
	void next(final int frame, final MeasuredPairs pairs, final Measure measure) {
		final int judged = current;
		current = frame;
		if (judged < 0) return;
		final Edge out = pairs.of(frame);
		final double bad = BAD * pairs.usualScore(frame);
		if (lastGood >= 0 && isBelow(pairs.of(judged), bad) && isBelow(out, bad)) {
			final Edge over = measure.between(lastGood, frame);
			if (over != null && (out == null || over.score() > out.score())) pairs.replace(over);
			return;
		}
		lastGood = judged;
	}

	private static boolean isBelow(final Edge pair, final double score) {
		return pair == null || pair.score() < score;
	}

	/** Whether a later frame can be measured against a frame. */
	boolean needs(final int frame) {
		return frame == lastGood || frame == current;
	}
}
