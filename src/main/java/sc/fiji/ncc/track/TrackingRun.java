package sc.fiji.ncc.track;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.image.WindowScore;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.QuadraticPeak;
import sc.fiji.ncc.plan.Grouping;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.BoxQueue;
import sc.fiji.ncc.run.LastingExecution;
import sc.fiji.ncc.run.Parallel;

/**
 * One run of {@link sc.fiji.ncc.TemplateTracking} through the frames of a stream. Independent frames are computed several at once. Otherwise each frame waits
 * for the positions found in the frame before.
 */
public final class TrackingRun implements AutoCloseable {

	/** Twice the error limit of responses, so that a rounding error cannot lose the best one. */
	private static final double TOLERANCE = 2e-5;
	/** The maximum number of responses of frames that are computed at once. */
	private static final long MAX_RESPONSES = 1 << 24;

	private final long start = System.nanoTime();
	private final TrackingSettings settings;
	private final Monitor monitor;
	private final Size size;
	private final PixelType type;
	private final int channels;
	private final List<Template> templates;
	private final List<SearchWindow> windows = new ArrayList<>();
	private final List<MovingTemplate> moving = new ArrayList<>();
	private final List<Bank> banks = new ArrayList<>();
	private final List<Scores> scores = new ArrayList<>();
	private final boolean independent;
	private final Parallel parallel;
	private boolean calibrated;
	private Report report = Report.NONE;

	/** Templates that are computed together: they have the same number of lags and the same kind of weights. */
	private final class Bank implements AutoCloseable {

		final int[] members;
		final LastingExecution execution;
		/** The templates of the execution. */
		private List<Template> prepared;

		Bank(final int[] members, final long frames) {
			this.members = members;
			final List<Template> bankTemplates = first();
			prepared = bankTemplates;
			final Problem problem = new Problem(type, bankTemplates.get(0).type(), size, bankTemplates.stream().map(Template::size).toList(), Weights.of(bankTemplates.get(0)),
				lagsInside(count()), frames).of(bankTemplates.get(0).channels());
			execution = new LastingExecution(settings.options().rank(problem), bankTemplates);
		}

		int[] count() {
			return windows.get(members[0]).count();
		}

		long responses() {
			return Size.of(Arrays.stream(count()).asLongStream().toArray()).pixels() * members.length;
		}

		/** The lags around the last position of each template. */
		LagBox lags() {
			return new LagBox(Arrays.stream(members).mapToObj(t -> windows.get(t).origin(moving.get(t).place())).toArray(long[][]::new), count());
		}

		/** The initial templates. */
		List<Template> first() {
			return Arrays.stream(members).mapToObj(templates::get).toList();
		}

		/** The current templates. */
		List<Template> current() {
			return Arrays.stream(members).mapToObj(t -> moving.get(t).current()).toList();
		}

		/** Replaces the templates of the execution if they differ. */
		void replace(final List<Template> others) {
			boolean same = true;
			for (int i = 0; i < members.length; i++) same &= others.get(i) == prepared.get(i);
			if (same) return;
			execution.replace(others);
			prepared = others;
		}

		@Override
		public void close() {
			execution.close();
		}
	}

	/** A frame and its responses: one map per template. */
	private record Correlated(ImagePixels pixels, float[][] maps) {}

	/**
	 * @param reference the frame in which tracking starts
	 * @param frames the expected number of frames
	 */
	public TrackingRun(final TrackingSettings settings, final RandomAccessibleInterval<?> reference, final long frames) {
		this.settings = settings;
		monitor = settings.options().monitor();
		size = Size.of(reference.dimensionsAsLongArray());
		type = ImagePixels.type(reference);
		channels = JointImage.channels(reference);
		templates = typed(settings.templates().apply(reference));
		JointImage.requireSameChannels("template", templates.get(0).channels(), reference);
		for (int t = 0; t < templates.size(); t++) {
			final SearchWindow window = new SearchWindow(size.toArray(), templates.get(t).size(), settings.maxShift());
			if (!window.fits(settings.starts().get(t))) throw new IllegalArgumentException("template " + t + " of " + templates.get(t).size() + " begins at "
				+ Arrays.toString(settings.starts().get(t)) + " and extends beyond the frame of " + size + ": choose a start position inside");
			windows.add(window);
			scores.add(new Scores(t));
			moving.add(new MovingTemplate(templates.get(t), settings.starts().get(t), settings.update(), settings.follows()));
		}
		independent = settings.update().kind() == Update.Kind.FIXED && (!settings.follows() || windows.stream().allMatch(SearchWindow::everywhere));
		makeBanks(frames);
		parallel = new Parallel(settings.options().threads());
	}

