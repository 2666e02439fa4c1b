package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

import sc.fiji.ncc.MapStore;

/** A map that is written into a TIFF file band by band: nothing of it stays in memory. */
final class TiffMap implements MapStore, AutoCloseable {

	/** Responses of a band, about. */
	private static final int BAND = 1 << 20;

	private final long[] size;
	private final TiffWriter writer;
	private final long[] planeSteps;
	private final FileChannel file;
	private final int[] chunk;

	/**
	 * @param size of the map, x first
	 * @param planeSteps for each dimension beyond y, how many planes of the file lie between two positions
	 * @param writer for a map of this size
	 * @param file exists
	 */
	TiffMap(final long[] size, final long[] planeSteps, final TiffWriter writer, final Path file) throws IOException {
		this.size = size;
		this.planeSteps = planeSteps;
		this.writer = writer;
		chunk = new int[size.length];
		Arrays.fill(chunk, 1);
		chunk[0] = Math.toIntExact(size[0]);
		chunk[1] = (int) Math.max(1, Math.min(size[1], BAND / size[0]));
		this.file = FileChannel.open(file, StandardOpenOption.WRITE);
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public int[] chunk() {
		return chunk.clone();
	}

	@Override
	public void write(final long[] min, final int[] extents, final Buffer responses) {
		long plane = 0;
		for (int d = 2; d < min.length; d++) plane += min[d] * planeSteps[d - 2];
		final FloatBuffer from = (FloatBuffer) responses;
		final ByteBuffer bytes = ByteBuffer.allocate(from.remaining() * Float.BYTES);
		bytes.asFloatBuffer().put(from);
		try {
			write(bytes, writer.offset(plane) + min[1] * size[0] * Float.BYTES);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	private void write(final ByteBuffer bytes, final long at) throws IOException {
		long to = at;
		while (bytes.hasRemaining()) to += file.write(bytes, to);
	}

	/** Writes what stands before and after the planes. */
	void finish() throws IOException {
		write(ByteBuffer.wrap(writer.head()), 0);
		long planes = 1;
		for (int d = 2; d < size.length; d++) planes *= size[d];
		long at = writer.offset(planes);
		for (long p = 1; p < planes; p++) {
			final byte[] page = writer.page(p);
			write(ByteBuffer.wrap(page), at);
			at += page.length;
		}
	}

	@Override
	public void close() throws IOException {
		file.close();
	}
}
