package sc.fiji.ncc.front;

import java.util.ArrayList;
import java.util.List;

/** The channels on which a shift is measured, as text: {@code joint}, or numbers from 1 with commas between them. The same in all front ends. */
public final class MeasuredChannels {

	private MeasuredChannels() {}

	/**
	 * @param name the option as it stands before the value, for messages
	 * @return the channels, from 0; empty for all
	 * @throws IllegalArgumentException if the text is neither joint nor numbers from 1
	 */
	public static List<Long> of(final String name, final String text) {
		if (text.trim().equals("joint")) return List.of();
		final List<Long> channels = new ArrayList<>();
		for (final String word : text.split(",", -1)) {
			if (!word.trim().matches("[1-9][0-9]{0,8}")) throw new IllegalArgumentException(name + text
				+ ": give the number of a channel, counted from 1, several with commas between them, or joint for all");
			channels.add(Long.parseLong(word.trim()) - 1);
		}
		return channels;
	}

	/**
	 * Refuses channels that an image lacks.
	 *
	 * @param channels the channels, from 0
	 * @param count the number of the image's channels
	 * @param image the image, for messages
	 */
	public static void require(final String name, final List<Long> channels, final long count, final String image) {
		for (final long c : channels) if (c >= count) throw new IllegalArgumentException(name + (c + 1) + ": " + image + " has " + count
			+ (count == 1 ? " channel" : " channels")
			+ "; give numbers from 1 to " + count + ", or joint for all");
	}
}
