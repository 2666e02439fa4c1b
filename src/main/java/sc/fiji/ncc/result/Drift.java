package sc.fiji.ncc.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The shifts of all frames of a sequence against a reference, and their deformations if they were measured.
 *
 * @param frameSize the extents of a frame in pixels, one number per spatial dimension
 * @param reference what the frames were measured against: {@code first}, {@code previous}, {@code mean}, {@code multi}, or the number of a frame, from 1
 * @param frames one for each frame, in order
 * @param deformation how each frame is deformed besides its shift; null if frames are shifted only
 */
public record Drift(long[] frameSize, String reference, List<FrameShift> frames, Deformation deformation) {

	/** The most runs of frames that a message names. */
	private static final int NAMED = 10;

	public Drift {
		Given.nonNull(frameSize, "size of a frame");
		Given.nonNull(reference, "reference");
		Given.nonNull(frames, "list of frames");
		frameSize = frameSize.clone();
		frames = List.copyOf(frames);
		for (int i = 0; i < frames.size(); i++) {
			if (frames.get(i).frame() != i) throw new IllegalArgumentException("frame " + (i + 1) + " of the drift has the number "
				+ (frames.get(i).frame() + 1) + ": list all frames in order");
			if (frames.get(i).shift().length != frameSize.length) throw new IllegalArgumentException("the shift of frame " + (i + 1) + " has "
				+ frames.get(i).shift().length
				+ " numbers, and frames have " + frameSize.length + " dimensions");
		}
		if (deformation != null && (deformation.frames().size() != frames.size() || deformation.count().length != frameSize.length))
			throw new IllegalArgumentException("the " + deformation + " is not for " + frames.size() + " frames of " + frameSize.length + " dimensions");
	}

	/** Frames that are shifted only. */
	public Drift(final long[] frameSize, final String reference, final List<FrameShift> frames) {
		this(frameSize, reference, frames, null);
	}

	public int dimensions() {
		return frameSize.length;
	}

	/** The shifts, in pixels: the first index is the frame. */
	public double[][] shifts() {
		return frames.stream().map(f -> f.shift().clone()).toArray(double[][]::new);
	}

	/** The frames to check: those whose state is not {@link FrameShift.State#OK}. */
	public List<FrameShift> toCheck() {
		return frames.stream().filter(f -> f.state() != FrameShift.State.OK).toList();
	}

	/**
	 * The frames to check, for messages: {@code frames to check in drift.tif: 3 (flat), 17 to 19 (lost)}. Empty if there is none.
	 *
	 * @param where what is between, such as {@code " in drift.tif"}; can be empty
	 */
	public String checkText(final String where) {
		Given.nonNull(where, "place");
		final int n = toCheck().size();
		return n == 0 ? "" : (n == 1 ? "frame" : "frames") + " to check" + where + ": " + exceptions();
	}

	/**
	 * The numbers of the frames to check, from 1: {@code 3 (flat), 17 to 19 (lost)}. Empty if there is none. After ten runs of frames, the others
	 * are counted.
	 */
	public String exceptions() {
		final List<String> runs = new ArrayList<>();
		int more = 0;
		for (int first = 0, next = 0; first < frames.size(); first = next) {
			final FrameShift.State state = frames.get(first).state();
			while (next < frames.size() && frames.get(next).state() == state) next++;
			if (state != FrameShift.State.OK && runs.size() == NAMED) more += next - first;
			else if (state != FrameShift.State.OK)
				runs.add(frames.get(first).frame() + 1 + (next - first == 1 ? "" : " to " + (frames.get(next - 1).frame() + 1)) + " ("
					+ state.toString().toLowerCase(Locale.ROOT) + ")");
		}
		return String.join(", ", runs) + (more == 0 ? "" : " and " + more + " more");
	}

	/**
	 * The number of frames whose shift is doubtful, as in noise and in periodic patterns: the best peak of each pair can be one of noise, or the shifts that were
	 * measured for the frame differ from its shift by more than 2 pixels, root mean square.
	 */
	public long doubtful() {
		return frames.stream().filter(f -> f.state() == FrameShift.State.DOUBTFUL).count();
	}

	/** The deformation of a frame; null if it is shifted only. */
	public GridSpline deformation(final int frame) {
		return deformation == null ? null : deformation.spline(frame);
	}

	/** Such as {@code largest shift 3.20, 1.05 and deformation 7.90, 6.12 pixels}, for messages. */
	public String largestText() {
		return "largest shift " + lengths(this::largest) + (deformation == null ? "" : " and deformation " + lengths(deformation::largest))
			+ " pixels";
	}

	private String lengths(final IntToDoubleFunction length) {
		return IntStream.range(0, dimensions()).mapToObj(d -> String.format(Locale.ROOT, "%.2f", length.applyAsDouble(d)))
			.collect(Collectors.joining(", "));
	}

	/** The largest shift along a dimension, in pixels. */
	public double largest(final int d) {
		return frames.stream().mapToDouble(f -> Math.abs(f.shift()[d])).max().orElse(0);
	}

	/**
	 * Checks that this drift belongs to a stack.
	 *
	 * @param size the extents of a frame
	 * @param count the number of frames
	 * @throws IllegalArgumentException if it does not fit
	 */
	public void requireFor(final long[] size, final long count) {
		Given.nonNull(size, "size");
		if (frames.size() != count) throw new IllegalArgumentException("the transforms are for " + frames.size() + " frames, the stack has " + count
			+ ": use the transforms of a stack with as many frames");
		if (!Arrays.equals(size, frameSize)) throw new IllegalArgumentException("the transforms are for frames of " + text(frameSize) + " pixels, the stack has frames of "
			+ text(size) + ": use the transforms of a stack of the same size");
	}

	private static String text(final long[] size) {
		return Arrays.stream(size).mapToObj(Long::toString).collect(Collectors.joining("x"));
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Components.text(this);
	}
}
