package sc.fiji.ncc.match;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.Range;

/**
 * Which local maxima are matches, and what is computed of each match.
 *
 * @param rules the choice of the matches of a frame
 * @param total the maximum number of matches of all frames of an image together
 * @param score the minimum score
 * @param details what is computed of each match
 */
public record MatchSettings(MatchSelection.Rules rules, int total, MinScores.Setting score, FrameMaxima.Details details) {

	/** All matches with a score of at least 0.5 whose windows overlap by at most a half, with positions between the pixels. */
	public static final MatchSettings DEFAULT = new MatchSettings(new MatchSelection.Rules(Integer.MAX_VALUE, 0.5, true), Integer.MAX_VALUE,
		MinScores.Setting.ofScore(0.5), new FrameMaxima.Details(true, false, false));

	public MatchSettings {
		Range.COUNT.of("the total number of matches is ", total);
	}

	/** The rules of a frame: it cannot have more matches than all frames together. */
	public MatchSelection.Rules frameRules() {
		return Components.with(rules, MatchSelection.Rules::maxMatches, Math.min(rules.maxMatches(), total));
	}
}
