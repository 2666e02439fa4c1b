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

/** Undoes one step of how a chunk was encoded. */
interface Codec {

	/**
	 * @param size of the chunk's pixels in bytes, which no step may exceed by much
	 * @throws IOException if the bytes are damaged
	 */
	byte[] decode(byte[] bytes, int size) throws IOException;

	/** Bytes that a step adds at most, be it never so small what it is given. */
	int SLACK = 1024;

	/** Those of version 2, in the order in which they are undone. */
	static List<Codec> version2(final JsonObject array) throws IOException {
		final JsonElement filters = array.get("filters"), compressor = array.get("compressor");
		if (filters != null && filters.isJsonArray() && !filters.getAsJsonArray().isEmpty())
			throw new InputDataException("its chunks went through the filters " + filters + ", which are not known: save it without");
		if (compressor == null || compressor.isJsonNull()) return List.of();
		final String id = Json.text(Json.object(compressor, "compressor"), "id");
		if (id.equals("lz4")) return List.of(Codec::sizedLz4);
		return List.of(named(id));
	}

	/** Those of version 3 that come after the pixels were made bytes, in the order in which they are undone. */
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
			case "blosc": case "numcodecs.blosc": return (bytes, size) -> Blosc.decode(bytes, size + SLACK);
			case "crc32c": return Codec::checked;
			default: throw new InputDataException("its chunks are compressed by \"" + name + "\": zlib, gzip, zstd, lz4 and blosc are read, so save it by one of these");
		}
	}

	private static byte[] drain(final InputStream in, final int size) throws IOException {
		try (in) {
			// no more than fits, whatever a damaged chunk says
			return in.readNBytes(size + SLACK);
		}
	}

	private static byte[] zstd(final byte[] bytes, final int size) throws IOException {
		final byte[] out = new byte[size + SLACK];
		try {
			return Arrays.copyOf(out, new ZstdDecompressor().decompress(bytes, 0, bytes.length, out, 0, out.length));
		}
		catch (final RuntimeException e) {
			throw new InputDataException("it is damaged", e);
		}
	}

	/** As numcodecs writes it, its size before the block. */
	private static byte[] sizedLz4(final byte[] bytes, final int size) throws IOException {
		final byte[] out = new byte[size + SLACK];
		try {
			return Arrays.copyOf(out, new Lz4Decompressor().decompress(bytes, 4, bytes.length - 4, out, 0, out.length));
		}
		catch (final RuntimeException e) {
			throw new InputDataException("it is damaged", e);
		}
	}

	/** A checksum at the end. */
	private static byte[] checked(final byte[] bytes, final int size) throws IOException {
		if (bytes.length < 4) throw new InputDataException("it is cut off");
		final CRC32C crc = new CRC32C();
		crc.update(bytes, 0, bytes.length - 4);
		final int stored = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 4);
		if (stored != (int) crc.getValue()) throw new InputDataException("it is damaged (its checksum is wrong)");
		return Arrays.copyOf(bytes, bytes.length - 4);
	}
}
