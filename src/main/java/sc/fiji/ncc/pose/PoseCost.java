package sc.fiji.ncc.pose;

import sc.fiji.ncc.numeric.CubicSpline;

/**
 * The predicted seconds of the parts of a search for poses that do not depend on its plan. The constants were measured on two threads of a busy AMD EPYC,
 * so they have about the same reserve as the other constants of the CPU. The calibration of a machine multiplies all of them by one factor.
 *
 * @param slowness the time of this machine, divided by the time that the shipped constants predict
 */
record PoseCost(PoseSet set, int threads, double slowness) {

	/** Seconds for a coefficient of a spline, for a pixel of an exact score, of a window that is read, and of one that is sampled and kept. */
	private static final double COEFFICIENT = 4e-9, EXACT = 0.4e-9, READ = 3e-9, SAMPLED = 10e-9;
	/**
	 * Seconds for a product of a basis; for what one thread does to make it orthogonal, for each pixel and pair of vectors; for a product of a sampled
	 * window with it; for one of a bound, and the number of the latter for each member of the basis and pose: those of all sizes, of which few threads
	 * have work. Measured with {@code PosesOnGpu} on 16 threads of a Xeon, 2026-11-28.
	 */
	private static final double BASIS = 0.5e-9, ORTHOGONAL = 4e-9, PRODUCT = 1e-9, BOUND = 2e-9, SIZES = 4, AT_ONCE = 6;
	/**
	 * The vectors of a basis beyond those that are used, as in {@link sc.fiji.ncc.bounded.MemberBasis}; and the share by which each
	 * further thread slows down the others.
	 */
	private static final double EXTRA = 8, SHARED = 0.07;
	/** Seconds to refine a match, for each of its pixels, in two and in three dimensions. */
	private static final double REFINE = 1.4e-6, REFINE_3D = 5e-6;
	/** Seconds to load the code in a new process; and what a first search of one second takes longer, until its code is compiled. */
	private static final double START = 0.75, COLD = 2.6;
	/** Seconds for a multiplication of the model of the background's noise. */
	private static final double NOISE = 1.7e-9;
	/** The number of matches that a frame is expected to have. */
	private static final int MATCHES = 10;

	/**
	 * What the first search of a process takes longer. A long one is compiled earlier, relative to its time.
	 *
	 * @param work the seconds of the first frame, and of what comes before it, with compiled code
	 */
	double start(final double work) {
		return slowness * (START + COLD * Math.sqrt(work / slowness));
	}

	/** How many times as fast as one thread all of them are. */
	private double speed(final int tasks) {
		final double some = Math.min(threads, tasks);
		return some / (1 + SHARED * (some - 1));
	}

	/** The splines at all pixels of all poses. */
	double sampling() {
		double seconds = 0;
		for (final PoseFamily f : set.families()) seconds += perPixel(f) * f.poses.size() * f.members.length() / speed(f.poses.size());
		return slowness * COEFFICIENT * seconds;
	}

	/** The background of a frame. */
	double background() {
		return slowness * PoseBackground.seconds(set, READ, EXACT, NOISE) / threads;
	}

	/** To make a basis. */
	double basis(final PoseFamily f, final int vectors) {
		return slowness * f.members.length() * (BASIS * 4 * f.poses.size() * vectors / speed(f.poses.size()) + ORTHOGONAL * Math.pow(vectors + EXTRA, 2));
	}

	/** To read sampled windows, on one thread. */
	double windows(final PoseFamily f, final int windows) {
		return slowness * SAMPLED * windows * f.members.length();
	}

	/** The products of sampled windows with a basis, and their bounds. */
	double sampled(final PoseFamily f, final int vectors, final int windows) {
		return slowness * vectors * (double) windows * (PRODUCT * f.members.length() / speed(windows) + BOUND * SIZES * f.poses.size() / Math.min(threads, AT_ONCE));
	}

	/** @param most the largest number of matches */
	static int matches(final int most) {
		return Math.min(most, MATCHES);
	}

	/** The matches of a frame. */
	double refinement(final int matches) {
		double pixels = 0;
		for (final PoseFamily f : set.families()) pixels += f.members.length() / (double) set.families().size();
		return slowness * (set.families().get(0).shift.length == 2 ? REFINE : REFINE_3D) * pixels * Math.ceil(matches / (double) threads);
	}

	private static double perPixel(final PoseFamily f) {
		return Math.pow(CubicSpline.COEFFICIENTS, f.shift.length);
	}
}
