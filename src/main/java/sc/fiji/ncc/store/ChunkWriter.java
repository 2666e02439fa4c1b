package sc.fiji.ncc.store;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
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
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.nio.file.ExtendedOpenOption;

/**
 * Writes each chunk of responses to a file. A file is complete or absent. Several threads may use a writer at once.
 * <p>
 * If the file system supports it, writes bypass the cache of the operating system, because no program reads the chunks soon. This takes a fourth of the processor
 * time and half of the time of cached writes. Otherwise writes are cached.
 */
final class ChunkWriter {

	/** The bytes of one write. */
	private static final int STEP = 1 << 20;

	private final int[] chunk;
	private final int width, bytes, alignment;
	/** The folder for temporary files with names of their own; null if they lie beside the chunks. */
	private final Path shared;
	private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();
	/** Whether writes bypass the cache. */
	private volatile boolean bypass;

	/**
	 * @param folder a folder on the disk of the output
	 * @param chunk the size of a chunk, x first
	 * @param valueBytes the bytes of a response
	 * @param shared an existing folder for temporary files, if several processes write chunks; else null
	 */
	ChunkWriter(final Path folder, final int[] chunk, final int valueBytes, final Path shared) throws IOException {
		this.chunk = chunk;
		this.shared = shared;
		width = valueBytes * chunk[0];
		int all = valueBytes;
		for (final int c : chunk) all *= c;
		bytes = all;
		alignment = alignment(folder);
		bypass = alignment > 0 && bytes >= STEP && bytes % alignment == 0;
	}

	/** The alignment in bytes of addresses and sizes of writes that bypass the cache; 0 if the file system does not support them. */
	private static int alignment(final Path folder) throws IOException {
		try {
			final long size = Files.getFileStore(folder).getBlockSize();
			return Long.bitCount(size) == 1 && size <= STEP ? (int) size : 0;
		}
		catch (final UnsupportedOperationException e) {
			return 0;
		}
	}

	/** The bytes of the file of a chunk. */
	int bytes() {
		return bytes;
	}

	/**
	 * @param size the size of the part of the chunk inside the map; the other responses are written as 0
	 * @param responses the responses of this part, x fastest
	 */
	void write(final Path file, final int[] size, final Buffer responses) throws IOException {
		final Path temporary = shared == null ? file.resolveSibling(file.getFileName() + ".tmp") : shared.resolve(UUID.randomUUID() + ".tmp");
		final ByteBuffer pooled = buffers.poll(), buffer = pooled != null ? pooled : buffer();
		try {
			if (bypass) {
				try {
					write(temporary, size, responses, buffer, ExtendedOpenOption.DIRECT);
				}
				catch (final IOException | UnsupportedOperationException | LinkageError e) {
					// an error that has another reason also occurs with the cache
					bypass = false;
				}
			}
			if (!bypass) write(temporary, size, responses, buffer, null);
		}
		finally {
			buffers.add(buffer);
		}
		// another process may create it at the same time
		if (shared != null) Files.createDirectories(file.getParent());
		Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
	}

	private ByteBuffer buffer() {
		return ByteBuffer.allocateDirect(Math.max(STEP, width + alignment) + alignment).alignedSlice(Math.max(1, alignment)).order(ByteOrder.LITTLE_ENDIAN);
	}

	private void write(final Path file, final int[] size, final Buffer responses, final ByteBuffer buffer, final OpenOption more) throws IOException {
		final Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
		if (more != null) options.add(more);
		try (FileChannel out = shared == null ? open(file, options) : FileChannel.open(file, options)) {
			pixels(responses, size, buffer.clear(), out);
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
				else if (from instanceof DoubleBuffer) to.asDoubleBuffer().put(0, (DoubleBuffer) from, at, size[0]);
				else if (from instanceof IntBuffer) to.asIntBuffer().put(0, (IntBuffer) from, at, size[0]);
				else if (from instanceof ShortBuffer) to.asShortBuffer().put(0, (ShortBuffer) from, at, size[0]);
				else to.put(to.position(), (ByteBuffer) from, at, size[0]);
				to.position(to.position() + valueBytes * size[0]);
			}
			while (to.position() < end) to.put((byte) 0);
		}
		drain(to, 1, out);
	}

	/** Writes the largest multiple of {@code unit} bytes. */
	private static void drain(final ByteBuffer bytes, final int unit, final FileChannel out) throws IOException {
		final int there = bytes.position(), whole = there / unit * unit;
		bytes.flip().limit(whole);
		while (bytes.hasRemaining()) out.write(bytes);
		bytes.limit(there);
		bytes.compact();
	}
}
