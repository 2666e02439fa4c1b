package sc.fiji.ncc.store;

import java.io.IOException;
import java.util.function.Function;

import net.imglib2.img.Img;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.DoubleArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.basictypeaccess.array.IntArray;
import net.imglib2.img.basictypeaccess.array.ShortArray;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

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
		switch (type) {
			case U8: return image(name, new UnsignedByteType(), a -> new ByteArray((byte[]) a), 1, size, cell, reader);
			case S8: return image(name, new ByteType(), a -> new ByteArray((byte[]) a), 1, size, cell, reader);
			case U16: return image(name, new UnsignedShortType(), a -> new ShortArray((short[]) a), 2, size, cell, reader);
			case S16: return image(name, new ShortType(), a -> new ShortArray((short[]) a), 2, size, cell, reader);
			case U32: return image(name, new UnsignedIntType(), a -> new IntArray((int[]) a), 4, size, cell, reader);
			case S32: return image(name, new IntType(), a -> new IntArray((int[]) a), 4, size, cell, reader);
			case F32: return image(name, new FloatType(), a -> new FloatArray((float[]) a), 4, size, cell, reader);
			default: return image(name, new DoubleType(), a -> new DoubleArray((double[]) a), 8, size, cell, reader);
		}
	}

	private static <T extends NativeType<T>, A extends ArrayDataAccess<A>> Img<T> image(final String name, final T type, final Function<Object, A> access,
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
				return new Cell<>(extents, min, access.apply(reader.read(min, extents)));
			}
			catch (final IOException e) {
				final IOException why = InputDataException.of(e);
				throw new NccException(name + " cannot be read: " + why.getMessage(), why);
			}
		});
		return new LazyCellImg<>(grid, type, cache::get);
	}
}
