package sc.fiji.ncc.result;

import java.util.Arrays;

/**
 * How large a map will be and where it lies.
 *
 * @param size responses along each dimension of the image
 * @param origin where the first response lies, in pixels of the image, one number for each dimension
 */
public record MapShape(long[] size, long[] origin) {

	@Override
	public boolean equals(final Object other) {
		return other instanceof MapShape && Arrays.equals(size, ((MapShape) other).size) && Arrays.equals(origin, ((MapShape) other).origin);
	}

	@Override
	public int hashCode() {
		return 31 * Arrays.hashCode(size) + Arrays.hashCode(origin);
	}

	@Override
	public String toString() {
		return Arrays.toString(size) + " from " + Arrays.toString(origin);
	}
}
