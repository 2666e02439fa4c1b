package sc.fiji.ncc.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WrittenNumber;

/** Reads {@code 2000x1500}. */
final class SizeConverter implements ITypeConverter<Size> {

	@Override
	public Size convert(final String text) {
		final String[] parts = text.split("[x×]", -1);
		if (parts.length < 2) throw new TypeConversionException("'" + text + "' is no size: write width and height with an x between, as in 2000x1500, or three for a volume");
		final long[] extents = new long[parts.length];
		for (int d = 0; d < parts.length; d++) {
			try {
				// int: as many as a picture can have along one side
				extents[d] = WrittenNumber.toInt(parts[d]);
			}
			catch (final NumberFormatException e) {
				throw new TypeConversionException("'" + parts[d] + "' in '" + text + "' is not a whole number");
			}
			if (extents[d] < 1) throw new TypeConversionException("'" + text + "' has no pixels");
		}
		return Size.of(extents);
	}
}
