package sc.fiji.ncc.register;

import java.util.Locale;

import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.statistics.Texture;

/**
 * Whether the best shift of two frames can be chance. A shift is judged on the pixels of the frames and, if it is not certain there, on their fine details, see
 * {@link #TESTS}.
 *
 * @param falseAlarms the expected number of peaks as high by chance, for frames of such texture and with such a runner-up
 * @param chance the same without the runner-up
 * @param reason why the shift does not count; empty if it does
 */
public record PeakJudgement(double falseAlarms, double chance, String reason) {

	/** The number of tests: on the pixels and on their fine details. So each expected number is multiplied by it. */
	private static final double TESTS = 2;
	/** The distance within which the peak of fine details, which is as wide as they are, is that of the pixels, in pixels. */
	private static final double SAME = 3;

	public PeakJudgement {
		Given.nonNull(reason, "reason");
	}

	/**
	 * @param a the fixed frame, whose pixels or fine details were correlated
	 * @param b the moving frame
	 * @param found the peaks; at least one
	 * @param shifts the number of shifts that were compared
	 * @param level the expected number of false alarms below which a shift counts
	 */
	public static PeakJudgement of(final JudgedFrame a, final JudgedFrame b, final PairPeaks found, final double shifts, final double level) {
		final PairPeaks.Place best = found.best();
		final double pixels = best.overlap() * Math.min(a.pixels(), b.pixels());
		final double chance = TESTS * Texture.falseAlarms(a.texture(), b.texture(), pixels, best.score(), Double.NaN, shifts);
		final double alarms = TESTS * Texture.falseAlarms(a.texture(), b.texture(), pixels, best.score(), found.runnerUp(), shifts);
		return new PeakJudgement(alarms, chance, alarms <= level ? "" : chance < alarms ? String.format(Locale.ROOT,
			Alignment.AMBIGUOUS + ": %sthe runner-up %.3f is too near to the score %.3f, as in periodic patterns and noise",
			a.isFine() ? "in the fine details, " : "", found.runnerUp(), best.score())
			: String.format(Locale.ROOT, "too little structure in common: %.3g peaks as high are expected by chance", alarms));
	}

	/** Whether the shift counts. */
	public boolean isCertain() {
		return reason.isEmpty();
	}

	/** Whether the shift of fine details is that of the pixels. */
	public static boolean isSame(final double[] shift, final double[] ofDetails) {
		for (int d = 0; d < shift.length; d++) if (Math.abs(shift[d] - ofDetails[d]) > SAME) return false;
		return true;
	}
}
