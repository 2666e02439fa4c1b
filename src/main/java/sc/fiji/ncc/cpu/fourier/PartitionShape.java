package sc.fiji.ncc.cpu.fourier;

import java.util.Optional;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/**
 * The partitions of a template for {@link sc.fiji.ncc.cpu.ncc.CpuFourierPartitioned}. A block of a transform holds a partition at all lags. Smaller
 * partitions make the one inverse transform smaller, and need more forward transforms and products.
 */
public final class PartitionShape {

	/** The maximum number of lags along x and y, and of points of a block: a block stays in the second-level cache. */
	static final int MAX_LAGS = 256;
	private static final int MAX_POINTS = 3 << 15;
	/**
	 * The cost in seconds of one transform for each point and level, of the product of a partition and a template for each point, and of reading and
	 * estimates for each point. Measured as in {@link sc.fiji.ncc.cpu.ncc.CpuCost}.
	 */
	private static final double POINT_LEVEL = Vectors.USED ? 0.0675e-9 : 0.15e-9, PRODUCT = Vectors.USED ? 0.525e-9 : 0.75e-9,
		POINT = Vectors.USED ? 0.75e-9 : 1.5e-9;

	/** The extents of a block and of a partition, and the number of partitions. */
	public final int width, height, partitionWidth, partitionHeight, partitionsX, partitionsY;

	private PartitionShape(final Size template, final Size lags, final int width, final int height) {
		this.width = width;
		this.height = height;
		partitionWidth = (int) (width - lags.get(0) + 1);
		partitionHeight = (int) (height - lags.get(1) + 1);
		partitionsX = (int) ((template.get(0) + partitionWidth - 1) / partitionWidth);
		partitionsY = (int) ((template.get(1) + partitionHeight - 1) / partitionHeight);
	}

	/** The reason why partitions do not support a problem. Empty if they support it. */
	public static Optional<String> unsuited(final Sliding p) {
		if (p.lags().masked()) return Optional.of("partitions support images without missing pixels only: use cpu-fourier");
		final Size lags = p.lags().count();
		if (p.size().dimensions() != 2) return Optional.of("partitions need 2 dimensions, not " + p.size().dimensions());
		if (lags.get(0) > MAX_LAGS || lags.get(1) > MAX_LAGS)
			return Optional.of("partitions serve search windows of at most " + MAX_LAGS + "x" + MAX_LAGS + " lags, not " + lags);
		for (final Size t : p.templates())
			if (t.get(0) > 2048 || t.get(1) > 2048) return Optional.of("partitions serve templates of at most 2048x2048 pixels, not " + t);
		return Optional.empty();
	}

	/**
	 * The shape of minimum cost, by the default constants: a calibration must not change the result of an execution.
	 *
	 * @param templates the number of templates that share forward transforms
	 */
	public static PartitionShape of(final Size template, final Size lags, final int templates) {
		PartitionShape best = null;
		double minSeconds = Double.POSITIVE_INFINITY;
		for (int y = first(lags.get(1)); y <= first(lags.get(1) + template.get(1) - 1); y = first(y + 1))
			for (int x = first(lags.get(0)); x <= first(lags.get(0) + template.get(0) - 1); x = first(x + 1)) {
				if (best != null && (long) x * y > MAX_POINTS) continue;
				final PartitionShape shape = new PartitionShape(template, lags, x, y);
				final double seconds = shape.forward(Constants.SHIPPED) + templates * shape.inverse(Constants.SHIPPED);
				if (seconds >= minSeconds) continue;
				minSeconds = seconds;
				best = shape;
			}
		return best;
	}

	/** The minimum extent that a transform supports and that holds {@code n} points; at least 16, so that rows are not shorter than vectors. */
	private static int first(final long n) {
		int extent = (int) Math.max(16, n);
		while (!TileFft.suits(extent)) extent++;
		return extent;
	}

	/** The number of pairs of partitions: two share one transform. */
	int pairs() {
		return (partitionsX * partitionsY + 1) / 2;
	}

	private double points() {
		return (double) width * height;
	}

	private double transform(final Constants k) {
		return points() * (Math.log(points()) / Math.log(2) * k.get("parts-point-level", POINT_LEVEL) + k.get("parts-point", POINT));
	}

	/** The seconds of the work that templates share in a frame. */
	public double forward(final Constants k) {
		return pairs() * transform(k);
	}

	/** The seconds for each template, without the normalisation. */
	public double inverse(final Constants k) {
		return pairs() * points() * k.get("parts-product", PRODUCT) + transform(k);
	}

	/** The approximate working memory of one thread, in bytes. */
	public long bytes(final PixelType image, final Size lags) {
		final long pixels = (long) (partitionsX * partitionWidth + lags.get(0)) * (partitionsY * partitionHeight + lags.get(1));
		return 8L * (pairs() + 2) * (long) points() + pixels * (4 + image.bytes) + lags.pixels() * 28;
	}

	/** The approximate memory of each template, in bytes: the spectra of its partitions. */
	public long templateBytes() {
		return 8L * pairs() * (long) points();
	}
}
