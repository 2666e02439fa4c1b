package sc.fiji.ncc.cpu.convolution;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.plan.PixelType;

/** {@link KernelSums} directly: one multiply-add for each tap and lag. The error is proved to lie within the tolerance, unless pixels leave float's range. */
final class DirectSums implements KernelSums {

	/** One of so many sums of a row is enough to find out about pixels: nearly all tiles tell with the first. */
	private static final int SAMPLES = 16;

	private final TemplatePlanes planes;
	private final FloatRowCorrelator[] all;
	private final double[] kernelMagnitudes;
	private final float[] row;
	private final Magnitudes magnitudes;

	// of the tile at hand
	private TileReader[] readers;
	private TileScale scale;
	private int lagsX, lagsY, lagsZ;
	private BooleanSupplier stop;
	/** Of the kernel at hand. */
	private FloatRowCorrelator taps;
	private SumsPlace to;
	/** How many rows of the planes from {@code z} on have been added. */
	private int z, added;
	/** Whether the sums tell all that matters of the pixels, and what they told so far: that they are finite, and that pixels are not too small. */
	private boolean telling, finite, evident;
	private double kernelMagnitude;

	DirectSums(final TemplatePlanes planes, final List<ConvolutionKernel> kernels, final PixelType image, final int maxLags) {
		this.planes = planes;
		all = new FloatRowCorrelator[kernels.size()];
		kernelMagnitudes = kernels.stream().mapToDouble(ConvolutionKernel::magnitude).toArray();
		for (int k = 0; k < all.length; k++)
			all[k] = FloatRowCorrelator.ofKernel(planes.width, planes.height, planes.cut(kernels.get(k).taps()), kernels.get(k).bound(image), maxLags);
		row = Rows.floats(1, maxLags + planes.width - 1)[0];
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
		this.lagsZ = lagsZ;
		this.stop = stop;
	}

	@Override
	public void select(final int kernel, final SumsPlace place) {
		to = place;
		taps = all[kernel];
		z = -1;
		magnitudes.begin(scale);
		telling = magnitudes.looks() && taps.noticesDefects();
		finite = true;
		kernelMagnitude = kernelMagnitudes[kernel];
		evident = false;
	}

	@Override
	public void row(final int z, final int y) {
		if (z != this.z) {
			if (telling && this.z >= 0) finite &= taps.finite();
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
				if (!telling) magnitudes.add(row, lagsX + planes.width - 1);
				taps.add(p, row, added, Math.max(0, added - planes.height + 1), Math.min(added, lagsY - 1));
			}
		}
		taps.finish(y, to.floats(), to.row(z, y), y + 1 < lagsY ? to.row(z, y + 1) : -1);
		if (telling && !evident)
			for (int x = 0; x < lagsX; x += SAMPLES) evident |= Magnitudes.evident(to.floats()[to.row(z, y) + x], kernelMagnitude);
	}

	@Override
	public boolean sound() {
		if (!telling) return magnitudes.moderate();
		if (!finite || !taps.finite()) return false;
		if (evident) return true;
		for (int p = 0; p < planes.count + lagsZ - 1; p++)
			for (int r = 0; r < lagsY + planes.height - 1; r++) {
				readers[p].row(r, scale, row);
				magnitudes.add(row, lagsX + planes.width - 1);
			}
		return magnitudes.moderate();
	}
}
