package sc.fiji.ncc.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A part of a text file: a head, lines, and a last line with a checksum over all before it.
 *
 * @param head what it is, with whatever must agree
 * @param lines none of which begins as a last line does
 * @param whole whether the checksum agrees
 */
record Section(String head, List<String> lines, boolean whole) {

	private static final String END = "end ";

	/** All parts of a file; one that is torn or was edited is not whole. */
	static List<Section> parse(final List<String> file) {
		final List<Section> sections = new ArrayList<>();
		for (int first = 0; first < file.size();) {
			int end = first;
			while (end < file.size() && !file.get(end).startsWith(END)) end++;
			final List<String> body = file.subList(first, end);
			final boolean whole = !body.isEmpty() && end < file.size() && file.get(end).equals(checksum(body));
			sections.add(new Section(file.get(first), body.isEmpty() ? body : body.subList(1, body.size()), whole));
			first = end + 1;
		}
		return sections;
	}

	/** Appends a part to a file. */
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
