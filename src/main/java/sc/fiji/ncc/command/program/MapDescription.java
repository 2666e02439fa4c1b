package sc.fiji.ncc.command.program;

import java.util.Map;

/**
 * Title, axes, calibration, display range, colours and properties of a map.
 *
 * @param name title of the map
 * @param source the searched image, with as many dimensions as the map; the map takes its axes and calibration
 * @param origin position of the map's first pixel, in pixels of {@code source}, one number per dimension
 * @param min the value that is shown black; NaN if each channel is shown from its smallest to its largest value
 * @param max the value that is shown white; NaN as for {@code min}
 * @param like the image whose colours the map has; if it is open, it is shown with the same ranges as well. Null: gray
 * @param properties further properties; names have no blanks
 */
public record MapDescription(String name, ImageInput source, long[] origin, double min, double max, ImageInput like, Map<String, String> properties) {

	/** A gray map. */
	public MapDescription(final String name, final ImageInput source, final long[] origin, final double min, final double max,
		final Map<String, String> properties) {
		this(name, source, origin, min, max, null, properties);
	}
}
