package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.StackFrames;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Execution.KeptPixels;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Best;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.run.BoxQueue;
import sc.fiji.ncc.run.Failover;
import sc.fiji.ncc.run.SlidingCall;
import sc.fiji.ncc.sink.BestMaps;
import sc.fiji.ncc.sink.ColumnSink;
import sc.fiji.ncc.sink.ResponseMaps;
import sc.fiji.ncc.sink.Sinks;

/**
 * An image with the intermediate results that templates of one size share: the spectra of its tiles and the moments of its windows.
 *
 * <pre>
 * try (PreparedImage prepared = NormalizedCrossCorrelation.of(template).prepare(image)) {
 * 	Response response = prepared.correlate(otherTemplate);
 * }
 * </pre>
 *
 * The responses are identical to those without preparation. The moments take 16 bytes per lag. With a Fourier algorithm the spectra take about 4 bytes per
 * lag, times the ratio of a block's pixels to its lags (see {@link #bytes}). Several threads can use a prepared image: their calls run one after
 * another.
 */
public final class PreparedImage implements AutoCloseable {

	private final SlidingCall op;
	private final long frames;
	private final RandomAccessibleInterval<?> image;
	private final Template shape;
	private final ResponseLayout layout;
	private final Monitor monitor;
	private final List<long[][]> boxes;
	private final TemplateBank bank;
	private final Failover<Kept> failover;
	private boolean closed;

	/** @param pixels one per box of each frame; the boxes of one frame are adjacent */
	private record Kept(Execution execution, List<KeptPixels> pixels) implements Plan.Prepared {

		@Override
		public void close() {
			try {
				pixels.forEach(KeptPixels::close);
			}
			finally {
				execution.close();
			}
		}
	}

	/** @param shape a template with the size, pixel type and weights of all templates */
	PreparedImage(final SlidingCall op, final RandomAccessibleInterval<?> image, final Template shape) {
		this.image = image;
		this.shape = shape;
		layout = op.layout(shape.size(), image);
		this.op = op;
		monitor = op.monitor();
		frames = StackFrames.count(shape.size().dimensions(), image.dimensionsAsLongArray());
		final BoxGrid grid = BoxGrid.of(layout.lags, op.maxLags());
		boxes = grid.boxes();
		bank = new TemplateBank(new int[] { 0 }, List.of(shape), List.of(layout));
		failover = new Failover<>(op.rank(image, bank, grid, frames, op.map()), SlidingPlan.class, plan -> {
			final Kept kept = new Kept(plan.prepare(bank.operands()), new ArrayList<>());
			try {
				keep(kept);
				return kept;
			}
			catch (final RuntimeException | Error e) {
				try (kept) {
					throw e;
				}
			}
		});
		if (!boxes.isEmpty()) failover.run(kept -> kept);
	}

	private void keep(final Kept kept) {
		final List<CompletableFuture<KeptPixels>> futures = new ArrayList<>();
		RuntimeException failure = null;
		for (long f = 0; f < frames && failure == null; f++) {
			final RandomAccessibleInterval<?> frame = StackFrames.get(image, shape.size().dimensions(), f);
			final long index = f;
			for (final long[][] box : boxes) {
				try {
					monitor.requireNotCanceled();
					futures.add(kept.execution.keep(bank.pixels(frame, index), bank.lagBox(box), monitor));
				}
				catch (final RuntimeException e) {
					failure = e;
					break;
				}
				catch (final OutOfMemoryError e) {
					failure = DeviceException.outOfHeap(e);
					break;
				}
			}
		}
		for (final CompletableFuture<KeptPixels> future : futures) {
			try {
				kept.pixels.add(kept.execution.await(future));
			}
			catch (final RuntimeException e) {
				if (failure == null) failure = DeviceException.reason(e);
			}
		}
		if (failure != null) throw failure;
	}

	/**
	 * Correlates a template with the image, as {@link NormalizedCrossCorrelation#correlate}.
	 *
	 * @throws IllegalArgumentException as there; and if the size of the template differs from the size that the image was prepared for, its values do not fit the
	 *         pixel type that the image was prepared for, or the prepared image is closed
	 */
	public Response correlate(final RandomAccessibleInterval<?> template) {
		return correlate(List.of(Given.nonNull(template, "template")));
	}

