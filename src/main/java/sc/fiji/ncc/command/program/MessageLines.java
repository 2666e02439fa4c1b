package sc.fiji.ncc.command.program;

/** Messages for windows, which are as wide as their longest line. */
public final class MessageLines {

	/** Characters on a line. */
	private static final int WIDTH = 80;

	private MessageLines() {}

	/** The message with line ends in place of some blanks; one that has them already stays as it is. */
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
