package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.result.MapStore;

/** A map that is written to a TIFF or MRC file band by band, so that it does not need to fit memory. */
final class PlaneMap implements MapStore {

	/** The approximate number of responses of a band, and the divisor of the heap that limits a band, because several bands are in memory at once. */
	private static final int BAND = 1 << 20, SHARE_OF_HEAP = 64;
	/** The bytes of one write. */
	private static final int STEP = 1 << 20;

	private final long[] size;
	private final PlaneFile layout;
	private final long[] planeSteps;
	private final FileChannel file;
	private final int[] chunk;
	private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();

	/**
	 * @param size the size of the map, x first
	 * @param planeSteps for each dimension after y, the distance of two neighbours in planes of the file
	 * @param layout the layout of a file for a map of this size, with pixels of the type of the responses
	 * @param file the open file; it stays open, because to close it ends its lock
	 */
	PlaneMap(final long[] size, final long[] planeSteps, final PlaneFile layout, final FileChannel file) {
		this.size = size;
		this.planeSteps = planeSteps;
		this.layout = layout;
		chunk = new int[size.length];
		Arrays.fill(chunk, 1);
		chunk[0] = Math.toIntExact(size[0]);
		final long band = Math.min(BAND, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / layout.type.bytes);
		chunk[1] = (int) Math.max(1, Math.min(size[1], band / size[0]));
		this.file = file;
	}

	@Override
	public long[] size() {
		return size.clone();
	}

	@Override
	public Precision precision() {
		return layout.type == PixelType.F64 ? Precision.DOUBLE : Precision.SINGLE;
	}

	@Override
	public ResponseType responseType() {
		return ResponseType.of(layout.type);
	}

	@Override
	public int[] chunk() {
		return chunk.clone();
	}

	@Override
	public void write(final long[] min, final int[] extents, final Buffer responses) {
		long plane = 0;
		for (int d = 2; d < min.length; d++) plane += min[d] * planeSteps[d - 2];
		final ByteBuffer pooled = buffers.poll(), buffer = pooled == null ? ByteBuffer.allocateDirect(STEP).order(layout.order) : pooled;
		try {
			final int bytes = layout.type.bytes;
			long at = layout.offset(plane) + min[1] * size[0] * bytes;
			for (int i = 0, n = responses.limit(), step = STEP / bytes; i < n; i += step) {
				final int part = Math.min(step, n - i);
				buffer.clear();
				Buffers.copy(responses, i, Buffers.view(buffer, layout.type), 0, part);
				write(buffer.limit(part * bytes), at);
				at += part * bytes;
			}
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
		finally {
			buffers.add(buffer);
		}
	}

	private void write(final ByteBuffer bytes, final long at) throws IOException {
		long to = at;
		while (bytes.hasRemaining()) to += file.write(bytes, to);
	}

	/** Writes the metadata before and after the planes. */
	void finish() throws IOException {
		write(ByteBuffer.wrap(layout.head()), 0);
		long planes = 1;
		for (int d = 2; d < size.length; d++) planes *= size[d];
		long at = layout.offset(planes);
		for (long p = 1; p < planes; p++) {
			final byte[] page = layout.page(p);
			write(ByteBuffer.wrap(page), at);
			at += page.length;
		}
	}
}
