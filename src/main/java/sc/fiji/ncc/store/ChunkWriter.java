package sc.fiji.ncc.store;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.nio.file.ExtendedOpenOption;

/**
 * Writes chunks of responses to files of their own, each of them whole or not at all. Safe for use by several threads at once.
 * <p>
 * They go past the system's cache where it lets them: nobody reads them soon, and through the cache a chunk took 5 to 7 ns of a processor a float and
 * twice the time, past it 1.3 ns (4 MB each, 800 MB by two threads, ext4 on a disk of 1.5 GB/s). Where that is not to be had, as on some file systems,
 * they go through it.
 */
final class ChunkWriter {

	/** Bytes that go out at once. */
	private static final int STEP = 1 << 20;

	private final int[] chunk;
	private final int width, bytes, alignment;
	private final Queue<ByteBuffer> rooms = new ConcurrentLinkedQueue<>();
	/** Whether the cache is passed by. */
	private volatile boolean past;

	/**
	 * @param folder on the disk that is written to
	 * @param chunk extents of a chunk, x first
	 * @param valueBytes of a response
	 */
	ChunkWriter(final Path folder, final int[] chunk, final int valueBytes) throws IOException {
		this.chunk = chunk;
		width = valueBytes * chunk[0];
		int all = valueBytes;
		for (final int c : chunk) all *= c;
		bytes = all;
		alignment = alignment(folder);
		past = alignment > 0 && bytes >= STEP && bytes % alignment == 0;
	}

	/** What the addresses and sizes of writes past the cache are multiples of; 0 if there are none such. */
	private static int alignment(final Path folder) throws IOException {
		try {
			final long size = Files.getFileStore(folder).getBlockSize();
			return Long.bitCount(size) == 1 && size <= STEP ? (int) size : 0;
		}
		catch (final UnsupportedOperationException e) {
			return 0;
		}
	}

	/** Of a chunk's file. */
	int bytes() {
		return bytes;
	}

	/**
	 * @param size extents of the part of the chunk that lies in the map; the rest is written as 0
	 * @param responses of that part, x fastest
	 */
	void write(final Path file, final int[] size, final Buffer responses) throws IOException {
		final Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
		final ByteBuffer spare = rooms.poll(), room = spare != null ? spare : room();
		try {
			if (past) {
				try {
					write(temporary, size, responses, room, ExtendedOpenOption.DIRECT);
				}
				catch (final IOException | UnsupportedOperationException | LinkageError e) {
					// if something else is wrong, it is wrong through the cache, too
					past = false;
				}
			}
			if (!past) write(temporary, size, responses, room, null);
		}
		finally {
			rooms.add(room);
		}
		Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
	}

	private ByteBuffer room() {
		final int room = Math.max(STEP, width + alignment);
		return ByteBuffer.allocateDirect(room + alignment).alignedSlice(Math.max(1, alignment)).order(ByteOrder.LITTLE_ENDIAN);
	}

	private void write(final Path file, final int[] size, final Buffer responses, final ByteBuffer room, final OpenOption more) throws IOException {
		final Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
		if (more != null) options.add(more);
		try (FileChannel out = open(file, options)) {
			pixels(responses, size, room.clear(), out);
		}
	}

	private static FileChannel open(final Path file, final Set<OpenOption> options) throws IOException {
		try {
			return FileChannel.open(file, options);
		}
		catch (final NoSuchFileException e) {
			Files.createDirectories(file.getParent());
			return FileChannel.open(file, options);
		}
	}

	private void pixels(final Buffer from, final int[] size, final ByteBuffer to, final FileChannel out) throws IOException {
		final int valueBytes = width / chunk[0], rows = bytes / width;
		for (int row = 0; row < rows; row++) {
			int at = 0;
			boolean inside = true;
			for (int d = 1, rest = row, stride = size[0]; d < size.length; d++) {
				inside &= rest % chunk[d] < size[d];
				at += rest % chunk[d] * stride;
				rest /= chunk[d];
				stride *= size[d];
			}
			if (to.remaining() < width) drain(to, Math.max(1, alignment), out);
			final int end = to.position() + width;
			if (inside) {
				if (from instanceof FloatBuffer) to.asFloatBuffer().put(0, (FloatBuffer) from, at, size[0]);
				else to.asDoubleBuffer().put(0, (DoubleBuffer) from, at, size[0]);
				to.position(to.position() + valueBytes * size[0]);
			}
			while (to.position() < end) to.putInt(0);
		}
		drain(to, 1, out);
	}

	/** Writes as many multiples of {@code unit} bytes as there are. */
	private static void drain(final ByteBuffer bytes, final int unit, final FileChannel out) throws IOException {
		final int there = bytes.position(), whole = there / unit * unit;
		bytes.flip().limit(whole);
		while (bytes.hasRemaining()) out.write(bytes);
		bytes.limit(there);
		bytes.compact();
	}
}
