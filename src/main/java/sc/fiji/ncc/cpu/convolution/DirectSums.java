package sc.fiji.ncc.cpu.convolution;

import java.util.List;

import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.ConvolutionKernel;
import sc.fiji.ncc.plan.PixelType;

/**
 * {@link KernelSums} as direct sums: one multiply-add for each kernel value and lag. The error is proved to lie within the tolerance, unless pixels leave
 * float's range.
 */
final class DirectSums extends KernelSums {

	/** The distance of the sums of a row that are tested for small pixels: in nearly all tiles the first sum suffices. */
	private static final int SAMPLES = 16;

	private final TemplatePlanes planes;
	private final FloatRowCorrelator[] correlators;
	private final double[] kernelMagnitudes;
	private final float[] row;
	private final Magnitudes magnitudes;

	/** The current kernel. */
	private FloatRowCorrelator correlator;
	/** The current z, and the number of rows that have been added for it. */
	private int z, added;
	/**
	 * {@code sumsShow}: whether the sums show all pixels that are not finite. {@code finite}, {@code evident}: whether they have shown that pixels are finite
	 * and not too small.
	 */
	private boolean sumsShow, finite, evident;
	private double kernelMagnitude;

	DirectSums(final TemplatePlanes planes, final List<ConvolutionKernel> kernels, final PixelType image, final int maxLags) {
		this.planes = planes;
		correlators = new FloatRowCorrelator[kernels.size()];
		kernelMagnitudes = kernels.stream().mapToDouble(ConvolutionKernel::magnitude).toArray();
		for (int k = 0; k < correlators.length; k++)
			correlators[k] = FloatRowCorrelator.ofKernel(planes.width, planes.height, planes.cut(kernels.get(k).coefficients()), kernels.get(k).bound(image), maxLags);
		row = Rows.floats(1, maxLags + planes.width - 1)[0];
		magnitudes = new Magnitudes(image, row.length);
	}

	@Override
	void select(final int kernel) {
		correlator = correlators[kernel];
		z = -1;
		magnitudes.begin(scale);
		sumsShow = magnitudes.mustInspect() && correlator.noticesNaN();
		finite = true;
		kernelMagnitude = kernelMagnitudes[kernel];
		evident = false;
	}

	@Override
	void row(final int z, final int y) {
		if (z != this.z) {
			if (sumsShow && this.z >= 0) finite &= correlator.finite();
			this.z = z;
			added = 0;
			correlator.begin(lagsX);
		}
		final int until = Math.min(y + correlator.ahead(), lagsY - 1) + planes.height;
		for (; added < until; added++) {
			tile.poll();
			for (int p = 0; p < planes.count; p++) {
				final float[] buffer = correlator.buffer(p, added), row = buffer == null ? this.row : buffer;
				readers[z + p].row(added, scale, row);
				if (!sumsShow) magnitudes.add(row, lagsX + planes.width - 1);
				correlator.add(p, row, added, Math.max(0, added - planes.height + 1), Math.min(added, lagsY - 1));
			}
		}
		correlator.finish(y, to.floats(), to.row(z, y), y + 1 < lagsY ? to.row(z, y + 1) : -1);
		if (sumsShow && !evident)
			for (int x = 0; x < lagsX; x += SAMPLES) evident |= Magnitudes.evident(to.floats()[to.row(z, y) + x], kernelMagnitude);
	}

	@Override
	boolean accurate() {
		if (!sumsShow) return magnitudes.moderate();
		if (!finite || !correlator.finite()) return false;
		if (evident) return true;
		for (int p = 0; p < planes.count + lagsZ - 1; p++)
			for (int r = 0; r < lagsY + planes.height - 1; r++) {
				readers[p].row(r, scale, row);
				magnitudes.add(row, lagsX + planes.width - 1);
			}
		return magnitudes.moderate();
	}
}
