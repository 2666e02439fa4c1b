package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * One problem on several devices that are alike. Of many frames each goes whole to the device that has least to do; of a single image each device has a
 * band of the lags, cut along the last dimension. If one device fails, all of it has failed, and what is left goes to the next candidate.
 */
public final class Spread implements Plan {

	private final List<Plan> plans;
	private final Cost cost;
	private final boolean bands;

	/**
	 * @param plans of one algorithm for this problem, one for each device
	 * @param cost of all together
	 */
	public Spread(final Problem problem, final List<Plan> plans, final Cost cost) {
		this.plans = List.copyOf(plans);
		this.cost = cost;
		bands = problem.frames() == 1;
	}

	@Override
	public Cost cost() {
		return cost;
	}

	/** Memory that one device takes pixels from by itself, and the others, too, if they are cards of one backend. */
	@Override
	public Staging staging(final long bytes) {
		return plans.get(0).staging(bytes);
	}

	@Override
	public Execution prepare(final List<Template> templates) {
		final List<Execution> made = new ArrayList<>();
		try {
			for (final Plan p : plans) made.add(p.prepare(templates));
		}
		catch (final RuntimeException | Error e) {
			made.forEach(Execution::close);
			throw e;
		}
		return new Together(made, bands);
	}

	private static final class Together implements Execution {

		private final List<Execution> members;
		private final boolean bands;
		/** Submissions of each member that are on their way; guarded by itself. */
		private final int[] flying;

		Together(final List<Execution> members, final boolean bands) {
			this.members = members;
			this.bands = bands;
			flying = new int[members.size()];
		}

		@Override
		public int depth() {
			return bands ? members.stream().mapToInt(Execution::depth).min().orElseThrow() : members.stream().mapToInt(Execution::depth).sum();
		}

		@Override
		public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			final int last = lags.size().length - 1, rows = lags.size()[last], count = bands ? Math.min(rows, members.size()) : 1;
			if (count == 1) return submit(idlest(), in, lags, out, monitor);
			final List<CompletableFuture<Report>> futures = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				final int from = (int) ((long) rows * i / count), until = (int) ((long) rows * (i + 1) / count);
				final int[] size = lags.size().clone();
				size[last] = until - from;
				final long[][] origins = new long[lags.origins().length][];
				for (int t = 0; t < origins.length; t++) {
					origins[t] = lags.origins()[t].clone();
					origins[t][last] += from;
				}
				try {
					futures.add(submit(i, in, new LagBox(origins, size), from == 0 ? out : new Band(out, last, from), monitor));
				}
				catch (final RuntimeException e) {
					// those before write to the same sink
					futures.forEach(f -> f.handle((report, failure) -> null).join());
					throw e;
				}
			}
			// of its own: one that depends on another tells of its failure in a wrapping
			final CompletableFuture<Report> whole = new CompletableFuture<>();
			CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0])).whenComplete((done, failure) -> {
				if (failure == null) whole.complete(futures.stream().map(CompletableFuture::join).reduce(Report.NONE, Report::plus));
				else whole.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
			});
			return whole;
		}

		/** The member with the most free places. */
		private int idlest() {
			synchronized (flying) {
				int best = 0;
				for (int i = 1; i < flying.length; i++)
					if (members.get(i).depth() - flying[i] > members.get(best).depth() - flying[best]) best = i;
				return best;
			}
		}

		private CompletableFuture<Report> submit(final int member, final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			count(member, 1);
			final CompletableFuture<Report> future;
			try {
				future = members.get(member).submit(in, lags, out, monitor);
			}
			catch (final RuntimeException | Error e) {
				count(member, -1);
				throw e;
			}
			future.whenComplete((report, failure) -> count(member, -1));
			return future;
		}

		private void count(final int member, final int more) {
			synchronized (flying) {
				flying[member] += more;
			}
		}

		@Override
		public void replace(final List<Template> sameShapes) {
			for (final Execution m : members) m.replace(sameShapes);
		}

		/** All of them, whatever becomes of one. */
		@Override
		public void close() {
			RuntimeException failure = null;
			for (final Execution m : members) {
				try {
					m.close();
				}
				catch (final RuntimeException e) {
					failure = e;
				}
			}
			if (failure != null) throw failure;
		}
	}

	/** What a sink hears of the lags from the {@code from}-th on along one dimension. */
	private record Band(Sink sink, int dimension, int from) implements Sink {

		private long[] place(final long[] min) {
			final long[] there = min.clone();
			there[dimension] += from;
			return there;
		}

		@Override
		public float undefined() {
			return sink.undefined();
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer responses) {
			sink.map(template, place(min), size, responses);
		}

		@Override
		public void peaks(final int template, final BoxPeaks p) {
			sink.peaks(template, new BoxPeaks(place(p.min()), p.size(), p.peaks(), p.values(), p.rim(), p.rimValues(), p.plateaus()));
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final ShortBuffer which) {
			sink.best(place(min), size, greatest, which);
		}

		@Override
		public float least() {
			return sink.least();
		}

		@Override
		public Place place(final int template, final long[] min) {
			return sink.place(template, place(min));
		}
	}
}
