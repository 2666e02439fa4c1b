package sc.fiji.ncc.store;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

/** Reads required values of metadata. A missing value or a value of the wrong kind is an error with a message. */
final class Json {

	private static final Pattern PLACE = Pattern.compile("line (\\d+) column (\\d+)");
	/** The number of characters of a wrong value in a message. */
	private static final int SHOWN = 60;

	private Json() {}

	static JsonObject read(final Path file) throws IOException {
		try {
			return object(JsonParser.parseString(Files.readString(file)), file.getFileName().toString());
		}
		catch (final JsonParseException e) {
			final Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
			throw new InputDataException("its " + file.getFileName() + " is damaged: " + (place.find() ? "line " + place.group(1) + ", column " + place.group(2) + " is" : "it is")
				+ " not JSON", e);
		}
		catch (final java.nio.charset.CharacterCodingException e) {
			throw new InputDataException("its " + file.getFileName() + " is damaged: it is not text in UTF-8", e);
		}
	}

	/** @param what the name of the value, for messages */
	static JsonObject object(final JsonElement e, final String what) throws InputDataException {
		if (e == null || !e.isJsonObject()) throw wrong(e, what, "an object");
		return e.getAsJsonObject();
	}

	static JsonObject object(final JsonObject parent, final String key) throws InputDataException {
		return object(parent.get(key), key);
	}

	static JsonArray list(final JsonElement e, final String what) throws InputDataException {
		if (e == null || !e.isJsonArray()) throw wrong(e, what, "a list");
		return e.getAsJsonArray();
	}

	static JsonArray list(final JsonObject parent, final String key) throws InputDataException {
		return list(parent.get(key), key);
	}

	static String text(final JsonElement e, final String what) throws InputDataException {
		if (e == null || !e.isJsonPrimitive()) throw wrong(e, what, "a text");
		return e.getAsString();
	}

	static String text(final JsonObject parent, final String key) throws InputDataException {
		return text(parent.get(key), key);
	}

	static double number(final JsonElement e, final String what) throws InputDataException {
		try {
			if (e != null && e.isJsonPrimitive()) return e.getAsDouble();
		}
		catch (final NumberFormatException n) {
			// reported below
		}
		throw wrong(e, what, "a number");
	}

	static long[] longs(final JsonObject parent, final String key) throws InputDataException {
		final JsonArray list = list(parent, key);
		final long[] values = new long[list.size()];
		for (int i = 0; i < values.length; i++) values[i] = whole(list.get(i), key, Long.MAX_VALUE);
		return values;
	}

	static int[] ints(final JsonObject parent, final String key) throws InputDataException {
		final JsonArray list = list(parent, key);
		final int[] values = new int[list.size()];
		for (int i = 0; i < values.length; i++) values[i] = (int) whole(list.get(i), key, Integer.MAX_VALUE);
		return values;
	}

	private static long whole(final JsonElement e, final String key, final long most) throws InputDataException {
		try {
			if (e.isJsonPrimitive() && e.getAsJsonPrimitive().isNumber()) {
				final long value = new BigDecimal(e.getAsString()).longValueExact();
				if (Math.abs(value) <= most) return value;
			}
		}
		catch (final ArithmeticException | NumberFormatException n) {
			// reported below
		}
		throw wrong(e, "a number in " + key, "a whole number of at most " + most);
	}

	private static InputDataException wrong(final JsonElement e, final String what, final String kind) {
		if (e == null || e.isJsonNull()) return new InputDataException("its metadata are damaged: there is no '" + what + "'");
		final String text = e.toString();
		return new InputDataException("its metadata are damaged: '" + what + "' is " + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text) + ", not " + kind);
	}
}
