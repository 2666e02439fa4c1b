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
 * The metadata of a Zarr array. The dimensions are in the order of the files: x is the last one.
 *
 * @param version the version of Zarr, 2 or 3
 * @param shape the size of the array
 * @param chunk the size of a chunk
 * @param type the pixel type
 * @param order the byte order
 * @param fill the value of pixels in missing chunks
 * @param prefix the beginning of the name of a chunk's file, before the indices
 * @param separator the text between the indices
 * @param codecs the decoding steps of a chunk, in the order of decoding
 * @param shard the layout of files with several chunks; null if each chunk has its own file
 * @param names the names of the dimensions; empty if there are none
 */
record ZarrMetadata(int version, long[] shape, int[] chunk, PixelType type, ByteOrder order, double fill, String prefix, String separator,
	List<Codec> codecs, Shard shard, List<String> names)
{

	static final String V3 = "zarr.json", ARRAY = ".zarray", GROUP = ".zgroup", ATTRIBUTES = ".zattrs";

	/** A limit that only damaged metadata exceed: 281 TB with a byte for each pixel. */
	private static final long MOST_PIXELS = 1L << 48;
	private static final int MOST_CHUNK_BYTES = Integer.MAX_VALUE - 16 - Codec.MARGIN;

	private static final Map<String, PixelType> TYPES =
		Map.of("uint8", PixelType.U8, "bool", PixelType.U8, "int8", PixelType.S8, "uint16", PixelType.U16, "int16",
		PixelType.S16, "uint32", PixelType.U32, "int32", PixelType.S32, "float32", PixelType.F32, "float64", PixelType.F64);
	private static final Map<String, String> SHORT = Map.of("u1", "uint8", "b1", "bool", "i1", "int8", "u2", "uint16", "i2", "int16", "u4",
		"uint32", "i4", "int32", "f4", "float32", "f8", "float64");

	/** The name of a pixel type in version 2 or 3, little-endian. */
	static String name(final PixelType type, final int version) {
		final String name = (type.min < 0 ? "" : "u") + "int" + 8 * type.bytes;
		if (version == 3) return type.integer ? name : "float" + 8 * type.bytes;
		return (type.bytes == 1 ? "|" : "<") + (!type.integer ? "f" : type.min < 0 ? "i" : "u") + type.bytes;
	}

	/** Whether a folder has the metadata of an array or a group. */
	static boolean isZarr(final Path folder) {
		return Files.exists(folder.resolve(V3)) || Files.exists(folder.resolve(ARRAY)) || Files.exists(folder.resolve(GROUP))
			|| Files.exists(folder.resolve(ATTRIBUTES));
	}

	static boolean isArray(final Path folder) throws IOException {
		return Files.exists(folder.resolve(ARRAY)) || Files.exists(folder.resolve(V3))
			&& "array".equals(text(Json.read(folder.resolve(V3)), "node_type", ""));
	}

	/** The attributes of a group or an array; empty if there are none. */
	static JsonObject attributes(final Path folder) throws IOException {
		if (Files.exists(folder.resolve(V3))) return child(Json.read(folder.resolve(V3)), "attributes");
		return Files.exists(folder.resolve(ATTRIBUTES)) ? Json.read(folder.resolve(ATTRIBUTES)) : new JsonObject();
	}

	/** @throws IOException if the folder has no array of a supported kind; the message gives the reason */
	static ZarrMetadata read(final Path folder) throws IOException {
		try {
			if (Files.exists(folder.resolve(ARRAY))) return version2(Json.read(folder.resolve(ARRAY)), attributes(folder));
			final JsonObject array = Json.read(folder.resolve(V3));
			if (!"array".equals(text(array, "node_type", "")))
				throw new InputDataException("its zarr.json is of a " + text(array, "node_type", "?") + ", not of an array");
			return version3(array);
		}
		catch (final RuntimeException e) {
			// a missing value, or one of the wrong kind
			throw new InputDataException("its metadata are damaged", e);
		}
	}

	private static ZarrMetadata version2(final JsonObject a, final JsonObject attributes) throws IOException {
		final String type = Json.text(a, "dtype");
		if (type.length() != 3 || !SHORT.containsKey(type.substring(1))) throw unknown(type);
		final int[] chunk = Json.ints(a, "chunks");
		if (!"C".equals(text(a, "order", "C")) && chunk.length > 1)
			throw new InputDataException("the pixels of its chunks have the order F, which is not supported: save it in order C");
		return new ZarrMetadata(2, Json.longs(a, "shape"), chunk, TYPES.get(SHORT.get(type.substring(1))),
			type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, fill(a.get("fill_value")), "",
			text(a, "dimension_separator", "."), Codec.version2(a), null, strings(attributes.get("_ARRAY_DIMENSIONS"))).checked();
	}

	private static ZarrMetadata version3(final JsonObject a) throws IOException {
		final JsonElement type = a.get("data_type");
		if (type == null || !type.isJsonPrimitive() || !TYPES.containsKey(type.getAsString())) throw unknown(type == null ? "none"
			: type.toString());
		final JsonObject grid = Json.object(a, "chunk_grid");
		if (!"regular".equals(text(grid, "name", ""))) throw new InputDataException("its chunks lie in a grid of the kind "
			+ grid.get("name") + ", which is not supported: save it with a regular grid");
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
		final ByteOrder order = "big".equals(text(child(bytes, "configuration"), "endian", "little")) ? ByteOrder.BIG_ENDIAN
			: ByteOrder.LITTLE_ENDIAN;
		return new ZarrMetadata(3, Json.longs(a, "shape"), chunk, TYPES.get(type.getAsString()), order, fill(a.get("fill_value")), plain
			? "" : "c" + separator, separator, Codec.version3(afterBytes(codecs)), shard, strings(a.get("dimension_names"))).checked();
	}

	/** The step that converts pixels to bytes. A transposition without effect may come before it. */
	private static JsonObject bytes(final List<JsonElement> codecs) throws IOException {
		for (final JsonElement c : codecs) {
			final JsonObject codec = Json.object(c, "a codec");
			if ("bytes".equals(text(codec, "name", ""))) return codec;
			final JsonElement order = child(codec, "configuration").get("order");
			final boolean same = "transpose".equals(text(codec, "name", "")) && order != null && order.isJsonArray()
				&& ascending(Json.ints(child(codec, "configuration"), "order"));
			if (!same) throw new InputDataException("its chunks have the codec " + codec + ", which is not supported: save it without");
		}
		throw new InputDataException("its metadata are damaged: the codec 'bytes' is missing");
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
		if (shape.length == 0 || shape.length != chunk.length)
			throw new InputDataException("its metadata are damaged: " + shape.length + " extents, and " + chunk.length + " of a chunk");
		long bytes = type.bytes, pixels = 1;
		for (int d = 0; d < shape.length; d++) {
			if (shape[d] < 1 || chunk[d] < 1) throw new InputDataException("it holds no pixels");
			if (chunk[d] > MOST_CHUNK_BYTES / bytes) throw new InputDataException("its chunks of " + Arrays.toString(chunk)
				+ " are above 2 GB: save it in smaller ones");
			if (shape[d] > MOST_PIXELS / pixels) throw new InputDataException("its metadata are damaged: an image of "
				+ Arrays.toString(shape) + " has more than " + MOST_PIXELS + " pixels");
			final long count = (shape[d] - 1) / chunk[d] + 1;
			if (count > Integer.MAX_VALUE) throw new InputDataException("its " + shape[d] + " pixels along a side are " + count
				+ " chunks of " + chunk[d] + ", above " + Integer.MAX_VALUE
				+ ": save it in larger chunks");
			bytes *= chunk[d];
			pixels *= shape[d];
		}
		return this;
	}

	/** The bytes of the pixels of a chunk. */
	int chunkBytes() {
		int n = type.bytes;
		for (final int c : chunk) n *= c;
		return n;
	}

	private static IOException unknown(final String type) {
		return new InputDataException("its pixels are of type " + type
			+ ", which is not supported: convert it to integers of 8, 16 or 32 bits or floats of 32 or 64 bits");
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

	/** An object in another object; empty if it is missing. */
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
			for (final JsonElement n : names.getAsJsonArray()) all.add(n.isJsonNull()
				? "" : Json.text(n, "a dimension's name").toLowerCase(Locale.ROOT));
		return all;
	}
}
