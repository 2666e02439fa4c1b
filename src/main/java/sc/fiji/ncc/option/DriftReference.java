package sc.fiji.ncc.option;

import java.util.Locale;

import sc.fiji.ncc.plan.Given;

/**
 * What the frames of a sequence are measured against.
 *
 * @param kind the kind of reference
 * @param frame the number of the reference frame, from 0, with {@link Kind#FRAME}
 */
public record DriftReference(Kind kind, long frame) {

	public DriftReference {
		Given.nonNull(kind, "policy");
	}

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

	public static final DriftReference FIRST = new DriftReference(Kind.FIRST, 0), PREVIOUS = new DriftReference(Kind.PREVIOUS, 0),
		MEAN = new DriftReference(Kind.MEAN, 0), MULTI = new DriftReference(Kind.MULTI, 0);

	/** @throws IllegalArgumentException if the number is negative */
	public static DriftReference frame(final long number) {
		if (number < 0) throw new IllegalArgumentException("the reference frame is " + number + ": give its index, 0 or more");
		return new DriftReference(Kind.FRAME, number);
	}

	/**
	 * Reads the text that {@link #toString} returns. In it, frames count from 1.
	 *
	 * @throws IllegalArgumentException if it is not first, previous, mean, multi or a number from 1
	 */
	public static DriftReference of(final String text) {
		Given.nonNull(text, "text");
		final String word = text.trim().toLowerCase(Locale.ROOT);
		if (word.matches("\\d{1,18}")) {
			if (Long.parseLong(word) == 0) throw new IllegalArgumentException("the reference is frame 0: frames count from 1");
			return frame(Long.parseLong(word) - 1);
		}
		for (final Kind kind : Kind.values())
			if (kind != Kind.FRAME && kind.name().toLowerCase(Locale.ROOT).equals(word)) return new DriftReference(kind, 0);
		throw new IllegalArgumentException("unknown reference '" + text + "': give first, previous, mean, multi, or the number of a frame, counted from 1");
	}

	@Override
	public String toString() {
		return kind == Kind.FRAME ? Long.toString(frame + 1) : kind.name().toLowerCase(Locale.ROOT);
	}
}
