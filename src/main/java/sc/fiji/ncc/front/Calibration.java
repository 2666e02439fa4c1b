package sc.fiji.ncc.front;

import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;
import java.util.stream.IntStream;

import sc.fiji.ncc.plan.Size;

/**
 * Pixel sizes, units and origin, as in ImageJ.
 *
 * @param pixelWidth the size of a pixel along x, in {@code unit}
 * @param pixelHeight the size of a pixel along y, in {@code yUnit}
 * @param pixelDepth the distance of two slices, in {@code zUnit}
 * @param unit the unit of x; null: pixels
 * @param yUnit the unit of y; null: that of x
 * @param zUnit the unit of z; null: that of x
 * @param frameInterval the time between two frames, in {@code timeUnit}; 0: unknown
 * @param timeUnit the unit of time; default: {@code sec}
 * @param xOrigin the x of the calibrated position 0, in pixels
 * @param yOrigin the y of the calibrated position 0, in pixels
 * @param zOrigin the z of the calibrated position 0, in slices
 */
public record Calibration(double pixelWidth, double pixelHeight, double pixelDepth, String unit, String yUnit, String zUnit,
	double frameInterval, String timeUnit, double xOrigin, double yOrigin, double zOrigin) {

	/** No calibration: positions in pixels. */
	public static final Calibration NONE = new Calibration(1, 1, 1, null, null, null, 0, "sec", 0, 0, 0);

	/**
	 * A calibration with one unit of length.
	 *
	 * @param size the size of a pixel along x, y and z
	 * @param origin the calibrated position 0 along x, y and z, in pixels
	 */
	public static Calibration of(final double[] size, final double[] origin, final String unit, final double frameInterval, final String timeUnit) {
		return new Calibration(size[0], size[1], size[2], unit, null, null, frameInterval, timeUnit, origin[0], origin[1], origin[2]);
	}

	/**
	 * Reads the calibration of a TIFF file.
	 *
	 * @param description the image description; descriptions of other programs than ImageJ are ignored
	 * @param pixelWidth the pixel width of the resolution tags
	 * @param pixelHeight the pixel height of the resolution tags
	 * @param unit the unit of the resolution tags; null if they have none
	 */
	public static Calibration of(final Properties description, final double pixelWidth, final double pixelHeight, final String unit) {
		final String named = description.getProperty("unit", unit);
		if (named == null || named.isBlank()) return new Calibration(1, 1, number(description, "spacing", 1), null, null, null,
			number(description, "finterval", 0), description.getProperty("tunit", "sec"), 0, 0, 0).withOrigins(description);
		// ImageJ writes the resolution per cm where the unit is the micrometre
		final double factor = "cm".equals(unit) && ("um".equals(named) || "\u00b5m".equals(named) || "micron".equals(named)) ? 10_000 : 1;
		return new Calibration(pixelWidth * factor, pixelHeight * factor, Math.abs(number(description, "spacing", 1)), named,
			description.getProperty("yunit"), description.getProperty("zunit"), number(description, "finterval", 0),
			description.getProperty("tunit", "sec"), 0, 0, 0).withOrigins(description);
	}

	private Calibration withOrigins(final Properties description) {
		return new Calibration(pixelWidth, pixelHeight, pixelDepth, unit, yUnit, zUnit, frameInterval, timeUnit,
			number(description, "xorigin", 0), number(description, "yorigin", 0), number(description, "zorigin", 0));
	}

	/**
	 * The calibrated position of a position in pixels.
	 *
	 * @param d 0, 1, 2 for x, y, z
	 */
	public double place(final int d, final double pixels) {
		return (pixels - origin()[d]) * size(d);
	}

	/** The size of a pixel along a dimension. */
	public double size(final int d) {
		return d == 0 ? pixelWidth : d == 1 ? pixelHeight : pixelDepth;
	}

	/** The sizes of a pixel along the first dimensions. */
	public double[] sizes(final int dimensions) {
		return IntStream.range(0, dimensions).mapToDouble(this::size).toArray();
	}

	/** The calibrated position 0 along x, y and z, in pixels. */
	public double[] origin() {
		return new double[] { xOrigin, yOrigin, zOrigin };
	}

	/**
	 * The calibration of an image whose pixels are positions of this one.
	 *
	 * @param spacing the distance of neighbouring positions in pixels
	 * @param first the first position in pixels
	 */
	public Calibration every(final Size spacing, final double[] first) {
		final double[] size = sizes(3), origin = origin();
		for (int d = 0; d < first.length; d++) {
			size[d] *= spacing.get(d);
			origin[d] = (origin[d] - first[d]) / spacing.get(d);
		}
		return new Calibration(size[0], size[1], size[2], units(1), yUnit, zUnit, frameInterval, timeUnit, origin[0], origin[1], origin[2]);
	}

	/** The calibration of this image enlarged along x and y. */
	public Calibration enlarged(final double times) {
		return new Calibration(pixelWidth / times, pixelHeight / times, pixelDepth, unit, yUnit, zUnit, frameInterval, timeUnit, times * xOrigin,
			times * yOrigin, zOrigin);
	}

	/** The unit of the first dimensions; {@code pixel} without a unit. If the units differ, one for each dimension. */
	public String units(final int dimensions) {
		final String x = unit == null ? "pixel" : unit, y = yUnit == null ? x : yUnit, z = zUnit == null ? x : zUnit;
		return x.equals(y) && (dimensions < 3 || x.equals(z)) ? x : x + " " + y + (dimensions < 3 ? "" : " " + z);
	}

	/** The calibration of a crop whose first pixel lies at (x, y, z) of this image, in pixels. Negative positions lie before the first pixel. */
	public Calibration crop(final long x, final long y, final long z) {
		return new Calibration(pixelWidth, pixelHeight, pixelDepth, unit, yUnit, zUnit, frameInterval, timeUnit, xOrigin - x, yOrigin - y,
			zOrigin - z);
	}

	/** The key-value lines of an ImageJ description; empty for other descriptions. */
	public static Properties description(final String text) {
		final Properties lines = new Properties();
		if (text == null || !text.startsWith("ImageJ")) return lines;
		try {
			lines.load(new StringReader(text.replace("\0", "")));
		}
		catch (final IOException | IllegalArgumentException e) {
			// a malformed escape: the image is readable, only its calibration is unknown
			lines.clear();
		}
		return lines;
	}

	/** The lines of an ImageJ description for this calibration. */
	public String lines() {
		final StringBuilder s = new StringBuilder();
		line(s, "unit", unit);
		line(s, "yunit", yUnit);
		line(s, "zunit", zUnit);
		if (pixelDepth != 1) line(s, "spacing", Double.toString(pixelDepth));
		if (frameInterval != 0) line(s, "finterval", Double.toString(frameInterval));
		if (!"sec".equals(timeUnit)) line(s, "tunit", timeUnit);
		if (xOrigin != 0) line(s, "xorigin", Double.toString(xOrigin));
		if (yOrigin != 0) line(s, "yorigin", Double.toString(yOrigin));
		if (zOrigin != 0) line(s, "zorigin", Double.toString(zOrigin));
		return s.toString();
	}

	private static void line(final StringBuilder s, final String key, final String value) {
		if (value == null) return;
		s.append(key).append('=');
		for (final char c : value.toCharArray()) {
			if (c >= ' ' && c < 0x7f && c != '\\') s.append(c);
			else s.append(String.format("\\u%04x", (int) c));
		}
		s.append('\n');
	}

	public static double number(final Properties lines, final String key, final double otherwise) {
		final String text = lines.getProperty(key);
		if (text == null) return otherwise;
		try {
			final double n = Double.parseDouble(text.trim());
			return Double.isFinite(n) ? n : otherwise;
		}
		catch (final NumberFormatException e) {
			return otherwise;
		}
	}
}
