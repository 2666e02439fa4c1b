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
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Weights;

/**
 * What the direct way costs, and what all ways share. The constants of work in this package, which a calibration replaces, are one and a half times what two threads of an AMD EPYC
 * take, Java 17 without flags and Java 25 with vectors: one to sixteen threads of two Xeons took 1.4 to 3 times as long, so that estimates err on either kind
 * by about the same factor.
 */
public final class DirectCost {

	/** One multiply-add in float, on one thread, in a row of lags without end. */
	private static final double FLOAT_TAP = Vectors.USED ? 0.0225e-9 : 0.0465e-9;
	/** Lags that each row costs more than it has, as volumes of 128x128x128 show; by vectors a row is a multiple of so many. */
	private static final double ROW = 100, BLOCK = 128;
	/** One in double. */
	private static final double DOUBLE_TAP = Vectors.USED ? 0.036e-9 : 0.105e-9;
	/** Window sums, normalisation and reading, for each response, in whole numbers; and with the estimate of the error. */
	private static final double EXACT_RESPONSE = Vectors.USED ? 4.95e-9 : 6.75e-9;
	private static final double RESPONSE = Vectors.USED ? 5.7e-9 : 8.25e-9;
	/** In double with sums in pairs of doubles: half as much again with a template of 8x8 on 1000x1000, the taps counted apart. */
	private static final double DOUBLE_RESPONSE = 12e-9;
	/** What each plane of a volume's template adds to that. */
	private static final double PLANE = 1.5e-9;
	/** To hand the tiles of one frame to the pool and wait for them. */
	private static final double SUBMISSION = 30e-6;

	/** To load and compile the code, in a process that has not run it: roughly. */
	private static final double START = Vectors.USED ? 0.2 : 0.06;

	private DirectCost() {}

	/** What the first run in a process takes more. */
	public static double start(final Device device) {
		return device.constants().get("direct-start", START);
	}

	/** Seconds that an algorithm pays for every frame, on a device. */
	public static double submission(final Device device) {
		return device.constants().get("submission", SUBMISSION);
	}

	/** Window sums, normalisation and the estimate of the error for each response, and its pixels in further planes, on one thread. */
	static double response(final Device device, final Size template) {
		return device.constants().get("response", RESPONSE) + planes(device, template);
	}

	private static double planes(final Device device, final Size template) {
		return template.pixels() / ((double) template.get(0) * template.get(1)) * device.constants().get("plane", PLANE);
	}

	/** How many times what its lags would cost alone a row of them costs. */
	private static double row(final Size lags) {
		final double n = Math.min(lags.get(0), TileShape.LAGS_X);
		return Vectors.USED ? Math.ceil(n / BLOCK) * BLOCK / n : 1 + ROW / n;
	}

	/** One multiply-add in double, on one thread. */
	public static double doubleTap(final Constants constants) {
		return constants.get("direct-tap-double", DOUBLE_TAP);
	}

	/** What the two sums over a mask of so many taps add to each response, on one thread. */
	static double mask(final Constants constants, final double taps) {
		return 2 * taps * doubleTap(constants);
	}

	/**
	 * @param narrow whether the numerator is summed in float
	 * @param exact whether all sums are whole numbers
	 */
	static Cost of(final Problem p, final Device device, final boolean narrow, final boolean exact) {
		final Constants k = device.constants();
		double work = 0;
		long memory = 0;
		final double lags = p.lags().count().pixels();
		final Set<Size> seen = new HashSet<>();
		for (final Size t : p.templates()) {
			double perLag = t.pixels() * (narrow ? row(p.lags().count()) * k.get("direct-tap", FLOAT_TAP) : k.get("direct-tap-double", DOUBLE_TAP));
			// templates of one size, which mostly have one mask, share the sums over it
			if (p.weights() != Weights.NONE && seen.add(t)) perLag += mask(k, t.pixels());
			if (exact) perLag += k.get("response-exact", EXACT_RESPONSE) + planes(device, t);
			else perLag += narrow ? response(device, t) : k.get("response-double", DOUBLE_RESPONSE) + planes(device, t);
			work += lags * perLag;
			memory += TileShape.bytes(t, p.image()) * device.parallelism();
		}
		final double busy = BusyThreads.of(p, device, t -> List.of(TileShape.direct(new TemplatePlanes(t)), TileShape.unit()));
		final double seconds = p.frames() * (work / busy + submission(device));
		return new Cost(seconds, start(device), memory, 0);
	}
}
