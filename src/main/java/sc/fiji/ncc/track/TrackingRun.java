package sc.fiji.ncc.track;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.Columns;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.support.Grouping;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.run.BoxQueue;
import sc.fiji.ncc.run.FailoverExecution;
import sc.fiji.ncc.track.TemplateSearch.Found;

/**
 * One run of {@link sc.fiji.ncc.TemplateTracking} through the frames of a stream. Independent frames are computed several at once. Otherwise each frame waits
 * for the positions found in the frame before. {@link TemplateSearch} is the search for one template.
 */
public final class TrackingRun implements AutoCloseable {

	/** The maximum number of responses of frames that are computed at once. */
	private static final long MAX_RESPONSES = 1 << 24;

	private final TrackingSettings settings;
	private final ComputeOptions options;
	private final boolean cuts;
	private final Monitor monitor;
	private final Size size;
	private final PixelType type;
	private final int channels;
	/** Whether frames of one column are computed as frames of one row ({@link Columns}). Their maps have the same order. */
	private final boolean turned;
	private final List<TemplateSearch> searches = new ArrayList<>();
	private final List<Bank> banks = new ArrayList<>();
	private final boolean independent;
	private final Parallel parallel;
	private boolean calibrated;
	private Report report = Report.NONE;

	/** Templates that are computed together: they have the same number of lags and the same kind of weights. */
	private final class Bank implements AutoCloseable {

		final int[] members;
		final FailoverExecution execution;
		/** The templates of the execution. */
		private List<Template> prepared;

		Bank(final int[] members, final long frames) {
			this.members = members;
			prepared = first();
			final Template any = prepared.get(0);
			final Lags lags = searches.get(members[0]).lags;
			final List<Size> sizes = prepared.stream().map(Template::size).toList();
			final Windows windows = !turned ? new Windows(type, any.type(), size, sizes, lags, frames, Precision.SINGLE)
				: new Windows(type, any.type(), Columns.turned(size), sizes.stream().map(Columns::turned).toList(),
					Components.with(lags, Lags::count, Columns.turned(lags.count())), frames, Precision.SINGLE);
			execution = new FailoverExecution(options.rank(Correlation.of(windows, any, Result.MAP)), computed(prepared));
		}

		long responses() {
			return searches.get(members[0]).lags.count().pixels() * members.length;
		}

		/** The lags around the last position of each template. */
		LagBox lags() {
			final int[] count = searches.get(members[0]).window.count();
			return new LagBox(Arrays.stream(members).mapToObj(t -> searches.get(t).origin()).map(o -> turned ? Columns.turned(o) : o).toArray(long[][]::new),
				turned ? Columns.turned(count) : count);
		}

		/** The initial templates. */
		List<Template> first() {
			return Arrays.stream(members).mapToObj(t -> searches.get(t).moving.first()).toList();
		}

		/** The current templates. */
		List<Template> current() {
			return Arrays.stream(members).mapToObj(t -> searches.get(t).moving.current()).toList();
		}

		/** Replaces the templates of the execution if they differ. */
		void replace(final List<Template> others) {
			boolean same = true;
			for (int i = 0; i < members.length; i++) same &= others.get(i) == prepared.get(i);
			if (same) return;
			execution.replace(computed(others));
			prepared = others;
		}

		@Override
		public void close() {
			execution.close();
		}
	}

	private List<Template> computed(final List<Template> templates) {
		return turned ? templates.stream().map(Columns::turned).toList() : templates;
	}

	/**
	 * What is tracked.
	 *
	 * @param starts the first pixel of each template in the reference frame, in pixels from the frame's first one
	 * @param cuts whether templates are parts of the reference frame
	 * @param templates reads the templates, given the reference frame
	 */
	public record Tracked(List<long[]> starts, boolean cuts, Function<RandomAccessibleInterval<?>, List<Template>> templates) {}

