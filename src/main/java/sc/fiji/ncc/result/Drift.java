package sc.fiji.ncc.result;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The shifts of all frames of a sequence against a reference.
 *
 * @param frameSize the extents of a frame in pixels, one number per spatial dimension
 * @param reference what the frames were measured against: {@code first}, {@code previous}, {@code mean}, {@code multi}, or the number of a frame
 * @param frames one for each frame, in order
 */
public record Drift(long[] frameSize, String reference, List<FrameShift> frames) {

	public Drift {
		frameSize = frameSize.clone();
		frames = List.copyOf(frames);
		for (int i = 0; i < frames.size(); i++) {
			if (frames.get(i).frame() != i) throw new IllegalArgumentException("frame " + i + " of the drift has the number " + frames.get(i).frame() + ": list all frames in order");
			if (frames.get(i).shift().length != frameSize.length) throw new IllegalArgumentException("the shift of frame " + i + " has " + frames.get(i).shift().length
				+ " numbers, and frames have " + frameSize.length + " dimensions");
		}
	}

	public int dimensions() {
		return frameSize.length;
	}

	/** The shifts, in pixels: the first index is the frame. */
	public double[][] shifts() {
		return frames.stream().map(f -> f.shift().clone()).toArray(double[][]::new);
	}

	/** The numbers of the frames that are not OK, for messages: {@code 3 (flat), 17 (outlier)}. Empty if all are. */
	public String exceptions() {
		return frames.stream().filter(f -> f.state() != FrameShift.State.OK).map(f -> f.frame() + " (" + f.state().toString().toLowerCase(Locale.ROOT) + ")")
			.collect(Collectors.joining(", "));
	}

	/**
	 * The number of measured frames whose shift is doubtful, as in noise and in periodic patterns: the second highest peak has at least 0.9 of the score, or the shifts that were
	 * measured for the frame differ from its shift by more than 2 pixels, root mean square. Frames that are outliers do not count.
	 */
	public long doubtful() {
		return frames.stream().filter(f -> f.state() == FrameShift.State.OK && (f.runnerUp() >= 0.9 * f.score() || f.residual() > 2)).count();
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
		if (frames.size() != count) throw new IllegalArgumentException("the transforms are for " + frames.size() + " frames, the stack has " + count
			+ ": use the transforms of a stack with as many frames");
		if (!Arrays.equals(size, frameSize)) throw new IllegalArgumentException("the transforms are for frames of " + text(frameSize) + " pixels, the stack has frames of "
			+ text(size) + ": use the transforms of a stack of the same size");
	}

	private static String text(final long[] size) {
		return Arrays.stream(size).mapToObj(Long::toString).collect(Collectors.joining("x"));
	}
}
