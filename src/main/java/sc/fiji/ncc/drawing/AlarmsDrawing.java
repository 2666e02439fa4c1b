package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * A picture of the observed number of local maxima over the expected number of false alarms, at all thresholds. Both axes are logarithmic. The gray line is that of
 * equal numbers: background alone follows it.
 */
public final class AlarmsDrawing {

	/** Sizes in pixels: the plot, its surroundings, letters, marks on the axes. */
	private static final int SIDE = 480, LEFT = 96, TOP = 24, BOTTOM = 64, MARGIN = 24, LETTERS = 12, MARK = 6;
	/** The least expected number that is drawn. */
	private static final double LEAST = 0.01;
	private static final Color GRID = new Color(0xe4e4e4), EQUAL = new Color(0x808080), OBSERVED = new Color(0x0072b2);

	private final double[] expected, observed;
	/** The powers of ten at the ends of both axes. */
	private final int low = (int) Math.round(Math.log10(LEAST)), high;

	/**
	 * @param expected the expected numbers of false alarms, one for each threshold
	 * @param observed the observed numbers of local maxima
	 */
	public AlarmsDrawing(final double[] expected, final double[] observed) {
		this.expected = expected.clone();
		this.observed = observed.clone();
		final double most = Math.max(Arrays.stream(expected).max().orElse(1), Arrays.stream(observed).max().orElse(1));
		high = (int) Math.max(1, Math.ceil(Math.log10(Math.max(1, most))));
	}

	private double place(final double value) {
		return SIDE * (Math.log10(Math.max(value, LEAST)) - low) / (high - low);
	}

	/** Draws the picture. */
	public BufferedImage draw() {
		final BufferedImage picture = new BufferedImage(LEFT + SIDE + MARGIN, TOP + SIDE + BOTTOM, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = picture.createGraphics();
		try {
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, picture.getWidth(), picture.getHeight());
			g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
			for (int power = low; power <= high; power++) axes(g, power);
			g.setColor(EQUAL);
			g.drawLine(LEFT, TOP + SIDE, LEFT + SIDE, TOP);
			g.setColor(OBSERVED);
			g.setStroke(new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
			final Path2D line = new Path2D.Double();
			for (int i = 0; i < expected.length; i++) {
				if (expected[i] < LEAST && i > 0 && expected[i - 1] < LEAST) break;
				final double x = LEFT + place(expected[i]), y = TOP + SIDE - place(observed[i]);
				if (i == 0) line.moveTo(x, y);
				else line.lineTo(x, y);
			}
			g.draw(line);
			g.setColor(Color.BLACK);
			g.setStroke(new BasicStroke(1));
			g.drawRect(LEFT, TOP, SIDE, SIDE);
			final String across = "expected false alarms", up = "observed local maxima";
			Lettering.draw(g, across, LEFT + (SIDE - Lettering.width(across, LETTERS)) / 2, TOP + SIDE + BOTTOM - LETTERS - 10.0, LETTERS, Color.BLACK);
			final AffineTransform upright = g.getTransform();
			g.rotate(-Math.PI / 2);
			Lettering.draw(g, up, -(TOP + (SIDE + Lettering.width(up, LETTERS)) / 2), MARGIN - 8.0, LETTERS, Color.BLACK);
			g.setTransform(upright);
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	private void axes(final Graphics2D g, final int power) {
		final String text = BigDecimal.ONE.scaleByPowerOfTen(power).toPlainString();
		final double place = place(Math.pow(10, power));
		final int x = (int) Math.round(LEFT + place), y = (int) Math.round(TOP + SIDE - place);
		g.setColor(GRID);
		g.fillRect(LEFT, y, SIDE, 1);
		g.fillRect(x, TOP, 1, SIDE);
		Lettering.draw(g, text, LEFT - MARK - 6 - Lettering.width(text, LETTERS), y - LETTERS / 2.0, LETTERS, Color.BLACK);
		Lettering.draw(g, text, x - Lettering.width(text, LETTERS) / 2, TOP + SIDE + MARK + 6.0, LETTERS, Color.BLACK);
	}
}
