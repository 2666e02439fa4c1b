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
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.support.Parallel;

/** The execution of a {@link MappedBank}. One box of lags at a time is correlated, because its maps take much memory; then its scores follow on all threads. */
final class MappedSearch implements BankExecution {

	private final List<Members> families;
	private final List<MappedBank.Batch> batches;
	private final double minScore;
	private final boolean each;
	private final Parallel threads;
	/** Arrays of the last box: small heaps do not survive many new ones. */
	private final Deque<float[]> free = new ArrayDeque<>();

	/** @param each whether the best member of each window is needed */
	MappedSearch(final List<Members> families, final List<MappedBank.Batch> batches, final double minScore, final boolean each, final int threads) {
		this.families = families;
		this.batches = batches;
		this.minScore = minScore;
		this.each = each;
		this.threads = new Parallel(threads);
	}

	@Override
	public long responses(final List<Range> lags) {
		long n = 0;
		for (final MappedBank.Batch b : batches) n += b.problem().templates().size() * all(b, lags).lags();
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
		for (final MappedBank.Batch b : batches) {
			final Range range = all(b, lags);
			if (range.isEmpty()) continue;
			final List<Template> templates = new ArrayList<>();
			for (final int f : b.families()) templates.addAll(families.get(f).templates());
			try (Execution execution = b.plan().prepare(templates)) {
				final long[] first = range.first().clone(), step = b.problem().lags().count().toArray();
				for (int d = 0; d < first.length;) {
					final int[] size = new int[first.length];
					for (int i = 0; i < size.length; i++) size[i] = (int) Math.min(step[i], range.first()[i] + range.count()[i] - first[i]);
					report = report.plus(box(image, b, execution, templates.size(), new LagBox(new long[][] { first.clone() }, size), to, monitor));
					for (d = 0; d < first.length && (first[d] += step[d]) >= range.first()[d] + range.count()[d]; d++) first[d] = range.first()[d];
				}
			}
		}
		return report;
	}

	private Report box(final Pixels image, final MappedBank.Batch batch, final Execution execution, final int templates, final LagBox box, final Receiver to,
		final Monitor monitor)
	{
		if (monitor.canceled()) throw new CancellationException("canceled");
		final List<MemberBox> boxes = new ArrayList<>();
		final List<float[]> maps = new ArrayList<>();
		try {
			for (final int f : batch.families()) {
				boxes.add(new MemberBox(families.get(f), minScore, each, box.size(), box.origins()[0], image, this::room));
				maps.addAll(Arrays.asList(boxes.get(boxes.size() - 1).maps));
			}
			final long[][] origins = new long[templates][];
			Arrays.fill(origins, box.origins()[0]);
			final Report report = execution.await(execution.submit(image, new LagBox(origins, box.size()), new Maps(maps, box.size()), monitor));
			for (int i = 0; i < boxes.size(); i++) {
				final int family = batch.families().get(i);
				boxes.get(i).finish(threads, () -> {
					if (monitor.canceled()) throw new CancellationException("canceled");
				}, (lags, values, codes, n) -> to.take(family, box.origins()[0], box.size(), lags, values, codes, n));
			}
			return report;
		}
		catch (final CompletionException e) {
			throw DeviceException.reason(e);
		}
		finally {
			for (final MemberBox b : boxes) b.release(free);
		}
	}

	/** An array of this length or more. */
	private float[] room(final int length) {
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
		threads.close();
	}
}
