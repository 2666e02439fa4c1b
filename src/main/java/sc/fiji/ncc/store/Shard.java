package sc.fiji.ncc.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * How chunks lie together in one file, Zarr's codec sharding_indexed: an index of where each of them begins and how long it is, and they.
 *
 * @param chunk extents of a chunk
 * @param count chunks of a shard along each dimension
 * @param checked whether a checksum follows the index
 * @param atEnd whether the index ends the file; otherwise the file begins with it
 */
record Shard(int[] chunk, int[] count, boolean checked, boolean atEnd) {

	private static final int ENTRY = 16;

	/**
	 * @param shard extents
	 * @param checksums how many checksums the index has: at most one
	 */
	static Shard of(final int[] shard, final int[] chunk, final int checksums, final boolean atEnd) throws IOException {
		final int[] count = new int[shard.length];
		for (int d = 0; d < count.length; d++) {
			if (chunk.length != shard.length || chunk[d] < 1 || shard[d] % chunk[d] != 0) throw new InputDataException("its shards are no whole number of chunks");
			count[d] = shard[d] / chunk[d];
		}
		if (checksums > 1) throw new InputDataException("the index of its shards is compressed, which is not read");
		return new Shard(chunk, count, checksums == 1, atEnd);
	}

	/**
	 * The encoded bytes of a chunk.
	 *
	 * @param at its indices among all chunks of the array
	 * @return null if it is not there
	 * @throws java.nio.file.NoSuchFileException if no chunk of the shard is there
	 */
	byte[] read(final Path file, final long[] at) throws IOException {
		int chunks = 1;
		long index = 0;
		for (int d = 0; d < at.length; d++) {
			chunks *= count[d];
			index = index * count[d] + at[d] % count[d];
		}
		try (FileChannel in = FileChannel.open(file)) {
			final long begin = atEnd ? in.size() - (long) chunks * ENTRY - (checked ? 4 : 0) : 0;
			final ByteBuffer entry = read(in, begin + index * ENTRY, ENTRY);
			final long offset = entry.getLong(0), length = entry.getLong(8);
			if (offset == -1 && length == -1) return null;
			if (length < 0 || length > Integer.MAX_VALUE - 16) throw new InputDataException("its index is damaged");
			return read(in, offset, (int) length).array();
		}
	}

	private static ByteBuffer read(final FileChannel in, final long at, final int n) throws IOException {
		if (at < 0 || at > in.size() - n) throw new EOFException("it is cut off");
		final ByteBuffer bytes = ByteBuffer.allocate(n).order(ByteOrder.LITTLE_ENDIAN);
		while (bytes.hasRemaining())
			if (in.read(bytes, at + bytes.position()) < 0) throw new EOFException("it is cut off");
		return bytes;
	}
}
