package sc.fiji.ncc.cpu.convolution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.DoubleSeparation;

/** {@link SeparableSums} in double. The error is proved, see {@link DoubleSeparation}. */
final class SeparableDoubleSums extends KernelSums {

	private final TemplatePlanes planes;
	private final List<DoubleSeparation> kernels;
	private final int maxLagsX, maxLagsY;
	private final double[] pixels, sum;
	/** The stages of each kernel, created when it is first selected. */
	private final List<Stages> stagesOfKernels = new ArrayList<>();

	/** The current kernel. */
	private Stages stages;

	SeparableDoubleSums(final TemplatePlanes planes, final List<DoubleSeparation> kernels, final int[] maxLags) {
		this.planes = planes;
		this.kernels = kernels;
		maxLagsX = maxLags[0];
		maxLagsY = maxLags[1];
		pixels = Rows.doubles(1, maxLagsX + planes.width - 1)[0];
		sum = Rows.doubles(1, maxLagsX)[0];
		for (int k = 0; k < kernels.size(); k++) stagesOfKernels.add(null);
	}

	@Override
	void select(final int kernel) {
		if (stagesOfKernels.get(kernel) == null) stagesOfKernels.set(kernel, new Stages(kernels.get(kernel)));
		stages = stagesOfKernels.get(kernel);
		stages.plane = -1;
		stages.ready = 0;
	}

	@Override
	void row(final int z, final int y) {
		if (planes.count == 1) stages.plane(z, y);
		else stages.volume(z, y);
		DirectDoubleSums.store(to, z, y, sum, lagsX);
	}

	/** Always true: the pixels of a tile are scaled before it begins. */
	@Override
	boolean accurate() {
		return true;
	}

	/** The intermediate rows of one kernel. */
	private final class Stages {

		private final DoubleSeparation factors;
		private final DoubleRowCorrelator[] alongX;
		/** For each term: the last rows of sums along x; for a volume, the sums along y of its last planes. */
		private final double[][][] rows, columns;
		private final double[][] window = new double[Math.max(planes.height, planes.count)][];
		/** The current plane, the number of its rows that are summed, and the number of planes that are complete. */
		private int plane, added, ready;

		Stages(final DoubleSeparation factors) {
			this.factors = factors;
			final int terms = factors.terms();
			alongX = new DoubleRowCorrelator[terms];
			for (int t = 0; t < terms; t++) alongX[t] = DoubleRowCorrelator.of(planes.width, 1, new double[][] { factors.x[t] }, maxLagsX);
			rows = new double[terms][][];
			columns = new double[terms][][];
			for (int t = 0; t < terms; t++) {
				rows[t] = Rows.doubles(planes.height, maxLagsX);
				columns[t] = Rows.doubles(planes.count > 1 ? planes.count * maxLagsY : 0, maxLagsX);
			}
		}

		/** Computes the sums along x and y, over all terms, of a plane's windows that begin at row {@code at}. */
		void plane(final int p, final int at) {
			rows(p, at);
			Arrays.fill(sum, 0, lagsX, 0);
			for (int t = 0; t < rows.length; t++) alongY(t, at, sum);
		}

		/** Computes the sums along all dimensions of windows that begin at plane {@code p} and row {@code at}. */
		void volume(final int p, final int at) {
			for (; ready < p + planes.count; ready++)
				for (int r = 0; r < lagsY; r++) {
					rows(ready, r);
					for (int t = 0; t < rows.length; t++) {
						final double[] column = columns[t][ready % planes.count * maxLagsY + r];
						Arrays.fill(column, 0, lagsX, 0);
						alongY(t, r, column);
					}
				}
			Arrays.fill(sum, 0, lagsX, 0);
			for (int t = 0; t < rows.length; t++) {
				for (int k = 0; k < planes.count; k++) window[k] = columns[t][(p + k) % planes.count * maxLagsY + at];
				ProductRows.add(sum, window, 0, factors.z[t], 0, planes.count, lagsX);
			}
		}

		private void alongY(final int t, final int at, final double[] to) {
			for (int j = 0; j < planes.height; j++) window[j] = rows[t][(at + j) % planes.height];
			ProductRows.add(to, window, 0, factors.y[t], 0, planes.height, lagsX);
		}

		/** Sums the rows of a plane along x, up to the last row of a window that begins at row {@code at}. */
		private void rows(final int p, final int at) {
			if (p != plane) {
				plane = p;
				added = 0;
			}
			for (; added < at + planes.height; added++) {
				tile.poll();
				readers[p].row(added, scale, pixels);
				for (int t = 0; t < rows.length; t++) {
					alongX[t].begin(lagsX);
					alongX[t].add(0, pixels, 0, 0, 0);
					alongX[t].finish(0, rows[t][added % planes.height]);
				}
			}
		}
	}
}
