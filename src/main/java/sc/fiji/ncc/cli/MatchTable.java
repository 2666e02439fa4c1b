package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

import sc.fiji.ncc.Match;

/**
 * Matches as comma-separated values after RFC 4180. One row a match, best first. {@code frame} counts the positions beyond the template's
 * dimensions from 0, in the file's order: channels first, then slices, then frames. {@code x,y,z} is the window's first pixel, from 0; a
 * template of two dimensions has z = 0.
 */
final class MatchTable {

	private static final String HEAD = "image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z";
	private static final String LINE = "\r\n";

	private MatchTable() {}

	/** @param frames the image's extents beyond the template's dimensions */
	static void write(final String image, final List<Match> matches, final long[] frames, final Writer to) throws IOException {
		to.write(HEAD + LINE);
		for (final Match m : matches) {
			final StringBuilder row = new StringBuilder(quoted(image)).append(',').append(frame(m, frames)).append(',').append(m.template());
			for (int d = 0; d < 3; d++) row.append(',').append(d < m.position().length ? m.position()[d] : 0);
			row.append(',').append(m.score());
			for (int d = 0; d < 3; d++) row.append(',').append(d < m.subpixel().length ? m.subpixel()[d] : 0.0);
			to.write(row.append(LINE).toString());
		}
	}

	/** The position beyond the template's dimensions as one number, the lowest dimension counted first. */
	static long frame(final Match match, final long[] frames) {
		long index = 0;
		for (int d = frames.length - 1; d >= 0; d--) index = index * frames[d] + match.frame()[d];
		return index;
	}

	private static String quoted(final String text) {
		return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
	}
}