	/** Windows lie inside the frame, but their pixels may be missing. */
	private Lags lagsInside(final int[] count) {
		final Size size = Size.of(Arrays.stream(count).asLongStream().toArray());
		return settings.missing().possible(type) ? new Lags(size, false, true, settings.minOverlap()) : Lags.inside(size);
	}

	/** The exact scores of a template's windows. */
	private WindowScore windowScore(final ImagePixels pixels, final Template template, final int t) {
		return new WindowScore(pixels, template, lagsInside(windows.get(t).count()));
	}

	/** The templates in one pixel type that also holds their later values. */
	private List<Template> typed(final List<Template> read) {
		final Update.Kind kind = settings.update().kind();
		List<Template> alike = TemplateReader.alike(read, "template");
		final PixelType templateType = alike.get(0).type();
		final PixelType common = kind == Update.Kind.FIXED ? templateType : kind == Update.Kind.PREVIOUS ? TemplateReader.common(templateType, type)
			// a mean is not an integer
			: TemplateReader.common(TemplateReader.common(templateType, type), PixelType.F32);
		if (common != templateType) alike = alike.stream().map(t -> t.with(common, t.values())).toList();
		return alike;
	}

	private void makeBanks(final long frames) {
		final Grouping.Alike alike =
			(t, u) -> Arrays.equals(windows.get(t).count(), windows.get(u).count()) && Weights.of(templates.get(t)) == Weights.of(templates.get(u));
		for (final int[] members : Grouping.of(templates.size(), alike)) banks.add(new Bank(members, frames));
	}

	/** Resets every template to its start. */
	public void restart() {
		moving.forEach(MovingTemplate::restart);
		replace(banks, Bank::current);
	}

	public List<Ranking> rankings() {
		return banks.stream().map(b -> b.execution.ranking()).toList();
	}

	/** Passes the total number of responses of all frames to the monitor. */
	public void announce(final long frames) {
		monitor.total(frames * banks.stream().mapToLong(Bank::responses).sum());
	}

	public Tracks tracks() {
		return new Tracks(List.of(), report, rankings(), 1e-9 * (System.nanoTime() - start));
	}

	/**
	 * Tracks the templates through frames.
	 *
	 * @param first the index of the first frame
	 * @param step the difference of the indices of two successive frames
	 */
	public void follow(final Iterator<? extends RandomAccessibleInterval<?>> frames, final long first, final int step, final Consumer<? super List<TrackPoint>> each) {
		final int n = templates.size();
		for (long index = first; frames.hasNext();) {
			final List<Correlated> batch = new ArrayList<>();
			final int maxFrames = framesAtOnce();
			while (batch.size() < maxFrames && frames.hasNext()) {
				stopIfCanceled();
				batch.add(new Correlated(pixels(frames.next(), index + (long) step * batch.size()), new float[n][]));
			}
			correlate(batch, banks, monitor);
			// a refined position has no peak bias
			if (!calibrated && settings.cuts() && !settings.refine()) calibrate(batch.get(0));
			calibrated = true;
			final Found[][] found = new Found[batch.size()][n];
			parallel.each(batch.size() * n, i -> found[i / n][i % n] = find(batch.get(i / n), i % n, moving.get(i % n).current()));
			if (settings.update().anchor() > -1) anchor(batch.get(0), found[0]);
			final TrackPoint[][] points = new TrackPoint[batch.size()][n];
			final long begin = index;
			parallel.each(n, t -> {
				for (int f = 0; f < points.length; f++) points[f][t] = move(batch.get(f), t, begin + (long) step * f, found[f][t]);
			});
			for (final TrackPoint[] frame : points) each.accept(List.of(frame));
			index += (long) step * batch.size();
			replace(banks, Bank::current);
		}
	}

	/** Measures the peak bias of each template in the frame from which it was cut. */
	private void calibrate(final Correlated reference) {
		parallel.each(templates.size(), t -> {
			final Scored score = scores.get(t).take(templates.get(t), reference.pixels);
			moving.get(t).calibrate(fraction(score.score, reference, t, settings.starts().get(t)));
			scores.get(t).release(score);
		});
	}

	private int framesAtOnce() {
		if (!independent) return 1;
		long depth = 1, responses = 1;
		for (final Bank b : banks) {
			depth = Math.max(depth, b.execution.depth());
			responses += b.responses();
		}
		return (int) Math.max(1, Math.min(2 * depth, MAX_RESPONSES / responses));
	}

