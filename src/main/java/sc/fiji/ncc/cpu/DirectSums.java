package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.PixelType;

/** {@link KernelSums} directly: one multiply-add for each tap and lag. The error is proved to lie within the tolerance, unless pixels leave float's range. */
final class DirectSums implements KernelSums {

	private final TemplatePlanes planes;
	private final FloatTaps[] all;
	private final float[] row;
	private final Magnitudes magnitudes;

	// of the tile at hand
	private TileReader[] readers;
	private TileScale scale;
	private int lagsX, lagsY;
	private BooleanSupplier stop;
	/** Of the kernel at hand. */
	private FloatTaps taps;
	private SumsPlace to;
	/** How many rows of the planes from {@code z} on have been added. */
	private int z, added;

	DirectSums(final TemplatePlanes planes, final List<Kernel> kernels, final PixelType image, final int mostLags) {
		this.planes = planes;
		all = new FloatTaps[kernels.size()];
		for (int k = 0; k < all.length; k++)
			all[k] = FloatTaps.ofKernel(planes.width, planes.height, planes.cut(kernels.get(k).taps()), kernels.get(k).bound(image), mostLags);
		row = Rows.floats(1, mostLags + planes.width - 1)[0];
		magnitudes = new Magnitudes(image, row.length);
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
		taps = all[kernel];
		z = -1;
		magnitudes.begin(scale);
	}

	@Override
	public void row(final int z, final int y) {
		if (z != this.z) {
			this.z = z;
			added = 0;
			taps.begin(lagsX);
		}
		final int until = Math.min(y + taps.ahead(), lagsY - 1) + planes.height;
		for (; added < until; added++) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			for (int p = 0; p < planes.count; p++) {
				final float[] room = taps.room(p, added), row = room == null ? this.row : room;
				readers[z + p].row(added, scale, row);
				magnitudes.add(row, lagsX + planes.width - 1);
				taps.add(p, row, added, Math.max(0, added - planes.height + 1), Math.min(added, lagsY - 1));
			}
		}
		taps.finish(y, to.floats(), to.row(z, y), y + 1 < lagsY ? to.row(z, y + 1) : -1);
	}

	@Override
	public boolean sound() {
		return magnitudes.moderate();
	}
}
