package sc.fiji.ncc.front;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import sc.fiji.ncc.pose.PoseGrid;

/** Angles, scales and rotations as text, the same in all front ends. */
public final class PoseText {

	private static final String AUTO = "auto", UNIFORM = "uniform:", ANGLES = "give degrees as from:to:step, as in 0:360:2, numbers as in 0,90,180, or auto";
	private static final Pattern PLANAR = Pattern.compile("auto|[-+0-9.eE ]+([,:][-+0-9.eE ]+)+");

	private PoseText() {}

	/**
	 * Reads angles: {@code from:to:step}, or numbers with commas between them.
	 *
	 * @param name the option as it stands before the value, for messages
	 * @return null for {@code auto}
	 * @throws IllegalArgumentException if the text is neither, or the range has no angle
	 */
	public static double[] angles(final String name, final String text) {
		if (text.trim().equals(AUTO)) return null;
		if (text.startsWith(UNIFORM)) throw new IllegalArgumentException(name + text + " gives rotations in three dimensions, and the template has two: " + ANGLES);
		final double[] range = numbers(name, text, ANGLES);
		return text.indexOf(':') < 0 ? range : named(name, text, () -> PoseGrid.angleRange(range[0], range[1], range[2]));
	}

	/**
	 * Reads scales: {@code from:to:factor}, or numbers with commas between them.
	 *
	 * @throws IllegalArgumentException if the text is neither, or the range has no scale
	 */
	public static double[] scales(final String name, final String text) {
		final double[] range = numbers(name, text, "give scales as from:to:factor, as in 0.8:1.25:1.05, or numbers as in 0.9,1,1.1");
		return text.indexOf(':') < 0 ? range : named(name, text, () -> PoseGrid.scaleRange(range[0], range[1], range[2]));
	}

	/**
	 * Reads rotations in three dimensions.
	 *
	 * @param text {@code uniform:STEP} in degrees
	 * @return null if the text does not begin with {@code uniform:}
	 */
	public static List<double[]> uniform(final String name, final String text) {
		if (!text.startsWith(UNIFORM)) return null;
		return named(name, text, () -> PoseGrid.uniformRotations(WrittenNumber.toDouble(text.substring(UNIFORM.length()).trim())));
	}

	/** Whether the text names a file of rotations: it is neither angles of a plane, nor a number, nor {@code uniform:STEP}. */
	public static boolean isFile(final String text) {
		return !text.startsWith(UNIFORM) && !PLANAR.matcher(text.trim()).matches() && !text.trim().matches("[-+0-9.eE:, ]*");
	}

	/**
	 * Refuses angles of a plane, also where a name of a file could be meant.
	 *
	 * @param text the rotations for a template of three dimensions
	 */
	public static void requireSpatial(final String name, final String text) {
		if (PLANAR.matcher(text.trim()).matches()) throw new IllegalArgumentException(name + text + " gives angles in a plane, and the template has three dimensions: give " + name
			+ "uniform:STEP, as in " + name + "uniform:30, or a file with a quaternion w x y z in each line");
	}

	/**
	 * Reads a list of rotations: in each line a quaternion w x y z, or Euler angles about z, x and z in degrees, with blanks or commas between the numbers. Empty
	 * lines, and lines that begin with #, do not count.
	 */
	public static List<double[]> rotations(final String name, final List<String> lines) {
		final List<double[]> rotations = new ArrayList<>();
		for (int i = 0; i < lines.size(); i++) {
			final String line = lines.get(i).trim();
			if (line.isEmpty() || line.startsWith("#")) continue;
			final double[] v;
			try {
				v = WrittenNumber.row(line);
			}
			catch (final NumberFormatException e) {
				throw new IllegalArgumentException(name + " line " + (i + 1) + ": '" + line + "': " + e.getMessage()
					+ "; give 4 numbers of a quaternion, w x y z, or 3 Euler angles", e);
			}
			if (v.length != 3 && v.length != 4)
				throw new IllegalArgumentException(name + " line " + (i + 1) + " has " + v.length + " numbers: give 4 of a quaternion, w x y z, or 3 Euler angles about z, x and z in degrees");
			rotations.add(v.length == 4 ? v : PoseGrid.euler(v[0], v[1], v[2]));
		}
		if (rotations.isEmpty()) throw new IllegalArgumentException(name + " has no rotation: give one in each line");
		return rotations;
	}

	private interface Reading<T> {

		T read();
	}

	private static <T> T named(final String name, final String text, final Reading<T> reading) {
		try {
			return reading.read();
		}
		catch (final IllegalArgumentException e) {
			throw new IllegalArgumentException(name + text + ": " + e.getMessage(), e);
		}
	}

	private static double[] numbers(final String name, final String text, final String help) {
		final boolean range = text.indexOf(':') >= 0;
		final String[] parts = text.split(range ? ":" : ",", -1);
		if (range && parts.length != 3) throw new IllegalArgumentException(name + text + " has " + parts.length + " parts: " + help);
		final double[] numbers = new double[parts.length];
		for (int i = 0; i < parts.length; i++)
			numbers[i] = WrittenNumber.read(parts[i].trim(), WrittenNumber::toDouble, name + text + ": '" + parts[i] + "' is not a number; " + help);
		return numbers;
	}
}
