package sc.fiji.ncc.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * Shifts, and deformations if there are any, as a JSON file, in pixels, without paths and names of files, so that it can be used with any stack of
 * the same size. Numbers are read back exactly. The format is described in {@code src/doc/registration.md}.
 */
public final class DriftFile {

	private static final String FORMAT = "ncc-drift";
	/** The version of files with shifts only, and of files with deformations. */
	private static final int SHIFTS = 1, DEFORMATIONS = 2;

	private DriftFile() {}

	/** The text of the file, with one line for each frame. */
	public static String text(final Drift drift) {
		Given.nonNull(drift, "drift");
		final Deformation d = drift.deformation();
		return "{\n  \"format\": \"" + FORMAT + "\",\n  \"version\": " + (d == null ? SHIFTS : DEFORMATIONS)
			+ ",\n  \"convention\": \"pixel x of the corrected frame is pixel x + shift" + (d == null ? "" : " + u(x)")
			+ " of the recorded frame\",\n" + "  \"frame_size\": " + Arrays.toString(drift.frameSize()) + ",\n  \"reference\": \""
			+ drift.reference() + "\",\n" + (d == null ? "" : "  \"deformation\": {\"count\": " + Arrays.toString(d.count())
			+ ", \"origin\": " + Arrays.toString(d.origin()) + ", \"spacing\": "
				+ Arrays.toString(d.spacing()) + "},\n")
			+ "  \"frames\": [\n" + drift.frames().stream().map(f -> line(f, d == null ? "" : ", \"u\": "
				+ Arrays.deepToString(d.frames().get((int) f.frame())))).collect(Collectors.joining(",\n")) + "\n  ]\n}\n";
	}

	private static String line(final FrameShift f, final String deformation) {
		return "    {\"frame\": " + (f.frame() + 1) + ", \"shift\": " + Arrays.toString(f.shift()) + ", \"score\": " + number(f.score())
			+ ", \"overlap\": " + number(f.overlap())
			+ ", \"residual\": " + number(f.residual()) + ", \"runner_up\": " + number(f.runnerUp()) + ", \"edge\": " + f.edge()
			+ ", \"state\": \"" + f.state().toString().toLowerCase(Locale.ROOT) + "\", \"covariance\": "
			+ (f.covariance() == null ? "null" : Arrays.deepToString(f.covariance()))
				+ deformation + "}";
	}

	private static String number(final double value) {
		return Double.isNaN(value) ? "null" : Double.toString(value);
	}

