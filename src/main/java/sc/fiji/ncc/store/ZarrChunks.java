package sc.fiji.ncc.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.result.MapStore;

/**
 * The chunks of an unfinished {@link ZarrMap}, which this or another process has opened. Several processes can write chunks at the same time, also
 * the same chunk: each writes to a file of its own, which then replaces the chunk's file. The process with the map begins and completes it.
 */
public class ZarrChunks implements MapStore {

	final ZarrMap.Layout layout;
	/** The folder of the unfinished map. */
	final Path part;
	final ChunkWriter chunks;

	/**
	 * The chunks of a map that another process has opened.
	 *
	 * @param place the path of the finished map
	 * @param identity as for {@link ZarrMap#ZarrMap}
	 * @throws IllegalArgumentException if no such map is unfinished in this folder, or if it has another identity
	 * @throws IOException if the folder cannot be read
	 */
	public ZarrChunks(final Path place, final ZarrMap.Layout layout, final String identity) throws IOException {
		this(begun(place, layout, identity), layout, ZarrMap.shared(ZarrMap.part(place), layout, identity));
	}

	/** @param shared as for {@link ChunkWriter} */
	ZarrChunks(final Path part, final ZarrMap.Layout layout, final Path shared) throws IOException {
		this.part = part;
		this.layout = layout;
		chunks = new ChunkWriter(part, layout.chunk(), layout.type().bytes, shared);
	}

	private static Path begun(final Path place, final ZarrMap.Layout layout, final String identity) throws IOException {
		final Path part = ZarrMap.part(place);
		if (!ZarrMap.hasIdentity(part, layout, identity))
			throw new IllegalArgumentException(part + " on " + InetAddress.getLocalHost().getHostName()
			+ " is not the map of this run: give an output in a folder that all machines share");
		return part;
	}

	@Override
	public final long[] size() {
		return layout.size().clone();
	}

	@Override
	public final Precision precision() {
		return layout.precision();
	}

	@Override
	public final ResponseType responseType() {
		return layout.responseType();
	}

	@Override
	public final int[] chunk() {
		return layout.chunk().clone();
	}

	@Override
	public boolean has(final long[] min) {
		try {
			return Files.size(layout.file(part, min)) == chunks.bytes();
		}
		catch (final IOException e) {
			return false;
		}
	}

	@Override
	public final void write(final long[] min, final int[] size, final Buffer responses) {
		try {
			chunks.write(layout.file(part, min), size, responses);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}
}
