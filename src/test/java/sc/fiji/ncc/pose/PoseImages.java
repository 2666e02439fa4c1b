package sc.fiji.ncc.pose;

import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.result.Pose;

/** Images with objects at known poses. An object is a smooth function, so its rotated image needs no interpolation. */
public final class PoseImages {

	private PoseImages() {}

	/** A sum of random waves and blobs about (0, 0), without symmetry, that varies over {@code radius} pixels. */
	public static DoubleBinaryOperator object(final long seed, final double radius) {
		final SplittableRandom random = new SplittableRandom(seed);
		final int n = 14;
		final double[][] blob = new double[n][4];
		for (final double[] b : blob) {
			b[0] = (random.nextDouble() * 2 - 1) * radius * 0.8;
			b[1] = (random.nextDouble() * 2 - 1) * radius * 0.8;
			b[2] = radius * (0.12 + 0.15 * random.nextDouble());
			b[2] = Math.max(1.3, b[2]);
			b[3] = random.nextDouble() * 2 - 1;
		}
		return (x, y) -> {
			double v = 0;
			for (final double[] b : blob) {
				final double dx = (x - b[0]) / b[2], dy = (y - b[1]) / b[2];
				v += b[3] * Math.exp(-0.5 * (dx * dx + dy * dy));
			}
			return v;
		};
	}

	/** An object as a template. */
	public static RandomAccessibleInterval<FloatType> template(final DoubleBinaryOperator object, final int width, final int height) {
		final float[] v = new float[width * height];
		for (int i = 0; i < v.length; i++) v[i] = (float) object.applyAsDouble(i % width - (width - 1) / 2.0, i / width - (height - 1) / 2.0);
		return ArrayImgs.floats(v, width, height);
	}

	/** Noise of a standard deviation. */
	public static ArrayImg<FloatType, ?> noise(final long seed, final int width, final int height, final double sigma) {
		final SplittableRandom random = new SplittableRandom(seed);
		final float[] v = new float[width * height];
		for (int i = 0; i < v.length; i++) v[i] = (float) (sigma * random.nextGaussian());
		return ArrayImgs.floats(v, width, height);
	}

	/** Adds an object about a centre, within a radius. */
	public static void add(final RandomAccessibleInterval<FloatType> image, final DoubleBinaryOperator object, final double cx, final double cy, final double radius, final Pose pose) {
		final double[][] m = pose.toTemplate();
		final var at = image.randomAccess();
		for (long y = (long) Math.max(0, cy - radius); y <= Math.min(image.dimension(1) - 1, cy + radius); y++)
			for (long x = (long) Math.max(0, cx - radius); x <= Math.min(image.dimension(0) - 1, cx + radius); x++) {
				final double u = x - cx, v = y - cy;
				if (u * u + v * v > radius * radius) continue;
				final FloatType p = at.setPositionAndGet(x, y);
				p.setReal(p.getRealDouble() + object.applyAsDouble(m[0][0] * u + m[0][1] * v, m[1][0] * u + m[1][1] * v));
			}
	}
}
