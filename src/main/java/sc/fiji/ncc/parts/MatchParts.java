package sc.fiji.ncc.parts;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.match.ExactScores;
import sc.fiji.ncc.match.FrameScores;
import sc.fiji.ncc.match.MatchSelection;
import sc.fiji.ncc.match.MinScores;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.sink.PeakMaps;
import sc.fiji.ncc.peaks.MapSample;

/**
 * Template matching in parts. Processes find the local maxima of boxes ({@link #maxima}). One process chooses the matches among all of them ({@link #matches}). It
 * reads no pixels: the others compute exact scores for it ({@link #scores}). The matches are those that one process finds.
 */
public final class MatchParts extends ImageParts {

	/** The sides of boxes are multiples of this number of lags: in up to two dimensions, and in more. The maximum number of lags of a box. */
	private static final int SIDE = 1024, SIDE_3D = 128;
	private static final long MAX_LAGS = 1L << 22;
	/** The exact scores that are requested at first in a frame: this many for each requested match, and some more. */
	private static final int SCORES_PER_MATCH = 4, MORE_SCORES = 64;

	/**
	 * The local maxima of a box.
	 *
	 * @param frame the number of the frame
	 * @param report the counts of the computed lags
	 * @param samples of the map of each template, if minimum scores follow from the background; otherwise empty
	 */
	public record Maxima(long frame, Report report, List<PeakMaps.Placed> peaks, List<MapSample> samples) implements Serializable {}

	/**
	 * The matches of a frame.
	 *
	 * @param matches best first; {@link Match#frame} is empty
	 */
	public record FrameFound(List<Match> matches, MinScores.Found minScores) {}

	/**
	 * A window of a frame.
	 *
	 * @param first its first pixel
	 * @param reference the first pixel of a window whose pixels replace those of the template; null for the template itself
	 */
	public record Window(long frame, int template, long[] first, long[] reference) implements Serializable {

		@Override
		public boolean equals(final Object other) {
			return other instanceof Window && frame == ((Window) other).frame && template == ((Window) other).template && Arrays.equals(first, ((Window) other).first)
				&& Arrays.equals(reference, ((Window) other).reference);
		}

		@Override
		public int hashCode() {
			return 31 * (31 * (31 * Arrays.hashCode(first) + Arrays.hashCode(reference)) + template) + Long.hashCode(frame);
		}
	}

	/** Computes exact scores in other processes. */
	@FunctionalInterface
	public interface Scorer {

		/** @return one score for each window; NaN if it is undefined */
		double[] scores(List<Window> windows);
	}

	private final MatchSelection.Rules rules;
	private final MinScores minScores;

	/** @param minScores makes the minimum scores for the layouts of all templates */
	public MatchParts(final SlidingCall op, final RandomAccessibleInterval<?> image, final MatchSelection.Rules rules,
		final Function<List<ResponseLayout>, MinScores> minScores)
	{
		super(op, image);
		this.rules = rules;
		this.minScores = minScores.apply(layouts());
		divide(b -> grid(b, op), b -> Integer.MAX_VALUE, Result.PEAKS);
	}

	private static BoxGrid grid(final TemplateBank bank, final SlidingCall op) {
		final int[] side = new int[op.dimensions()];
		Arrays.fill(side, side.length < 3 ? SIDE : SIDE_3D);
		return BoxGrid.ofChunks(bank.lags().lags, bank.lags().place, side, Math.min(MAX_LAGS, op.maxLags()));
	}

	/**
	 * Finds the local maxima of a box. Returns at once.
	 *
	 * @param index from 0 to {@link #count} - 1
	 */
	public CompletableFuture<Maxima> maxima(final long index) {
		final Place place = place(index);
		final PeakMaps peaks = minScores.peakMaps();
		return service().submit(place.bank(), frame(place.frame()), place.frame(), place.box(), peaks.of(bank(place), place.frame(), place.box()))
			.thenApply(report -> new Maxima(place.frame(), report, peaks.found(), peaks.samples()));
	}

	/** The exact scores of windows. Windows of one frame should follow each other. */
	public double[] scores(final List<Window> windows) {
		final double[] scores = new double[windows.size()];
		FrameScores of = null;
		for (int i = 0; i < scores.length; i++) {
			final Window w = windows.get(i);
			if (of == null || w.frame != windows.get(i - 1).frame) of = new FrameScores(op().templates(), layouts(), frame(w.frame), w.frame);
			scores[i] = of.at(w.template, w.reference, w.first);
		}
		return scores;
	}

