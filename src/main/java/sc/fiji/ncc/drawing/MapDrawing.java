package sc.fiji.ncc.drawing;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.Locale;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;

/**
 * A correlation map in colours, with a scale. The colours go from violet over green to yellow. Perceived lightness rises linearly from -1 to 1 (Oklab, B. Ottosson
 * 2020), so the picture is also readable in gray and for colour-blind readers.
 */
public final class MapDrawing {

	private static final int[] TABLE = table();

	private MapDrawing() {}

	private static int[] table() {
		final int[] rgb = new int[256];
		for (int i = 0; i < 256; i++) {
			final double t = i / 255.0, lightness = 0.2 + 0.75 * t, hue = Math.toRadians(300 - 195 * t);
			double chroma = 0.15;
			int colour = srgb(lightness, chroma, hue);
			// outside the colours of the screen: reduce the chroma, keep the lightness
			while (colour < 0) colour = srgb(lightness, chroma -= 0.002, hue);
			rgb[i] = colour;
		}
		return rgb;
	}

	/** A colour of Oklab as 0xRRGGBB; -1 if the screen cannot show it. */
	private static int srgb(final double lightness, final double chroma, final double hue) {
		final double a = chroma * Math.cos(hue), b = chroma * Math.sin(hue);
		final double l = Math.pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
		final double m = Math.pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
		final double s = Math.pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
		final double[] linear = { 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
			-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s };
		int rgb = 0;
		for (final double c : linear) {
			if (c < 0 || c > 1) return -1;
			rgb = rgb << 8 | (int) Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * Math.pow(c, 1 / 2.4) - 0.055));
		}
		return rgb;
	}

	/** The colour of a coefficient as 0xRRGGBB; black for NaN. */
	static int colour(final float r) {
		return Float.isNaN(r) ? 0 : TABLE[Math.max(0, Math.min(255, Math.round(127.5f * (r + 1))))];
	}

	/**
	 * Draws a map in the size of its image. Each response is drawn at the centre of its window. Pixels without a response are dark.
	 *
	 * @param map a map of two dimensions with extent <em>valid</em>
	 * @param width the width of the image, in pixels
	 * @param height the height of the image, in pixels
	 * @param times the magnification
	 */
	public static BufferedImage draw(final RandomAccessibleInterval<FloatType> map, final int width, final int height, final int times) {
		final BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		final int left = (int) (width - map.dimension(0) + 1) / 2, top = (int) (height - map.dimension(1) + 1) / 2;
		final RandomAccess<FloatType> at = map.randomAccess();
		for (int y = 0; y < map.dimension(1); y++)
			for (int x = 0; x < map.dimension(0); x++) picture.setRGB(left + x, top + y, colour(at.setPositionAndGet(x, y).get()));
		return Drawing.magnified(picture, times);
	}

	/** A bar with the colours of the coefficients from 1 at the top to -1, and their values. */
	public static BufferedImage scale(final int height) {
		final int bar = 28, margin = 16, digits = 12, width = margin + bar + 14 + (int) Math.ceil(Lettering.width("-0.5", digits)) + margin;
		final BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		final Graphics2D g = picture.createGraphics();
		try {
			final int span = height - 2 * margin;
			for (int y = 0; y < span; y++) {
				g.setColor(new Color(colour(1 - 2f * y / (span - 1))));
				g.fillRect(margin, margin + y, bar, 1);
			}
			for (int i = 0; i <= 4; i++) {
				final double value = 1 - i / 2.0;
				final int y = margin + Math.round(i / 4f * (span - 1));
				g.setColor(Color.WHITE);
				g.fillRect(margin + bar, y, 5, 1);
				Lettering.draw(g, String.format(Locale.ROOT, "%.1f", value), margin + bar + 14, y - digits / 2.0, digits, Color.WHITE);
			}
		}
		finally {
			g.dispose();
		}
		return picture;
	}
}
