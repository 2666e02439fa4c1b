package sc.fiji.ncc.cpu.fourier;

import java.util.Optional;

import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** The extents of the one transform that holds all pixels of an image, and its memory. */
public final class WholeShape {

	/** The maximum number of columns of a strip. */
	private static final int STRIP = 64;
	/** The maximum number of points: indices and arrays stay below 2^31. */
	private static final long MAX_POINTS = 1L << 29;

	/** The extents of the transform. The height is even. */
	public final int width, height;
	/** The columns of a strip of frequencies along y, and of a strip of pixels along x. */
	final int strip, columns;

	private WholeShape(final int width, final int height) {
		this.width = width;
		this.height = height;
		columns = Math.max(4, Math.min(STRIP, Integer.highestOneBit(width) / 4));
		// strips of frequencies must not cross the thirds of their order
		final int order = rows() % 3 == 0 ? rows() / 3 : rows();
		strip = Math.max(1, Math.min(STRIP, order / 4));
	}

	/** The reason why one transform of the whole image does not support a problem. Empty if it supports the problem. */
	public static Optional<String> unsuited(final Sliding p) {
		if (p.size().dimensions() != 2) return Optional.of("one transform of the whole image supports 2 dimensions, the image has " + p.size().dimensions()
			+ ": use cpu-fourier");
		if (p.channels() > 1) return Optional.of("one transform of the whole image supports one channel, not " + p.channels() + " together: use cpu-fourier");
		if (p.weights() != Weights.NONE) return Optional.of("one transform of the whole image supports templates without masks only: use cpu-fourier");
		if (p.lags().masked()) return Optional.of("one transform of the whole image supports images without missing pixels only: use cpu-fourier");
		for (final Size t : p.templates())
			if (extent(p, t, 0) * extent(p, t, 1) > MAX_POINTS)
				return Optional.of("a transform of the whole image would have " + extent(p, t, 0) + "x" + extent(p, t, 1) + " points, the maximum is " + MAX_POINTS
					+ ": use cpu-fourier");
		return Optional.empty();
	}

	/** The shape for a template of a problem. */
	public static WholeShape of(final Sliding p, final Size template) {
		return new WholeShape((int) extent(p, template, 0), (int) extent(p, template, 1));
	}

	/** The extent that holds all pixels that the lags need, or if these wrap around the image, at which no lag reads a pixel of another one. */
	private static long extent(final Sliding p, final Size template, final int d) {
		final Lags lags = p.lags();
		final long t = template.get(d), needed = lags.count().get(d) + t - 1;
		return first(lags.beyond() ? Math.min(needed, p.size().get(d) + t - 1) : needed);
	}

	/** The minimum extent of at least 8 that a transform supports and that holds {@code n} pixels. */
	private static long first(final long n) {
		long power = 8;
		while (power < n) power *= 2;
		final long three = power / 4 * 3;
		return three >= n && three > 8 && TileFft.suits((int) three) ? three : power;
	}

	/** The number of complex rows: each has an even row of pixels as its real part, and an odd one as its imaginary part. */
	int rows() {
		return height / 2;
	}

	/** The points of the transform. */
	public double points() {
		return (double) width * height;
	}

	/** The points times levels. */
	public double pointLevels() {
		return points() * Math.log(points()) / Math.log(2);
	}

	/** The bytes of the spectrum of a template, or of an image. */
	public long spectrumBytes() {
		return 4L * width * height;
	}

	/** The bytes that one thread needs for its strips. */
	public long threadBytes() {
		return 16L * strip * width + 8L * columns * rows();
	}

	/** The number of pixels of the image that the lags need. */
	public long pixels(final Sliding p, final Size template) {
		long n = 1;
		for (int d = 0; d < 2; d++) n *= Math.min(p.size().get(d), p.lags().count().get(d) + template.get(d) - 1);
		return n;
	}

	/** The bytes of one image in flight: its pixels, its spectrum, and the numerators of a template. */
	public long imageBytes(final Sliding p, final Size template, final boolean several) {
		return pixels(p, template) * p.image().bytes + spectrumBytes() * (several ? 2 : 1) + 4 * p.lags().count().pixels() * (several ? 2 : 1);
	}
}
