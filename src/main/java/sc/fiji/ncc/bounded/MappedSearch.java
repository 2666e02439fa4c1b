package sc.fiji.ncc.bounded;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
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
import sc.fiji.ncc.plan.support.Alternatives;
import sc.fiji.ncc.plan.support.MapInMemory;
import sc.fiji.ncc.plan.support.Parallel;

/** The execution of a {@link MappedBank}. One box of lags at a time is correlated, because its maps take much memory; then its scores follow on all threads. */
final class MappedSearch implements BankExecution {

	private final List<Members> families;
	private final List<Correlator> correlators;
	private final double minScore;
	private final boolean each;
	private final Parallel threads;
	/** Arrays of the last box: small heaps do not survive many new ones. */
	private final Deque<float[]> free = new ArrayDeque<>();

	/** @param each whether the best member of each window is needed */
	MappedSearch(final List<Members> families, final List<MappedBank.Batch> batches, final double minScore, final boolean each,
		final int threads) {
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
					for (d = 0; d < first.length && (first[d] += step[d]) >= range.first()[d]
						+ range.count()[d]; d++) first[d] = range.first()[d];
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
		monitor.requireNotCanceled();
		final List<MemberBox> boxes = new ArrayList<>();
		final List<float[]> maps = new ArrayList<>();
		try {
			for (final int f : correlator.batch.families()) {
				boxes.add(new MemberBox(families.get(f), minScore, each, box.size(), box.origins()[0], image, this::array));
				maps.addAll(Arrays.asList(boxes.get(boxes.size() - 1).maps));
			}
			final long[][] origins = new long[correlator.templates()][];
			Arrays.fill(origins, box.origins()[0]);
			final Report report = correlator.correlate(image, new LagBox(origins, box.size()), new MapInMemory(box.size(), maps), monitor);
			for (int i = 0; i < boxes.size(); i++) {
				final int family = correlator.batch.families().get(i);
				boxes.get(i).finish(threads, () -> {
					monitor.requireNotCanceled();
				}, (lags, values, codes, n) -> to.take(family, box.origins()[0], box.size(), lags, values, codes, n));
			}
			return report;
		}
		finally {
			for (final MemberBox b : boxes) b.release(free);
		}
	}

	/** The correlations of a batch. An execution stays open for the next box, and for the next image. */
	private final class Correlator extends Alternatives<MappedBank.Candidate, Execution> {

		private final MappedBank.Batch batch;

		Correlator(final MappedBank.Batch batch) {
			super(batch.candidates(), MappedBank.Candidate::id, c -> c.plan().prepare(batch.families().stream()
				.flatMap(f -> families.get(f).templates().stream()).toList()));
			this.batch = batch;
		}

		int templates() {
			return batch.problem().templates().size();
		}

		Report correlate(final Pixels image, final LagBox box, final Sink to, final Monitor monitor) {
			return repeat(monitor, (execution, once) -> {
				try {
					return execution.await(execution.submit(image, box, to, once));
				}
				catch (final CompletionException e) {
					throw DeviceException.reason(e);
				}
			});
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

	@Override
	public void close() {
		correlators.forEach(Correlator::close);
		threads.close();
	}
}
