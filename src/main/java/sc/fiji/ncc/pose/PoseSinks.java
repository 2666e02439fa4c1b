package sc.fiji.ncc.pose;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.sink.BoxSink;
import sc.fiji.ncc.sink.MapSink;
import sc.fiji.ncc.sink.Sinks;

/** The best scores over all poses in one frame: the sinks that compute them from the engine's responses, and the matches that follow. */
public final class PoseSinks implements Sinks {

	/** Which matches are found. */
	public record Settings(int maxMatches, double overlap, boolean compete, boolean refine) {}

	/**
	 * The searched part of a frame.
	 *
	 * @param size its extents
	 * @param before whether the frame continues before it, along each dimension
	 * @param after whether the frame continues after it
	 */
	public record Part(long[] size, boolean[] before, boolean[] after) {

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

	private final PosePlan plan;
	private final PoseSet set;
	private final Settings settings;
	private final boolean everyPose;
	private final Parallel threads;
	private final Monitor monitor;
	/** The bank of each template of the engine, and the index in it. */
	private final int[] bankOf, indexOf;
	private final PoseScores[] scores;
	/** The windows for exact scores of the frame, one map per template. */
	private final List<Map<PoseFamily, PoseWindow>> windows = new ArrayList<>();
	/** The position with the key 0, the number of positions along each dimension and the distances of keys. */
	private final long[] origin, extent, stride;
	/** Arrays of the last box. */
	private final Deque<float[]> free = new ArrayDeque<>();
	private Pixels pixels;
	private Part part;
	private double minScore;
	/** Of all frames; null before the first matches. */
	private PoseRefinement refinement;

	/**
	 * @param image the extents of a frame
	 * @param everyPose whether every position needs its pose
	 */
	public PoseSinks(final PosePlan plan, final long[] image, final Settings settings, final boolean everyPose, final Parallel threads,
		final Monitor monitor)
	{
		this.plan = plan;
		set = plan.set();
		this.settings = settings;
		this.everyPose = everyPose;
		this.threads = threads;
		this.monitor = monitor;
		final int count = plan.templates().size(), n = image.length;
		bankOf = new int[count];
		indexOf = new int[count];
		for (int b = 0, t = 0; b < plan.banks().size(); b++)
			for (int k = 0; k < plan.banks().get(b).templates().size(); k++, t++) {
				bankOf[t] = b;
				indexOf[t] = k;
			}
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
			final Map<PoseFamily, PoseWindow> ofFrame = new HashMap<>();
			windows.add(ofFrame);
			scores[t] = new PoseScores(stride, (key, code, result) -> exact(ofFrame, key, code, result));
		}
	}

	/** The first position of a template in an image at which a pose fits, and the number of positions along each dimension. */
	public static long[][] positions(final PoseSet set, final long[] image) {
		final long[][] positions = new long[2][image.length];
		for (int d = 0; d < image.length; d++) {
			final int axis = d;
			positions[0][d] = set.families().stream().mapToLong(f -> -f.shift[axis]).min().orElse(0);
			positions[1][d] = set.families().stream().mapToLong(f -> f.lags(axis, image) - f.shift[axis]).max().orElse(0) - positions[0][d];
		}
		return positions;
	}

	/**
	 * The lags of the engine that belong to a box of positions or lie beside it.
	 *
	 * @param positions the first position, and the number of positions along each dimension
	 * @return the first lag, relative to the bank's first lag, and their number along each dimension, which may be 0
	 */
	public long[][] lags(final TemplateBank bank, final long[][] positions) {
		final long[][] lags = new long[2][positions[0].length];
		for (int d = 0; d < lags[0].length; d++) {
			final int axis = d;
			final long least = families(bank).mapToLong(f -> f.shift[axis]).min().orElse(0), greatest = families(bank).mapToLong(f -> f.shift[axis]).max().orElse(0);
			lags[0][d] = Math.max(0, positions[0][d] - 1 + least);
			lags[1][d] = Math.max(0, Math.min(bank.lags().lags[d], positions[0][d] + positions[1][d] + 1 + greatest) - lags[0][d]);
		}
		return lags;
	}

	private Stream<PoseFamily> families(final TemplateBank bank) {
		return Arrays.stream(bank.indices()).mapToObj(t -> plan.banks().get(bankOf[t]).family());
	}

