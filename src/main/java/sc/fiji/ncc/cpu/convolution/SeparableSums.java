package sc.fiji.ncc.cpu.convolution;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.cpu.correlator.VectorRowSums;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.loops.ProductRows;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.PixelType;

/**
 * {@link KernelSums} of kernels that are sums of products of one-dimensional kernels: first along x, then along y, and in a volume along z. {@code W + H +
 * D} multiply-adds a lag for each term. The error is proved, see {@link Separation}.
 */
final class SeparableSums extends KernelSums {

	/** The approximate number of shifted copies of a row at a time, where sums along it take more than one run. */
	private static final int CHUNK = 16;

	private final TemplatePlanes planes;
	private final List<Separation> kernels;
	private final float[] pixels;
	private final int[] alongX, alongY, alongZ;
	private final Magnitudes magnitudes;
	private final int maxLagsX, maxLagsY;
	/** The stages of each kernel, created when it is first selected. */
	private final Stages[] all;

	/** The current kernel. */
	private Stages stages;

	SeparableSums(final TemplatePlanes planes, final List<Separation> kernels, final PixelType image, final int[] maxLags) {
		this.planes = planes;
		this.kernels = kernels;
		maxLagsX = maxLags[0];
		maxLagsY = maxLags[1];
		alongX = ProductRows.groups(planes.width);
		alongY = ProductRows.groups(planes.height);
		alongZ = ProductRows.groups(planes.count);
		pixels = Rows.floats(1, wide(maxLagsX) + planes.width - 1)[0];
		magnitudes = new Magnitudes(image, pixels.length);
		all = new Stages[kernels.size()];
	}

	/** The maximum number of lags of a tile along x, y and z. */
	static int[] maxLags(final TemplatePlanes planes, final int terms) {
		// intermediate rows stay in the first-level cache
		final int x = planes.height * terms > 16 ? 256 : 512;
		return planes.count == 1 ? new int[] { x, TileShape.direct(planes.height)[1], 1 }
			: new int[] { 256, 64, Math.max(16, Math.min(32, 2 * planes.count)) };
	}

	/** The length of a buffer for so many sums of a row. */
	private static int wide(final int lags) {
		return Vectors.USED ? (lags + VectorRowSums.BLOCK - 1) / VectorRowSums.BLOCK * VectorRowSums.BLOCK : lags;
	}

	@Override
	void select(final int kernel) {
		if (all[kernel] == null) all[kernel] = new Stages(kernels.get(kernel));
		stages = all[kernel];
		stages.begin();
		magnitudes.begin(scale);
	}

	@Override
	void row(final int z, final int y) {
		System.arraycopy(planes.count == 1 ? stages.plane(z, y) : stages.volume(z, y), 0, to.floats(), to.row(z, y), lagsX);
	}

	@Override
	boolean accurate() {
		return magnitudes.moderate();
	}

	/** The intermediate rows of one kernel. */
	private final class Stages {

		private final Separation factors;
		private final int terms;
		/**
		 * {@code x}: the last rows of sums along x, terms side by side. {@code y}: sums along y; for a volume, of its last planes. {@code z}: sums along
		 * z.
		 */
		private final ProductRows x, y, z;
		/**
		 * {@code vectors}: whether vectors compute all sums, each in one run, in place of {@link #x}, {@link #y} and {@link #z}. {@code oneRun}: whether
		 * the sums along x take one run.
		 */
		private final boolean vectors, oneRun;
		private final VectorRowSums[] ofX, ofY, ofZ;
		private final float[][] shifted;
		private final float[][][] rows, columns;
		private final float[] sum;
		private final float[][] window = new float[Math.max(planes.height, planes.count)][];
		/** The current plane, the number of its rows that are summed, and the number of planes that are complete. */
		private int plane, added, ready;

		Stages(final Separation factors) {
			this.factors = factors;
			terms = factors.terms();
			final boolean volume = planes.count > 1;
			final int height = planes.height, groupsX = alongX.length - 1, groupsY = alongY.length - 1, groupsZ = terms * (alongZ.length - 1);
			final int rowsY = volume ? terms * planes.count * maxLagsY : 1, allY = volume ? groupsY : terms * groupsY;
			final int runX = factors.run(groupsX), runY = factors.run(allY), runZ = factors.run(groupsZ);
			oneRun = runX >= groupsX;
			vectors = Vectors.USED && oneRun && runY >= allY && (!volume || runZ >= groupsZ);
			if (vectors) {
				x = y = z = null;
				shifted = null;
				rows = new float[terms][][];
				columns = new float[terms][][];
				for (int t = 0; t < terms; t++) {
					rows[t] = Rows.floats(height, wide(maxLagsX));
					columns[t] = Rows.floats(volume ? planes.count * maxLagsY : 0, wide(maxLagsX));
				}
				sum = Rows.floats(1, wide(maxLagsX))[0];
				ofX = rowSums(factors.x, alongX);
				ofY = rowSums(factors.y, alongY);
				ofZ = rowSums(factors.z, alongZ);
				return;
			}
			ofX = ofY = ofZ = null;
			final int copies = oneRun ? Math.min(ProductRows.MAX, planes.width) : Math.min(CHUNK + ProductRows.MAX, planes.width),
				memoryX = ProductRows.memory(height * terms, terms, groupsX, runX);
			final int memoryY = ProductRows.memory(rowsY, 1, allY, runY), memoryZ = volume ? ProductRows.memory(1, 1, groupsZ, runZ) : 0;
			final float[][] memory = Rows.floats(copies + memoryX + memoryY + memoryZ + 1, maxLagsX + planes.width - 1);
			sum = memory[memory.length - 1];
			shifted = Arrays.copyOf(memory, copies);
			x = new ProductRows(memory, copies, height * terms, terms, groupsX, runX, false);
			rows = new float[terms][height][];
			if (oneRun) for (int t = 0; t < terms; t++) rows[t] = Rows.floats(height, maxLagsX);
			y = new ProductRows(memory, copies + memoryX, rowsY, 1, allY, runY, false);
			z = volume ? new ProductRows(memory, copies + memoryX + memoryY, 1, 1, groupsZ, runZ, false) : null;
			columns = new float[volume ? terms : 0][planes.count * maxLagsY][];
		}

