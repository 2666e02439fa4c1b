package sc.fiji.ncc.command.program;

import java.util.Map;

import sc.fiji.ncc.plan.ResponseType;

/**
 * Title, axes, calibration, display range and properties of a map.
 *
 * @param name title of the map
 * @param source the searched image, with as many dimensions as the map; the map takes its axes and calibration
 * @param origin position of the map's first pixel, in pixels of {@code source}, one number per dimension
 * @param min the value that is shown black; NaN if each channel is shown from its smallest to its largest value
 * @param max the value that is shown white; NaN as for {@code min}
 * @param type how pixels stand for values: quantized, or FLOAT if they are the values
 * @param properties further properties; names have no blanks
 */
public record MapDescription(String name, ImageInput source, long[] origin, double min, double max, ResponseType type, Map<String, String> properties) {

	/** The pixel of a value, such as {@link #min}. */
	public double pixel(final double value) {
		return type.quantized() ? type.quantize((float) value) : value;
	}
}
