package sc.fiji.ncc.contract;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;

/**
 * Correlates window by window in double precision. Without a fault it meets the contract. With a fault it must not pass. It shares no formula with
 * {@link ReferenceNcc}, so that each checks the other.
 */
final class NaiveAlgorithm implements SlidingAlgorithm.Correlating {

	/** One mistake of an algorithm. */
	enum Fault {
		NONE, CLAIMS_NOTHING, FLOAT_SUMS, ROUNDS_TO_FLOAT, ONE_PASS_DOUBLES, VARIANCE_THRESHOLD, IGNORES_MASK, NAN_UNDER_MASK, IGNORES_MISSING_PIXELS, NAN_AT_MISSING_PIXELS, WEIGHTS_AS_MASK, COUNTS_OVERLAP_UNWEIGHTED, WHOLE_SUMS_IN_OVERLAP,
		IGNORES_MIN_OVERLAP, ABOVE_ONE, ONE_LAG_OFF, ALWAYS_NAN_FOR_UNDEFINED, ALWAYS_ZERO_FOR_UNDEFINED, LAST_ONE_MISSING, WRITES_TWICE,
		MISCOUNTS, WRITES_TO_TEMPLATE, BOXES_FROM_ZERO, ONE_ORIGIN_FOR_ALL, KEEPS_TEMPLATES, CANCELS_LATE, COMPUTES_IN_SUBMIT, EXCEEDS_ITS_DEPTH,
		SWALLOWS_FAILURES, CLOSES_ONCE, CLOSES_EARLY
	}

	private final Fault fault;

	NaiveAlgorithm(final Fault fault) {
		this.fault = fault;
	}

	@Override
	public String id() {
		return "naive";
	}

	@Override
	public Optional<String> unsupported(final Correlation problem) {
		return fault == Fault.CLAIMS_NOTHING ? Optional.of("it supports no problem") : Optional.empty();
	}

	@Override
	public SlidingPlan plan(final Correlation problem, final Device device) {
		return new SlidingPlan() {

			@Override
			public Cost cost() {
				return new Cost(1e-9 * problem.responses() * problem.templates().get(0).pixels(), 0, 8 * problem.size().pixels(), 0);
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return new NaiveExecution(problem, templates);
			}
		};
	}

	private final class NaiveExecution implements Execution {

		private final Correlation problem;
		private final ExecutorService thread = Executors.newSingleThreadExecutor();
		private final Semaphore places = new Semaphore(fault == Fault.EXCEEDS_ITS_DEPTH ? 3 : 1);
		private List<Template> templates;
		private int cancellations;

		NaiveExecution(final Correlation problem, final List<Template> templates) {
			this.problem = problem;
			this.templates = templates;
		}

		@Override
		public int depth() {
			return 1;
		}

		@Override
		public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			places.acquireUninterruptibly();
			final CompletableFuture<Report> future = new CompletableFuture<>();
			final Runnable work = () -> {
				try {
					final Report report = correlate(in, lags, out, monitor);
					places.release();
					future.complete(report);
				}
				catch (final Throwable t) {
					places.release();
					if (fault == Fault.SWALLOWS_FAILURES) future.complete(Report.NONE);
					else future.completeExceptionally(t);
				}
			};
			if (fault == Fault.COMPUTES_IN_SUBMIT) work.run();
			else thread.execute(work);
			return future;
		}

		/** Whether a canceled submission stops. With the fault CANCELS_LATE it continues for 1000 more windows. */
		private boolean stops() {
			return fault != Fault.CANCELS_LATE || ++cancellations > 1000;
		}

		private Report correlate(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			final int[] size = Arrays.stream(in.size()).mapToInt(Math::toIntExact).toArray();
			final int pixels = ReferenceNcc.pixels(size);
			final Buffer raw = in.type().allocate(pixels);
			in.read(new long[size.length], size, raw);
			final double[] image = new double[pixels];
			for (int i = 0; i < pixels; i++) image[i] = ArrayPixels.value(in.type(), raw, i);
			final Pixels mask = fault == Fault.IGNORES_MISSING_PIXELS ? null : in.mask();
			final ByteBuffer present = ByteBuffer.allocate(pixels);
			if (mask != null) mask.read(new long[size.length], size, present);
			long undefined = 0;
			for (int t = 0; t < templates.size(); t++) undefined += correlate(image, mask == null ? null : present.array(), size, t, lags, out, monitor);
			if (fault == Fault.WRITES_TO_TEMPLATE) templates.get(0).values()[0]++;
			return new Report(lags.lags() * templates.size(), fault == Fault.MISCOUNTS ? undefined + 1 : undefined, 0);
		}

