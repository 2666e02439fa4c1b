package sc.fiji.ncc.store;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import sc.fiji.ncc.plan.PixelType;

/**
 * What Zarr's files say of an array. Its dimensions are in the order of the files: x is the last one.
 *
 * @param version of the format, 2 or 3
 * @param shape extents
 * @param chunk extents of what is read at once
 * @param order of a pixel's bytes
 * @param fill what pixels of chunks read that are not there
 * @param prefix of the name of a chunk's file, after which come its indices
 * @param separator between the indices
 * @param codecs of a chunk, in the order in which they are undone
 * @param shard the files in which chunks lie together; null if each has its own
 * @param attributes what else is said; empty if nothing is
 * @param names of the dimensions; empty if they have none
 */
record ZarrMetadata(int version, long[] shape, int[] chunk, PixelType type, ByteOrder order, double fill, String prefix, String separator,
	List<Codec> codecs, Shard shard, JsonObject attributes, List<String> names)
{

	static final String V3 = "zarr.json", ARRAY = ".zarray", GROUP = ".zgroup", ATTRIBUTES = ".zattrs";

	/** So that the bytes of a map of doubles, twice as long along three dimensions, are still a long. */
	private static final long MOST_PIXELS = 1L << 56;
	private static final int MOST_CHUNK_BYTES = Integer.MAX_VALUE - 16 - Codec.SLACK;

	private static final Map<String, PixelType> TYPES = Map.of("uint8", PixelType.U8, "bool", PixelType.U8, "int8", PixelType.S8, "uint16", PixelType.U16, "int16",
		PixelType.S16, "uint32", PixelType.U32, "int32", PixelType.S32, "float32", PixelType.F32, "float64", PixelType.F64);
	private static final Map<String, String> SHORT = Map.of("u1", "uint8", "b1", "bool", "i1", "int8", "u2", "uint16", "i2", "int16", "u4", "uint32", "i4", "int32",
		"f4", "float32", "f8", "float64");

	/** Whether a folder says that it is an array or a group. */
	static boolean isZarr(final Path folder) {
		return Files.exists(folder.resolve(V3)) || Files.exists(folder.resolve(ARRAY)) || Files.exists(folder.resolve(GROUP))
			|| Files.exists(folder.resolve(ATTRIBUTES));
	}

	static boolean isArray(final Path folder) throws IOException {
		return Files.exists(folder.resolve(ARRAY)) || Files.exists(folder.resolve(V3)) && "array".equals(text(Json.read(folder.resolve(V3)), "node_type", ""));
	}

	/** What a group or an array says besides; empty if nothing. */
	static JsonObject attributes(final Path folder) throws IOException {
		if (Files.exists(folder.resolve(V3))) return child(Json.read(folder.resolve(V3)), "attributes");
		return Files.exists(folder.resolve(ATTRIBUTES)) ? Json.read(folder.resolve(ATTRIBUTES)) : new JsonObject();
	}

	/** @throws IOException if the folder holds no array, or one of a kind that is not read, in words */
	static ZarrMetadata read(final Path folder) throws IOException {
		try {
			if (Files.exists(folder.resolve(ARRAY))) return version2(Json.read(folder.resolve(ARRAY)), attributes(folder));
			final JsonObject array = Json.read(folder.resolve(V3));
			if (!"array".equals(text(array, "node_type", ""))) throw new InputDataException("its zarr.json is of a " + text(array, "node_type", "?") + ", not of an array");
			return version3(array);
		}
		catch (final RuntimeException e) {
			// what is missing or of another kind than it must be
			throw new InputDataException("its metadata are damaged", e);
		}
	}

	private static ZarrMetadata version2(final JsonObject a, final JsonObject attributes) throws IOException {
		final String type = Json.text(a, "dtype");
		if (type.length() != 3 || !SHORT.containsKey(type.substring(1))) throw unknown(type);
		final int[] chunk = Json.ints(a, "chunks");
		if (!"C".equals(text(a, "order", "C")) && chunk.length > 1) throw new InputDataException("the pixels of its chunks lie in the order F, columns first: save it in order C");
		return new ZarrMetadata(2, Json.longs(a, "shape"), chunk, TYPES.get(SHORT.get(type.substring(1))),
			type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, fill(a.get("fill_value")), "", text(a, "dimension_separator", "."), Codec.version2(a), null,
			attributes, strings(attributes.get("_ARRAY_DIMENSIONS"))).checked();
	}

	private static ZarrMetadata version3(final JsonObject a) throws IOException {
		final JsonElement type = a.get("data_type");
		if (type == null || !type.isJsonPrimitive() || !TYPES.containsKey(type.getAsString())) throw unknown(type == null ? "none" : type.toString());
		final JsonObject grid = Json.object(a, "chunk_grid");
		if (!"regular".equals(text(grid, "name", ""))) throw new InputDataException("its chunks lie in a grid of the kind " + grid.get("name") + ": only regular ones are read");
		int[] chunk = Json.ints(Json.object(grid, "configuration"), "chunk_shape");
		final JsonObject keys = child(a, "chunk_key_encoding");
		final boolean plain = "v2".equals(text(keys, "name", "default"));
		final String separator = text(child(keys, "configuration"), "separator", plain ? "." : "/");
		List<JsonElement> codecs = Json.list(a, "codecs").asList();
		Shard shard = null;
		if (codecs.size() == 1 && "sharding_indexed".equals(text(Json.object(codecs.get(0), "a codec"), "name", ""))) {
			final JsonObject c = Json.object(codecs.get(0).getAsJsonObject(), "configuration");
			shard = Shard.of(chunk, Json.ints(c, "chunk_shape"), Codec.version3(afterBytes(Json.list(c, "index_codecs").asList())).size(),
				!"start".equals(text(c, "index_location", "end")));
			chunk = shard.chunk();
			codecs = Json.list(c, "codecs").asList();
		}
		final JsonObject bytes = bytes(codecs);
		final ByteOrder order = "big".equals(text(child(bytes, "configuration"), "endian", "little")) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
		return new ZarrMetadata(3, Json.longs(a, "shape"), chunk, TYPES.get(type.getAsString()), order, fill(a.get("fill_value")), plain ? "" : "c" + separator,
			separator, Codec.version3(afterBytes(codecs)), shard, child(a, "attributes"), strings(a.get("dimension_names"))).checked();
	}

	/** The step that makes pixels bytes; one that leaves the dimensions in their order may stand before it. */
	private static JsonObject bytes(final List<JsonElement> codecs) throws IOException {
		for (final JsonElement c : codecs) {
			final JsonObject codec = Json.object(c, "a codec");
			if ("bytes".equals(text(codec, "name", ""))) return codec;
			final JsonElement order = child(codec, "configuration").get("order");
			final boolean same = "transpose".equals(text(codec, "name", "")) && order != null && order.isJsonArray() && ascending(Json.ints(child(codec, "configuration"), "order"));
			if (!same) throw new InputDataException("its chunks went through " + codec + ", which is not known: save it without");
		}
		throw new InputDataException("its metadata do not say how pixels become bytes");
	}

	private static boolean ascending(final int[] order) {
		for (int d = 0; d < order.length; d++)
			if (order[d] != d) return false;
		return true;
	}

	private static List<JsonElement> afterBytes(final List<JsonElement> codecs) throws IOException {
		return codecs.subList(codecs.indexOf(bytes(codecs)) + 1, codecs.size());
	}

	private ZarrMetadata checked() throws IOException {
		if (shape.length == 0 || shape.length != chunk.length) throw new InputDataException("its metadata are damaged: " + shape.length + " extents, and " + chunk.length + " of a chunk");
		long bytes = type.bytes, pixels = 1;
		for (int d = 0; d < shape.length; d++) {
			if (shape[d] < 1 || chunk[d] < 1) throw new InputDataException("it holds no pixels");
			if (chunk[d] > MOST_CHUNK_BYTES / bytes) throw new InputDataException("its chunks of " + Arrays.toString(chunk) + " are above 2 GB: save it in smaller ones");
			if (shape[d] > MOST_PIXELS / pixels) throw new InputDataException("its metadata are damaged: an image of " + Arrays.toString(shape)
				+ " has more than " + MOST_PIXELS + " pixels");
			bytes *= chunk[d];
			pixels *= shape[d];
		}
		return this;
	}

	/** Bytes of a chunk's pixels. */
	int chunkBytes() {
		int n = type.bytes;
		for (final int c : chunk) n *= c;
		return n;
	}

	private static IOException unknown(final String type) {
		return new InputDataException("its pixels are of type " + type + ": integers of 8, 16 and 32 bits and floats of 32 and 64 bits are read, so convert it");
	}

	private static double fill(final JsonElement value) throws InputDataException {
		if (value == null || value.isJsonNull()) return 0;
		final String text = Json.text(value, "fill_value");
		try {
			return fill(text);
		}
		catch (final NumberFormatException e) {
			throw new InputDataException("its metadata are damaged: 'fill_value' is " + value + ", not a number", e);
		}
	}

	private static double fill(final String text) {
		switch (text) {
			case "true": return 1;
			case "false": case "": return 0;
			default:
				if (!text.startsWith("0x")) return Double.parseDouble(text);
				// the bits of a float or a double
				final long bits = Long.parseUnsignedLong(text.substring(2), 16);
				return text.length() > 10 ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
		}
	}

	/** An object in another one; empty if it is not there. */
	static JsonObject child(final JsonObject parent, final String key) {
		final JsonElement c = parent.get(key);
		return c != null && c.isJsonObject() ? c.getAsJsonObject() : new JsonObject();
	}

	static String text(final JsonObject parent, final String key, final String otherwise) {
		final JsonElement c = parent.get(key);
		return c != null && c.isJsonPrimitive() ? c.getAsString() : otherwise;
	}

	private static List<String> strings(final JsonElement names) throws InputDataException {
		final List<String> all = new ArrayList<>();
		if (names != null && names.isJsonArray())
			for (final JsonElement n : names.getAsJsonArray()) all.add(n.isJsonNull() ? "" : Json.text(n, "a dimension's name").toLowerCase(Locale.ROOT));
		return all;
	}
}