	private ImagePixels pixels(final RandomAccessibleInterval<?> frame, final long index) {
		if (JointImage.channels(frame) != channels) throw new IllegalArgumentException("frame " + index + " has " + JointImage.channels(frame) + " channels, the first one "
			+ channels + ": frames must have the same number of channels");
		final Size frameSize = Size.of(frame.dimensionsAsLongArray());
		if (!frameSize.equals(size) || ImagePixels.type(frame) != type) throw new IllegalArgumentException("frame " + index + " is " + ImagePixels.type(frame) + " " + frameSize
			+ ", the first one " + type + " " + size + ": frames must be of one size and type");
		return settings.missing().in(frame, index);
	}

	private void replace(final List<Bank> banks, final Function<Bank, List<Template>> templates) {
		parallel.each(banks.size(), i -> banks.get(i).replace(templates.apply(banks.get(i))));
	}

	/** Computes the responses around the last positions. All banks run at once, because one bank of one frame seldom uses the whole machine. */
	private void correlate(final List<Correlated> batch, final List<Bank> banks, final Monitor monitor) {
		final Report[] reports = new Report[banks.size()];
		parallel.each(reports.length, i -> {
			final Bank bank = banks.get(i);
			final LagBox lags = bank.lags();
			final List<BoxQueue.Box> boxes = new ArrayList<>();
			for (final Correlated seen : batch) {
				for (final int t : bank.members) seen.maps[t] = new float[Math.toIntExact(lags.lags())];
				boxes.add(new BoxQueue.Box(() -> seen.pixels, lags, new Maps(seen, bank, lags.size()), monitor));
			}
			reports[i] = bank.execution.run(boxes, monitor);
		});
		for (final Report r : reports) report = report.plus(r);
	}

	/** Copies the responses of one frame to arrays. */
	private record Maps(Correlated seen, Bank bank, int[] size) implements Sink {

