package sc.fiji.ncc.front;

import java.util.Arrays;
import java.util.stream.Collectors;

import net.imglib2.FinalInterval;

import sc.fiji.ncc.plan.Size;

/**
 * Several whole numbers in one option: a region, a box of responses, or one number per dimension.
 *
 * @param values the numbers, in the written order
 */
public record WholeNumbers(long... values) {

	/**
	 * Reads numbers with commas between them, as in {@code 10,20,32,32}. Blanks around a number are allowed. Each number has 32 bits: no image
	 * is larger along one side, and a sum of two such numbers does not overflow.
	 *
	 * @throws NumberFormatException if a part is not a whole number of 32 bits
	 */
	public static WholeNumbers parse(final String text) {
		return separated(text, ",", "with commas between them, as in 64,64");
	}

	/**
	 * Reads the value of a key.
	 *
	 * @param name the key as it stands before the value, {@code "search="}, for messages
	 * @param form what a text is not, and what to give: {@code "is not a box. Give x,y,w,h in whole pixels."}
	 * @throws IllegalArgumentException if a part is not a whole number of 32 bits
	 */
	public static WholeNumbers parse(final String name, final String text, final String form) {
		return WrittenNumber.read(text.trim(), WholeNumbers::parse, name + text + " " + form);
	}

	/**
	 * The value of a key as {@link #lengths(String, int, long)}.
	 *
	 * @throws IllegalArgumentException as there, with the forms of the value
	 */
	public static long[] lengths(final String name, final String text, final int dimensions, final long least) {
		return WrittenNumber.read(text.trim(), t -> parse(t).lengths(name, dimensions, least), name + text + " is not valid. Give one or " + dimensions
			+ " whole numbers of pixels from " + least + ", as in 40 or " + (dimensions == 2 ? "40,40." : "40,40,10."));
	}

	/**
	 * Reads a size in pixels, as in {@code 2000x1500}.
	 *
	 * @throws NumberFormatException if the text is not two or more whole numbers above 0 with an x between them
	 */
	public static Size size(final String text) {
		final WholeNumbers size = separated(text, "[xX×]", "with an x between them, as in 2000x1500");
		if (size.count() < 2)
			throw new NumberFormatException("'" + text + "' is one number: give width and height, as in 2000x1500, or width, height and depth");
		for (final long extent : size.values)
			if (extent < 1) throw new NumberFormatException("'" + text + "' has no pixels: give whole numbers above 0, as in 2000x1500");
		return Size.of(size.values);
	}

	/** @param form how numbers are written, for messages */
	private static WholeNumbers separated(final String text, final String separator, final String form) {
		final String[] parts = text.split(separator, -1);
		final long[] numbers = new long[parts.length];
		for (int i = 0; i < parts.length; i++) {
			try {
				numbers[i] = WrittenNumber.toInt(parts[i].trim());
			}
			catch (final NumberFormatException e) {
				throw new NumberFormatException("'" + parts[i] + "'" + (parts.length == 1 ? "" : " in '" + text + "'")
					+ " is not a whole number: give whole numbers " + form);
			}
		}
		return new WholeNumbers(numbers);
	}

	public int count() {
		return values.length;
	}

	/**
	 * The box {@code x,y,w,h} or {@code x,y,z,w,h,d} of so many dimensions.
	 *
	 * @param name the option as it stands before the value, {@code "--search "} or {@code "search="}, for messages
	 * @param noun what has that many dimensions, for messages
	 * @throws IllegalArgumentException if the box is empty, or has another number of dimensions
	 */
	public FinalInterval box(final String name, final int dimensions, final String noun) {
		if (count() != 2 * dimensions) throw new IllegalArgumentException(name + this + " has " + count() + " numbers, and the " + noun + " has "
			+ dimensions + " dimensions: give " + (dimensions == 2 ? "x,y,w,h" : "x,y,z,w,h,d"));
		return region(name);
	}

	/**
	 * The region {@code x,y,w,h} or {@code x,y,z,w,h,d}.
	 *
	 * @param name the option as it stands before the value, {@code "--search "} or {@code "search="}, for messages
	 * @throws IllegalArgumentException if the region is empty, or has another number of values
	 */
	public FinalInterval region(final String name) {
		if (count() != 4 && count() != 6) throw new IllegalArgumentException(name + this + " has " + count() + (count() == 1 ? " number" : " numbers")
			+ ": give x,y,w,h for a plane or x,y,z,w,h,d for a volume");
		final int n = count() / 2;
		for (int d = n; d < 2 * n; d++)
			if (values[d] < 1) throw new IllegalArgumentException(name + this + " is empty: give at least 1 pixel along each dimension");
		return FinalInterval.createMinSize(Arrays.copyOf(values, n), Arrays.copyOfRange(values, n, 2 * n));
	}

	/**
	 * Lengths in pixels, one for each dimension. A single number counts for each dimension.
	 *
	 * @param name the option as it stands before the value, {@code "--window "} or {@code "window="}, for messages
	 * @param least the smallest length
	 * @throws IllegalArgumentException if a number is smaller, or there is another number of them
	 */
	public long[] lengths(final String name, final int dimensions, final long least) {
		final String forms = dimensions == 2 ? "one number or x,y" : "one number or x,y,z";
		if (count() != 1 && count() != dimensions) throw new IllegalArgumentException(name + this + " has " + count() + " numbers, and frames have "
			+ dimensions + " dimensions: give " + forms);
		for (final long v : values)
			if (v < least) throw new IllegalArgumentException(name + this + ": " + v + " is below " + least + "; give " + forms + ", in pixels from " + least);
		final long[] lengths = new long[dimensions];
		for (int d = 0; d < dimensions; d++) lengths[d] = values[count() == 1 ? 0 : d];
		return lengths;
	}

	@Override
	public String toString() {
		return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(","));
	}
}
