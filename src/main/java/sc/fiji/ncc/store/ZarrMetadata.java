package sc.fiji.ncc.store;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

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
		return Files.exists(folder.resolve(ARRAY)) || Files.exists(folder.resolve(V3)) && "array".equals(text(json(folder.resolve(V3)), "node_type", ""));
	}

	/** What a group or an array says besides; empty if nothing. */
	static JsonObject attributes(final Path folder) throws IOException {
		if (Files.exists(folder.resolve(V3))) return child(json(folder.resolve(V3)), "attributes");
		return Files.exists(folder.resolve(ATTRIBUTES)) ? json(folder.resolve(ATTRIBUTES)) : new JsonObject();
	}

	/** @throws IOException if the folder holds no array, or one of a kind that is not read, in words */
	static ZarrMetadata read(final Path folder) throws IOException {
		try {
			if (Files.exists(folder.resolve(ARRAY))) return version2(json(folder.resolve(ARRAY)), attributes(folder));
			final JsonObject array = json(folder.resolve(V3));
			if (!"array".equals(text(array, "node_type", ""))) throw new IOException("its zarr.json is of a " + text(array, "node_type", "?") + ", not of an array");
			return version3(array);
		}
		catch (final RuntimeException e) {
			// what is missing or of another kind than it must be
			throw new IOException("its metadata are damaged (" + e + ")", e);
		}
	}

	private static ZarrMetadata version2(final JsonObject a, final JsonObject attributes) throws IOException {
		final String type = a.get("dtype").getAsJsonPrimitive().getAsString();
		if (type.length() != 3 || !SHORT.containsKey(type.substring(1))) throw unknown(type);
		final int[] chunk = ints(a.getAsJsonArray("chunks"));
		if (!"C".equals(text(a, "order", "C")) && chunk.length > 1) throw new IOException("the pixels of its chunks lie in the order F, columns first: save it in order C");
		return new ZarrMetadata(2, longs(a.getAsJsonArray("shape")), chunk, TYPES.get(SHORT.get(type.substring(1))),
			type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, fill(a.get("fill_value")), "", text(a, "dimension_separator", "."), Codec.version2(a), null,
			attributes, strings(attributes.get("_ARRAY_DIMENSIONS"))).checked();
	}

	private static ZarrMetadata version3(final JsonObject a) throws IOException {
		final JsonElement type = a.get("data_type");
		if (!type.isJsonPrimitive() || !TYPES.containsKey(type.getAsString())) throw unknown(type.toString());
		final JsonObject grid = a.getAsJsonObject("chunk_grid");
		if (!"regular".equals(text(grid, "name", ""))) throw new IOException("its chunks lie in a grid of the kind " + grid.get("name") + ": only regular ones are read");
		int[] chunk = ints(grid.getAsJsonObject("configuration").getAsJsonArray("chunk_shape"));
		final JsonObject keys = child(a, "chunk_key_encoding");
		final boolean plain = "v2".equals(text(keys, "name", "default"));
		final String separator = text(child(keys, "configuration"), "separator", plain ? "." : "/");
		List<JsonElement> codecs = a.getAsJsonArray("codecs").asList();
		Shard shard = null;
		if (codecs.size() == 1 && "sharding_indexed".equals(text(codecs.get(0).getAsJsonObject(), "name", ""))) {
			final JsonObject c = codecs.get(0).getAsJsonObject().getAsJsonObject("configuration");
			shard = Shard.of(chunk, ints(c.getAsJsonArray("chunk_shape")), Codec.version3(afterBytes(c.getAsJsonArray("index_codecs").asList())).size(),
				!"start".equals(text(c, "index_location", "end")));
			chunk = shard.chunk();
			codecs = c.getAsJsonArray("codecs").asList();
		}
		final JsonObject bytes = bytes(codecs);
		final ByteOrder order = "big".equals(text(child(bytes, "configuration"), "endian", "little")) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
		return new ZarrMetadata(3, longs(a.getAsJsonArray("shape")), chunk, TYPES.get(type.getAsString()), order, fill(a.get("fill_value")), plain ? "" : "c" + separator,
			separator, Codec.version3(afterBytes(codecs)), shard, child(a, "attributes"), strings(a.get("dimension_names"))).checked();
	}

	/** The step that makes pixels bytes; one that leaves the dimensions in their order may stand before it. */
	private static JsonObject bytes(final List<JsonElement> codecs) throws IOException {
		for (final JsonElement c : codecs) {
			final JsonObject codec = c.getAsJsonObject();
			if ("bytes".equals(text(codec, "name", ""))) return codec;
			final JsonElement order = child(codec, "configuration").get("order");
			final boolean same = "transpose".equals(text(codec, "name", "")) && order != null && order.isJsonArray() && ascending(ints(order.getAsJsonArray()));
			if (!same) throw new IOException("its chunks went through " + codec + ", which is not known: save it without");
		}
		throw new IOException("its metadata do not say how pixels become bytes");
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
		if (shape.length == 0 || shape.length != chunk.length) throw new IOException("its metadata are damaged: " + shape.length + " extents, and " + chunk.length + " of a chunk");
		long bytes = type.bytes;
		for (int d = 0; d < shape.length; d++) {
			if (shape[d] < 1 || chunk[d] < 1) throw new IOException("it holds no pixels");
			bytes = Math.multiplyExact(bytes, chunk[d]);
		}
		if (bytes > Integer.MAX_VALUE - 16 - Codec.SLACK) throw new IOException("its chunks are above 2 GB: save it in smaller ones");
		return this;
	}

	/** Bytes of a chunk's pixels. */
	int chunkBytes() {
		int n = type.bytes;
		for (final int c : chunk) n *= c;
		return n;
	}

	private static IOException unknown(final String type) {
		return new IOException("its pixels are of type " + type + ": integers of 8, 16 and 32 bits and floats of 32 and 64 bits are read, so convert it");
	}

	private static double fill(final JsonElement value) {
		if (value == null || value.isJsonNull()) return 0;
		final String text = value.getAsString();
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

	static JsonObject json(final Path file) throws IOException {
		try {
			return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
		}
		catch (final JsonParseException | IllegalStateException e) {
			throw new IOException("its " + file.getFileName() + " is damaged: " + e.getMessage(), e);
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

	private static long[] longs(final JsonArray a) {
		final long[] v = new long[a.size()];
		for (int i = 0; i < v.length; i++) v[i] = a.get(i).getAsLong();
		return v;
	}

	private static int[] ints(final JsonArray a) {
		final int[] v = new int[a.size()];
		for (int i = 0; i < v.length; i++) v[i] = Math.toIntExact(a.get(i).getAsLong());
		return v;
	}

	private static List<String> strings(final JsonElement names) {
		final List<String> all = new ArrayList<>();
		if (names != null && names.isJsonArray())
			for (final JsonElement n : names.getAsJsonArray()) all.add(n.isJsonNull() ? "" : n.getAsString().toLowerCase(Locale.ROOT));
		return all;
	}
}
