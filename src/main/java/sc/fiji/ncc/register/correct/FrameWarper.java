package sc.fiji.ncc.register.correct;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Block.Neighbours;
import sc.fiji.ncc.plan.resample.Sampler;

/**
 * Moves the content of a frame back by its shift and its deformation: pixel x of the result is the frame at {@code x + shift + u(x)}. The pixel type
 * is kept, as by {@link FrameShifter}.
 */
public final class FrameWarper {

	/** The weights of the neighbouring pixels, one fraction after the other. */
	private static final Map<Interpolation, double[]> WEIGHTS = new ConcurrentHashMap<>();

	private final Interpolation interpolation;
	private final Outside outside;
	private final Sampler sampler;

	/**
	 * @param sampler computes the pixels
	 * @throws IllegalArgumentException for Fourier interpolation
	 */
	public FrameWarper(final Interpolation interpolation, final Outside outside, final Sampler sampler) {
		requireNeighbours(interpolation);
		this.interpolation = interpolation;
		this.outside = outside;
		this.sampler = sampler;
	}

	private static double[] weights(final Interpolation interpolation) {
		final int n = interpolation.pixels;
		final double[] weights = new double[Neighbours.FRACTIONS * n];
		// a whole pixel is copied
		weights[(n - 1) / 2] = 1;
		for (int i = 1; i < Neighbours.FRACTIONS; i++) System.arraycopy(interpolation.weights(i / (double) Neighbours.FRACTIONS), 0, weights, i * n, n);
		return weights;
	}

	/** @throws IllegalArgumentException for Fourier interpolation */
	static void requireNeighbours(final Interpolation interpolation) {
		if (interpolation == Interpolation.FOURIER) throw new IllegalArgumentException("Fourier interpolation moves whole frames, and these frames are "
			+ "deformed: choose lanczos or cubic");
	}

	/**
	 * A box of a corrected frame.
	 *
	 * @param frame the recorded frame, with its first pixel at 0
	 * @param shift the shift of its content
	 * @param deformation u
	 * @param min the first pixel of the box, in pixels of the frame; it may lie outside
	 * @param size the extents of the box
	 * @return the pixels, x fastest, in an array of the primitive type of {@link PixelType#allocate} for the frame's type
	 */
	public Object box(final RandomAccessibleInterval<?> frame, final double[] shift, final GridSpline deformation, final long[] min, final int[] size) {
		final PixelType type = ImagePixels.type(frame);
		final double beyond = outside.kind() != Outside.Kind.NAN ? outside.value() : type.integer ? 0 : Double.NaN;
		final Neighbours neighbours = new Neighbours(interpolation.pixels, WEIGHTS.computeIfAbsent(interpolation, FrameWarper::weights),
			outside.kind() == Outside.Kind.EDGE, beyond);
		final int n = size.length, around = neighbours.count();
		final long[] first = new long[n], block = new long[n];
		int count = 1;
		final double[] from = new double[n], to = new double[n];
		for (int d = 0; d < n; d++) {
			from[d] = min[d];
			to[d] = min[d] + size[d] - 1.0;
		}
		for (int d = 0; d < n; d++) {
			final double[] range = deformation.range(d, from, to);
			first[d] = (long) Math.floor(min[d] + shift[d] + range[0]) - neighbours.before() - 1;
			block[d] = (long) Math.ceil(min[d] + size[d] + shift[d] + range[1]) + around - first[d];
			// pixels far outside repeat the edge
			final long low = Math.max(-around, Math.min(frame.dimension(d), first[d])), high = Math.max(low + around,
				Math.min(frame.dimension(d) + around, first[d] + block[d]));
			first[d] = low;
			block[d] = high - low;
			count = Math.multiplyExact(count, Math.toIntExact(block[d]));
		}
		final ImagePixels pixels = ImagePixels.of(frame, Border.EDGE, first, block);
		final int[] extents = Arrays.stream(block).mapToInt(Math::toIntExact).toArray();
		final Buffer values = type.allocate(count);
		pixels.read(new long[n], extents, values);
		return sampler.sample(new Block.Deformed(type, values.clear(), extents, size, new Block.Place(first, min, frame.dimensionsAsLongArray(), shift),
			deformation.field(), neighbours));
	}
}
