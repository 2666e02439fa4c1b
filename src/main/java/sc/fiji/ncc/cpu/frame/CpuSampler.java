package sc.fiji.ncc.cpu.frame;

import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.support.Buffers;

/** Samples frames between their pixels on the CPU: by weights row by row, see {@link RowInterpolation} and
 * {@link DeformedRows}, or by {@link FourierShift}. */
public final class CpuSampler implements Sampler {

	/** The only one, because it has no state. */
	public static final CpuSampler INSTANCE = new CpuSampler();

	private CpuSampler() {}

	@Override
	public Object sample(final Block block) {
		if (block instanceof Block.Deformed deformed) return DeformedRows.sample(deformed);
		final Block.Shifted shifted = (Block.Shifted) block;
		return shifted.weights() != null ? RowInterpolation.sample(shifted) : moved(shifted);
	}

	private static Object moved(final Block.Shifted b) {
		final double[] values = new double[b.all()];
		Buffers.values(b.pixels(), b.type().min == 0, 0, values, values.length);
		final double[] moved = FourierShift.move(values, new int[] { b.extent(0), b.extent(1), b.extent(2) }, new double[] { b.fraction(0), b.fraction(1),
			b.fraction(2) });
		final double[] row = new double[b.size(0)];
		final Object to = b.type().allocate(b.count()).array();
		for (int z = 0, at = 0; z < b.size(2); z++)
			for (int y = 0; y < b.size(1); y++, at += row.length) {
				System.arraycopy(moved, ((z + b.margin(2)) * b.extent(1) + y + b.margin(1)) * b.extent(0) + b.margin(0), row, 0, row.length);
				Buffers.narrow(row, b.type(), to, at);
			}
		return to;
	}
}
