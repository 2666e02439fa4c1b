package sc.fiji.ncc.command.program;

import java.util.List;
import java.util.Map;

import sc.fiji.ncc.plan.ResponseType;

/**
 * Title, axes, calibration, display range, colours and properties of a map.
 *
 * @param name title of the map
 * @param source the searched image, with as many dimensions as the map; the map takes its axes and calibration
 * @param origin position of the map's first pixel, in pixels of {@code source}, one number per dimension
 * @param shown what pixels stand for, and which values are black and white
 * @param like the image whose values and colours the map has; if it is open, it is shown with the same ranges as well. Null: values of its own, in gray
 * @param properties further properties; names have no blanks
 */
public record MapDescription(String name, ImageInput source, long[] origin, Shown shown, ImageInput like, Map<String, String> properties) {

	/**
	 * What pixels and channels stand for, and the range that is shown.
	 *
	 * @param min the value that is shown black; NaN if each channel is shown from its smallest to its largest value
	 * @param max the value that is shown white; NaN as for {@code min}
	 * @param type how pixels stand for values: quantized, or FLOAT if they are the values
	 * @param channels the names of the channels; empty if they have none
	 */
	public record Shown(double min, double max, ResponseType type, List<String> channels) {

		/** Channels without names. */
		public Shown(final double min, final double max, final ResponseType type) {
			this(min, max, type, List.of());
		}

		private double pixel(final double value) {
			return type.quantized() ? type.quantize((float) value) : value;
		}
	}

	/** A gray map whose pixels are the values. The range is that of {@link Shown}. */
	public MapDescription(final String name, final ImageInput source, final long[] origin, final double min, final double max,
		final Map<String, String> properties) {
		this(name, source, origin, new Shown(min, max, ResponseType.FLOAT), null, properties);
	}

	/** The pixel that is shown black; NaN as for {@link Shown}. */
	public double min() {
		return shown.pixel(shown.min);
	}

	/** The pixel that is shown white; NaN as for {@link Shown}. */
	public double max() {
		return shown.pixel(shown.max);
	}
}
