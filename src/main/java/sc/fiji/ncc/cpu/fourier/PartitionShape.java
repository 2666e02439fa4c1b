package sc.fiji.ncc.cpu.fourier;

import java.util.Optional;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;

/**
 * How a template is cut into parts for {@link sc.fiji.ncc.cpu.ncc.CpuFourierPartitioned}: a block of a transform holds a part and all lags, so the smaller the parts the smaller
 * the one transform back, and the more transforms forward and products.
 */
public final class PartitionShape {

	/** The most lags along x and y, and the most points of a block: it stays in the second-level cache. */
	static final int MOST_LAGS = 256;
	private static final int MOST_POINTS = 3 << 15;
	/**
	 * One transform, for each point and level; the product of a part and a template, for each point; reading and estimates, for each point. As
	 * in {@link sc.fiji.ncc.cpu.ncc.DirectCost}.
	 */
	private static final double POINT_LEVEL = Vectors.USED ? 0.0675e-9 : 0.15e-9, PRODUCT = Vectors.USED ? 0.525e-9 : 0.75e-9, POINT = Vectors.USED ? 0.75e-9 : 1.5e-9;

	/** Extents of a block, and of a part; how many parts there are. */
	public final int width, height, partWidth, partHeight, partsX, partsY;

	private PartitionShape(final Size template, final Size lags, final int width, final int height) {
		this.width = width;
		this.height = height;
		partWidth = (int) (width - lags.get(0) + 1);
		partHeight = (int) (height - lags.get(1) + 1);
		partsX = (int) ((template.get(0) + partWidth - 1) / partWidth);
		partsY = (int) ((template.get(1) + partHeight - 1) / partHeight);
	}

	/** Why parts do not apply to a problem, in words; empty if they do. */
	public static Optional<String> unsuited(final Problem p) {
		final Optional<String> unlike = p.mismatch(Operation.NCC, Precision.SINGLE);
		if (unlike.isPresent()) return unlike;
		final Size lags = p.lags().count();
		if (p.size().dimensions() != 2) return Optional.of("its templates are cut along x and y: pictures of 2 dimensions, not of " + p.size().dimensions());
		if (lags.get(0) > MOST_LAGS || lags.get(1) > MOST_LAGS)
			return Optional.of("its blocks hold all lags of a search window at once, at most " + MOST_LAGS + "x" + MOST_LAGS + ", not " + lags);
		for (final Size t : p.templates())
			if (t.get(0) > 2048 || t.get(1) > 2048) return Optional.of("the template of " + t + " is larger than it takes (2048x2048)");
		return Optional.empty();
	}

	/**
	 * The shape that costs least, by the constants that ship: a calibration must not change what an execution does.
	 *
	 * @param templates how many share their transforms forward
	 */
	public static PartitionShape of(final Size template, final Size lags, final int templates) {
		PartitionShape best = null;
		double least = Double.POSITIVE_INFINITY;
		for (int y = first(lags.get(1)); y <= first(lags.get(1) + template.get(1) - 1); y = first(y + 1))
			for (int x = first(lags.get(0)); x <= first(lags.get(0) + template.get(0) - 1); x = first(x + 1)) {
				if (best != null && (long) x * y > MOST_POINTS) continue;
				final PartitionShape shape = new PartitionShape(template, lags, x, y);
				final double seconds = shape.forward(Constants.SHIPPED) + templates * shape.back(Constants.SHIPPED);
				if (seconds >= least) continue;
				least = seconds;
				best = shape;
			}
		return best;
	}

	/** The least extent that suits a transform and holds {@code n} points; more than a few, lest rows are shorter than vectors. */
	private static int first(final long n) {
		int extent = (int) Math.max(16, n);
		while (!TileFft.suits(extent)) extent++;
		return extent;
	}

	/** Two parts ride in one transform. */
	int pairs() {
		return (partsX * partsY + 1) / 2;
	}

	private double points() {
		return (double) width * height;
	}

	private double transform(final Constants k) {
		return points() * (Math.log(points()) / Math.log(2) * k.get("parts-point-level", POINT_LEVEL) + k.get("parts-point", POINT));
	}

	/** Seconds for what templates share of a frame. */
	public double forward(final Constants k) {
		return pairs() * transform(k);
	}

	/** Seconds for each template, without the normalisation. */
	public double back(final Constants k) {
		return pairs() * points() * k.get("parts-product", PRODUCT) + transform(k);
	}

	/** What the first run in a process takes more. */
	public static double start(final Device device) {
		return FourierShape.start(device);
	}

	/** Working memory of one thread, roughly. */
	public long bytes(final PixelType image, final Size lags) {
		final long pixels = (long) (partsX * partWidth + lags.get(0)) * (partsY * partHeight + lags.get(1));
		return 8L * (pairs() + 2) * (long) points() + pixels * (4 + image.bytes) + lags.pixels() * 28;
	}

	/** What each template adds, roughly: the spectra of its parts. */
	public long templateBytes() {
		return 8L * pairs() * (long) points();
	}
}
