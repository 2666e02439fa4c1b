package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Block.Neighbours;
import sc.fiji.ncc.plan.support.Buffers;

/** Interpolates a deformed box row by row, in double. */
final class DeformedRows {

	private final Block.Deformed block;
	/** The number of pixels along a dimension that count, and their weights. */
	private final int neighbours;
	private final double[] weights, values;
	/** The distance in memory of neighbouring pixels along each dimension, and the number of planes of which a value is a mean. */
	private final int[] strides;
	private final int planes;
	/** Of each position: the first pixel that counts, where its weights begin along each dimension, and whether it lies in the frame. */
	private final int[] first;
	private final int[][] fraction;
	private final boolean[] inside;

	private DeformedRows(final Block.Deformed block) {
		this.block = block;
		neighbours = block.neighbours().count();
		weights = block.neighbours().weights();
		values = new double[block.all()];
		Buffers.values(block.pixels(), block.type().min == 0, 0, values, values.length);
		strides = new int[] { 1, block.extent(0), block.extent(0) * block.extent(1) };
		planes = block.extent(2) > 1 ? neighbours : 1;
		first = new int[block.size(0)];
		fraction = new int[3][block.size(0)];
		inside = new boolean[block.size(0)];
	}

	/** @return as {@link sc.fiji.ncc.plan.resample.Sampler#sample} */
	static Object sample(final Block.Deformed block) {
		final Object to = block.type().allocate(block.count()).array();
		new DeformedRows(block).fill(to);
		return to;
	}

	private void fill(final Object to) {
		final int n = block.size().length, width = inside.length;
		final GridSpline field = new GridSpline(block.field());
		final long[] min = block.place().min();
		final double[] row = new double[n], u = new double[width], line = new double[width];
		for (int r = 0; r < block.count() / width; r++) {
			row[0] = min[0];
			for (int d = 1, rest = r; d < n; rest /= block.size(d++)) row[d] = min[d] + rest % block.size(d);
			Arrays.fill(inside, true);
			Arrays.fill(first, 0);
			for (int d = 0; d < n; d++) {
				field.row(d, row, u);
				place(d, row[d], u);
			}
			for (int x = 0; x < width; x++) line[x] = block.neighbours().edge() || inside[x] ? at(x) : block.neighbours().beyond();
			Buffers.narrow(line, block.type(), to, r * width);
		}
	}

	/** Sets the positions along a dimension. @param row the position of the row; that of its first pixel along x */
	private void place(final int d, final double row, final double[] u) {
		final int step = d == 0 ? 1 : 0, highest = block.extent(d) - neighbours, stride = strides[d];
		final long before = block.place().first()[d] + block.neighbours().before(), last = block.place().frame()[d] - 1;
		final double shift = block.place().shift()[d];
		for (int x = 0; x < u.length; x++) {
			// the motion is rounded, not the position, so that pixels of one motion stay side by side
			final double motion = shift + u[x], place = row + step * x + (neighbours == 1 ? Math.rint(motion) : motion);
			if (!(place >= 0 && place <= last)) inside[x] = false;
			final long q = (long) Math.floor(place * Neighbours.FRACTIONS + 0.5);
			fraction[d][x] = ((int) q & Neighbours.FRACTIONS - 1) * neighbours;
			first[x] += stride * (int) Math.max(0, Math.min(highest, (q >> Neighbours.FRACTION_BITS) - before));
		}
	}

	private double at(final int x) {
		final double value = sum(x, true);
		// a pixel that is not a finite number counts where it has a share
		return Double.isFinite(value) ? value : sum(x, false);
	}

	/** @param all whether pixels whose weight is 0 count */
	private double sum(final int x, final boolean all) {
		final int fx = fraction[0][x], fy = fraction[1][x], stride = strides[1];
		double sum = 0;
		for (int k = 0; k < planes; k++) {
			double plane = 0;
			for (int j = 0, from = first[x] + k * strides[2]; j < neighbours; j++, from += stride) {
				final double w = weights[fy + j];
				if (all) plane += w * along(fx, from);
				else if (w != 0) plane += w * present(fx, from);
			}
			if (planes == 1) return plane;
			final double w = weights[fraction[2][x] + k];
			if (all || w != 0) sum += w * plane;
		}
		return sum;
	}

	/** The sum along x. */
	private double along(final int f, final int from) {
		final double[] w = weights, v = values;
		switch (neighbours) {
			case 1: return v[from];
			case 2: return w[f] * v[from] + w[f + 1] * v[from + 1];
			case 4: return w[f] * v[from] + w[f + 1] * v[from + 1] + (w[f + 2] * v[from + 2] + w[f + 3] * v[from + 3]);
			default: return w[f] * v[from] + w[f + 1] * v[from + 1] + (w[f + 2] * v[from + 2] + w[f + 3] * v[from + 3])
				+ (w[f + 4] * v[from + 4] + w[f + 5] * v[from + 5]);
		}
	}

	/** The sum along x of the pixels whose weight is not 0. */
	private double present(final int f, final int from) {
		double sum = 0;
		for (int i = 0; i < neighbours; i++) if (weights[f + i] != 0) sum += weights[f + i] * values[from + i];
		return sum;
	}
}
