package sc.fiji.ncc.planner;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A section of a text file: a header, lines, and a last line with a checksum of the lines before it.
 *
 * @param head the kind of the section, with all that must match
 * @param lines the content; no line begins like a checksum line
 * @param intact whether the checksum is correct
 */
record ChecksummedSection(String head, List<String> lines, boolean intact) {

	private static final String END = "end ";

	/** All sections of a file. A section that is truncated or was edited is not intact. */
	static List<ChecksummedSection> parse(final List<String> file) {
		final List<ChecksummedSection> sections = new ArrayList<>();
		for (int first = 0; first < file.size();) {
			int end = first;
			while (end < file.size() && !file.get(end).startsWith(END)) end++;
			final List<String> body = file.subList(first, end);
			final boolean intact = !body.isEmpty() && end < file.size() && file.get(end).equals(checksum(body));
			sections.add(new ChecksummedSection(file.get(first), body.isEmpty() ? body : body.subList(1, body.size()), intact));
			first = end + 1;
		}
		return sections;
	}

	/** Appends a section to the lines of a file. */
	static void append(final List<String> file, final String head, final List<String> lines) {
		final List<String> body = new ArrayList<>();
		body.add(head);
		body.addAll(lines);
		file.addAll(body);
		file.add(checksum(body));
	}

	private static String checksum(final List<String> lines) {
		final CRC32 crc = new CRC32();
		for (final String line : lines) crc.update((line + "\n").getBytes(StandardCharsets.UTF_8));
		return END + Long.toHexString(crc.getValue());
	}
}