		private long correlate(final double[] image, final byte[] present, final int[] size, final int t, final LagBox lags, final Sink out, final Monitor monitor) {
			final Template template = templates.get(t);
			final Window window = new Window(image, present, size, template);
			final long[] origin = lags.origins()[fault == Fault.ONE_ORIGIN_FOR_ALL ? 0 : t];
			final boolean inDouble = problem.precision() == Precision.DOUBLE;
			final double[] row = new double[lags.size()[0]];
			final int[] rowSize = new int[size.length], at = new int[size.length];
			Arrays.fill(rowSize, 1);
			rowSize[0] = row.length;
			long undefined = 0;
			for (int first = 0; first < lags.lags(); first += row.length) {
				for (int x = 0; x < row.length; x++) {
					if (monitor.canceled() && stops()) throw new CancellationException();
					ReferenceNcc.unravel(first + x, lags.size(), at);
					for (int d = 0; d < at.length; d++) at[d] += fault == Fault.BOXES_FROM_ZERO && !problem.lags().partial() ? 0 : (int) origin[d];
					if (fault == Fault.ONE_LAG_OFF && at[0] > 0) at[0]--;
					row[x] = window.response(at, problem.lags().minOverlap(), problem.lags().partial());
					if (!inDouble || fault == Fault.ROUNDS_TO_FLOAT) row[x] = (float) row[x];
					if (!Double.isNaN(row[x])) continue;
					undefined++;
					row[x] = fault == Fault.ALWAYS_NAN_FOR_UNDEFINED ? Float.NaN : fault == Fault.ALWAYS_ZERO_FOR_UNDEFINED ? 0 : out.undefined();
				}
				ReferenceNcc.unravel(first, lags.size(), at);
				final long[] min = Arrays.stream(at).asLongStream().toArray();
				if (fault == Fault.LAST_ONE_MISSING && first + row.length == lags.lags()) {
					if (row.length == 1) continue;
					rowSize[0]--;
				}
				final Buffer responses = problem.precision().allocate(row.length);
				for (int x = 0; x < row.length; x++)
					if (inDouble) ((DoubleBuffer) responses).put(x, row[x]);
					else ((FloatBuffer) responses).put(x, (float) row[x]);
				out.map(t, min, rowSize, responses);
				if (fault == Fault.WRITES_TWICE && first == 0) out.map(t, min, rowSize, responses);
			}
			return undefined;
		}

		@Override
		public void replace(final List<Template> sameShapes) {
			if (fault != Fault.KEEPS_TEMPLATES) templates = sameShapes;
		}

