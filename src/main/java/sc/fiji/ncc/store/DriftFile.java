package sc.fiji.ncc.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * Shifts as a JSON file, in pixels, without paths and names of files, so that it can be used with any stack of the same size. Numbers are read back exactly. The
 * format is described in {@code src/doc/registration.md}.
 */
public final class DriftFile {

	private static final String FORMAT = "ncc-drift";
	private static final int VERSION = 1;

	private DriftFile() {}

	/** The text of the file. */
	public static String text(final Drift drift) {
		final JsonObject o = new JsonObject();
		o.addProperty("format", FORMAT);
		o.addProperty("version", VERSION);
		o.addProperty("convention", "pixel x of the corrected frame is pixel x + shift of the recorded frame");
		final JsonArray size = new JsonArray(), frames = new JsonArray();
		for (final long s : drift.frameSize()) size.add(s);
		o.add("frame_size", size);
		o.addProperty("reference", drift.reference());
		for (final FrameShift f : drift.frames()) {
			final JsonObject frame = new JsonObject();
			final JsonArray shift = new JsonArray();
			for (final double s : f.shift()) shift.add(s);
			frame.addProperty("frame", f.frame());
			frame.add("shift", shift);
			frame.add("score", number(f.score()));
			frame.add("overlap", number(f.overlap()));
			frame.add("residual", number(f.residual()));
			frame.add("runner_up", number(f.runnerUp()));
			frame.addProperty("edge", f.edge());
			frame.addProperty("state", f.state().toString().toLowerCase(Locale.ROOT));
			frames.add(frame);
		}
		o.add("frames", frames);
		return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create().toJson(o) + "\n";
	}

	private static JsonElement number(final double value) {
		return Double.isNaN(value) ? JsonNull.INSTANCE : new JsonPrimitive(value);
	}

	public static void write(final Drift drift, final OutputStream to) throws IOException {
		to.write(text(drift).getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads a file.
	 *
	 * @throws IllegalArgumentException if the file does not exist, or is not a file of this format; the message says which value is wrong
	 */
	public static Drift read(final Path file) {
		if (!Files.isRegularFile(file)) throw new IllegalArgumentException("there is no file " + file + ": check its name and folder");
		try {
			final JsonObject o = Json.read(file);
			if (!o.has("format") || !FORMAT.equals(Json.text(o, "format"))) throw new IllegalArgumentException(file + " is not a file of transforms: it has no \"format\": \"" + FORMAT
				+ "\"; give a file that --transforms or Correct Drift has written");
			final double version = Json.number(o.get("version"), "version");
			if (version != VERSION) throw new IllegalArgumentException(file + " has version " + version + " of the format, and this program reads version " + VERSION
				+ ": use a newer version of the program");
			final long[] size = Json.longs(o, "frame_size");
			final List<FrameShift> frames = new ArrayList<>();
			for (final JsonElement e : Json.list(o, "frames")) frames.add(frame(Json.object(e, "a frame"), size.length));
			return new Drift(size, Json.text(o, "reference"), frames);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot read the transforms in " + file + ": " + InputDataException.of(e).getMessage(), e);
		}
	}

	private static FrameShift frame(final JsonObject o, final int dimensions) throws IOException {
		final JsonArray list = Json.list(o, "shift");
		if (list.size() != dimensions) throw new InputDataException("a shift has " + list.size() + " numbers, and frame_size has " + dimensions);
		final double[] shift = new double[dimensions];
		for (int d = 0; d < dimensions; d++) {
			shift[d] = Json.number(list.get(d), "shift");
			if (!Double.isFinite(shift[d])) throw new InputDataException("a shift is " + shift[d] + ", not a finite number");
		}
		final String state = Json.text(o, "state").toUpperCase(Locale.ROOT);
		for (final FrameShift.State s : FrameShift.State.values())
			if (s.name().equals(state)) return new FrameShift((long) Json.number(o.get("frame"), "frame"), shift, value(o, "score"), value(o, "overlap"), value(o, "residual"),
				value(o, "runner_up"), o.has("edge") && o.get("edge").getAsBoolean(), s);
		throw new InputDataException("its state '" + state + "' is not ok, outlier, lost or flat");
	}

	private static double value(final JsonObject o, final String key) throws IOException {
		return !o.has(key) || o.get(key).isJsonNull() ? Double.NaN : Json.number(o.get(key), key);
	}
}