	/** Writes the {@link #text} in UTF-8. The stream stays open. */
	public static void write(final Drift drift, final OutputStream to) throws IOException {
		Given.nonNull(to, "stream").write(text(drift).getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads a file.
	 *
	 * @throws IllegalArgumentException if the file does not exist, or is not a file of this format; the message says which value is wrong
	 */
	public static Drift read(final Path file) {
		if (!Files.isRegularFile(Given.nonNull(file, "file")))
			throw new IllegalArgumentException("there is no file " + file + ": check its name and folder");
		try {
			final Map<?, ?> o = object(JsonText.parse(Files.readString(file)));
			if (!FORMAT.equals(o.get("format"))) throw new InputDataException("it has no \"format\": \"" + FORMAT + "\"");
			final double version = number(o, "version");
			if (version != SHIFTS && version != DEFORMATIONS) throw new InputDataException("it has version " + o.get("version")
				+ " of the format, and this program reads versions "
				+ SHIFTS + " and " + DEFORMATIONS);
			final List<?> sizes = list(o, "frame_size");
			final long[] size = new long[sizes.size()];
			for (int d = 0; d < size.length; d++) size[d] = whole(sizes.get(d), "frame_size");
			if (size.length != 2 && size.length != 3) throw new InputDataException("its frame_size has " + size.length
				+ " numbers, not 2 or 3");
			final List<FrameShift> frames = new ArrayList<>();
			for (final Object frame : list(o, "frames")) frames.add(frame(object(frame), size.length));
			return new Drift(size, String.valueOf(o.get("reference")), frames, version == SHIFTS ? null : deformation(o));
		}
		catch (final CharacterCodingException e) {
			throw refused(file, "it is not text in UTF-8", e);
		}
		catch (final IOException | IllegalArgumentException e) {
			throw refused(file, e.getMessage(), e);
		}
	}

	private static IllegalArgumentException refused(final Path file, final String why, final Exception cause) {
		return new IllegalArgumentException(file + " is not a file of transforms: " + why
			+ "; give a file that ncc align --transforms or Correct Drift has written", cause);
	}

	private static Deformation deformation(final Map<?, ?> o) throws InputDataException {
		final Map<?, ?> grid = object(o.get("deformation"));
		final double[] count = numbers(grid, "count");
		final int[] whole = new int[count.length];
		for (int d = 0; d < whole.length; d++) whole[d] = (int) whole(count[d], "count");
		final List<float[][]> frames = new ArrayList<>();
		for (final Object frame : list(o, "frames")) {
			final List<?> components = list(object(frame), "u");
			final float[][] u = new float[components.size()][];
			for (int d = 0; d < u.length; d++) {
				final double[] values = numbers(Map.of("u", components.get(d)), "u");
				u[d] = new float[values.length];
				for (int i = 0; i < values.length; i++) u[d][i] = (float) values[i];
			}
			frames.add(u);
		}
		return new Deformation(whole, numbers(grid, "origin"), numbers(grid, "spacing"), frames);
	}

	private static double[] numbers(final Map<?, ?> o, final String key) throws InputDataException {
		final List<?> list = list(o, key);
		final double[] numbers = new double[list.size()];
		for (int i = 0; i < numbers.length; i++) numbers[i] = number(list.get(i), key);
		return numbers;
	}

	private static FrameShift frame(final Map<?, ?> o, final int dimensions) throws InputDataException {
		final List<?> list = list(o, "shift");
		if (list.size() != dimensions) throw new InputDataException("a shift has " + list.size()
			+ " numbers, and frame_size has " + dimensions);
		final double[] shift = new double[dimensions];
		for (int d = 0; d < dimensions; d++) shift[d] = number(list.get(d), "shift");
		for (final FrameShift.State s : FrameShift.State.values())
			if (s.name().toLowerCase(Locale.ROOT).equals(o.get("state"))) return new FrameShift(whole(o.get("frame"), "frame") - 1,
				shift, value(o, "score"), value(o, "overlap"),
				value(o, "residual"), value(o, "runner_up"), Boolean.TRUE.equals(o.get("edge")), s, covariance(o, dimensions));
		throw new InputDataException("the state of a frame is " + o.get("state") + ", not ok, outlier, doubtful, lost or flat");
	}

	/** Null for null and for a missing value, as in files of earlier versions of this program. */
	private static double[][] covariance(final Map<?, ?> o, final int dimensions) throws InputDataException {
		if (o.get("covariance") == null) return null;
		final List<?> rows = list(o, "covariance");
		final double[][] covariance = new double[dimensions][dimensions];
		for (int i = 0; i < dimensions; i++) {
			final List<?> row = i < rows.size() && rows.get(i) instanceof List ? (List<?>) rows.get(i) : List.of();
			if (rows.size() != dimensions || row.size() != dimensions)
				throw new InputDataException("a covariance is " + rows + ", and frame_size has " + dimensions + " numbers");
			for (int j = 0; j < dimensions; j++) covariance[i][j] = number(row.get(j), "covariance");
		}
		return covariance;
	}

	private static Map<?, ?> object(final Object value) throws InputDataException {
		if (value instanceof Map) return (Map<?, ?>) value;
		throw new InputDataException("it holds " + value + " where an object should be");
	}

	private static List<?> list(final Map<?, ?> o, final String key) throws InputDataException {
		if (o.get(key) instanceof List) return (List<?>) o.get(key);
		throw new InputDataException("its '" + key + "' is " + o.get(key) + ", not a list");
	}

	private static double number(final Map<?, ?> o, final String key) throws InputDataException {
		return number(o.get(key), key);
	}

	private static double number(final Object value, final String key) throws InputDataException {
		if (value instanceof Double && Double.isFinite((Double) value)) return (Double) value;
		throw new InputDataException("its '" + key + "' is " + value + ", not a number");
	}

	private static long whole(final Object value, final String key) throws InputDataException {
		final double number = number(value, key);
		if (number != Math.rint(number) || number < 1 || number > Integer.MAX_VALUE)
			throw new InputDataException("its '" + key + "' is " + value + ", not a whole number from 1 to " + Integer.MAX_VALUE);
		return (long) number;
	}

	/** NaN for null and for a missing value. */
	private static double value(final Map<?, ?> o, final String key) throws InputDataException {
		return o.get(key) == null ? Double.NaN : number(o, key);
	}
}
