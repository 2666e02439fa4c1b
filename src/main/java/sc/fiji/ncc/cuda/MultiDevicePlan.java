package sc.fiji.ncc.cuda;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink.SampledRows;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/**
 * One problem on several identical devices. Each of several frames runs as a whole on the device with the fewest submissions. A single image is
 * divided into bands of lags along the last dimension, one for each device. If one device fails, the whole execution has failed, and the caller
 * continues with the next candidate.
 */
public final class MultiDevicePlan implements SlidingPlan {

	private final List<SlidingPlan> plans;
	private final Cost cost;
	private final boolean bands;

	/**
	 * @param plans the plans of one algorithm for this problem, one for each device
	 * @param cost the cost of all plans together
	 */
	public MultiDevicePlan(final Sliding problem, final List<SlidingPlan> plans, final Cost cost) {
		this.plans = List.copyOf(plans);
		this.cost = cost;
		bands = problem.frames() == 1;
	}

	@Override
	public Cost cost() {
		return cost;
	}

	/** Memory that the first device reads directly. If the devices are GPUs of one backend, the others read it directly, too. */
	@Override
	public Staging staging(final long bytes) {
		return plans.get(0).staging(bytes);
	}

	@Override
	public Execution prepare(final List<Template> templates) {
		final List<Execution> executions = new ArrayList<>();
		try {
			for (final SlidingPlan p : plans) executions.add(p.prepare(templates));
		}
		catch (final RuntimeException | Error e) {
			try {
				new MultiDeviceExecution(executions, bands).close();
			}
			catch (final RuntimeException ofClosing) {
				e.addSuppressed(ofClosing);
			}
			throw e;
		}
		return new MultiDeviceExecution(executions, bands);
	}

	private static final class MultiDeviceExecution implements Execution {

		private final List<Execution> members;
		private final boolean bands;
		/** The number of submissions in flight of each member; guarded by itself. */
		private final int[] inFlight;

		MultiDeviceExecution(final List<Execution> members, final boolean bands) {
			this.members = members;
			this.bands = bands;
			inFlight = new int[members.size()];
		}

		@Override
		public int depth() {
			return bands ? members.stream().mapToInt(Execution::depth).min().orElseThrow() : members.stream().mapToInt(Execution::depth).sum();
		}

		/** The last dimension with several lags: a volume of one plane is cut into rows. */
		private static int lastOfSeveral(final int[] size) {
			int d = size.length - 1;
			while (d > 0 && size[d] == 1) d--;
			return d;
		}

		@Override
		public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			final int last = lastOfSeveral(lags.size()), rows = lags.size()[last], count = bands ? Math.min(rows, members.size()) : 1;
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
				catch (final RuntimeException | Error e) {
					// the bands submitted before still write to this sink
					futures.forEach(f -> f.handle((report, failure) -> null).join());
					throw e;
				}
			}
			// a separate future: a dependent one would wrap the failure in a CompletionException
			final CompletableFuture<Report> combined = new CompletableFuture<>();
			CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0])).whenComplete((done, failure) -> {
				if (failure == null) combined.complete(futures.stream().map(CompletableFuture::join).reduce(Report.NONE, Report::plus));
				else combined.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
			});
			return combined;
		}

		/** The member with the most free places for submissions. */
		private int idlest() {
			synchronized (inFlight) {
				int best = 0;
				for (int i = 1; i < inFlight.length; i++)
					if (members.get(i).depth() - inFlight[i] > members.get(best).depth() - inFlight[best]) best = i;
				return best;
			}
		}

		private CompletableFuture<Report> submit(final int member, final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			addInFlight(member, 1);
			final CompletableFuture<Report> future;
			try {
				future = members.get(member).submit(in, lags, out, monitor);
			}
			catch (final RuntimeException | Error e) {
				addInFlight(member, -1);
				throw e;
			}
			future.whenComplete((report, failure) -> addInFlight(member, -1));
			return future;
		}

		private void addInFlight(final int member, final int change) {
			synchronized (inFlight) {
				inFlight[member] += change;
			}
		}

		@Override
		public void replace(final List<Template> sameShapes) {
			for (final Execution m : members) m.replace(sameShapes);
		}

		/** Closes all members, even if one fails. */
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

	/** Passes the lags from index {@code from} on along one dimension to a sink. */
	private record Band(Sink sink, int dimension, int from) implements Sink {

		private long[] shifted(final long[] min) {
			final long[] result = min.clone();
			result[dimension] += from;
			return result;
		}

		@Override
		public float undefined() {
			return sink.undefined();
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer responses) {
			sink.map(template, shifted(min), size, responses);
		}

		@Override
		public ResponseType responseType() {
			return sink.responseType();
		}

		@Override
		public void peaks(final int template, final BoxPeaks p) {
			sink.peaks(template, new BoxPeaks(shifted(p.min()), p.size(), p.peaks(), p.values(), p.rim(), p.rimValues(), p.plateaus()));
		}

		@Override
		public float undefinedBest() {
			return sink.undefinedBest();
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final Buffer which) {
			sink.best(shifted(min), size, greatest, which);
		}

		@Override
		public float minScore() {
			return sink.minScore();
		}

		@Override
		public Optional<SampledRows> sampled() {
			return sink.sampled().map(rows -> rows.from(dimension, from));
		}

		@Override
		public void sample(final int template, final long[] min, final int[] size, final Buffer from) {
			sink.sample(template, shifted(min), size, from);
		}

		@Override
		public Place place(final int template, final long[] min) {
			return sink.place(template, shifted(min));
		}
	}
}
