package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import sc.fiji.ncc.peaks.GreedySelection;
import sc.fiji.ncc.peaks.Peak;

/** Chooses the matches of a frame among local maxima: the best one, then the best of those whose support does not overlap it too much, and so on. */
final class PoseSelection {

	/** The local maxima. A position is the index of the template, followed by the first pixel of its box. */
	interface Source {

		/** Positions of a template that can be local maxima, with scores within the tolerance. */
		List<Peak> candidates(int template);

		/** The exact score at a candidate; NaN if it is no local maximum. */
		double score(long[] position);

		/** The number of the best pose at a candidate. */
		int pose(long[] position);
	}

	private PoseSelection() {}

	/** @return the chosen maxima; without competing templates one template after the other */
	static List<PoseMaximum> choose(final PoseSet set, final PoseSettings.Choice settings, final double minScore, final Source source, final double tolerance) {
		final List<PoseMaximum> chosen = new ArrayList<>();
		final List<Peak> candidates = new ArrayList<>();
		for (int t = 0; t < set.templates().size(); t++) {
			candidates.addAll(source.candidates(t));
			if (settings.compete() && t < set.templates().size() - 1) continue;
			for (final Peak p : GreedySelection.best(candidates, new PoseOverlap(set, settings.overlap(), source::pose), settings.maxMatches(),
				minScore, tolerance, source::score))
				chosen.add(new PoseMaximum((int) p.position()[0], Arrays.copyOfRange(p.position(), 1, p.position().length), source.pose(p.position()), p.value()));
			candidates.clear();
		}
		return chosen;
	}

	/** Chooses among all local maxima of a frame that reach its minimum score, in any order. */
	static List<PoseMaximum> choose(final PoseSet set, final PoseSettings.Choice settings, final List<PoseMaximum> maxima) {
		final Map<List<Long>, PoseMaximum> byPosition = new HashMap<>();
		final List<List<Peak>> ofTemplate = new ArrayList<>();
		for (int t = 0; t < set.templates().size(); t++) ofTemplate.add(new ArrayList<>());
		for (final PoseMaximum m : maxima) {
			final long[] position = with(m.template(), m.position());
			byPosition.put(key(position), m);
			ofTemplate.get(m.template()).add(new Peak(position, m.score()));
		}
		return choose(set, settings, -1, new Source() {

			@Override
			public List<Peak> candidates(final int template) {
				return ofTemplate.get(template);
			}

			@Override
			public double score(final long[] position) {
				return byPosition.get(key(position)).score();
			}

			@Override
			public int pose(final long[] position) {
				return byPosition.get(key(position)).pose();
			}
		}, 0);
	}

	private static List<Long> key(final long[] position) {
		return Arrays.stream(position).boxed().toList();
	}

	/** The position with the index of its template. */
	static long[] with(final int template, final long[] position) {
		final long[] p = new long[position.length + 1];
		p[0] = template;
		System.arraycopy(position, 0, p, 1, position.length);
		return p;
	}
}
