package sc.fiji.ncc.windows;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

import sc.fiji.ncc.numeric.FrameWindow;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Execution.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.MapInMemory;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.window.WindowExecution;

/** The windows of pairs of frames as templates, one batch after the other. */
final class TemplateExecution implements WindowExecution {

	/** The largest error of a response. */
	private static final double ERROR = 1e-5;

	private final WindowPairs problem;
	private final Bank whole, partial;
	/** The weights of the pixels of a window; null if all are 1. */
	private final double[] shape;
	private final Parallel parallel;
	private Report report = Report.NONE;

	/** Templates that are correlated together: a fixed number of them. */
	static final class Bank {

		private final SlidingPlan plan;
		final int size;
		private Execution execution;

		Bank(final SlidingPlan plan, final int size) {
			this.plan = plan;
			this.size = size;
		}

		private Execution with(final List<Template> templates) {
			if (execution == null) execution = plan.prepare(templates);
			else execution.replace(templates);
			return execution;
		}

		private void close() {
			if (execution != null) execution.close();
		}
	}

	/** A window that has responses. @param whole whether its pixels are present at all lags */
	private record Cut(int window, Template template, boolean whole) {}

	/** Progress is counted in windows. */
	private record CancelOnly(Monitor monitor) implements Monitor {

		@Override
		public boolean canceled() {
			return monitor.canceled();
		}
	}

	TemplateExecution(final WindowPairs problem, final Bank whole, final Bank partial, final int threads) {
		this.problem = problem;
		this.whole = whole;
		this.partial = partial;
		shape = problem.shape().weights(problem.window());
		parallel = new Parallel(threads);
	}

	@Override
	public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to, final Monitor monitor) {
		report = Report.NONE;
		final int all = Math.toIntExact(problem.count().pixels());
		for (int from = 0; from < all; from += whole.size) {
			final int first = from;
			final Cut[] cuts = new Cut[Math.min(whole.size, all - from)];
			parallel.each(cuts.length, i -> cuts[i] = wanted == null || wanted[first + i] ? cut(fixed, moving, first + i) : null);
			correlate(whole, KeptPixels.unmasked(moving), Arrays.stream(cuts).filter(c -> c != null && c.whole).toList(), to, monitor);
			correlate(partial, moving, Arrays.stream(cuts).filter(c -> c != null && !c.whole).toList(), to, monitor);
			monitor.done(cuts.length * problem.lags().pixels());
		}
		return report;
	}

	private Cut cut(final Pixels fixed, final Pixels moving, final int window) {
		final long[] first = problem.first(window);
		final Template template = FrameWindow.template(fixed, first, problem.window(), shape, problem.minOverlap());
		if (template == null) return null;
		final boolean isWhole = template.weights() == shape && isWhole(moving, first);
		if (isWhole || template.weights() != null) return new Cut(window, template, isWhole);
		// all templates of a bank have one kind of weights
		final double[] weights = new double[template.values().length];
		Arrays.fill(weights, 1);
		return new Cut(window, new Template(template.size(), template.type(), template.values(), weights), false);
	}

	/** Whether all pixels at all lags are present and inside. */
	private boolean isWhole(final Pixels moving, final long[] place) {
		final long[] origin = origin(place);
		final int[] size = new int[origin.length];
		for (int d = 0; d < size.length; d++) {
			size[d] = (int) (problem.window().get(d) + problem.lags().get(d) - 1);
			if (origin[d] < 0 || origin[d] + size[d] > problem.frame().get(d)) return false;
		}
		if (moving.mask() == null) return true;
		final byte[] present = new byte[Boxes.pixels(size)];
		moving.mask().read(origin, size, ByteBuffer.wrap(present));
		for (final byte p : present) if (p == 0) return false;
		return true;
	}

	/** The first lag of a window. */
	private long[] origin(final long[] place) {
		final long[] origin = place.clone();
		for (int d = 0; d < origin.length; d++) origin[d] -= problem.shift(d);
		return origin;
	}

	private void correlate(final Bank bank, final Pixels moving, final List<Cut> cuts, final Receiver to, final Monitor monitor) {
		for (int from = 0; from < cuts.size(); from += bank.size) {
			monitor.requireNotCanceled();
			final List<Cut> members = cuts.subList(from, Math.min(cuts.size(), from + bank.size)), padded = new ArrayList<>(members);
			while (padded.size() < bank.size) padded.add(members.get(0));
			final int[] lags = problem.lags().toIntArray();
			final float[][] maps = new float[bank.size][Boxes.pixels(lags)];
			final Execution execution = bank.with(padded.stream().map(Cut::template).toList());
			final LagBox box = new LagBox(padded.stream().map(c -> origin(problem.first(c.window))).toArray(long[][]::new), lags);
			try {
				final Report whole = execution.await(execution.submit(moving, box, new MapInMemory(lags, List.of(maps)),
					new CancelOnly(monitor)));
				long undefined = 0;
				for (int i = 0; i < members.size(); i++) for (final float r : maps[i]) if (Float.isNaN(r)) undefined++;
				report = report.plus(new Report((long) members.size() * maps[0].length, undefined, whole.rechecked()));
			}
			catch (final CompletionException e) {
				throw DeviceException.reason(e);
			}
			parallel.each(members.size(), i -> {
				final double[] responses = new double[maps[i].length];
				Buffers.values(FloatBuffer.wrap(maps[i]), false, 0, responses, responses.length);
				to.take(members.get(i).window, responses, ERROR);
			});
		}
	}

	@Override
	public void close() {
		try (Parallel threads = parallel) {
			try {
				whole.close();
			}
			finally {
				partial.close();
			}
		}
	}
}
