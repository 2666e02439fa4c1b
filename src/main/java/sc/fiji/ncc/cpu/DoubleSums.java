package sc.fiji.ncc.cpu;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** {@link KernelSums} by a way in double: the second look where an estimate does not hold. Takes each z for itself. */
final class DoubleSums implements KernelSums {

	private final Numerator way;
	private final int planes;
	private final double[] row;
	private TileReader[] readers;
	private TileScale scale;
	private BooleanSupplier stop;
	private int lagsX, lagsY, kernel, z;
	private SumsPlace to;

	/** @param way of tiles of one z, for the kernels in place of zero-mean templates */
	DoubleSums(final Supplier<Numerator> way, final int planes, final int mostLags) {
		this.way = way.get();
		this.planes = planes;
		row = new double[mostLags];
	}

	@Override
	public void begin(final TileReader[] readers, final TileScale scale, final int lagsX, final int lagsY, final int lagsZ, final int kernels,
		final BooleanSupplier stop)
	{
		this.readers = readers;
		this.scale = scale;
		this.lagsX = lagsX;
		this.lagsY = lagsY;
		this.stop = stop;
	}

	@Override
	public void select(final int kernel, final SumsPlace place) {
		to = place;
		this.kernel = kernel;
		z = -1;
	}

	@Override
	public void row(final int z, final int y) {
		if (z != this.z) {
			this.z = z;
			way.begin(Arrays.copyOfRange(readers, z, z + planes), scale, lagsX, lagsY, 1, stop);
			way.select(kernel);
		}
		way.finish(0, y, row);
		final float[] floats = to.floats();
		final int o = to.row(z, y);
		for (int x = 0; x < lagsX; x++) floats[o + x] = (float) row[x];
	}

	/** Its own errors do not count beside those of float. */
	@Override
	public boolean sound() {
		return true;
	}
}
