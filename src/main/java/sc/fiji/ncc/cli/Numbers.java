package sc.fiji.ncc.cli;

import java.util.Arrays;
import java.util.stream.Collectors;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A box as the user wrote it, {@code 10,20,32,32}.
 *
 * @param values four numbers for a plane or six for a volume
 */
record Numbers(long... values) {

	int count() {
		return values.length;
	}

	@Override
	public String toString() {
		return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(","));
	}

	/** Reads whole numbers with commas between. */
	static final class Converter implements ITypeConverter<Numbers> {

		@Override
		public Numbers convert(final String text) {
			final String[] parts = text.split(",", -1);
			if (parts.length != 4 && parts.length != 6)
				throw new TypeConversionException("'" + text + "' has " + parts.length + (parts.length == 1 ? " number" : " numbers")
					+ "; give 4 for a plane or 6 for a volume, with commas and no spaces");
			final long[] numbers = new long[parts.length];
			for (int i = 0; i < parts.length; i++) {
				try {
					// int: no picture has more pixels along one side, and sums of two stay far from overflow
					numbers[i] = Integer.parseInt(parts[i].trim());
				}
				catch (final NumberFormatException e) {
					throw new TypeConversionException("'" + parts[i] + "' in '" + text + "' is not a whole number");
				}
			}
			return new Numbers(numbers);
		}
	}
}
