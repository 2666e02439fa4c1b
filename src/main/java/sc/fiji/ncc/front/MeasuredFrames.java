package sc.fiji.ncc.front;

import java.util.List;
import java.util.stream.LongStream;

/**
 * The frames on which the positions of tiles are measured, as text: the number of one frame from 1, {@code mean} or {@code each}. The same in all front ends.
 *
 * @param mean whether the mean of all frames counts
 * @param frames the frames, from 0: one, whose positions are those of all frames, or all, each with positions of its own
 */
public record MeasuredFrames(boolean mean, List<Long> frames) {

	private static final String MEAN = "mean", EACH = "each";

	/**
	 * @param name the option as it stands before the value, for messages
	 * @param count the number of frames of a tile
	 * @param tile the name of a tile, for messages
	 * @throws IllegalArgumentException if the text is none of these, or the tile has no such frame
	 */
	public static MeasuredFrames of(final String name, final String text, final long count, final String tile) {
		final String word = text.trim();
		if (word.equals(MEAN)) return new MeasuredFrames(count > 1, List.of(0L));
		if (word.equals(EACH)) return new MeasuredFrames(false, LongStream.range(0, count).boxed().toList());
		if (!word.matches("[1-9][0-9]{0,8}")) throw new IllegalArgumentException(name + text + ": give the number of a frame, counted from 1, " + MEAN
			+ ", or " + EACH);
		final long frame = Long.parseLong(word);
		if (frame > count) throw new IllegalArgumentException(name + text + ": " + tile + " has " + count + (count == 1 ? " frame" : " frames")
			+ "; give a number from 1 to "
			+ count + ", " + MEAN + ", or " + EACH);
		return new MeasuredFrames(false, List.of(frame - 1));
	}

	/** Whether each frame has positions of its own. */
	public boolean isEach() {
		return frames.size() > 1;
	}
}
