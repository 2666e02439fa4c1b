package sc.fiji.ncc.cpu.convolution;

import sc.fiji.ncc.cpu.ncc.CpuCost;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;

/** The cost of convolution. Constants are measured as in {@link CpuCost}. */
final class ConvolutionCost {

	/** The seconds to read a pixel and to write a sum, without arithmetic, for each lag on one thread. */
	private static final double SUM = 1.2e-9;
	/** The seconds of a multiply-add: of a small kernel, and of a kernel so large that sums in float alone are not accurate enough. */
	private static final double COEFFICIENT = Vectors.USED ? 0.018e-9 : 0.042e-9, LARGE_COEFFICIENT = Vectors.USED ? 0.0285e-9 : 0.042e-9;
	/**
	 * The sum of width and number of rows up to which float is usually accurate enough (see {@link sc.fiji.ncc.cpu.correlator.VectorKernelCorrelator}).
	 */
	private static final long SMALL = 31;
	/** The seconds of a multiply-add for a row without a shift, and for a row that must be shifted. */
	private static final double ROW = 0.03e-9, SHIFTED = 0.0825e-9;

	private ConvolutionCost() {}

	/** Seconds for each lag, on one thread. */
	interface PerLag {
		double seconds(Size kernel, Constants constants);
	}

	/** The seconds of each lag besides its arithmetic. */
	private static double sum(final Constants constants) {
		return constants.get("sum", SUM);
	}

	static double coefficient(final Size kernel, final Constants constants) {
		return kernel.get(0) + kernel.pixels() / kernel.get(0) <= SMALL ? constants.get("kernel-tap",
			COEFFICIENT) : constants.get("large-kernel-tap", LARGE_COEFFICIENT);
	}

	static double row(final Constants constants) {
		return constants.get("row-tap", ROW);
	}

	static double shifted(final Constants constants) {
		return constants.get("shifted-tap", SHIFTED);
	}

	/**
	 * The cost of a problem.
	 *
	 * @param busy the number of busy threads, see {@link sc.fiji.ncc.cpu.execution.BusyThreads}
	 * @param startSeconds the additional seconds of the first run in a process
	 * @param bytes the working memory of one thread
	 */
	static Cost of(final Sliding p, final Device device, final PerLag perLag, final double busy, final double startSeconds,
		final long bytes) {
		double work = 0;
		for (final Size k : p.templates()) work += p.lags().count().pixels()
			* (sum(device.constants()) + perLag.seconds(k, device.constants()));
		return new Cost(p.frames() * (work / busy + CpuCost.submission(device)), startSeconds, bytes * device.parallelism(), 0);
	}
}
