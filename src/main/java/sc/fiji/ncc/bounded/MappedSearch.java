package sc.fiji.ncc.bounded;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.ProgressOnce;
import sc.fiji.ncc.plan.support.Parallel;

/** The execution of a {@link MappedBank}. One box of lags at a time is correlated, because its maps take much memory; then its scores follow on all threads. */
final class MappedSearch implements BankExecution {

	private static final System.Logger LOG = System.getLogger("sc.fiji.ncc");

	private final List<Members> families;
	private final List<Correlator> correlators;
	private final double minScore;
	private final boolean each;
	private final Parallel threads;
	/** Arrays of the last box: small heaps do not survive many new ones. */
	private final Deque<float[]> free = new ArrayDeque<>();

	/** @param each whether the best member of each window is needed */
	MappedSearch(final List<Members> families, final List<MappedBank.Batch> batches, final double minScore, final boolean each, final int threads) {
		this.families = families;
		correlators = batches.stream().map(Correlator::new).toList();
		this.minScore = minScore;
		this.each = each;
		this.threads = new Parallel(threads);
	}

	@Override
	public long responses(final List<Range> lags) {
		long n = 0;
		for (final Correlator c : correlators) n += c.templates() * all(c.batch, lags).lags();
		return n;
	}

	/** The smallest range that contains the lags of all families of a batch. */
	private static Range all(final MappedBank.Batch batch, final List<Range> lags) {
		final long[] first = lags.get(batch.families().get(0)).first().clone(), end = new long[first.length];
		boolean empty = true;
		for (final int f : batch.families()) {
			final Range r = lags.get(f);
			if (r.isEmpty()) continue;
			for (int d = 0; d < first.length; d++) {
				first[d] = empty ? r.first()[d] : Math.min(first[d], r.first()[d]);
				end[d] = Math.max(end[d], r.first()[d] + r.count()[d]);
			}
			empty = false;
		}
		for (int d = 0; d < first.length; d++) end[d] = empty ? 0 : end[d] - first[d];
		return new Range(first, end);
	}

	@Override
	public Report search(final Pixels image, final List<Range> lags, final Receiver to, final Monitor monitor) {
		Report report = Report.NONE;
		try {
			for (final Correlator c : correlators) {
				final Range range = all(c.batch, lags);
				if (range.isEmpty()) continue;
				// the memory suffices for one of them
				correlators.stream().filter(other -> other != c).forEach(Correlator::close);
				final long[] first = range.first().clone(), step = c.batch.problem().lags().count().toArray();
				for (int d = 0; d < first.length;) {
					final int[] size = new int[first.length];
					for (int i = 0; i < size.length; i++) size[i] = (int) Math.min(step[i], range.first()[i] + range.count()[i] - first[i]);
					report = report.plus(box(image, c, new LagBox(new long[][] { first.clone() }, size), to, monitor));
					for (d = 0; d < first.length && (first[d] += step[d]) >= range.first()[d] + range.count()[d]; d++) first[d] = range.first()[d];
				}
			}
		}
		catch (final RuntimeException | Error e) {
			correlators.forEach(Correlator::close);
			throw e;
		}
		return report;
	}

	private Report box(final Pixels image, final Correlator correlator, final LagBox box, final Receiver to, final Monitor monitor) {
		if (monitor.canceled()) throw new CancellationException("canceled");
		final List<MemberBox> boxes = new ArrayList<>();
		final List<float[]> maps = new ArrayList<>();
		try {
			for (final int f : correlator.batch.families()) {
				boxes.add(new MemberBox(families.get(f), minScore, each, box.size(), box.origins()[0], image, this::array));
				maps.addAll(Arrays.asList(boxes.get(boxes.size() - 1).maps));
			}
			final long[][] origins = new long[correlator.templates()][];
			Arrays.fill(origins, box.origins()[0]);
			final Report report = correlator.correlate(image, new LagBox(origins, box.size()), new Maps(maps, box.size()), monitor);
			for (int i = 0; i < boxes.size(); i++) {
				final int family = correlator.batch.families().get(i);
				boxes.get(i).finish(threads, () -> {
					if (monitor.canceled()) throw new CancellationException("canceled");
				}, (lags, values, codes, n) -> to.take(family, box.origins()[0], box.size(), lags, values, codes, n));
			}
			return report;
		}
		finally {
			for (final MemberBox b : boxes) b.release(free);
		}
	}

