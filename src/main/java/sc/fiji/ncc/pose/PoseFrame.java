package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.plan.support.Parallel;

/** The best scores over all poses in one frame, as a search finds them, and the matches that follow. */
final class PoseFrame implements BankExecution.Receiver {

	/**
	 * The searched part of a frame.
	 *
	 * @param size its extents
	 * @param before whether the frame continues before it, along each dimension
	 * @param after whether the frame continues after it
	 */
	record Part(long[] size, boolean[] before, boolean[] after) {

		/**
		 * Whether a position is the first or the last one of a family along a dimension, and the frame continues there. A dimension with one position has
		 * no edge.
		 */
		boolean edge(final PoseFamily family, final long[] position) {
			for (int d = 0; d < size.length; d++) {
				final long lag = position[d] + family.shift[d], last = family.lags(d, size) - 1;
				if (last > 0 && (lag == 0 && before[d] || lag == last && after[d])) return true;
			}
			return false;
		}
	}

	private final PoseSet set;
	private final PoseSettings.Choice settings;
	private final Parallel threads;
	private final Monitor monitor;
	private final PoseScores[] scores;
	/** The windows for exact scores of the frame, one map per template. */
	private final List<Map<PoseFamily, MemberWindow>> windows = new ArrayList<>();
	/** The position with the key 0, the number of positions along each dimension and the distances of keys. */
	private final long[] origin, extent, stride;
	private Pixels pixels;
	private Part part;
	private double minScore;
	/** Of all frames; null before the first matches. */
	private PoseRefinement refinement;

	/** @param image the extents of a frame */
	PoseFrame(final PoseSet set, final long[] image, final PoseSettings.Choice settings, final Parallel threads, final Monitor monitor) {
		this.set = set;
		this.settings = settings;
		this.threads = threads;
		this.monitor = monitor;
		final int n = image.length;
		origin = positions(set, image)[0];
		extent = positions(set, image)[1];
		stride = new long[n];
		long step = 1;
		for (int d = 0; d < n; d++) {
			stride[d] = step;
			step = Math.multiplyExact(step, extent[d] + 1);
		}
		scores = new PoseScores[set.templates().size()];
		for (int t = 0; t < scores.length; t++) {
			final Map<PoseFamily, MemberWindow> ofFrame = new HashMap<>();
			windows.add(ofFrame);
			scores[t] = new PoseScores(stride, (key, code, result) -> exact(ofFrame, key, code, result));
		}
	}

	/** The first position of a template in an image at which a pose fits, and the number of positions along each dimension. */
	static long[][] positions(final PoseSet set, final long[] image) {
		final long[][] positions = new long[2][image.length];
		for (int d = 0; d < image.length; d++) {
			final int axis = d;
			positions[0][d] = set.families().stream().mapToLong(f -> -f.shift[axis]).min().orElse(0);
			positions[1][d] = set.families().stream().mapToLong(f -> f.lags(axis, image) - f.shift[axis]).max().orElse(0) - positions[0][d];
		}
		return positions;
	}

	/**
	 * The lags of each family that belong to a box of positions or lie beside it.
	 *
	 * @param positions the first position, and the number of positions along each dimension; null for all
	 */
	List<BankExecution.Range> lags(final long[][] positions) {
		final List<BankExecution.Range> lags = new ArrayList<>();
		for (final PoseFamily f : set.families()) {
			final long[] first = new long[origin.length], count = new long[origin.length];
			for (int d = 0; d < first.length; d++) {
				count[d] = f.lags(d, part.size());
				if (positions == null) continue;
				first[d] = Math.max(0, positions[0][d] - 1 + f.shift[d]);
				count[d] = Math.max(0, Math.min(count[d], positions[0][d] + positions[1][d] + 1 + f.shift[d]) - first[d]);
			}
			lags.add(new BankExecution.Range(first, count));
		}
		return lags;
	}

	/**
	 * Begins a frame.
	 *
	 * @param frame the pixels of the searched part
	 * @param least the minimum score of its matches, at least that of the plan
	 */
	void begin(final RandomAccessibleInterval<?> frame, final Part searched, final double least) {
		minScore = least;
		part = searched;
		pixels = ImagePixels.of(frame);
		for (final PoseScores s : scores) s.clear();
		windows.forEach(Map::clear);
	}

	@Override
	public void take(final int index, final long[] first, final int[] size, final int[] lags, final double[] values,
		final int[] codes, final int n) {
		final PoseFamily family = set.families().get(index);
		final long[] keys = new long[n], position = new long[size.length];
		for (int i = 0; i < n; i++) {
			for (int d = 0, rest = lags[i]; d < size.length; d++) {
				position[d] = first[d] + rest % size[d] - family.shift[d];
				rest /= size[d];
			}
			keys[i] = key(position);
			// members become poses
			codes[i] = codes[i] >= 0 ? codes[i] + family.first
				: PoseScores.approximate(family.first + (codes[i] < -family.poses.size() ? set.poses().size() : -1 - codes[i]));
		}
		scores[family.template].add(keys, values, codes, n);
	}

	private long key(final long[] position) {
		long key = 0;
		for (int d = 0; d < position.length; d++) key += (position[d] - origin[d]) * stride[d];
		return key;
	}

	/** The position of the first response of {@link #forEach}, and the number of positions along each dimension. */
	long[][] positions() {
		return new long[][] { origin.clone(), extent.clone() };
	}

	private long[] position(final long key) {
		final long[] p = new long[stride.length];
		for (int d = 0; d < p.length; d++) p[d] = origin[d] + key / stride[d] % (extent[d] + 1);
		return p;
	}

