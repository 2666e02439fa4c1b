package sc.fiji.ncc.drawing;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The sample image for rotated templates: coins of the sample image of 24 coins, in known poses on a textured ground. The first coin of {@link #COINS} is not
 * rotated and can be cut out as a template.
 */
public final class RotatedCoins {

	/**
	 * A coin of this image.
	 *
	 * @param column the coin's column in the sample of 24 coins; the first is the coin to find, the others are different coins
	 * @param x the centre, counted from 0
	 * @param y the centre
	 * @param angle degrees, counter-clockwise as seen on the screen
	 * @param scale the size in this image divided by the size in the sample of 24 coins
	 */
	public record Coin(int column, double x, double y, double angle, double scale) {}

	/** All coins; those of column 0 are the same coin. */
	public static final List<Coin> COINS = List.of(new Coin(0, 57.5, 57.5, 0, 1), new Coin(0, 160.25, 70.5, 33, 1), new Coin(0, 262.75, 66, 90, 0.85),
		new Coin(0, 372, 74.5, 147.5, 1.15), new Coin(0, 70.5, 180.25, 201, 0.95), new Coin(0, 300.5, 190.75, 254, 1.1), new Coin(0, 410, 200.5, 310.25, 0.9),
		new Coin(1, 180.5, 182, 70, 1), new Coin(2, 80, 290.5, 15, 1.05), new Coin(1, 200.25, 288, 160, 0.9), new Coin(2, 330.5, 296, 280, 1));

	private static final int WIDTH = 480, HEIGHT = 350, OVERSAMPLING = 4, GROUND = 90;
	/** The centres in the sample image of the three coins. */
	private static final double[][] CENTRES = { { 301.5, 262.5 }, { 345.5, 200 }, { 247, 263 } };
	private static final double RADIUS = 26;

	private RotatedCoins() {}

	/** @param sample the sample image with 24 coins */
	public static BufferedImage draw(final BufferedImage sample) {
		final Raster from = sample.getRaster();
		final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_BYTE_GRAY);
		final WritableRaster to = image.getRaster();
		final SplittableRandom random = new SplittableRandom(24);
		final double[][] waves = new double[12][4];
		for (final double[] w : waves)
			for (int i = 0; i < 4; i++) w[i] = random.nextDouble();
		for (int y = 0; y < HEIGHT; y++)
			for (int x = 0; x < WIDTH; x++) {
				double v = GROUND;
				for (final double[] w : waves) v += 5 * Math.sin((w[0] - 0.5) * x + (w[1] - 0.5) * y + 6.3 * w[2]);
				for (final Coin c : COINS) v = blended(v, c, x, y, from);
				to.setSample(x, y, 0, (int) Math.max(0, Math.min(255, Math.rint(v + 3 * (random.nextDouble() + random.nextDouble() - 1)))));
			}
		return image;
	}

	/** The mean over the parts of a pixel, of the ground or the coin. */
	private static double blended(final double ground, final Coin c, final int x, final int y, final Raster from) {
		final double radius = RADIUS * c.scale() + 1;
		if (Math.abs(x - c.x()) > radius || Math.abs(y - c.y()) > radius) return ground;
		final double cos = Math.cos(Math.toRadians(c.angle())), sin = Math.sin(Math.toRadians(c.angle()));
		double sum = 0;
		for (int i = 0; i < OVERSAMPLING * OVERSAMPLING; i++) {
			final double u = (x - c.x() + (i % OVERSAMPLING + 0.5) / OVERSAMPLING - 0.5) / c.scale(),
				v = (y - c.y() + (i / OVERSAMPLING + 0.5) / OVERSAMPLING - 0.5) / c.scale();
			sum += u * u + v * v > RADIUS * RADIUS ? ground : linear(from, CENTRES[c.column()][0] + cos * u - sin * v, CENTRES[c.column()][1] + sin * u + cos * v);
		}
		return sum / (OVERSAMPLING * OVERSAMPLING);
	}

	private static double linear(final Raster from, final double x, final double y) {
		final int x0 = (int) Math.floor(x), y0 = (int) Math.floor(y);
		final double fx = x - x0, fy = y - y0;
		return (1 - fy) * ((1 - fx) * from.getSample(x0, y0, 0) + fx * from.getSample(x0 + 1, y0, 0))
			+ fy * ((1 - fx) * from.getSample(x0, y0 + 1, 0) + fx * from.getSample(x0 + 1, y0 + 1, 0));
	}
}
