package sc.fiji.ncc.cpu;

import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/** What the direct way costs. The constants were measured on two cores of an AMD EPYC, Java 17, no flags, beside other work. */
final class DirectCost {

	/** One multiply-add in float, on one thread. */
	private static final double FLOAT_TAP = 0.037e-9;
	/** One in double. */
	static final double DOUBLE_TAP = 0.07e-9;
	/** Window sums, normalisation and reading, for each response, in whole numbers; and with the estimate of the error. */
	private static final double EXACT_RESPONSE = 4.5e-9;
	static final double RESPONSE = 5.5e-9;
	/** To hand the tiles of one frame to the pool and wait for them. */
	static final double SUBMISSION = 30e-6;

	/** To load and compile the code, in a process that has not run it: roughly. */
	private static final double START = 0.1;

	private DirectCost() {}

	/**
	 * @param narrow whether the numerator is summed in float
	 * @param exact whether all sums are whole numbers
	 */
	static Cost of(final Problem p, final Device device, final boolean narrow, final boolean exact) {
		double work = 0;
		long memory = 0;
		final double lags = p.lags().count().pixels();
		for (final Size t : p.templates()) {
			double perLag = t.pixels() * (narrow ? FLOAT_TAP : DOUBLE_TAP);
			if (p.weights() != Weights.NONE) perLag += 2.0 * t.pixels() * DOUBLE_TAP;
			perLag += (exact ? EXACT_RESPONSE : RESPONSE) + t.pixels() / ((double) t.get(0) * t.get(1)) * 1e-9;
			work += lags * perLag;
			memory += TileShape.bytes(t, p.image()) * device.parallelism();
		}
		final double seconds = p.frames() * (work / device.parallelism() + SUBMISSION);
		return new Cost(seconds, START, memory, 0);
	}
}
