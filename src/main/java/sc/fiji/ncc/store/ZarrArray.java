package sc.fiji.ncc.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.img.Img;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.support.Boxes;

/** A Zarr array of version 2 or 3 in a folder. */
public final class ZarrArray {

	private final String name;
	private final Path folder;
	private final ZarrMetadata metadata;

	private ZarrArray(final String name, final Path folder, final ZarrMetadata metadata) {
		this.name = name;
		this.folder = folder;
		this.metadata = metadata;
	}

	/**
	 * @param name the name of the image, for messages
	 * @throws IOException if the folder has no array of a supported kind; the message gives the reason
	 */
	static ZarrArray open(final String name, final Path folder) throws IOException {
		return new ZarrArray(name, folder, ZarrMetadata.read(folder));
	}

	public PixelType type() {
		return metadata.type();
	}

	/** The version of the format, 2 or 3. */
	public int version() {
		return metadata.version();
	}

	/** The size, in the order of the files: x last. */
	public long[] shape() {
		return metadata.shape().clone();
	}

	/** The size of a chunk, in the order of the files. */
	public int[] chunk() {
		return metadata.chunk().clone();
	}

	List<String> names() {
		return metadata.names();
	}

	/**
	 * The pixels, x first. They are read when they are used.
	 *
	 * @param kept for each dimension, in the order of the files, whether the image has it; the other dimensions have extent 1
	 */
	public Img<?> image(final boolean[] kept) {
		final int n = metadata.shape().length;
		final List<Integer> dimensions = new ArrayList<>();
		for (int d = n - 1; d >= 0; d--)
			if (kept[d]) dimensions.add(d);
		final long[] size = new long[dimensions.size()];
		final int[] cell = new int[size.length];
		for (int d = 0; d < size.length; d++) {
			size[d] = metadata.shape()[dimensions.get(d)];
			cell[d] = metadata.chunk()[dimensions.get(d)];
		}
		return DiskImage.of(name, metadata.type(), size, cell, (min, extents) -> {
			final long[] at = new long[n];
			final int[] part = new int[n];
			Arrays.fill(part, 1);
			for (int d = 0; d < size.length; d++) {
				at[dimensions.get(d)] = min[d] / cell[d];
				part[dimensions.get(d)] = extents[d];
			}
			return chunk(at, part);
		});
	}

	/**
	 * The pixels of a chunk that lie in the array, as a primitive array.
	 *
	 * @param at the indices of the chunk
	 * @param part the number of pixels along each dimension
	 */
	private Object chunk(final long[] at, final int[] part) throws IOException {
		final PixelType type = metadata.type();
		final int pixels = Boxes.pixels(part);
		final Path file = file(at);
		try {
			byte[] bytes = metadata.shard() == null ? Files.readAllBytes(file) : metadata.shard().read(file, at);
			if (bytes == null) return RawPixels.filled(type, metadata.fill(), pixels);
			final int size = metadata.chunkBytes();
			for (final Codec codec : metadata.codecs()) bytes = codec.decode(bytes, size);
			if (bytes.length < size) throw new EOFException(bytes.length + " bytes where " + size + " should be");
			return RawPixels.array(RawPixels.wrap(RawPixels.corner(bytes, reversed(metadata.chunk()), reversed(part), type.bytes),
				metadata.order()), type, pixels);
		}
		catch (final NoSuchFileException e) {
			return RawPixels.filled(type, metadata.fill(), pixels);
		}
		catch (final IOException e) {
			final IOException why = InputDataException.of(e);
			final String message = "its chunk " + folder.relativize(file) + ": " + why.getMessage();
			throw why instanceof InputDataException ? new InputDataException(message, e) : new IOException(message, e);
		}
	}

	/** The file with a chunk. */
	private Path file(final long[] at) {
		final StringBuilder key = new StringBuilder(metadata.prefix());
		for (int d = 0; d < at.length; d++) {
			if (d > 0) key.append(metadata.separator());
			key.append(metadata.shard() == null ? at[d] : at[d] / metadata.shard().count()[d]);
		}
		return folder.resolve(key.toString());
	}

	private static int[] reversed(final int[] a) {
		final int[] r = new int[a.length];
		for (int i = 0; i < a.length; i++) r[i] = a[a.length - 1 - i];
		return r;
	}
}
