package sc.fiji.ncc.drawing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.VectorField;

/**
 * A picture of a motion field: an arrow at the centre of each window, coloured by its speed, over the frame. Vectors that are not valid are
 * grey. The arrows are as much longer than the motion as the legend says. Without a motion to show, they are dots. Of volumes it shows x and y in the middle
 * plane of windows.
 */
public final class FieldDrawing {

	/** The shortest side of a frame in the picture, the height of the legend, letters, the width of the scale of colours. */
	private static final int SIDE = 640, LEGEND = 40, LETTERS = 12, SCALE = 160;
	private static final Color INVALID = new Color(0xb0b0b0);
	/** The length of a fast arrow as a share of the distance of the windows, and the share of arrows that are not faster. */
	private static final double LENGTH = 1.2, FAST = 0.95;
	/** The hue of slow arrows: a blue that is bright enough to be seen on black. Smaller hues down to red are faster. */
	private static final double SLOW = 0.55;
	/** Speeds below this number of pixels count as 0. */
	private static final double STILL = 0.005;
	private static final double[] FACTORS = { 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000 };

	private FieldDrawing() {}

	/** @param still the frame with the windows, of which the middle plane is shown */
	public static BufferedImage draw(final VectorField field, final RandomAccessibleInterval<?> still) {
		final BufferedImage frame = Drawing.picture(field.grid().dimensions() == 2 ? still
			: JointImage.view(still, s -> Views.hyperSlice(s, 2, s.min(2) + s.dimension(2) / 2)));
		final int times = (int) Math.max(1, Math.ceil(SIDE / (double) Math.min(frame.getWidth(), frame.getHeight())));
		final BufferedImage large = Drawing.magnified(frame, times);
		final BufferedImage picture = new BufferedImage(large.getWidth(), large.getHeight() + LEGEND, BufferedImage.TYPE_INT_RGB);
		final List<MotionVector> vectors = shown(field);
		final Scale scale = scale(field);
		final double factor = scale.factor;
		final Graphics2D g = picture.createGraphics();
		try {
			g.setColor(Color.WHITE);
			g.fillRect(0, 0, picture.getWidth(), picture.getHeight());
			g.drawImage(large, 0, 0, null);
			g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
			g.setStroke(new BasicStroke(Math.max(1.2f, times / 2f), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
			for (final MotionVector v : vectors) {
				if (Double.isNaN(v.motion()[0])) continue;
				g.setColor(v.isValid() ? colour(factor == 0 ? 0 : speed(v) / scale.fast) : INVALID);
				g.draw(arrow(times * (v.centre()[0] + 0.5), times * (v.centre()[1] + 0.5), times * factor * v.motion()[0], times * factor * v.motion()[1]));
			}
			legend(g, picture.getWidth(), large.getHeight(), scale);
		}
		finally {
			g.dispose();
		}
		return picture;
	}

	/** The vectors of the plane in the middle. */
	private static List<MotionVector> shown(final VectorField field) {
		final int[] count = field.grid().count();
		final int plane = count[0] * count[1], middle = count.length > 2 ? count[2] / 2 : 0;
		return field.vectors().subList(middle * plane, (middle + 1) * plane);
	}

	/** The length that the picture shows. */
	private static double speed(final MotionVector v) {
		return Math.hypot(v.motion()[0], v.motion()[1]);
	}

	/**
	 * What colours and lengths mean.
	 *
	 * @param fast the speed at the end of the colours
	 * @param factor by which arrows are longer than the motion; 0 if there is no motion to show
	 * @param legend the words beside the colours, or in place of them
	 */
	record Scale(double fast, double factor, String legend) {}

	static Scale scale(final VectorField field) {
		final double[] speeds = shown(field).stream().filter(MotionVector::isValid).mapToDouble(FieldDrawing::speed).sorted().toArray();
		if (speeds.length == 0) return new Scale(0, 0, "no vector is valid");
		final double most = speeds[speeds.length - 1], almost = speeds[(int) (FAST * (speeds.length - 1))], fast = almost < STILL ? most : almost;
		if (most < STILL) return new Scale(0, 0, "all valid vectors are below " + STILL + " pixels, grey: not valid");
		final double factor = factor(LENGTH * Math.min(field.grid().spacing().get(0), field.grid().spacing().get(1)) / fast);
		return new Scale(fast, factor, ShownNumber.text(fast, 2) + (fast < most ? " pixels and more" : " pixels") + ", arrows " + ShownNumber.text(factor, 2)
			+ " times as long, grey: not valid");
	}

	/** The largest round factor that is not larger. */
	private static double factor(final double most) {
		return Arrays.stream(FACTORS).filter(f -> f <= most).max().orElse(most);
	}

	private static Color colour(final double share) {
		return Color.getHSBColor((float) (SLOW * (1 - Math.min(1, share))), 1, 1);
	}

	/** An arrow whose middle is at the centre of the window. */
	private static Path2D arrow(final double x, final double y, final double u, final double v) {
		final double length = Math.hypot(u, v), head = Math.min(0.35 * length, 9), angle = Math.atan2(v, u), endX = x + u / 2, endY = y + v / 2;
		final Path2D path = new Path2D.Double();
		path.moveTo(x - u / 2, y - v / 2);
		path.lineTo(endX, endY);
		for (final double side : new double[] { -0.5, 0.5 }) {
			path.moveTo(endX, endY);
			path.lineTo(endX - head * Math.cos(angle + side), endY - head * Math.sin(angle + side));
		}
		return path;
	}

	/** The words are small enough for the picture. */
	private static void legend(final Graphics2D g, final int width, final int top, final Scale scale) {
		final int margin = 14, left = scale.factor > 0 ? 40 + SCALE : margin;
		final double letters = Math.min(LETTERS, LETTERS * (width - left - margin) / Lettering.width(scale.legend, LETTERS));
		Lettering.draw(g, scale.legend, left, top + (LEGEND - letters) / 2, letters, Color.BLACK);
		if (scale.factor == 0) return;
		for (int x = 0; x < SCALE; x++) {
			g.setColor(colour(x / (SCALE - 1.0)));
			g.fillRect(30 + x, top + 12, 1, LEGEND - 24);
		}
		Lettering.draw(g, "0", margin, top + (LEGEND - LETTERS) / 2.0, LETTERS, Color.BLACK);
	}
}
