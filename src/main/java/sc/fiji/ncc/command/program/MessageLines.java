package sc.fiji.ncc.command.program;

/** Line breaks for messages in windows, because a message window is as wide as its longest line. */
public final class MessageLines {

	/** Maximum number of characters on a line. */
	private static final int WIDTH = 80;

	private MessageLines() {}

	/** @return the message with line breaks in place of some blanks */
	public static String of(final String message) {
		final StringBuilder lines = new StringBuilder();
		int length = 0;
		for (final String word : message.split("[ \n]")) {
			final boolean next = length > 0 && length + 1 + word.length() > WIDTH;
			if (lines.length() > 0) lines.append(next ? '\n' : ' ');
			length = next ? word.length() : length + (length > 0 ? 1 : 0) + word.length();
			lines.append(word);
		}
		return lines.toString();
	}
}
