package sc.fiji.ncc.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The extents of an n-dimensional array in pixels, x first. Immutable, with value equality, because it is part of a key of {@link sc.fiji.ncc.planner.Wisdom}. */
public final class Size {

	private final long[] extents;

	private Size(final long[] extents) {
		this.extents = extents;
	}

	/** @throws IllegalArgumentException if the list is null or empty, or an extent is below 1 */
	public static Size of(final long... extents) {
		if (Given.nonNull(extents, "size").length == 0) throw new IllegalArgumentException("a size needs at least one dimension");
		for (final long e : extents)
			if (e < 1) throw new IllegalArgumentException("a size of " + text(extents) + " has no pixels: each extent must be at least 1");
		return new Size(extents.clone());
	}

	/** The number of dimensions. */
	public int dimensions() {
		return extents.length;
	}

	/** The extent along dimension {@code d}; 1 beyond the last dimension, so that a plane can be used as a volume of depth 1. */
	public long get(final int d) {
		return d < extents.length ? extents[d] : 1;
	}

	/**
	 * The number of pixels.
	 *
	 * @throws ArithmeticException if it exceeds the range of long
	 */
	public long pixels() {
		long n = 1;
		for (final long e : extents) n = Math.multiplyExact(n, e);
		return n;
	}

	/** A copy of the extents, x first. */
	public long[] toArray() {
		return extents.clone();
	}

	/** @throws ArithmeticException if an extent exceeds the range of int */
	public int[] toIntArray() {
		final int[] ints = new int[extents.length];
		for (int d = 0; d < ints.length; d++) ints[d] = Math.toIntExact(extents[d]);
		return ints;
	}

	@Override
	public boolean equals(final Object o) {
		return o instanceof Size && Arrays.equals(extents, ((Size) o).extents);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(extents);
	}

	/** For example {@code 384x303}. */
	@Override
	public String toString() {
		return text(extents);
	}

	/** Extents in words: {@code 9x7}. */
	public static String text(final long[] extents) {
		return Arrays.stream(extents).mapToObj(Long::toString).collect(Collectors.joining("x"));
	}

	/** Templates or kernels of these sizes in words: {@code a 32x32 template}, {@code 3 templates of 32x32 and other sizes}. */
	public static String text(final String noun, final List<Size> sizes) {
		final String size = sizes.get(0) + (sizes.stream().distinct().count() == 1 ? "" : " and other sizes");
		return sizes.size() == 1 ? "a " + size + " " + noun : sizes.size() + " " + noun + "s of " + size;
	}
}