		private VectorRowSums[] rowSums(final float[][] factors, final int[] begins) {
			final VectorRowSums[] all = new VectorRowSums[terms];
			for (int t = 0; t < terms; t++) all[t] = new VectorRowSums(factors[t], begins);
			return all;
		}

		void begin() {
			if (!vectors) {
				x.begin(lagsX);
				y.begin(lagsX);
				if (z != null) z.begin(lagsX);
			}
			plane = -1;
			ready = 0;
		}

		/** Computes the sums along x and y, over all terms, of a plane's windows that begin at row {@code at}. */
		float[] plane(final int p, final int at) {
			rows(p, at);
			for (int t = 0; t < terms; t++) alongY(t, at, 0);
			return vectors ? sum : y.finish(0);
		}

		/** Computes the sums along all dimensions of windows that begin at plane {@code p} and row {@code at}. */
		float[] volume(final int p, final int at) {
			for (; ready < p + planes.count; ready++)
				for (int r = 0; r < lagsY; r++) {
					rows(ready, r);
					for (int t = 0; t < terms; t++) {
						final int place = ready % planes.count * maxLagsY + r, row = t * planes.count * maxLagsY + place;
						alongY(t, r, row);
						if (!vectors) columns[t][place] = y.finish(row);
					}
				}
			for (int t = 0; t < terms; t++) {
				for (int k = 0; k < planes.count; k++) window[k] = columns[t][(p + k) % planes.count * maxLagsY + at];
				if (vectors) ofZ[t].over(window, sum, t > 0, lagsX);
				else add(z, 0, factors.z[t], alongZ);
			}
			return vectors ? sum : z.finish(0);
		}

		private void alongY(final int t, final int at, final int to) {
			for (int j = 0; j < planes.height; j++) window[j] = rows[t][(at + j) % planes.height];
			if (!vectors) add(y, to, factors.y[t], alongY);
			else if (planes.count == 1) ofY[t].over(window, sum, t > 0, lagsX);
			else ofY[t].over(window, columns[t][to % (planes.count * maxLagsY)], false, lagsX);
		}

		private void add(final ProductRows to, final int row, final float[] factor, final int[] begins) {
			for (int g = 0; g < begins.length - 1; g++) to.add(row, window, begins[g], factor, begins[g], begins[g + 1] - begins[g]);
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
				magnitudes.add(pixels, lagsX + planes.width - 1);
				alongX(added % planes.height);
			}
		}

		private void alongX(final int slot) {
			if (vectors) for (int t = 0; t < terms; t++) ofX[t].along(pixels, rows[t][slot], lagsX);
			else if (oneRun) byGroups(slot);
			else inRuns(slot);
		}

		/**
		 * Sums along x with as many shifted copies as a group has coefficients: the sum of the later groups is shifted by one group, and the previous
		 * group is added. This needs one copy fewer for each further coefficient.
		 */
		private void byGroups(final int slot) {
			final int all = lagsX + planes.width - 1, last = alongX.length - 2;
			for (int s = 0; s < shifted.length; s++) System.arraycopy(pixels, s, shifted[s], 0, all - s);
			for (int t = 0; t < terms; t++) {
				final float[] c = factors.x[t];
				for (int g = last; g >= 0; g--) {
					final int first = alongX[g], coefficients = alongX[g + 1] - first, n = lagsX + first;
					if (g == last) ProductRows.set(sum, shifted, 0, c, first, coefficients, n);
					else {
						System.arraycopy(sum, coefficients, sum, 0, n);
						ProductRows.add(sum, shifted, 0, c, first, coefficients, n);
					}
				}
				System.arraycopy(sum, 0, rows[t][slot], 0, lagsX);
			}
		}

		private void inRuns(final int slot) {
			for (int g = 0; g < alongX.length - 1;) {
				final int first = alongX[g], from = g;
				while (g < alongX.length - 1 && alongX[g] - first < CHUNK) g++;
				for (int s = 0; s < alongX[g] - first; s++) System.arraycopy(pixels, first + s, shifted[s], 0, lagsX);
				for (int t = 0; t < terms; t++)
					for (int k = from; k < g; k++)
						x.add(slot * terms + t, shifted, alongX[k] - first, factors.x[t], alongX[k], alongX[k + 1] - alongX[k]);
			}
			for (int t = 0; t < terms; t++) rows[t][slot] = x.finish(slot * terms + t);
		}
	}
}
