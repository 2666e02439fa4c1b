package sc.fiji.ncc.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.zstd.ZstdDecompressor;

/** Decodes one step of the encoding of a chunk. */
interface Codec {

	/**
	 * @param size the size of the chunk's pixels in bytes; no step may return many more bytes
	 * @throws IOException if the bytes are damaged
	 */
	byte[] decode(byte[] bytes, int size) throws IOException;

	/** The largest number of bytes that a step adds, however small its input. */
	int MARGIN = 1024;

	/** The steps of an array of version 2, in the order of decoding. */
	static List<Codec> version2(final JsonObject array) throws IOException {
		final JsonElement filters = array.get("filters"), compressor = array.get("compressor");
		if (filters != null && filters.isJsonArray() && !filters.getAsJsonArray().isEmpty())
			throw new InputDataException("its chunks have the filters " + filters + ", which are not supported: save it without filters");
		if (compressor == null || compressor.isJsonNull()) return List.of();
		final String id = Json.text(Json.object(compressor, "compressor"), "id");
		if (id.equals("lz4")) return List.of(Codec::sizedLz4);
		return List.of(named(id));
	}

	/** The steps of an array of version 3 that encode bytes, in the order of decoding. */
	static List<Codec> version3(final Iterable<JsonElement> codecs) throws IOException {
		final List<Codec> all = new ArrayList<>();
		for (final JsonElement c : codecs) all.add(0, named(Json.text(Json.object(c, "a codec"), "name")));
		return all;
	}

	private static Codec named(final String name) throws IOException {
		switch (name) {
			case "zlib": return (bytes, size) -> drain(new InflaterInputStream(new ByteArrayInputStream(bytes)), size);
			case "gzip": return (bytes, size) -> drain(new GZIPInputStream(new ByteArrayInputStream(bytes)), size);
			case "zstd": case "numcodecs.zstd": return Codec::zstd;
			case "blosc": case "numcodecs.blosc": return (bytes, size) -> Blosc.decode(bytes, size + MARGIN);
			case "crc32c": return Codec::checked;
			default: throw new InputDataException("its chunks are compressed with \"" + name + "\", which is not supported: save it with zlib, gzip, zstd, lz4 or blosc");
		}
	}

	private static byte[] drain(final InputStream in, final int size) throws IOException {
		try (in) {
			// a limit, because a damaged chunk can state any size
			return in.readNBytes(size + MARGIN);
		}
	}

	private static byte[] zstd(final byte[] bytes, final int size) throws IOException {
		final byte[] out = new byte[size + MARGIN];
		try {
			return Arrays.copyOf(out, new ZstdDecompressor().decompress(bytes, 0, bytes.length, out, 0, out.length));
		}
		catch (final RuntimeException e) {
			throw new InputDataException("it is damaged", e);
		}
	}

	/** The format of numcodecs: the size, then the block. */
	private static byte[] sizedLz4(final byte[] bytes, final int size) throws IOException {
		final byte[] out = new byte[size + MARGIN];
		try {
			return Arrays.copyOf(out, new Lz4Decompressor().decompress(bytes, 4, bytes.length - 4, out, 0, out.length));
		}
		catch (final RuntimeException e) {
			throw new InputDataException("it is damaged", e);
		}
	}

	/** Checks and removes the checksum at the end. */
	private static byte[] checked(final byte[] bytes, final int size) throws IOException {
		if (bytes.length < 4) throw new InputDataException("it is cut off");
		final CRC32C crc = new CRC32C();
		crc.update(bytes, 0, bytes.length - 4);
		final int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 4);
		if (stored != (int) crc.getValue()) throw new InputDataException("it is damaged (its checksum is wrong)");
		return Arrays.copyOf(bytes, bytes.length - 4);
	}
}
