package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.awt.geom.Path2D;

/**
 * Draws digits and small letters as strokes. Machines without a screen often have no fonts, and then Java cannot draw text. The strokes also look
 * the same on every machine.
 */
public final class Lettering {

	private static final String CHARACTERS = "0123456789.-abcdefghijklmnopqrstuvwxyz,: ";
	/** The corners of each character's strokes as pairs of x (0 to 4) and y (0 at the top, 6 at the base line, 8 below). A semicolon separates strokes. */
	private static final String[] STROKES = { "10 30 41 45 36 16 05 01 10", "11 20 26;16 36", "01 10 30 41 42 06 46", "00 40 22 32 43 45 36 16 05",
		"36 30 04 44", "40 00 02 32 43 45 36 16 05", "41 30 10 01 05 16 36 45 44 33 13 04", "00 40 16",
		"13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33", "05 16 36 45 41 30 10 01 02 13 33 42", "06 06", "03 33",
		"43 32 12 03 05 16 36 45;42 46", "00 06;03 12 32 43 45 36 16 05", "43 32 12 03 05 16 36 45", "40 46;43 32 12 03 05 16 36 45",
		"04 44 43 32 12 03 05 16 36 45", "30 20 11 16;02 32", "43 32 12 03 05 16 36 45;42 47 38 18 07", "00 06;03 12 32 43 46", "02 06;00 00",
		"22 27 18 08;20 20", "00 06;42 04;13 46", "00 06", "02 06;03 12 23 26;23 32 43 46", "02 06;03 12 32 43 46", "12 32 43 45 36 16 05 03 12",
		"02 08;03 12 32 43 45 36 16 05", "42 48;43 32 12 03 05 16 36 45", "02 06;04 22 32", "43 32 12 03 14 34 45 36 16 05", "10 15 26 36;02 32",
		"02 05 16 36 45;42 46", "02 26 42", "02 16 23 36 42", "02 46;42 06", "02 26;42 26 18 08", "02 42 06 46", "06 07", "03 03;06 06", "" };
	/** Characters that are narrower than the others. */
	private static final String THIN = ".,:il", SLIM = "fjrt ";
	/** The distance to the next character, in the unit of the strokes. */
	private static final double STEP = 6, NARROW = 2.5, SLIM_STEP = 4.5, HEIGHT = 6;

	private Lettering() {}

	/** The width of a text in pixels. */
	public static double width(final String text, final double height) {
		double w = 0;
		for (final char c : text.toCharArray()) w += step(c);
		return (w - 2) * height / HEIGHT;
	}

	private static double step(final char c) {
		return THIN.indexOf(c) >= 0 ? NARROW : SLIM.indexOf(c) >= 0 ? SLIM_STEP : STEP;
	}

	/**
	 * Draws a text.
	 *
	 * @param x the left edge of the first character, in pixels
	 * @param y the top, in pixels
	 * @param height the height of a digit, in pixels
	 * @throws IllegalArgumentException if the text contains other characters than digits, small letters, space and .,:-
	 */
	public static void draw(final Graphics2D on, final String text, final double x, final double y, final double height, final Color colour) {
		final double unit = height / HEIGHT;
		final Path2D pen = new Path2D.Double();
		double left = x;
		for (final char c : text.toCharArray()) {
			final int glyph = CHARACTERS.indexOf(c);
			if (glyph < 0) throw new IllegalArgumentException("cannot draw '" + c + "': use digits, small letters, space and .,:-");
			for (final String stroke : STROKES[glyph].split(";")) {
				if (stroke.isEmpty()) continue;
				boolean first = true;
				for (final String corner : stroke.split(" ")) {
					final double px = left + unit * (corner.charAt(0) - '0'), py = y + unit * (corner.charAt(1) - '0');
					if (first) pen.moveTo(px, py);
					else pen.lineTo(px, py);
					first = false;
				}
			}
			left += unit * step(c);
		}
		final Stroke before = on.getStroke();
		on.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
		on.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
		on.setStroke(new BasicStroke((float) Math.max(1, height / 7), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
		on.setColor(colour);
		on.draw(pen);
		on.setStroke(before);
	}
}
