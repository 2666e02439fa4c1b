package sc.fiji.ncc.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.InflaterInputStream;

import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import io.airlift.compress.zstd.ZstdDecompressor;

/**
 * Reads chunks of Blosc, version 1. A chunk has blocks. A block is one compressed stream, or one stream per byte of an element. Bytes or bits may be shuffled.
 * Source: README_CHUNK_FORMAT.rst of c-blosc.
 */
final class Blosc {

	private static final int HEADER = 16, SHUFFLED = 1, COPIED = 2, BITS_SHUFFLED = 4, WHOLE_BLOCKS = 16;
	/** The largest element in bytes, and the smallest block in elements, whose streams are split by byte. */
	private static final int MOST_SPLITS = 16, LEAST_SPLIT = 128;

	private final ByteBuffer in;
	private final int flags, elementBytes;

	private Blosc(final byte[] bytes) {
		in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
		flags = bytes[2] & 0xff;
		elementBytes = bytes[3] & 0xff;
	}

	/**
	 * @param most the largest number of decoded bytes
	 * @throws IOException if the bytes are damaged or not supported
	 */
	static byte[] decode(final byte[] bytes, final int most) throws IOException {
		if (bytes.length < HEADER) throw new InputDataException("it is cut off");
		try {
			return new Blosc(bytes).all(most);
		}
		catch (final RuntimeException e) {
			throw new InputDataException("it is damaged", e);
		}
	}

	private byte[] all(final int most) throws IOException {
		final int size = in.getInt(4), blockSize = in.getInt(8), stored = in.getInt(12);
		if (stored > in.capacity() || size < 0 || size > most || blockSize < 1 && size > 0) throw new InputDataException("it is cut off or damaged");
		final byte[] out = new byte[size];
		if ((flags & COPIED) != 0) {
			in.get(HEADER, out);
			return out;
		}
		final byte[] shuffled = new byte[Math.min(size, blockSize)];
		for (int block = 0, at = 0; at < size; block++, at += blockSize) {
			final int n = Math.min(blockSize, size - at);
			block(in.getInt(HEADER + 4 * block), shuffled, n, n < blockSize);
			unshuffle(shuffled, out, at, n);
		}
		return out;
	}

	private void block(final int start, final byte[] to, final int size, final boolean last) throws IOException {
		final boolean split = (flags & WHOLE_BLOCKS) == 0 && !last && elementBytes <= MOST_SPLITS && size / elementBytes >= LEAST_SPLIT;
		final int streams = split ? elementBytes : 1, n = size / streams;
		int at = start;
		for (int s = 0; s < streams; s++) {
			final int length = in.getInt(at);
			at += 4;
			if (length == n) in.get(at, to, s * n, n);
			else stream(at, length, to, s * n, n);
			at += length;
		}
	}

	private void stream(final int at, final int length, final byte[] to, final int offset, final int n) throws IOException {
		final int kind = flags >> 5;
		final int come;
		if (kind == 3) {
			come = new InflaterInputStream(new ByteArrayInputStream(in.array(), at, length)).readNBytes(to, offset, n);
		}
		else come = decompressor(kind).decompress(in.array(), at, length, to, offset, n);
		if (come != n) throw new InputDataException("it is damaged (" + come + " bytes of " + n + ")");
	}

	private static Decompressor decompressor(final int kind) throws IOException {
		switch (kind) {
			case 1: return new Lz4Decompressor();
			case 2: return new SnappyDecompressor();
			case 4: return new ZstdDecompressor();
			default: throw new InputDataException("it is compressed with Blosc's codec blosclz, which is not supported: save it with lz4, zstd or zlib in Blosc");
		}
	}

	private void unshuffle(final byte[] from, final byte[] to, final int at, final int size) {
		if ((flags & SHUFFLED) != 0 && elementBytes > 1) bytes(from, to, at, size);
		else if ((flags & BITS_SHUFFLED) != 0) bits(from, to, at, size);
		else System.arraycopy(from, 0, to, at, size);
	}

	/** Undoes the shuffle of bytes: the first bytes of all elements come first, then the second bytes, and so on. */
	private void bytes(final byte[] from, final byte[] to, final int at, final int size) {
		final int n = size / elementBytes;
		for (int b = 0; b < elementBytes; b++)
			for (int i = 0, o = at + b, f = b * n; i < n; i++, o += elementBytes) to[o] = from[f + i];
		System.arraycopy(from, n * elementBytes, to, at + n * elementBytes, size - n * elementBytes);
	}

	/** Undoes the shuffle of bits: the first bits of all elements come first, eight per byte. */
	private void bits(final byte[] from, final byte[] to, final int at, final int size) {
		final int n = size / elementBytes / 8 * 8, row = n / 8;
		for (int b = 0; b < elementBytes; b++)
			for (int i = 0; i < n; i++) {
				int v = 0;
				for (int k = 0; k < 8; k++) v |= (from[(b * 8 + k) * row + i / 8] >> i % 8 & 1) << k;
				to[at + i * elementBytes + b] = (byte) v;
			}
		System.arraycopy(from, n * elementBytes, to, at + n * elementBytes, size - n * elementBytes);
	}
}