		/** NaN distinguishes undefined responses from 0. */
		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] part, final Buffer from) {
			final float[] to = seen.maps[bank.members[template]];
			final FloatBuffer responses = (FloatBuffer) from;
			int rows = 1;
			for (int d = 1; d < part.length; d++) rows *= part[d];
			for (int r = 0; r < rows; r++) {
				int at = (int) min[0];
				for (int d = 1, rest = r, stride = size[0]; d < part.length; d++) {
					at += ((int) min[d] + rest % part[d]) * stride;
					rest /= part[d];
					stride *= size[d];
				}
				responses.get(responses.position() + r * part[0], to, at, part[0]);
			}
		}
	}

	/** Searches also the initial template if the changed template has a score below the anchor. */
	private void anchor(final Correlated seen, final Found[] found) {
		final List<Bank> lowBanks = banks.stream().filter(b -> Arrays.stream(b.members).anyMatch(t -> low(t, found[t]))).toList();
		if (lowBanks.isEmpty()) return;
		final Correlated anchored = new Correlated(seen.pixels, new float[templates.size()][]);
		replace(lowBanks, Bank::first);
		correlate(List.of(anchored), lowBanks, new Silent(monitor));
		parallel.each(templates.size(), t -> {
			if (!low(t, found[t])) return;
			final Found other = find(anchored, t, templates.get(t));
			if (!(other.score > found[t].score) && !Double.isNaN(found[t].score)) return;
			moving.get(t).anchor();
			found[t] = other;
		});
	}

	private boolean low(final int t, final Found found) {
		// also true without a score
		return moving.get(t).changed() && !(found.score >= settings.update().anchor());
	}

	/** Reports no progress, because the responses are computed a second time. */
	private record Silent(Monitor monitor) implements Monitor {

		@Override
		public boolean canceled() {
			return monitor.canceled();
		}
	}

	/**
	 * The highest peak.
	 *
	 * @param at its lag; null if no response is defined
	 * @param fraction the sub-pixel offset of the peak from there; NaN along dimensions without a fit
	 * @param covariance of the fraction; null if it is not refined
	 */
	private record Found(long[] at, double[] fraction, double score, double second, double[][] covariance) {}

	private Found find(final Correlated seen, final int t, final Template template) {
		stopIfCanceled();
		final Scored score = scores.get(t).take(template, seen.pixels);
		final List<Peak> peaks = TwoPeaks.of(seen.maps[t], windows.get(t), moving.get(t).place(), TOLERANCE, score.score::at);
		if (peaks.isEmpty()) return new Found(null, null, Double.NaN, Double.NaN, null);
		final long[] at = peaks.get(0).position();
		final double[] fraction = fraction(score.score, seen, t, at);
		scores.get(t).release(score);
		final PositionFit.Fitted fitted = settings.refine() ? refined(seen, template, at, fraction) : null;
		return new Found(at, fitted == null ? fraction : fitted.offset(), peaks.get(0).value(), peaks.size() > 1 ? peaks.get(1).value() : Double.NaN,
			fitted == null ? null : fitted.covariance());
	}

	/** The refined position; null if it is not determined. */
	private static PositionFit.Fitted refined(final Correlated seen, final Template template, final long[] at, final double[] fraction) {
		final double[] start = fraction.clone();
		for (int d = 0; d < start.length; d++) if (Double.isNaN(start[d])) start[d] = 0;
		return new PositionFit(seen.pixels, template).at(at, start);
	}

	/** Moves a template to the position at which it was found, and updates it. */
	private TrackPoint move(final Correlated seen, final int t, final long frame, final Found found) {
		final MovingTemplate template = moving.get(t);
		final long[] at = found.at == null ? template.place() : found.at;
		final double[] shown = found.at == null ? template.shown() : template.shown(at, found.fraction);
		// the edge refers to the position before the move
		final boolean edge = found.at != null && windows.get(t).edge(at, template.place());
		final boolean lost = !(found.score >= settings.minScore());
		if (!lost && template.needsWindow()) {
			// the window nearest to the object, so that the template does not slip off it
			final long[] window = windows.get(t).inside(shown);
			final Scored score = scores.get(t).take(template.current(), seen.pixels);
			final double[] pixels = score.score.window(window);
			scores.get(t).release(score);
			template.found(window, shown, pixels, template.template(pixels).map(w -> bias(w, seen, t, window)).orElse(new double[at.length]));
		}
		else if (!lost) template.found(at, shown, null, null);
		return new TrackPoint(t, frame, at, shown, found.score, found.second, lost, template.motion(shown), edge, found.covariance);
	}

	/** The offset at which a fit finds a window in its own frame. */
	private double[] bias(final Template window, final Correlated seen, final int t, final long[] at) {
		if (settings.refine()) return new double[at.length];
		return fraction(neighbourhood(windowScore(seen.pixels, window, t), null, t, at), at.length);
	}

	/** The sub-pixel offset of the peak at a position. */
	private double[] fraction(final WindowScore score, final Correlated seen, final int t, final long[] at) {
		return fraction(neighbourhood(score, settings.options().precision() == Precision.DOUBLE ? null : seen.maps[t], t, at), at.length);
	}

	/** @return NaN along dimensions without a fit, because a neighbour lies beyond the border of the frame */
	private static double[] fraction(final double[] responses, final int n) {
		final double[] fraction = QuadraticPeak.offset(responses, n);
		for (int d = 0, stride = 1, center = responses.length / 2; d < n; d++, stride *= 3)
			if (Double.isNaN(responses[center - stride]) || Double.isNaN(responses[center + stride])) fraction[d] = Double.NaN;
		return fraction;
	}

	/**
	 * The responses at and around a position. Inside the map they are those of the map, whose errors are far below those of the fit. Outside they are exact
	 * scores, or NaN where the template would leave the frame.
	 *
	 * @param map null for exact scores only
	 */
	private double[] neighbourhood(final WindowScore score, final float[] map, final int t, final long[] at) {
		final SearchWindow window = windows.get(t);
		final long[] origin = window.origin(moving.get(t).place());
		final int[] count = window.count();
		int n = 1;
		for (int d = 0; d < at.length; d++) n *= 3;
		final double[] responses = new double[n];
		final long[] p = new long[at.length];
		for (int k = 0; k < n; k++) {
			boolean inMap = map != null;
			int i = 0;
			for (int d = 0, code = k, stride = 1; d < p.length; d++, code /= 3) {
				p[d] = at[d] + code % 3 - 1;
				inMap &= p[d] >= origin[d] && p[d] < origin[d] + count[d];
				i += (int) (p[d] - origin[d]) * stride;
				stride *= count[d];
			}
			responses[k] = inMap ? map[i] : window.fits(p) ? score.at(p) : Double.NaN;
		}
		return responses;
	}

	/** The exact scores of a template. */
	private record Scored(Template template, WindowScore score) {}

	/** The exact scores of a template that no thread uses. */
	private final class Scores {

		private final int index;

		private final Queue<Scored> idle = new ConcurrentLinkedQueue<>();

		/** @param index the index of the template */
		Scores(final int index) {
			this.index = index;
		}

		Scored take(final Template template, final ImagePixels pixels) {
			for (Scored s = idle.poll(); s != null; s = idle.poll())
				if (s.template == template) {
					s.score.use(pixels);
					return s;
				}
			return new Scored(template, windowScore(pixels, template, index));
		}

		void release(final Scored s) {
			idle.add(s);
		}
	}

	private void stopIfCanceled() {
		if (monitor.canceled()) throw new CancellationException("canceled while tracking");
	}

	@Override
	public void close() {
		banks.forEach(Bank::close);
		parallel.close();
	}
}
