package sc.fiji.ncc.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.peaks.GreedySelection;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.peaks.Suppression;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;

/**
 * The choice of the matches of one frame among the local maxima of its maps. The pixels are needed for exact scores only.
 *
 * @param minScores the minimum score of the matches of each template
 * @param layouts one for each template
 * @param maxima the local maxima of the frame
 */
public record MatchSelection(Rules rules, double[] minScores, List<Template> templates, List<ResponseLayout> layouts, MapMaxima maxima) {

	/** Twice the error limit of the map's responses, so that a rounding error cannot lose a match. */
	private static final double TOLERANCE = 2e-5;

	/** By score from high to low, then by frame and position in raster order, then by template. */
	public static final Comparator<Match> ORDER = Comparator.comparingDouble(Match::score).reversed()
		.thenComparing((a, b) -> Arrays.compare(reversed(a.frame()), reversed(b.frame())))
		.thenComparing((a, b) -> Arrays.compare(reversed(a.position()), reversed(b.position()))).thenComparingInt(Match::template);

	/**
	 * The rules of the choice.
	 *
	 * @param maxMatches the maximum number of matches
	 * @param overlap the maximum share of a window that can lie in the window of a better match
	 * @param compete whether a match suppresses overlapping matches of other templates
	 */
	public record Rules(int maxMatches, double overlap, boolean compete) {

		public Rules {
			Range.COUNT.of("the maximum number of matches is ", maxMatches);
			Range.SHARE.of("the maximum overlap is ", overlap);
		}
	}

	/** The least response of a local maximum that can be a match with this minimum score. */
	public static float leastResponse(final double minScore) {
		return (float) (minScore - TOLERANCE);
	}

	/** Passes on the local maxima of a template's map: first pixels of windows, with responses. */
	public void maxima(final int template, final Consumer<Peak> consumer) {
		final long[] first = firstLag(template);
		final double least = minScores[template] - TOLERANCE;
		maxima.forEach(template, least, peak -> {
			if (peak.value() >= least) consumer.accept(new Peak(shifted(peak.position(), first), peak.value()));
		});
	}

	/** The matches, best first. */
	public List<Match> matches(final ExactScores exact, final long[] frame) {
		return matches(choose(exact), exact, frame);
	}

	/** The matches with positions in whole pixels, best first. They need the exact scores of the candidates only. */
	List<Match> inWholePixels(final ExactScores exact, final long[] frame) {
		final List<Match> matches = new ArrayList<>();
		for (final Peak peak : choose(exact)) {
			final long[] window = window(peak.position());
			matches.add(new Match((int) peak.position()[0], frame, window, peak.value(), Arrays.stream(window).asDoubleStream().toArray())
				.atEdge(layouts.get((int) peak.position()[0]).edge(window)));
		}
		matches.sort(ORDER);
		return matches;
	}

	/** The chosen windows with their exact scores. The first coordinate of a position is the index of the template. */
	public List<Peak> choose(final ExactScores exact) {
		if (rules.compete) return choose(0, templates.size(), exact);
		final List<Peak> all = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) all.addAll(choose(t, t + 1, exact));
		return all;
	}

	private List<Peak> choose(final int from, final int to, final ExactScores exact) {
		final List<Peak> candidates = new ArrayList<>();
		for (int t = from; t < to; t++) {
			final int template = t;
			maxima(t, p -> candidates.add(new Peak(with(template, p.position()), p.value())));
		}
		final List<long[]> windows = templates.stream().map(t -> t.size().toArray()).toList();
		final ToDoubleFunction<long[]> score = p -> {
			final double value = exact.at((int) p[0], null, window(p));
			return value >= minScores[(int) p[0]] ? value : Double.NaN;
		};
		final double least = Arrays.stream(minScores, from, to).min().orElseThrow();
		return GreedySelection.best(candidates, new Suppression(windows, rules.overlap), rules.maxMatches, least, TOLERANCE, score);
	}

	/** The matches of the chosen windows, with refined positions, best first. */
	public List<Match> matches(final List<Peak> chosen, final ExactScores exact, final long[] frame) {
		final List<Match> matches = new ArrayList<>();
		for (final Peak peak : chosen) {
			final int t = (int) peak.position()[0];
			final long[] window = window(peak.position());
			final double[] subpixel = offset(t, null, window, peak.value(), exact);
			// peaks are asymmetric: the fit does not find a window exactly at its place. This bias is no displacement
			final double[] bias = offset(t, window, window, 1, exact);
			final double share = peak.value() > 0 ? peak.value() * peak.value() : 0;
			for (int d = 0; d < subpixel.length; d++) subpixel[d] += window[d] - share * bias[d];
			matches.add(new Match(t, frame, window, peak.value(), subpixel).atEdge(layouts.get(t).edge(window)));
		}
		matches.sort(ORDER);
		return matches;
	}

	/** A position for {@link Suppression}, with the template as its first coordinate, which is the last one in the order of positions. */
	private static long[] with(final int template, final long[] window) {
		final long[] p = new long[window.length + 1];
		p[0] = template;
		System.arraycopy(window, 0, p, 1, window.length);
		return p;
	}

	private static long[] window(final long[] position) {
		return Arrays.copyOfRange(position, 1, position.length);
	}

	/** The first pixel, in the image, of the window of the map's first response. */
	private long[] firstLag(final int template) {
		final ResponseLayout layout = layouts.get(template);
		final long[] first = layout.firstLag.clone();
		for (int d = 0; d < first.length; d++) first[d] -= layout.place[d];
		return first;
	}

	private static long[] shifted(final long[] position, final long[] by) {
		final long[] p = new long[position.length];
		for (int d = 0; d < p.length; d++) p[d] = position[d] + by[d];
		return p;
	}

	/** The offset of the peak at a window, by the exact scores in the map at and around it. */
	private double[] offset(final int template, final long[] reference, final long[] window, final double value, final ExactScores exact) {
		final long[] first = firstLag(template), size = layouts.get(template).size;
		return QuadraticPeak.offset(window, p -> {
			for (int d = 0; d < p.length; d++) if (p[d] < first[d] || p[d] >= first[d] + size[d]) return Double.NaN;
			return Arrays.equals(p, window) ? value : exact.at(template, reference, p);
		});
	}

	private static long[] reversed(final long[] position) {
		final long[] r = new long[position.length];
		for (int d = 0; d < r.length; d++) r[d] = position[r.length - 1 - d];
		return r;
	}
}
