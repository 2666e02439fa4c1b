package sc.fiji.ncc.result;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Size;

/**
 * Smooth deformations of the frames of a sequence, besides their shifts: pixel x of the corrected frame is pixel {@code x + shift + u(x)} of the
 * recorded frame. u is the cubic B-spline through vectors on a regular grid ({@link GridSpline}).
 *
 * @param count the number of vectors along each dimension
 * @param origin the position of the first vector in pixels
 * @param spacing the distance of neighbouring vectors in pixels
 * @param frames for each frame the components of the vectors in pixels: one array for each dimension, x fastest
 */
public record Deformation(int[] count, double[] origin, double[] spacing, List<float[][]> frames) {

	/** @throws IllegalArgumentException if a frame has another number of vectors, or a vector is not finite */
	public Deformation {
		count = Given.nonNull(count, "number of vectors").clone();
		origin = Given.nonNull(origin, "position of the first vector").clone();
		spacing = Given.nonNull(spacing, "spacing").clone();
		frames = List.copyOf(Given.nonNull(frames, "list of deformations"));
		final int n = count.length;
		if (origin.length != n || spacing.length != n) throw new IllegalArgumentException("the grid of a deformation has " + n + ", " + origin.length
			+ " and " + spacing.length
			+ " numbers for vectors, origin and spacing: give one of each for each dimension");
		for (final int c : count) if (c < 1) throw new IllegalArgumentException("the grid of a deformation has " + c + " vectors along a dimension: give at least 1");
		for (final double s : spacing) if (!(s > 0) || !Double.isFinite(s)) throw new IllegalArgumentException("the spacing of a deformation is " + s
			+ ": give a number above 0");
		final long vectors = Size.of(Arrays.stream(count).asLongStream().toArray()).pixels();
		for (int f = 0; f < frames.size(); f++) {
			if (frames.get(f).length != n) throw new IllegalArgumentException("the deformation of frame " + (f + 1) + " has " + frames.get(f).length
				+ " components, and its grid has " + n + " dimensions");
			for (final float[] component : frames.get(f)) {
				if (component.length != vectors) throw new IllegalArgumentException("the deformation of frame " + (f + 1) + " has " + component.length
					+ " vectors, and its grid has "
					+ vectors);
				for (final float v : component) if (!Float.isFinite(v)) throw new IllegalArgumentException("the deformation of frame " + (f + 1) + " has a vector of " + v
					+ ": give numbers");
			}
		}
	}

	/** The deformation of a frame. */
	public GridSpline spline(final int frame) {
		final double[][] components = new double[count.length][];
		for (int d = 0; d < components.length; d++) {
			final float[] from = frames.get(frame)[d];
			components[d] = new double[from.length];
			for (int i = 0; i < from.length; i++) components[d][i] = from[i];
		}
		return new GridSpline(count, origin, spacing, components);
	}

	/** The largest deformation at a node of the grid along a dimension, in pixels. */
	public double largest(final int d) {
		double largest = 0;
		for (final float[][] frame : frames) for (final float v : frame[d]) largest = Math.max(largest, Math.abs(v));
		return largest;
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	/** Such as {@code deformation of 60 frames by 15x15 vectors}. */
	@Override
	public String toString() {
		return "deformation of " + frames.size() + " frames by " + Size.of(Arrays.stream(count).asLongStream().toArray()) + " vectors";
	}
}