	/**
	 * @param options how responses are computed; with a planner
	 * @param reference the frame in which tracking starts
	 * @param frames the expected number of frames
	 */
	public TrackingRun(final TrackingSettings settings, final Tracked tracked, final ComputeOptions options,
		final RandomAccessibleInterval<?> reference, final long frames)
	{
		this.settings = settings;
		this.options = options;
		cuts = tracked.cuts;
		monitor = options.monitor();
		size = Size.of(reference.dimensionsAsLongArray());
		type = ImagePixels.type(reference);
		channels = JointImage.channels(reference);
		final List<Template> templates = typed(tracked.templates.apply(reference));
		JointImage.requireSameChannels("template", templates.get(0).channels(), reference);
		turned = templates.stream().allMatch(t -> Columns.are(size.toArray(), t.size().toArray()));
		for (int t = 0; t < templates.size(); t++) searches.add(new TemplateSearch(settings, options.precision(),
			new MovingTemplate(templates.get(t), tracked.starts.get(t), settings.update(), settings.follows()), t, size, type));
		independent = settings.update().kind() == Update.Kind.FIXED && (!settings.follows() || searches.stream().allMatch(s -> s.window.everywhere()));
		final Grouping.Alike alike = (t, u) -> Arrays.equals(searches.get(t).window.count(), searches.get(u).window.count())
			&& Weights.of(templates.get(t)) == Weights.of(templates.get(u));
		for (final int[] members : Grouping.of(templates.size(), alike)) banks.add(new Bank(members, frames));
		parallel = new Parallel(options.threads());
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

	/** Resets every template to its start. */
	public void restart() {
		searches.forEach(s -> s.moving.restart());
		replace(banks, Bank::current);
	}

	public List<Ranking> rankings() {
		return banks.stream().map(b -> b.execution.ranking()).toList();
	}

	/** Passes the total number of responses of all frames to the monitor. */
	public void announce(final long frames) {
		monitor.total(frames * banks.stream().mapToLong(Bank::responses).sum());
	}

	/** @param start when the call began, as {@link System#nanoTime} */
	public Tracks tracks(final long start) {
		return new Tracks(List.of(), report, rankings(), Ranking.secondsSince(start, rankings()));
	}

	/**
	 * Tracks the templates through frames.
	 *
	 * @param first the index of the first frame
	 * @param step the difference of the indices of two successive frames
	 */
	public void follow(final Iterator<? extends RandomAccessibleInterval<?>> frames, final long first, final int step,
		final Consumer<? super List<TrackPoint>> each) {
		final int n = searches.size();
		for (long index = first; frames.hasNext();) {
			final List<FrameResponses> batch = new ArrayList<>();
			final int maxFrames = framesAtOnce();
			while (batch.size() < maxFrames && frames.hasNext()) {
				stopIfCanceled();
				final RandomAccessibleInterval<?> frame = frames.next();
				final long number = index + (long) step * batch.size();
				final ImagePixels pixels = pixels(frame, number);
				batch.add(new FrameResponses(pixels, turned ? Columns.turned(settings.missing()).in(Columns.turned(frame), number) : pixels, n));
			}
			correlate(batch, banks, monitor);
			// a refined position has no peak bias
			if (!calibrated && cuts && !settings.refine()) parallel.each(n, t -> searches.get(t).calibrate(batch.get(0)));
			calibrated = true;
			final Found[][] found = new Found[batch.size()][n];
			parallel.each(batch.size() * n, i -> {
				stopIfCanceled();
				final TemplateSearch search = searches.get(i % n);
				found[i / n][i % n] = search.find(batch.get(i / n), search.moving.current());
			});
			if (settings.update().anchor() > -1) anchor(batch.get(0), found[0]);
			final TrackPoint[][] points = new TrackPoint[batch.size()][n];
			final long begin = index;
			parallel.each(n, t -> {
				for (int f = 0; f < points.length; f++) points[f][t] = searches.get(t).move(batch.get(f), begin + (long) step * f, found[f][t]);
			});
			for (final TrackPoint[] frame : points) each.accept(List.of(frame));
			index += (long) step * batch.size();
			replace(banks, Bank::current);
		}
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
		if (JointImage.channels(frame) != channels) throw new IllegalArgumentException("frame " + (index + 1) + " has " + JointImage.channels(frame)
			+ " channels, the first one "
			+ channels + ": frames must have the same number of channels");
		final Size frameSize = Size.of(frame.dimensionsAsLongArray());
		if (!frameSize.equals(size) || ImagePixels.type(frame) != type) throw new IllegalArgumentException("frame " + (index + 1) + " is "
			+ ImagePixels.type(frame) + " " + frameSize
			+ ", the first one " + type + " " + size + ": frames must be of one size and type");
		return settings.missing().in(frame, index);
	}

	private void replace(final List<Bank> banks, final Function<Bank, List<Template>> templates) {
		parallel.each(banks.size(), i -> banks.get(i).replace(templates.apply(banks.get(i))));
	}

	/** Computes the responses around the last positions. All banks run at once, because one bank of one frame seldom uses the whole machine. */
	private void correlate(final List<FrameResponses> batch, final List<Bank> banks, final Monitor monitor) {
		final Report[] reports = new Report[banks.size()];
		parallel.each(reports.length, i -> {
			final Bank bank = banks.get(i);
			final LagBox lags = bank.lags();
			final List<BoxQueue.Box> boxes = new ArrayList<>();
			for (final FrameResponses seen : batch) boxes.add(new BoxQueue.Box(seen::computed, lags, seen.sink(bank.members, lags.size()), monitor));
			reports[i] = bank.execution.run(new BoxQueue(boxes, monitor));
		});
		for (final Report r : reports) report = report.plus(r);
	}

	/** Searches also the initial template if the changed template has a score below the anchor. */
	private void anchor(final FrameResponses seen, final Found[] found) {
		final List<Bank> lowBanks = banks.stream().filter(b -> Arrays.stream(b.members).anyMatch(t -> searches.get(t).belowAnchor(found[t]))).toList();
		if (lowBanks.isEmpty()) return;
		final FrameResponses anchored = new FrameResponses(seen.pixels(), seen.computed(), searches.size());
		replace(lowBanks, Bank::first);
		correlate(List.of(anchored), lowBanks, new Silent(monitor));
		parallel.each(searches.size(), t -> {
			final TemplateSearch search = searches.get(t);
			if (!search.belowAnchor(found[t])) return;
			stopIfCanceled();
			final Found other = search.find(anchored, search.moving.first());
			if (!(other.score() > found[t].score())) return;
			search.moving.anchor();
			found[t] = other;
		});
	}

	/** Reports no progress, because the responses are computed a second time. */
	private record Silent(Monitor monitor) implements Monitor {

		@Override
		public boolean canceled() {
			return monitor.canceled();
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