	/** Correlates several templates, as {@link #correlate(RandomAccessibleInterval)}. */
	public synchronized Response correlate(final List<? extends RandomAccessibleInterval<?>> templates) {
		Given.list(templates, "template");
		final long start = System.nanoTime();
		final List<Template> read = read(templates);
		final ResponseMaps maps = new ResponseMaps(image, Collections.nCopies(read.size(), layout), op.undefined(), op.precision(),
			op.responseType());
		final Report report = run(read, maps);
		return maps.finish(report, List.of(failover.ranking()), 1e-9 * (System.nanoTime() - start));
	}

	/** Computes the best response of several templates, as {@link NormalizedCrossCorrelation#best}. Throws as {@link #correlate}. */
	public synchronized Best best(final List<? extends RandomAccessibleInterval<?>> templates) {
		Given.list(templates, "template");
		op.requireFloats();
		final long start = System.nanoTime();
		final List<Template> read = read(templates);
		final BestMaps maps = new BestMaps(image, layout, op.precision(), read.size(), op.undefined(), false);
		maps.begin(image, 0);
		return maps.finish(run(read, maps), List.of(failover.ranking()), 1e-9 * (System.nanoTime() - start));
	}

	private List<Template> read(final List<? extends RandomAccessibleInterval<?>> templates) {
		if (closed) throw new IllegalArgumentException("the prepared image is closed: prepare the image again");
		if (templates.isEmpty()) throw new IllegalArgumentException("the list of templates is empty: give at least one");
		final List<Template> read = new ArrayList<>();
		for (final RandomAccessibleInterval<?> image : templates) {
			final Size size = Size.of(image.dimensionsAsLongArray());
			if (!size.equals(shape.size())) throw new IllegalArgumentException("the image was prepared for templates of " + shape.size()
				+ ", the template is " + size + ": crop it to that size, or prepare the image for the other size");
			JointImage.requireSameChannels("template", JointImage.channels(image), this.image);
			read.add(TemplateReader.as(shape.type(), TemplateReader.read(image, shape.weights(), 1)));
		}
		return read;
	}

	private Report run(final List<Template> templates, final Sinks sinks) {
		if (boxes.isEmpty()) return Report.NONE;
		monitor.total(frames * bank.responses() * templates.size());
		Report report = Report.NONE;
		for (int t = 0; t < templates.size(); t++) {
			final TemplateBank one = new TemplateBank(new int[] { t }, List.of(templates.get(t)), List.of(layout));
			final Kept[] used = { null };
			final List<BoxQueue.Box> some = new ArrayList<>();
			for (long f = 0; f < frames; f++)
				for (final long[][] box : boxes) {
					final int index = some.size();
					some.add(new BoxQueue.Box(() -> used[0].pixels.get(index), one.lagBox(box),
						ColumnSink.of(one, sinks.of(one, f, box)), monitor));
				}
			final BoxQueue queue = new BoxQueue(some, monitor);
			report = report.plus(failover.run(kept -> {
				used[0] = kept;
				Failover.replace(kept.execution, one.operands());
				return queue.drain(kept.execution);
			}));
		}
		return report;
	}

	/** The memory in bytes, without the image; 0 if the algorithm keeps nothing, or after {@link #close}. */
	public synchronized long bytes() {
		return !failover.isOpen() ? 0 : failover.run(kept -> kept.pixels.stream().mapToLong(KeptPixels::bytes).sum());
	}

	/** The candidates; the first one prepared the image. */
	public synchronized Ranking explain() {
		return failover.ranking();
	}

	/** Releases the memory. A second call does nothing. */
	@Override
	public synchronized void close() {
		closed = true;
		failover.close();
	}

	@Override
	public synchronized String toString() {
		return "image of " + Size.of(image.dimensionsAsLongArray()) + " pixels, prepared for templates of " + shape.size()
			+ (closed ? ", closed" : "");
	}
}