	/**
	 * Begins a frame.
	 *
	 * @param frame the pixels of the searched part
	 * @param least the minimum score of its matches, at least that of the plan
	 */
	public void begin(final RandomAccessibleInterval<?> frame, final Part searched, final double least) {
		minScore = least;
		part = searched;
		pixels = ImagePixels.of(frame);
		for (final PoseScores s : scores) s.clear();
		windows.forEach(Map::clear);
	}

	@Override
	public int maxBoxes(final TemplateBank bank, final long maxLags) {
		return 1;
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		return new PoseSink(bank.indices(), box);
	}

	/** Takes the responses of one box. When it ends, its arrays are kept for the next box: small heaps do not survive many new ones. */
	private final class PoseSink implements BoxSink {

		private final int[] templates;
		private final long[] first;
		private final int[] size;
		private final Map<Integer, PoseBox> boxes = new HashMap<>();
		private MapSink[] sinks;

		PoseSink(final int[] templates, final long[][] box) {
			this.templates = templates;
			first = box[0];
			size = Arrays.stream(box[1]).mapToInt(Math::toIntExact).toArray();
		}

		@Override
		public void begin() {
			boxes.clear();
			sinks = new MapSink[templates.length];
			for (int t = 0; t < templates.length; t++) {
				final PoseBox box = boxes.computeIfAbsent(bankOf[templates[t]],
					b -> new PoseBox(plan.banks().get(b), minScore, everyPose, size, first, () -> pixels, PoseSinks.this::room));
				final float[] map = box.maps[indexOf[templates[t]]];
				sinks[t] = new MapSink(ArrayImgs.floats(map, Arrays.stream(size).asLongStream().toArray()), FloatBuffer.wrap(map), 0, new long[size.length], undefined());
			}
		}

