package sc.fiji.ncc.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The layout of several chunks in one file, Zarr's codec sharding_indexed. The file has the chunks, and an index with the position and length of each.
 *
 * @param chunk the size of a chunk
 * @param count the number of chunks of a shard along each dimension
 * @param checked whether a checksum follows the index
 * @param atEnd whether the index is at the end of the file; otherwise it is at the beginning
 */
record Shard(int[] chunk, int[] count, boolean checked, boolean atEnd) {

	private static final int ENTRY = 16;

	/**
	 * @param shard the size of a shard
	 * @param checksums the number of checksums of the index, at most one
	 */
	static Shard of(final int[] shard, final int[] chunk, final int checksums, final boolean atEnd) throws IOException {
		final int[] count = new int[shard.length];
		for (int d = 0; d < count.length; d++) {
			if (chunk.length != shard.length || chunk[d] < 1 || shard[d] % chunk[d] != 0) throw new InputDataException("the size of its shards is not a multiple of the size of its chunks");
			count[d] = shard[d] / chunk[d];
		}
		if (checksums > 1) throw new InputDataException("the index of its shards is compressed, which is not supported");
		return new Shard(chunk, count, checksums == 1, atEnd);
	}

	/**
	 * The encoded bytes of a chunk.
	 *
	 * @param at the indices of the chunk in the array
	 * @return null if the shard does not have the chunk
	 * @throws java.nio.file.NoSuchFileException if the shard does not exist
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
