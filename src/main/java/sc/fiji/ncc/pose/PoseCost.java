package sc.fiji.ncc.pose;

import sc.fiji.ncc.numeric.CubicSpline;

/**
 * The predicted seconds of the parts of a search for poses that do not depend on its plan. The constants were measured on two threads of a busy AMD EPYC,
 * so they have about the same reserve as the other constants of the CPU. The calibration of a machine multiplies all of them by one factor.
 *
 * @param slowness the time of this machine, divided by the time that the shipped constants predict
 */
record PoseCost(PoseSet set, int threads, double slowness) {

	/** Seconds for a coefficient of a spline, for a pixel of an exact score, and of a window that is read. */
	private static final double COEFFICIENT = 4e-9, EXACT = 0.4e-9, READ = 3e-9;
	/**
	 * Seconds for a product of a basis, for one of a bound of a sampled window, and the number of the latter for each member of the basis and
	 * pose: those of all sizes.
	 */
	private static final double BASIS = 0.5e-9, BOUND = 1e-9, SIZES = 4;
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

	/** The splines at all pixels of all poses, on one thread. */
	double sampling() {
		double coefficients = 0;
		for (final PoseFamily f : set.families()) coefficients += perPixel(f) * f.poses.size() * (double) f.members.length();
		return slowness * COEFFICIENT * coefficients;
	}

	/** The background of a frame. */
	double background() {
		return slowness * PoseBackground.seconds(set, READ, EXACT, NOISE) / threads;
	}

	/** To make a basis. */
	double basis(final PoseFamily f, final int vectors) {
		return slowness * BASIS * 4 * f.poses.size() * f.members.length() * (double) vectors / threads;
	}

	/** To read sampled windows, on one thread. */
	double windows(final PoseFamily f, final int windows) {
		return slowness * READ * windows * f.members.length();
	}

	/** The products of sampled windows with a basis, and their bounds, on one thread. */
	double sampled(final PoseFamily f, final int vectors, final int windows) {
		return slowness * vectors * (double) windows * (EXACT * f.members.length() + BOUND * SIZES * f.poses.size());
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
