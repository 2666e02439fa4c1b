package sc.fiji.ncc.cli;

import java.util.List;

import sc.fiji.ncc.Match;

/**
 * Matches as comma-separated values after RFC 4180. One row a match, frame by frame, the best of each first. {@code frame} counts the positions beyond the template's
 * dimensions from 0, in the file's order: channels first, then slices, then frames. {@code x,y,z} is the window's first pixel, from 0; a
 * template of two dimensions has z = 0.
 */
final class MatchTable {

	private static final String LINE = "\r\n";
	static final String HEAD = "image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z" + LINE;

	private MatchTable() {}

	/**
	 * The matches of one frame.
	 *
	 * @param frame of the image
	 */
	static String rows(final String image, final long frame, final List<Match> matches) {
		final StringBuilder rows = new StringBuilder();
		for (final Match m : matches) {
			rows.append(quoted(image)).append(',').append(frame).append(',').append(m.template());
			for (int d = 0; d < 3; d++) rows.append(',').append(d < m.position().length ? m.position()[d] : 0);
			rows.append(',').append(m.score());
			for (int d = 0; d < 3; d++) rows.append(',').append(d < m.subpixel().length ? m.subpixel()[d] : 0.0);
			rows.append(LINE);
		}
		return rows.toString();
	}

	private static String quoted(final String text) {
		return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
	}
}
