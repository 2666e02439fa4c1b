package sc.fiji.ncc.plan.resample;

import java.nio.Buffer;

import sc.fiji.ncc.plan.PixelType;

/** A box of pixels to be sampled, and the pixels around it. */
public sealed interface Block {

	/** The pixel type. */
	PixelType type();

	/** The pixels of the box and around it, x fastest, in a buffer of {@link PixelType#allocate}. */
	Buffer pixels();

	/** The extents of these pixels, two or three. */
	int[] extents();

	/** The extents of the box. */
	int[] size();

	/** The extent of the pixels along a dimension; 1 beyond the last one. */
	default int extent(final int d) {
		return d < extents().length ? extents()[d] : 1;
	}

	/** The extent of the box along a dimension; 1 beyond the last one. */
	default int size(final int d) {
		return d < size().length ? size()[d] : 1;
	}

	/** The number of pixels of the box. */
	default int count() {
		return Math.multiplyExact(Math.multiplyExact(size(0), size(1)), size(2));
	}

	/** The number of pixels of the box and around it. */
	default int all() {
		return Math.multiplyExact(Math.multiplyExact(extent(0), extent(1)), extent(2));
	}

	/**
	 * A box that moves by one shift.
	 *
	 * @param weights along each dimension one weight, or as many as a value has neighbours: the value at index x of the box is the sum of {@code weights[k]}
	 * times the pixel at index x + k. Null if all pixels count
	 * @param fraction if all pixels count: the value at index x of the box lies at x + fraction, counted from the first pixel of the
	 * box, which is in the middle of
	 * the pixels
	 */
	record Shifted(PixelType type, Buffer pixels, int[] extents, int[] size, double[][] weights, double[] fraction) implements Block {

		/** The number of weights along a dimension; 1 beyond the last one. */
		public int count(final int d) {
			return d < size.length ? weights[d].length : 1;
		}

		/** The index of the first pixel of the box along a dimension, if all pixels count. */
		public int margin(final int d) {
			return (extent(d) - size(d)) / 2;
		}

		/** The part of a pixel along a dimension, if all pixels count. */
		public double fraction(final int d) {
			return d < fraction.length ? fraction[d] : 0;
		}
	}

	/**
	 * A box whose pixels have motions of their own: pixel x of the box is the frame at {@code x + shift + u(x)}.
	 *
	 * @param place where the box and the pixels lie in the frame
	 * @param field u
	 * @param neighbours how values between the pixels follow from them
	 */
	record Deformed(PixelType type, Buffer pixels, int[] extents, int[] size, Place place, Field field, Neighbours neighbours) implements Block {}

	/**
	 * Where a deformed box lies, along each dimension, in pixels of the frame.
	 *
	 * @param first the first pixel that was read
	 * @param min the first pixel of the box
	 * @param frame the extents of the frame
	 * @param shift the shift of its content
	 */
	record Place(long[] first, long[] min, long[] frame, double[] shift) {}

	/**
	 * Cubic B-splines over a regular grid, one for each component of a vector.
	 *
	 * @param nodes the number of nodes along each dimension, with four beyond each end of the vectors that the splines interpolate
	 * @param origin the position of the first vector, the fifth node, in pixels
	 * @param spacing the distance of neighbouring nodes in pixels
	 * @param coefficients those of each component, x fastest
	 */
	record Field(int[] nodes, double[] origin, double[] spacing, double[][] coefficients) {}

	/**
	 * The pixels of which a value is a weighted mean. Positions are rounded to 1/{@value #FRACTIONS} of a pixel.
	 *
	 * @param count the number of pixels along a dimension. With one, motions are rounded to whole pixels
	 * @param weights their weights, one fraction after the other
	 * @param edge whether pixels beyond the frame repeat its edge
	 * @param beyond otherwise their value
	 */
	record Neighbours(int count, double[] weights, boolean edge, double beyond) {

		/** The bits of a fraction, and the number of fractions of a pixel. */
		public static final int FRACTION_BITS = 11, FRACTIONS = 1 << FRACTION_BITS;

		/** The number of pixels before a position, without the nearest one. */
		public int before() {
			return (count - 1) / 2;
		}
	}
}