	private void exact(final Map<PoseFamily, MemberWindow> ofFrame, final long key, final int code, final double[] result) {
		monitor.requireNotCanceled();
		final int poses = set.poses().size(), number = -1 - code;
		final PoseFamily family = set.family(number < poses ? number : number - poses);
		final MemberWindow window = ofFrame.computeIfAbsent(family, f -> new MemberWindow(pixels, f.members));
		final long[] lag = position(key);
		for (int d = 0; d < lag.length; d++) lag[d] += family.shift[d];
		result[0] = Double.NEGATIVE_INFINITY;
		result[1] = family.first;
		if (!window.read(lag)) return;
		final int from = number < poses ? number - family.first : 0, to = number < poses ? from + 1 : family.poses.size();
		for (int p = from; p < to; p++) {
			final double score = window.score(p);
			if (score > result[0]) {
				result[0] = score;
				result[1] = family.first + p;
			}
		}
	}

	/** The matches of the frame, best first. */
	List<PoseMatch> matches() {
		for (final PoseScores s : scores) s.merge();
		return sorted(refined(PoseSelection.choose(set, settings, minScore, new PoseSelection.Source() {

			@Override
			public List<Peak> candidates(final int template) {
				return PoseFrame.this.candidates(template);
			}

			@Override
			public double score(final long[] position) {
				monitor.requireNotCanceled();
				final PoseScores s = scores[(int) position[0]];
				final int i = entry(position);
				return s.isMaximum(i) ? s.value(i) : Double.NaN;
			}

			@Override
			public int pose(final long[] position) {
				return scores[(int) position[0]].pose(entry(position), set.poses().size());
			}
		}, Bounds.RESPONSE)));
	}

	/** The entry at a position with the index of its template. */
	private int entry(final long[] position) {
		return scores[(int) position[0]].find(key(Arrays.copyOfRange(position, 1, position.length)));
	}

	/** The positions that can be local maxima, with their scores. Their poses are known. */
	private List<Peak> candidates(final int template) {
		final List<Peak> candidates = new ArrayList<>();
		final PoseScores s = scores[template];
		final boolean[] is = s.candidates();
		for (int i = 0; i < is.length; i++) {
			if (!is[i]) continue;
			if (s.pose(i, set.poses().size()) < 0) s.resolve(i);
			candidates.add(new Peak(PoseSelection.with(template, position(s.key(i))), s.value(i)));
		}
		return candidates;
	}

	/**
	 * All local maxima in a box of positions with at least the minimum score. The boxes of the frame so far contain all scores of the box and of the positions beside it.
	 *
	 * @param box the first position, and the number of positions along each dimension
	 */
	List<PoseMaximum> maxima(final long[][] box) {
		final List<PoseMaximum> maxima = new ArrayList<>();
		for (int t = 0; t < scores.length; t++) {
			final PoseScores s = scores[t];
			s.merge();
			for (final Peak p : candidates(t)) {
				monitor.requireNotCanceled();
				final long[] position = Arrays.copyOfRange(p.position(), 1, p.position().length);
				boolean inside = true;
				for (int d = 0; d < position.length; d++) inside &= position[d] >= box[0][d] && position[d] < box[0][d] + box[1][d];
				if (!inside || !(p.value() + Bounds.RESPONSE >= minScore)) continue;
				final int i = entry(p.position());
				if (s.isMaximum(i) && s.value(i) >= minScore) maxima.add(new PoseMaximum(t, position,
					s.pose(i, set.poses().size()), s.value(i)));
			}
		}
		return maxima;
	}

	/** The matches at maxima that were chosen in the frame, one for each, refined if the settings say so. */
	List<PoseMatch> refined(final List<PoseMaximum> chosen) {
		final PoseMatch[] matches = chosen.stream().map(m -> match(set, m, part)).toArray(PoseMatch[]::new);
		if (settings.refine()) {
			if (refinement == null) refinement = new PoseRefinement(set);
			threads.each(matches.length, i -> {
				monitor.requireNotCanceled();
				matches[i] = refinement.of(matches[i], set.family(chosen.get(i).pose()), pixels);
			});
		}
		return List.of(matches);
	}

	/** The match at a maximum in a part of a frame, not refined. */
	static PoseMatch match(final PoseSet set, final PoseMaximum m, final Part part) {
		final Pose pose = set.poses().get(m.pose());
		return new PoseMatch(m.template(), new long[0], m.position(), pose, m.score(), pose,
			Arrays.stream(m.position()).asDoubleStream().toArray(), m.score())
			.atEdge(part.edge(set.family(m.pose()), m.position()));
	}

	/** The best matches first. */
	static List<PoseMatch> sorted(final List<PoseMatch> matches) {
		final List<PoseMatch> sorted = new ArrayList<>(matches);
		sorted.sort((a, b) -> Double.compare(b.score(), a.score()));
		return sorted;
	}

	/** Receives the best score and the pose's number at a position. */
	interface Best {

		/** @param pose the number of the pose among those of the template, from 0 */
		void at(long[] position, double score, int pose);
	}

	/** The best score of a template at each position at which it reaches the minimum score. */
	void forEach(final int template, final Best receiver) {
		final PoseScores s = scores[template];
		s.merge();
		final int perTemplate = set.poses().size() / set.templates().size();
		for (int i = 0; i < s.size(); i++) {
			if (s.pose(i, set.poses().size()) < 0 || s.value(i) - s.error(i) < minScore) s.resolve(i);
			if (s.value(i) >= minScore) receiver.at(position(s.key(i)), s.value(i), s.pose(i, set.poses().size()) % perTemplate);
		}
	}
}
