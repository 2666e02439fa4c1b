package sc.fiji.ncc.result;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far the probability, the false alarms and the minimum score that follow from the background hold. */
public enum BackgroundState {
	/** The background follows the model. */
	OK(""),
	/** Few responses are independent, for example in small searches, or with long correlations such as those of 1/f noise. */
	FEW("too few independent responses to fit the background"),
	/** Scores above 0 are higher than those below, as in speckle: the model has no good shape for such a tail. */
	SKEWED("the scores of the background are skewed"),
	/** Structures lie along a diagonal. The model takes the axes as independent. */
	DIAGONAL("the background has structures along a diagonal"),
	/** The scores differ from the fitted curve by more than the errors. */
	MISFIT("the scores of the background do not follow the model"),
	/** Windows have few independent pixels. The model counts too few of the matches that rotated templates have then. Other templates do not need more. */
	SMOOTH("too few independent pixels in a window to count the poses");

	/** Scores that differ by less are shown as one. */
	private static final double NARROW = 5e-4;

	private final String reason;

	BackgroundState(final String reason) {
		this.reason = reason;
	}

	/** The range of minimum scores, for a summary: one number if it is narrow. */
	public static String range(final double least, final double greatest) {
		return greatest - least < NARROW ? String.format(Locale.ROOT, "%.3f", least) : String.format(Locale.ROOT, "%.3f to %.3f", least, greatest);
	}

	/**
	 * Why numbers of several backgrounds are uncertain, each reason once.
	 *
	 * @return empty if they are not
	 */
	public static String reasons(final Stream<BackgroundState> states) {
		return states.filter(s -> s != OK).distinct().sorted().map(s -> s.reason).collect(Collectors.joining("; "));
	}
}
