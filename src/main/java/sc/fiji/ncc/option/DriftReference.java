package sc.fiji.ncc.option;

import java.util.Locale;

/**
 * What the frames of a sequence are measured against.
 *
 * @param kind the kind of reference
 * @param frame the number of the reference frame, from 0, with {@link Kind#FRAME}
 */
public record DriftReference(Kind kind, long frame) {

	/** The kinds of references. */
	public enum Kind {
		/** The first frame that is not flat. Errors do not pile up. The content must stay recognisable. */
		FIRST,
		/** The frame before. Follows content that changes; small errors pile up over the frames. */
		PREVIOUS,
		/** The mean of all corrected frames, in several rounds. For noisy frames whose content hardly changes. Needs a stack. */
		MEAN,
		/** One given frame. Needs a stack. */
		FRAME,
		/** Several earlier frames at different distances, joined by robust least squares. Errors do not pile up, and single bad frames do not matter. */
		MULTI
	}

	public static final DriftReference FIRST = new DriftReference(Kind.FIRST, 0), PREVIOUS = new DriftReference(Kind.PREVIOUS, 0), MEAN = new DriftReference(Kind.MEAN, 0),
		MULTI = new DriftReference(Kind.MULTI, 0);

	/** @throws IllegalArgumentException if the number is negative */
	public static DriftReference frame(final long number) {
		if (number < 0) throw new IllegalArgumentException("the reference frame is " + number + ": give 0 or more");
		return new DriftReference(Kind.FRAME, number);
	}

	/**
	 * Reads the text that {@link #toString} returns.
	 *
	 * @throws IllegalArgumentException if it is not first, previous, mean, multi or a number from 0
	 */
	public static DriftReference of(final String text) {
		final String word = text.trim().toLowerCase(Locale.ROOT);
		if (word.matches("\\d{1,18}")) return frame(Long.parseLong(word));
		for (final Kind kind : Kind.values())
			if (kind != Kind.FRAME && kind.name().toLowerCase(Locale.ROOT).equals(word)) return new DriftReference(kind, 0);
		throw new IllegalArgumentException("unknown reference '" + text + "': give first, previous, mean, multi, or the number of a frame");
	}

	@Override
	public String toString() {
		return kind == Kind.FRAME ? Long.toString(frame) : kind.name().toLowerCase(Locale.ROOT);
	}
}
