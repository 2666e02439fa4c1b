package sc.fiji.ncc.result;

import java.util.Arrays;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The size and the origin of a map.
 *
 * @param size the number of responses along each dimension of the image
 * @param origin the position of the first response, in pixels of the image, one number per dimension
 */
public record MapShape(long[] size, long[] origin) {

	public MapShape {
		Given.nonNull(size, "size");
		Given.nonNull(origin, "origin");
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	@Override
	public String toString() {
		return Arrays.toString(size) + " from " + Arrays.toString(origin);
	}
}