		@Override
		public void close() {
			if (fault == Fault.CLOSES_ONCE && thread.isShutdown()) throw new IllegalStateException("closed");
			thread.shutdown();
			try {
				if (fault != Fault.CLOSES_EARLY && !thread.awaitTermination(1, TimeUnit.MINUTES)) throw new IllegalStateException("a submission is still running");
			}
			catch (final InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** The pixels under a template. */
	private final class Window {

		private final double[] image;
		/** 0 for each missing pixel. Null: none is missing. */
		private final byte[] present;
		private final int[] size;
		private final Template template;
		private final int[][] position;
		private final double[] p, t, w;
		private double total;
		private int n;

		Window(final double[] image, final byte[] present, final int[] size, final Template template) {
			this.image = image;
			this.present = present;
			this.size = size;
			this.template = template;
			final int[] templateSize = template.size().toIntArray();
			p = new double[template.values().length];
			t = new double[p.length];
			w = new double[p.length];
			position = new int[p.length][size.length];
			for (int i = 0; i < p.length; i++) {
				ReferenceNcc.unravel(i, templateSize, position[i]);
				total += template.weight(i);
			}
		}

		/** NaN where undefined. */
		double response(final int[] lag, final double minOverlap, final boolean partial) {
			gather(lag);
			double weight = 0;
			for (int k = 0; k < n; k++) weight += fault == Fault.COUNTS_OVERLAP_UNWEIGHTED ? total / template.values().length : w[k];
			if (partial && weight < minOverlap * total && fault != Fault.IGNORES_MIN_OVERLAP || n == 0) return Double.NaN;
			if (fault == Fault.FLOAT_SUMS) return floatSums();
			if (fault == Fault.ONE_PASS_DOUBLES) return onePass();
			final double pNorm = center(p), tNorm = center(t);
			if (!(pNorm > 0 && tNorm > 0)) return Double.NaN;
			if (fault == Fault.VARIANCE_THRESHOLD && pNorm * pNorm < 1e-12 * n) return Double.NaN;
			double sum = 0;
			for (int k = 0; k < n; k++) sum += w[k] * (p[k] / pNorm) * (t[k] / tNorm);
			return fault == Fault.ABOVE_ONE ? sum * (1 + 4e-6) : Math.max(-1, Math.min(1, sum));
		}

		private void gather(final int[] lag) {
			n = 0;
			for (int i = 0; i < template.values().length; i++) {
				if (template.weight(i) == 0 && fault != Fault.IGNORES_MASK && fault != Fault.NAN_UNDER_MASK) continue;
				final int[] at = position[i];
				int pixel = 0;
				boolean inside = true;
				for (int d = at.length - 1; d >= 0; d--) {
					final int x = lag[d] + at[d];
					inside &= x >= 0 && x < size[d];
					pixel = pixel * size[d] + x;
				}
				if (!inside && fault != Fault.WHOLE_SUMS_IN_OVERLAP) continue;
				final double value = inside ? image[pixel] : 0;
				if (inside && present != null && present[pixel] == 0 && (fault != Fault.NAN_AT_MISSING_PIXELS || Double.isFinite(value))) continue;
				if (fault == Fault.NAN_UNDER_MASK && template.weight(i) == 0 && Double.isFinite(value)) continue;
				p[n] = value;
				// no mask, or a fault that counts masked pixels
				w[n] = fault == Fault.WEIGHTS_AS_MASK || template.weight(i) == 0 ? 1 : template.weight(i);
				t[n++] = template.values()[i];
			}
		}

		/** Subtracts the mean. Returns the norm of the result: 0 if all values are equal, NaN if one is not finite. */
		private double center(final double[] a) {
			double largest = 0;
			for (int k = 0; k < n; k++) largest = Double.isFinite(a[k]) ? Math.max(largest, Math.abs(a[k])) : Double.NaN;
			if (!(largest > 0)) return largest;
			// to [-1/2, 1/2], so that neither differences nor squares overflow
			final int exponent = -Math.getExponent(largest) - 2;
			final double first = Math.scalb(a[0], exponent);
			boolean flat = true;
			for (int k = 0; k < n; k++) {
				a[k] = Math.scalb(a[k], exponent) - first;
				flat &= a[k] == 0;
			}
			subtractMean(a);
			// a second pass removes the rounding error of the first, which matters if the weights differ much
			subtractMean(a);
			double norm = 0;
			for (int k = 0; k < n; k++) norm += w[k] * a[k] * a[k];
			return flat ? 0 : Math.sqrt(norm);
		}

		private void subtractMean(final double[] a) {
			double sum = 0, weight = 0;
			for (int k = 0; k < n; k++) {
				sum += w[k] * a[k];
				weight += w[k];
			}
			for (int k = 0; k < n; k++) a[k] -= sum / weight;
		}

		private double onePass() {
			double sp = 0, st = 0, spp = 0, stt = 0, spt = 0;
			for (int k = 0; k < n; k++) {
				sp += p[k];
				st += t[k];
				spp += p[k] * p[k];
				stt += t[k] * t[k];
				spt += p[k] * t[k];
			}
			return (n * spt - sp * st) / Math.sqrt((n * spp - sp * sp) * (n * stt - st * st));
		}

		private double floatSums() {
			float sp = 0, st = 0, spp = 0, stt = 0, spt = 0;
			for (int k = 0; k < n; k++) {
				final float a = (float) p[k], b = (float) t[k];
				sp += a;
				st += b;
				spp += a * a;
				stt += b * b;
				spt += a * b;
			}
			return (n * spt - sp * st) / Math.sqrt((n * spp - sp * sp) * (n * stt - st * st));
		}
	}
}
