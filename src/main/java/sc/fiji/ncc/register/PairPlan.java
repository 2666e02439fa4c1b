package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

import sc.fiji.ncc.option.DriftReference;

/**
 * Which frames of a sequence are measured against each other. It has numbers of frames and no pixels, so that a process can plan what others measure.
 * <p>
 * With {@link DriftReference.Kind#MULTI} a frame is measured against those 1, 2, 4 and 8 frames before it, and against up to four key frames. Key frames are spread
 * evenly over the frames so far: when there are too many, every second one is dropped. The first frame stays. Flat frames are left out.
 */
final class PairPlan {

	private static final int[] LAGS = { 1, 2, 4, 8 };
	private static final int KEY_FRAMES = 4;
	/** The number of a reference that is not a frame of the sequence. */
	static final int GIVEN = -1;

	private final DriftReference.Kind kind;
	private final boolean given;
	private final int lags, keyFrames;
	private final NavigableSet<Integer> recent = new TreeSet<>();
	private final Set<Integer> keys = new LinkedHashSet<>();
	private int keyStep = 4;
	/** The first frame that is not flat; -1 before it. */
	private int anchor = -1;

	/**
	 * @param given whether all frames are measured against a reference that is not one of them
	 * @param held the number of earlier frames that memory can hold
	 */
	PairPlan(final DriftReference.Kind kind, final boolean given, final int held) {
		this.kind = kind;
		this.given = given;
		lags = held >= 12 ? 4 : held >= 7 ? 3 : held >= 4 ? 2 : 1;
		keyFrames = held >= 12 ? KEY_FRAMES : held >= 7 ? 3 : held >= 4 ? 2 : 1;
	}

	/** Whether all frames are measured against the same reference. */
	boolean hasOneReference() {
		return given || kind != DriftReference.Kind.PREVIOUS && kind != DriftReference.Kind.MULTI;
	}

	/**
	 * The frames that the next frame is measured against.
	 *
	 * @param frame a frame that is not flat, after all frames of earlier calls
	 */
	List<Integer> next(final int frame) {
		final List<Integer> partners = partners(frame);
		if (anchor < 0) anchor = frame;
		if (hasOneReference()) return partners;
		recent.add(frame);
		// of the frames that are not flat, at most this many lie within the largest distance
		while (recent.size() > LAGS[kind == DriftReference.Kind.PREVIOUS ? 0 : lags - 1]) recent.pollFirst();
		if (kind == DriftReference.Kind.MULTI) key(frame);
		return partners;
	}

	private List<Integer> partners(final int frame) {
		if (given) return List.of(GIVEN);
		if (hasOneReference()) return anchor < 0 ? List.of() : List.of(anchor);
		if (kind == DriftReference.Kind.PREVIOUS) return before(frame, 1);
		final List<Integer> all = new ArrayList<>();
		for (int i = 0; i < lags; i++) all.addAll(before(frame, LAGS[i]));
		all.addAll(keys);
		return all.stream().distinct().toList();
	}

	/** The last frame that is not flat and at least this many frames before another one; empty if there is none. */
	private List<Integer> before(final int frame, final int lag) {
		final Integer found = recent.floor(frame - lag);
		return found == null ? List.of() : List.of(found);
	}

	private void key(final int frame) {
		if (frame == anchor || frame - anchor >= keyStep && (frame - anchor) % keyStep == 0) keys.add(frame);
		while (keys.size() > keyFrames) {
			keyStep *= 2;
			keys.removeIf(k -> (k - anchor) % keyStep != 0);
		}
	}

	/** Whether a later frame can be measured against a frame. */
	boolean needs(final int frame) {
		return recent.contains(frame) || keys.contains(frame);
	}
}