		@Override
		public void end() {
			boxes.keySet().stream().sorted().forEach(b -> {
				final PoseFamily family = plan.banks().get(b).family();
				boxes.get(b).finish(threads, PoseSinks.this::stopIfCanceled, set.poses().size(), (lags, values, codes, n) -> add(family, first, size, lags, values, codes, n));
			});
			for (final PoseBox b : boxes.values()) b.release(free);
			boxes.clear();
			sinks = null;
		}

		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] extents, final Buffer from) {
			sinks[template].map(0, min, extents, from);
		}

		@Override
		public Place place(final int template, final long[] min) {
			return sinks[template].place(0, min);
		}
	}

	/** An array of this length or more. Only one box has arrays at a time. */
	private float[] room(final int length) {
		while (!free.isEmpty()) {
			final float[] kept = free.pop();
			if (kept.length >= length) return kept;
		}
		return new float[length];
	}

	/** Adds exact scores from a device. The codes become those of poses. */
	public void take(final int bank, final long[] first, final int[] size, final int[] lags, final double[] values, final int[] members, final int n) {
		final PoseFamily family = plan.banks().get(bank).family();
		for (int i = 0; i < n; i++) members[i] += family.first;
		add(family, first, size, lags, values, members, n);
	}

	private void add(final PoseFamily family, final long[] first, final int[] size, final int[] lags, final double[] values, final int[] codes, final int n) {
		final long[] keys = new long[n], position = new long[size.length];
		for (int i = 0; i < n; i++) {
			for (int d = 0, rest = lags[i]; d < size.length; d++) {
				position[d] = first[d] + rest % size[d] - family.shift[d];
				rest /= size[d];
			}
			keys[i] = key(position);
		}
		scores[family.template].add(keys, values, codes, n);
	}

	private long key(final long[] position) {
		long key = 0;
		for (int d = 0; d < position.length; d++) key += (position[d] - origin[d]) * stride[d];
		return key;
	}

	/** The position of the first response of {@link #forEach}, and the number of positions along each dimension. */
	public long[][] positions() {
		return new long[][] { origin.clone(), extent.clone() };
	}

	private long[] position(final long key) {
		final long[] p = new long[stride.length];
		for (int d = 0; d < p.length; d++) p[d] = origin[d] + key / stride[d] % (extent[d] + 1);
		return p;
	}

	private void exact(final Map<PoseFamily, PoseWindow> ofFrame, final long key, final int code, final double[] result) {
		stopIfCanceled();
		final int poses = set.poses().size(), number = -1 - code;
		final PoseFamily family = set.family(number < poses ? number : number - poses);
		final PoseWindow window = ofFrame.computeIfAbsent(family, f -> new PoseWindow(pixels, f));
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

	private void stopIfCanceled() {
		if (monitor.canceled()) throw new CancellationException("canceled while finding poses");
	}

	/** The matches of the frame, best first. */
	public List<PoseMatch> matches() {
		for (final PoseScores s : scores) s.merge();
		return sorted(refined(PoseSelection.choose(set, settings, minScore, new PoseSelection.Source() {

			@Override
			public List<Peak> candidates(final int template) {
				return PoseSinks.this.candidates(template);
			}

			@Override
			public double score(final long[] position) {
				stopIfCanceled();
				final PoseScores s = scores[(int) position[0]];
				final int i = entry(position);
				return s.isMaximum(i) ? s.value(i) : Double.NaN;
			}

			@Override
			public int pose(final long[] position) {
				return scores[(int) position[0]].pose(entry(position), set.poses().size());
			}
		}, PoseBound.RESPONSE)));
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
	public List<PoseMaximum> maxima(final long[][] box) {
		final List<PoseMaximum> maxima = new ArrayList<>();
		for (int t = 0; t < scores.length; t++) {
			final PoseScores s = scores[t];
			s.merge();
			for (final Peak p : candidates(t)) {
				stopIfCanceled();
				final long[] position = Arrays.copyOfRange(p.position(), 1, p.position().length);
				boolean inside = true;
				for (int d = 0; d < position.length; d++) inside &= position[d] >= box[0][d] && position[d] < box[0][d] + box[1][d];
				if (!inside || !(p.value() + PoseBound.RESPONSE >= minScore)) continue;
				final int i = entry(p.position());
				if (s.isMaximum(i) && s.value(i) >= minScore) maxima.add(new PoseMaximum(t, position, s.pose(i, set.poses().size()), s.value(i)));
			}
		}
		return maxima;
	}

	/** The matches at maxima that were chosen in the frame, one for each, refined if the settings say so. */
	public List<PoseMatch> refined(final List<PoseMaximum> chosen) {
		final PoseMatch[] matches = chosen.stream().map(m -> match(set, m, part)).toArray(PoseMatch[]::new);
		if (settings.refine()) {
			if (refinement == null) refinement = new PoseRefinement(set);
			threads.each(matches.length, i -> {
				stopIfCanceled();
				matches[i] = refinement.of(matches[i], set.family(chosen.get(i).pose()), pixels);
			});
		}
		return List.of(matches);
	}

	/** The match at a maximum in a part of a frame, not refined. */
	public static PoseMatch match(final PoseSet set, final PoseMaximum m, final Part part) {
		final Pose pose = set.poses().get(m.pose());
		return new PoseMatch(m.template(), new long[0], m.position(), pose, m.score(), pose, Arrays.stream(m.position()).asDoubleStream().toArray(), m.score())
			.atEdge(part.edge(set.family(m.pose()), m.position()));
	}

	/** The best matches first. */
	public static List<PoseMatch> sorted(final List<PoseMatch> matches) {
		final List<PoseMatch> sorted = new ArrayList<>(matches);
		sorted.sort((a, b) -> Double.compare(b.score(), a.score()));
		return sorted;
	}

	/** Receives the best score and the pose's number at a position. */
	public interface Best {

		/** @param pose the number of the pose among those of the template, from 0 */
		void at(long[] position, double score, int pose);
	}

	/** The best score of a template at each position at which it reaches the minimum score. */
	public void forEach(final int template, final Best receiver) {
		final PoseScores s = scores[template];
		s.merge();
		final int perTemplate = set.poses().size() / set.templates().size();
		for (int i = 0; i < s.size(); i++) {
			if (s.pose(i, set.poses().size()) < 0 || s.value(i) - s.error(i) < minScore) s.resolve(i);
			if (s.value(i) >= minScore) receiver.at(position(s.key(i)), s.value(i), s.pose(i, set.poses().size()) % perTemplate);
		}
	}
}
