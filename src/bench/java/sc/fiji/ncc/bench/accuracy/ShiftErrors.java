package sc.fiji.ncc.bench.accuracy;

import java.util.Locale;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.Registration;
import sc.fiji.ncc.fixture.DriftTexture;
import sc.fiji.ncc.result.Alignment;

/**
 * The covariance of the shift between two images beside the error: pairs of images of a texture with photon noise. The ellipse of 68 % should hold the true shift in 68 % of
 * the pairs.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.accuracy.ShiftErrors -Dexec.args="1.5 cpu"
 * </pre>
 */
public final class ShiftErrors {

	private static final int SIDE = 128, PAIRS = 300;
	private static final double CONTRAST = 0.3;

	private final DriftTexture texture;
	private final String backend;
	private final Random random = new Random(14);

	private ShiftErrors(final double sigma, final String backend) {
		texture = new DriftTexture(230, 220, sigma, 4);
		this.backend = backend;
	}

	/** @param arguments the Gaussian of the texture in pixels, and the backend */
	public static void main(final String[] arguments) {
		final ShiftErrors errors = new ShiftErrors(arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1.5, arguments.length > 1 ? arguments[1] : "cpu");
		for (final double photons : new double[] { 10, 20, 50, 200, 1000 }) errors.measure(photons);
	}

	private RandomAccessibleInterval<?> image(final int x, final int y, final double photons) {
		return ArrayImgs.unsignedShorts(DriftTexture.photons(texture.frame(x, y, SIDE, SIDE), photons, CONTRAST, random), SIDE, SIDE);
	}

	private void measure(final double photons) {
		final double[] squares = new double[2], variances = new double[2];
		int inside = 0;
		for (int i = 0; i < PAIRS; i++) {
			final int dx = random.nextInt(64) - 32, dy = random.nextInt(64) - 32, x = 256 + random.nextInt(300), y = 256 + random.nextInt(250);
			final Alignment found = Registration.of(image(x, y, photons)).backend(backend).register(image(x - dx, y - dy, photons));
			final double[] error = { found.shift()[0] - dx / (double) DriftTexture.FINE, found.shift()[1] - dy / (double) DriftTexture.FINE };
			final double[][] c = found.covariance();
			for (int d = 0; d < 2; d++) {
				squares[d] += error[d] * error[d];
				variances[d] += c[d][d];
			}
			final double distance = (c[1][1] * error[0] * error[0] - 2 * c[0][1] * error[0] * error[1] + c[0][0] * error[1] * error[1]) / (c[0][0] * c[1][1] - c[0][1] * c[0][1]);
			// the quantile of χ² with two degrees of freedom
			if (distance < -2 * Math.log(0.32)) inside++;
		}
		System.out.printf(Locale.ROOT, "%4.0f photons: standard deviation over error %.2f, along x %.2f, along y %.2f; in the ellipse of 68 %%: %.0f %%; RMS error %.4f pixels%n", photons,
			Math.sqrt((variances[0] + variances[1]) / (squares[0] + squares[1])), Math.sqrt(variances[0] / squares[0]), Math.sqrt(variances[1] / squares[1]), 100.0 * inside / PAIRS,
			Math.sqrt((squares[0] + squares[1]) / (2 * PAIRS)));
	}
}
