package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.cell.AbstractCellImg;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

/**
 * A map in an image.
 *
 * @param image any, its first pixel anywhere
 */
record ImageStore(RandomAccessibleInterval<FloatType> image) implements MapStore {

	/** Chunks where an image has no cells: of two dimensions, and of more. */
	private static final int CHUNK = 512, CHUNK_3D = 64;

	@Override
	public long[] size() {
		return image.dimensionsAsLongArray();
	}

	@Override
	public int[] chunk() {
		final int[] chunk = new int[image.numDimensions()];
		if (image instanceof AbstractCellImg) ((AbstractCellImg<?, ?, ?, ?>) image).getCellGrid().cellDimensions(chunk);
		else Arrays.fill(chunk, chunk.length < 3 ? CHUNK : CHUNK_3D);
		return chunk;
	}

	@Override
	public void write(final long[] min, final int[] size, final Buffer responses) {
		final long[] from = new long[min.length], to = new long[min.length];
		for (int d = 0; d < min.length; d++) {
			from[d] = image.min(d) + min[d];
			to[d] = from[d] + size[d] - 1;
		}
		final FloatBuffer values = (FloatBuffer) responses;
		final Cursor<FloatType> cursor = Views.flatIterable(Views.interval(image, from, to)).cursor();
		while (cursor.hasNext()) cursor.next().set(values.get());
	}
}
