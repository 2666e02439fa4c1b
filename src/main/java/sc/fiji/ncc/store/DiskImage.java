package sc.fiji.ncc.store;

import java.io.IOException;

import net.imglib2.img.Img;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.NccException;

/** Images whose cells are read from the disk when they are used. Memory holds the most recently used cells. */
public final class DiskImage {

	/** The divisor of the heap that limits the cells of an image in memory, and the smallest number of cells in memory. */
	private static final int SHARE_OF_HEAP = 4, LEAST_CELLS = 8;

	private DiskImage() {}

	/** Reads cells. Several threads call it at once. */
	public interface Reader {

		/**
		 * @param min the first pixel of the cell
		 * @param size the size of the cell
		 * @return the pixels, x fastest, in an array of the primitive type of {@link PixelType#allocate}
		 */
		Object read(long[] min, int[] size) throws IOException;
	}

	/**
	 * Makes an image of cells. If a cell cannot be read, the access to its pixels throws an {@link NccException}.
	 *
	 * @param name the name of the image, for messages
	 * @param cell the size of a cell; the last cells along a dimension may be smaller
	 */
	public static Img<?> of(final String name, final PixelType type, final long[] size, final int[] cell, final Reader reader) {
		return image(name, PlaneArrays.Kind.of(type), type.bytes, size, cell, reader);
	}

	private static <T extends NativeType<T>, A extends ArrayDataAccess<A>> Img<T> image(final String name, final PlaneArrays.Kind<T, A> kind,
		final int bytes, final long[] size, final int[] cell, final Reader reader)
	{
		final CellGrid grid = new CellGrid(size, cell);
		long cellBytes = bytes;
		for (final int c : cell) cellBytes *= c;
		final long most = Math.max(LEAST_CELLS, Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / cellBytes, Integer.MAX_VALUE));
		final CellCache<Cell<A>> cache = new CellCache<>((int) most, index -> {
			final long[] min = new long[size.length];
			final int[] extents = new int[size.length];
			grid.getCellDimensions(index, min, extents);
			try {
				return new Cell<>(extents, min, kind.access().apply(reader.read(min, extents)));
			}
			catch (final IOException e) {
				final IOException why = InputDataException.of(e);
				throw new NccException(name + " cannot be read: " + why.getMessage(), why);
			}
		});
		return new LazyCellImg<>(grid, kind.type(), cache::get);
	}
}
