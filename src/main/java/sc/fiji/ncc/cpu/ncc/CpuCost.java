package sc.fiji.ncc.cpu.ncc;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import sc.fiji.ncc.cpu.execution.BusyThreads;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileShape;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/**
 * The cost of direct methods, and the constants that all CPU methods share. Calibration replaces these constants. The defaults are 1.5 times the measured
 * values on two threads of an AMD EPYC, since two Xeons took 1.4 to 3 times as long as that: the errors of estimates are then similar on both.
 */
public final class CpuCost {

	/** Seconds of one multiply-add in float, on one thread, in a very long row of lags. */
	private static final double FLOAT_COEFFICIENT = Vectors.USED ? 0.0225e-9 : 0.0465e-9;
	/** The fixed cost of a row, in lags; and the number of lags of which a row is a multiple with vectors. */
	private static final double ROW = 100, BLOCK = 128;
	/** Seconds of one multiply-add in double. */
	private static final double DOUBLE_COEFFICIENT = Vectors.USED ? 0.036e-9 : 0.105e-9;
	/** Seconds of window sums, normalisation and reading for each response: in whole numbers, and with error estimates. */
	private static final double EXACT_RESPONSE = Vectors.USED ? 4.95e-9 : 6.75e-9;
	private static final double RESPONSE = Vectors.USED ? 5.7e-9 : 8.25e-9;
	/** The same in double with sums in pairs of doubles. */
	private static final double DOUBLE_RESPONSE = 12e-9;
	/** The additional seconds in images with missing pixels. */
	private static final double MISSING_RESPONSE = 25e-9;
	/** The additional seconds for each plane of a volume's template. */
	private static final double PLANE = 1.5e-9;
	/** Seconds to submit the tiles of one frame to the pool and to wait for them. */
	private static final double SUBMISSION = 30e-6;

	/** The approximate seconds to load and compile the code in a process that has already run another algorithm. */
	private static final double START = Vectors.USED ? 0.2 : 0.16;

	private CpuCost() {}

	/** The additional seconds of the first run in a process. */
	public static double start(final Device device) {
		return device.constants().get("direct-start", START);
	}

	/** The fixed seconds of every frame on a device. */
	public static double submission(final Device device) {
		return device.constants().get("submission", SUBMISSION);
	}

	/** Seconds of window sums, normalisation and error estimate for each response, and of its pixels in further planes, on one thread. */
	static double response(final Device device, final Size template) {
		return device.constants().get("response", RESPONSE) + planes(device, template);
	}

	private static double planes(final Device device, final Size template) {
		return depth(template) * plane(device.constants());
	}

	/** The number of planes of a template. */
	public static double depth(final Size template) {
		return template.pixels() / ((double) template.get(0) * template.get(1));
	}

	/** The additional seconds of each response for each plane of a volume's template. */
	public static double plane(final Constants constants) {
		return constants.get("plane", PLANE);
	}

	/** The cost of a row of lags, as a multiple of the cost of its lags. */
	public static double row(final Size lags) {
		final double n = Math.min(lags.get(0), TileShape.LAGS_X);
		return Vectors.USED ? Math.ceil(n / BLOCK) * BLOCK / n : 1 + ROW / n;
	}

	/** Seconds of one multiply-add in double, on one thread. */
	public static double doubleCoefficient(final Constants constants) {
		return constants.get("direct-tap-double", DOUBLE_COEFFICIENT);
	}

	/**
	 * The multiply-adds of a sum over a template's weights, whose values are unknown. The ones of a mask are summed by runs: for a disc these are about half of
	 * its pixels.
	 */
	static double maskCoefficients(final Weights weights, final Size template) {
		return weights == Weights.BINARY ? 0.5 * template.pixels() : template.pixels();
	}

	/** The additional seconds of the two sums over a mask with so many multiply-adds, for each response on one thread. */
	static double mask(final Constants constants, final double coefficients) {
		return 2 * coefficients * doubleCoefficient(constants);
	}

	/** The additional seconds for each response of an image with missing pixels, besides the sums of the template: reading and counting, and the estimate. */
	static double missing(final Constants constants) {
		return constants.get("response-missing", MISSING_RESPONSE);
	}

	/** The memory of one thread for sums under the image's mask: three doubles for each lag of a tile. */
	private static long maskBytes(final Size template) {
		long bytes = 24;
		for (final int lags : TileShape.direct(new TemplatePlanes(template))) bytes *= lags;
		return bytes;
	}

	/**
	 * The cost of a problem.
	 *
	 * @param narrow whether the numerator is summed in float
	 * @param exact whether all sums are whole numbers
	 */
	static Cost of(final Sliding p, final Device device, final boolean narrow, final boolean exact) {
		final Constants k = device.constants();
		double work = 0;
		long memory = 0;
		final double lags = p.lags().count().pixels();
		final Set<Size> seen = new HashSet<>();
		for (final Size t : p.templates()) {
			// a thread uses the same memory for all templates of one size
			final boolean first = seen.add(t);
			double perLag = t.pixels() * (narrow ? row(p.lags().count()) * k.get("direct-tap", FLOAT_COEFFICIENT) : k.get("direct-tap-double", DOUBLE_COEFFICIENT));
			// templates of one size usually have one mask and share the sums over it
			if (p.weights() != Weights.NONE && first) perLag += mask(k, maskCoefficients(p.weights(), t));
			// the values of the template and their squares under the mask
			if (p.lags().masked()) perLag += missing(k) + 2 * t.pixels() * doubleCoefficient(k);
			if (exact) perLag += k.get("response-exact", EXACT_RESPONSE) + planes(device, t);
			else perLag += narrow ? response(device, t) : k.get("response-double", DOUBLE_RESPONSE) + planes(device, t);
			work += lags * perLag;
			memory += first ? (TileShape.bytes(t, p.image()) + (p.lags().masked() ? maskBytes(t) : 0)) * device.parallelism()
				: TileShape.templateBytes(t);
		}
		final double busy = BusyThreads.of(p, device, t -> List.of(TileShape.direct(new TemplatePlanes(t)), TileShape.unit()));
		final double seconds = p.frames() * (work / busy + submission(device));
		return new Cost(seconds, start(device), memory, 0);
	}
}
