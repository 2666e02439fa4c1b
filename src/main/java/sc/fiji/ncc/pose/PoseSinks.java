package sc.fiji.ncc.pose;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.peaks.GreedySelection;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;
import sc.fiji.ncc.run.Parallel;
import sc.fiji.ncc.sink.BoxSink;
import sc.fiji.ncc.sink.MapSink;
import sc.fiji.ncc.sink.Sinks;

/** The best scores over all poses in one frame: the sinks that compute them from the engine's responses, and the matches that follow. */
public final class PoseSinks implements Sinks {

	/** Which matches are found. */
	public record Settings(double minScore, int maxMatches, double overlap, boolean compete, boolean refine) {}

	private final PosePlan plan;
	private final PoseSet set;
	private final Settings settings;
	private final boolean everyPose;
	private final Parallel threads;
	private final Monitor monitor;
	/** The bank of each template of the engine, and the index in it. */
	private final int[] bankOf, indexOf;
	private final PoseScores[] scores;
	/** The position with the key 0, the number of positions along each dimension and the distances of keys. */
	private final long[] origin, extent, stride;
	private Pixels pixels;

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
		origin = new long[n];
		extent = new long[n];
		stride = new long[n];
		long step = 1;
		for (int d = 0; d < n; d++) {
			final int axis = d;
			origin[d] = set.families().stream().mapToLong(f -> -f.shift[axis]).min().orElse(0);
			extent[d] = set.families().stream().mapToLong(f -> f.lags(axis, image) - f.shift[axis]).max().orElse(0) - origin[d];
			stride[d] = step;
			step = Math.multiplyExact(step, extent[d] + 1);
		}
		scores = new PoseScores[set.templates().size()];
		for (int t = 0; t < scores.length; t++) {
			final Map<PoseFamily, PoseWindow> windows = new HashMap<>();
			scores[t] = new PoseScores(stride, (key, code, result) -> exact(windows, key, code, result));
		}
	}

	/** Begins a frame. */
	public void begin(final RandomAccessibleInterval<?> frame) {
		pixels = ImagePixels.of(frame);
		for (final PoseScores s : scores) s.clear();
	}

	@Override
	public int maxBoxes(final TemplateBank bank, final long maxLags) {
		return 1;
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		return new PoseSink(bank.indices(), box);
	}

	/** Takes the responses of one box. Its memory is allocated when the box begins, and released when it ends. */
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
					b -> new PoseBox(plan.banks().get(b), settings.minScore(), everyPose, size, first, () -> pixels));
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

	private void exact(final Map<PoseFamily, PoseWindow> windows, final long key, final int code, final double[] result) {
		stopIfCanceled();
		final int poses = set.poses().size(), number = -1 - code;
		final PoseFamily family = set.family(number < poses ? number : number - poses);
		final PoseWindow window = windows.computeIfAbsent(family, f -> new PoseWindow(pixels, f));
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
		final List<PoseMatch> found = new ArrayList<>();
		if (settings.compete() || scores.length == 1) {
			final int[] all = new int[scores.length];
			for (int t = 0; t < all.length; t++) all[t] = t;
			select(all, found);
		}
		else for (int t = 0; t < scores.length; t++) select(new int[] { t }, found);
		final PoseMatch[] matches = found.toArray(new PoseMatch[0]);
		if (settings.refine()) {
			final PoseRefinement refinement = new PoseRefinement(set, pixels);
			threads.each(matches.length, i -> {
				stopIfCanceled();
				matches[i] = refinement.of(matches[i], set.family(number(matches[i])));
			});
		}
		final List<PoseMatch> sorted = new ArrayList<>(List.of(matches));
		sorted.sort((a, b) -> Double.compare(b.score(), a.score()));
		return sorted;
	}

	/** The number of the grid pose of a match. */
	private int number(final PoseMatch m) {
		final PoseScores s = scores[m.template()];
		return s.pose(s.find(key(m.position())), set.poses().size());
	}

	private void select(final int[] templates, final List<PoseMatch> to) {
		final List<Peak> candidates = new ArrayList<>();
		for (final int t : templates) {
			final PoseScores s = scores[t];
			final boolean[] is = s.candidates();
			for (int i = 0; i < is.length; i++) {
				if (!is[i]) continue;
				if (s.pose(i, set.poses().size()) < 0) s.resolve(i);
				candidates.add(new Peak(with(t, position(s.key(i))), s.value(i)));
			}
		}
		final PoseOverlap overlap = new PoseOverlap(set, settings.overlap(), p -> {
			final PoseScores s = scores[(int) p[0]];
			return s.pose(s.find(key(Arrays.copyOfRange(p, 1, p.length))), set.poses().size());
		});
		final List<Peak> chosen = GreedySelection.best(candidates, overlap, settings.maxMatches(), settings.minScore(), PoseBound.RESPONSE, p -> {
			stopIfCanceled();
			final PoseScores s = scores[(int) p[0]];
			final int i = s.find(key(Arrays.copyOfRange(p, 1, p.length)));
			return s.isMaximum(i) ? s.value(i) : Double.NaN;
		});
		for (final Peak p : chosen) {
			final int t = (int) p.position()[0];
			final long[] position = Arrays.copyOfRange(p.position(), 1, p.position().length);
			final Pose pose = set.poses().get(scores[t].pose(scores[t].find(key(position)), set.poses().size()));
			to.add(new PoseMatch(t, new long[0], position, pose, p.value(), pose, Arrays.stream(position).asDoubleStream().toArray(), p.value()));
		}
	}

	private static long[] with(final int template, final long[] position) {
		final long[] p = new long[position.length + 1];
		p[0] = template;
		System.arraycopy(position, 0, p, 1, position.length);
		return p;
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
			if (s.pose(i, set.poses().size()) < 0 || s.value(i) - s.error(i) < settings.minScore()) s.resolve(i);
			if (s.value(i) >= settings.minScore()) receiver.at(position(s.key(i)), s.value(i), s.pose(i, set.poses().size()) % perTemplate);
		}
	}
}
