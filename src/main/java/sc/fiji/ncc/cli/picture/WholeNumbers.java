package sc.fiji.ncc.cli.picture;

import java.util.Arrays;
import java.util.stream.Collectors;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import sc.fiji.ncc.plan.WrittenNumber;

/**
 * Whole numbers as the user wrote them, {@code 10,20,32,32}.
 *
 * @param values of a box four for a plane or six for a volume; else one for each dimension
 */
public record WholeNumbers(long... values) {

	public int count() {
		return values.length;
	}

	@Override
	public String toString() {
		return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(","));
	}

	/** Reads a box. */
	public static final class Converter implements ITypeConverter<WholeNumbers> {

		@Override
		public WholeNumbers convert(final String text) {
			return read(text, 4, 6);
		}
	}

	/** Reads a number for each dimension. */
	public static final class PerDimension implements ITypeConverter<WholeNumbers> {

		@Override
		public WholeNumbers convert(final String text) {
			return read(text, 2, 3);
		}
	}

	/** Whole numbers with commas between. */
	private static WholeNumbers read(final String text, final int ofPlane, final int ofVolume) {
		final String[] parts = text.split(",", -1);
		if (parts.length != ofPlane && parts.length != ofVolume)
			throw new TypeConversionException("'" + text + "' has " + parts.length + (parts.length == 1 ? " number" : " numbers")
				+ "; give " + ofPlane + " for a plane or " + ofVolume + " for a volume, with commas and no spaces");
		final long[] numbers = new long[parts.length];
		for (int i = 0; i < parts.length; i++) {
			try {
				// int: no picture has more pixels along one side, and sums of two stay far from overflow
				numbers[i] = WrittenNumber.toInt(parts[i].trim());
			}
			catch (final NumberFormatException e) {
				throw new TypeConversionException("'" + parts[i] + "' in '" + text + "' is not a whole number");
			}
		}
		return new WholeNumbers(numbers);
	}
}