	/**
	 * Chooses the matches.
	 *
	 * @param maxima those of all boxes, in any order
	 * @return the matches of each frame
	 */
	public List<FrameFound> matches(final List<Maxima> maxima, final Scorer scorer) {
		final List<PeakMaps> peaks = new ArrayList<>();
		for (long f = 0; f < frames(); f++) peaks.add(minScores.peakMaps());
		for (final Maxima m : maxima) {
			final PeakMaps of = peaks.get(Math.toIntExact(m.frame));
			m.peaks.forEach(of::add);
			of.add(m.samples);
		}
		final List<MinScores.Found> least = new ArrayList<>();
		for (int f = 0; f < peaks.size(); f++) {
			final int frame = f;
			least.add(Parallel.within(op().threads(), () -> minScores.of(peaks.get(frame), frame(frame), frame)));
		}
		final List<Frame> all = new ArrayList<>();
		final List<Window> first = new ArrayList<>();
		for (int f = 0; f < peaks.size(); f++) {
			all.add(new Frame(f, new MatchSelection(rules, least.get(f).scores(), op().templates(), layouts(), peaks.get(f)::forEach), scorer));
			first.addAll(all.get(f).next());
		}
		// one request for all frames, because each request starts a job on the cluster
		add(all, first, scorer.scores(first));
		final List<List<Peak>> chosen = new ArrayList<>();
		final List<Window> around = new ArrayList<>();
		for (final Frame f : all) {
			chosen.add(f.selection.choose(f));
			f.selection.matches(chosen.get(chosen.size() - 1), (template, reference, window) -> {
				around.add(new Window(f.index, template, window, reference));
				return Double.NaN;
			}, new long[0]);
		}
		add(all, around, scorer.scores(around));
		final List<FrameFound> frames = new ArrayList<>();
		for (final Frame f : all) {
			final int i = frames.size();
			frames.add(new FrameFound(minScores.rated(f.selection.matches(chosen.get(i), f, new long[0]), least.get(i)), least.get(i)));
		}
		return frames;
	}

	private static void add(final List<Frame> frames, final List<Window> windows, final double[] scores) {
		for (int i = 0; i < scores.length; i++) frames.get((int) windows.get(i).frame).known.put(windows.get(i), scores[i]);
	}

	private record Candidate(Peak peak, int template) {}

	/** The exact scores of one frame. Unknown scores are requested with those that will probably be needed next. */
	private final class Frame implements ExactScores {

		private final long index;
		private final MatchSelection selection;
		private final Scorer scorer;
		private final Map<Window, Double> known = new HashMap<>();
		/** The windows of all local maxima, the highest response first, and the number of those that were requested. */
		private final List<Window> ordered = new ArrayList<>();
		private int requested;

		Frame(final long index, final MatchSelection selection, final Scorer scorer) {
			this.index = index;
			this.selection = selection;
			this.scorer = scorer;
			final List<Candidate> candidates = new ArrayList<>();
			for (int t = 0; t < op().templates().size(); t++) {
				final int template = t;
				selection.maxima(t, p -> candidates.add(new Candidate(p, template)));
			}
			candidates.sort((a, b) -> a.peak.compareTo(b.peak));
			for (final Candidate c : candidates) ordered.add(new Window(index, c.template, c.peak.position(), null));
		}

		/** The windows of the next request: twice as many as before. */
		List<Window> next() {
			final long wanted = requested > 0 ? 2L * requested : (long) SCORES_PER_MATCH * rules.maxMatches() + MORE_SCORES;
			final List<Window> next = List.copyOf(ordered.subList(requested, (int) Math.min(ordered.size(), requested + wanted)));
			requested += next.size();
			return next;
		}

		@Override
		public double at(final int template, final long[] reference, final long[] window) {
			final Window w = new Window(index, template, window, reference);
			while (!known.containsKey(w)) {
				final List<Window> more = next();
				if (more.isEmpty()) throw new IllegalStateException("internal error: the score at " + Arrays.toString(window) + " was never requested");
				final double[] scores = scorer.scores(more);
				for (int i = 0; i < scores.length; i++) known.put(more.get(i), scores[i]);
			}
			return known.get(w);
		}
	}
}