	/**
	 * The correlations of a batch, by the fastest algorithm that has not failed. When the device fails, or the Java heap is too full, the next one
	 * correlates the box. An execution stays open for the next box, and for the next image.
	 */
	private final class Correlator {

		final MappedBank.Batch batch;
		/** The index of the algorithm. */
		private int candidate;
		/** Null if none is open. */
		private Execution execution;

		Correlator(final MappedBank.Batch batch) {
			this.batch = batch;
		}

		int templates() {
			return batch.problem().templates().size();
		}

		Report correlate(final Pixels image, final LagBox box, final Sink to, final Monitor monitor) {
			final ProgressOnce once = new ProgressOnce(monitor);
			while (true) {
				once.restart();
				try {
					if (execution == null) execution = batch.candidates().get(candidate).plan().prepare(batch.families().stream().flatMap(f -> families.get(f).templates()
						.stream()).toList());
					return execution.await(execution.submit(image, box, to, once));
				}
				catch (final DeviceException e) {
					failed(e);
				}
				catch (final CompletionException e) {
					final RuntimeException reason = DeviceException.reason(e);
					if (!(reason instanceof DeviceException)) throw reason;
					failed((DeviceException) reason);
				}
				catch (final OutOfMemoryError e) {
					failed(DeviceException.outOfHeap(e));
				}
			}
		}

		private void failed(final DeviceException failure) {
			close();
			if (candidate + 1 == batch.candidates().size()) throw failure;
			LOG.log(System.Logger.Level.WARNING, batch.candidates().get(candidate++).id() + " failed: " + failure.getMessage() + "; "
				+ batch.candidates().get(candidate).id()
				+ " continues");
		}

		/** Closes the execution, if it is open. A device that failed often cannot release its memory; the results are not concerned. */
		void close() {
			final Execution open = execution;
			execution = null;
			try {
				if (open != null) open.close();
			}
			catch (final DeviceException e) {
				LOG.log(System.Logger.Level.DEBUG, "the memory of a device that failed is lost", e);
			}
		}
	}

	/** An array of this length or more. */
	private float[] array(final int length) {
		while (!free.isEmpty()) {
			final float[] kept = free.pop();
			if (kept.length >= length) return kept;
		}
		return new float[length];
	}

	/**
	 * Writes responses into arrays.
	 *
	 * @param maps one for each template
	 * @param extents those of a box of lags
	 */
	private record Maps(List<float[]> maps, int[] extents) implements Sink {

		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public Place place(final int template, final long[] min) {
			final int[] strides = new int[extents.length];
			int offset = 0;
			for (int d = 0, stride = 1; d < extents.length; d++) {
				strides[d] = stride;
				offset += (int) min[d] * stride;
				stride *= extents[d];
			}
			return new Place(maps.get(template), offset, strides);
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {
			final Place to = place(template, min);
			int rows = 1;
			for (int d = 1; d < size.length; d++) rows *= size[d];
			for (int row = 0; row < rows; row++) {
				int at = to.offset();
				for (int d = 1, rest = row; d < size.length; d++) {
					at += rest % size[d] * to.strides()[d];
					rest /= size[d];
				}
				((FloatBuffer) from).get(from.position() + row * size[0], maps.get(template), at, size[0]);
			}
		}
	}

	@Override
	public void close() {
		correlators.forEach(Correlator::close);
		threads.close();
	}
}
