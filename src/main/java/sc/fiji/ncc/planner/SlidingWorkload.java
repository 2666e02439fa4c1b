package sc.fiji.ncc.planner;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.support.MapInMemory;

/**
 * Noise of the shape of a problem. A large problem is replaced by one with fewer lags of a smaller image, and with fewer frames.
 */
final class SlidingWorkload extends Workload<Sliding, SlidingPlan, Execution> {

	/** Two frames show how copies overlap computing. Small frames need more to be measurable: up to this number, while they have no more lags than that. */
	private static final int FEW_FRAMES = 2, MANY_FRAMES = 8;
	private static final long LAGS_OF_FRAMES = 1L << 22;
	/** Detail of a typical image, in pixels. A cube of a volume has as many pixels as a square of a plane. */
	private static final int GRAIN = 8, GRAIN_OF_VOLUME = 4;
	/**
	 * Maps of more responses, or of more than this share of the heap, are not kept: their memory takes a small part of the time, and a
	 * call may write to a file.
	 */
	private static final long MAX_MAP = 1L << 25;
	private static final int HEAP_SHARE = 16;
	/** A typical minimum score of template matching. */
	private static final float MIN_SCORE = 0.5f;

	/** The frames of a stream, and the number of templates over small shifts, in large problems. */
	private static final int FRAMES = 32;

	/**
	 * Small and large templates, integers and floats, a mask, a volume, missing pixels, separable and other kernels, and an image so small that overhead
	 * dominates. On a fast device also streams, and peaks only: then copies of maps do not hide the rest.
	 */
	static final Kind<Sliding> KIND = new Kind<>(Sliding.class, SlidingWorkload::part, SlidingWorkload::new, List.of(
		correlation(PixelType.F32, Weights.NONE, 640, 24, 2), correlation(PixelType.U8, Weights.NONE, 640, 24, 2),
		correlation(PixelType.F32, Weights.NONE, 640, 4, 2), correlation(PixelType.U8, Weights.NONE, 640, 4, 2),
		correlation(PixelType.F32, Weights.NONE, 640, 72, 2), correlation(PixelType.U8, Weights.NONE, 48, 5, 2),
		correlation(PixelType.U16, Weights.NONE, 320, 12, 2), correlation(PixelType.F32, Weights.BINARY, 200, 10, 2),
		correlation(PixelType.F32, Weights.NONE, 72, 7, 3), missing(120, 10), new Convolution(windows(PixelType.F32, 640, 5, 2), 1),
		new Convolution(windows(PixelType.F32, 640, 24, 2), 1), new Convolution(windows(PixelType.U8, 640, 12, 2), 0)),
		List.of(correlation(PixelType.F32, Weights.NONE, 2000, 8, 2), correlation(PixelType.F32, Weights.NONE, 2000, 64, 2),
			correlation(PixelType.U8, Weights.NONE, 2000, 32, 2), correlation(PixelType.U8, Weights.NONE, 1000, 300, 2),
			correlation(PixelType.U16, Weights.NONE, 2000, 12, 2), correlation(PixelType.F32, Weights.BINARY, 1000, 24, 2),
			correlation(PixelType.F32, Weights.NONE, 200, 12, 3), missing(1000, 24), several(PixelType.U8, 1000, 16, 1, FRAMES, Result.MAP),
			several(PixelType.F32, 1000, 16, 1, FRAMES, Result.PEAKS), several(PixelType.U8, 1000, 16, 4, FRAMES, Result.BEST),
			several(PixelType.U8, 300, 10, 1, FRAMES, Result.PEAKS), several(PixelType.U8, 2000, 200, 4, 1, Result.PEAKS),
			shifts(PixelType.U8), shifts(PixelType.U16), shifts(PixelType.F32), new Convolution(windows(PixelType.F32, 2000, 5, 2), 1),
			new Convolution(windows(PixelType.F32, 2000, 24, 2), 1), new Convolution(windows(PixelType.U8, 2000, 12, 2), 0)));

	private static Correlation correlation(final PixelType type, final Weights weights, final long image, final long template, final int dimensions) {
		return new Correlation(windows(type, image, template, dimensions), weights, 1, Result.MAP);
	}

	/** Several templates or frames of a plane. */
	private static Correlation several(final PixelType type, final long image, final long template, final int templates, final int frames,
		final Result result)
	{
		final Windows w = windows(type, image, template, 2);
		final List<Size> sizes = Collections.nCopies(templates, w.templates().get(0));
		return new Correlation(new Windows(type, type, w.size(), sizes, w.lags(), frames, w.precision()), Weights.NONE, 1, result);
	}

	/** Many templates over small shifts. */
	private static Correlation shifts(final PixelType type) {
		final Windows w = windows(type, 1000, 60, 2);
		return new Correlation(new Windows(type, type, w.size(), Collections.nCopies(FRAMES, w.templates().get(0)),
			new Lags(Size.of(25, 25), false, false, 0, true), 1, w.precision()), Weights.NONE, 1, Result.MAP);
	}

	/** Missing pixels, and a mask of the template. */
	private static Correlation missing(final long image, final long template) {
		final Windows w = windows(PixelType.F32, image, template, 2);
		return new Correlation(new Windows(w.image(), w.template(), w.size(), w.templates(), new Lags(w.lags().count(), true, true, 0.5), 1, w.precision()),
			Weights.BINARY, 1,
			Result.MAP);
	}

	private static Windows windows(final PixelType type, final long image, final long template, final int dimensions) {
		final long[] size = new long[dimensions], templateSize = new long[dimensions], lags = new long[dimensions];
		Arrays.fill(size, image);
		Arrays.fill(templateSize, template);
		Arrays.fill(lags, image - template + 1);
		return new Windows(type, type, Size.of(size), List.of(Size.of(templateSize)), Lags.inside(Size.of(lags)), 1, Precision.SINGLE);
	}

	/** Templates with lags of their own begin at multiples of this distance in pixels. */
	private static final long STEP = 17;

	private final LagBox lags;
	private final Pixels pixels;
	private final List<Template> templates = new ArrayList<>();

	private SlidingWorkload(final Sliding whole, final Sliding measured) {
		super(whole, measured, SlidingPlan.class);
		final Size count = measured.lags().count();
		final long[][] origins = new long[whole.templates().size()][count.dimensions()];
		if (whole.lags().beyond())
			for (final long[] o : origins)
				for (int d = 0; d < o.length; d++) o[d] = -whole.templates().get(0).get(d) / 2;
		else if (measured.lags().apart()) for (int t = 0; t < origins.length; t++)
			for (int d = 0; d < count.dimensions(); d++) origins[t][d] = (t * STEP) % (measured.size().get(d) - whole.templates().get(t).get(d) - count.get(d) + 2);
		lags = new LagBox(origins, count.toIntArray());
		pixels = pixels(measured);
		final int terms = whole instanceof Convolution c ? c.terms() : 0;
		for (final Size t : whole.templates())
			templates.add(terms > 0 ? RandomPixels.separable(t, whole.template(), terms, templates.size())
				: RandomPixels.template(t, whole.template(), whole.weights(), whole.channels(), templates.size()));
	}

	/**
	 * Noise with a grain for convolutions, because a small kernel averages white noise out, and not the details of an image. Transforms of large sums are less
	 * accurate, and repeated in double.
	 */
	static RandomPixels pixels(final Sliding p) {
		final int grain = p instanceof Convolution ? p.size().dimensions() > 2 ? GRAIN_OF_VOLUME : GRAIN : 1;
		return new RandomPixels(p.image(), p.size(), p.channels(), 1, grain, p.lags().masked());
	}

	private static Sliding part(final Sliding problem, final long most) {
		// a compact part of the lags: a flat one would waste most of a tile
		final Size count = halved(problem.lags().count(), d -> 1, s -> s.pixels() <= most);
		return problem.with(problem.windows().part(count, Math.min(problem.frames(), Math.max(FEW_FRAMES, Math.min(MANY_FRAMES, Math.min(most,
			LAGS_OF_FRAMES) / count.pixels())))));
	}

	@Override
	double ratio() {
		return (double) whole.responses() / measured.responses();
	}

	@Override
	Execution prepare(final SlidingPlan plan) {
		return plan.prepare(templates);
	}

	@Override
	void run(final Execution execution, final Monitor monitor) {
		final Deque<CompletableFuture<Report>> inFlight = new ArrayDeque<>();
		RuntimeException failure = null;
		for (long f = 0; f < measured.frames() || !inFlight.isEmpty();) {
			if (f < measured.frames() && failure == null && inFlight.size() < execution.depth()) {
				inFlight.add(execution.submit(pixels, lags, sink(), monitor));
				f++;
				continue;
			}
			if (inFlight.isEmpty()) break;
			try {
				execution.await(inFlight.poll());
			}
			catch (final RuntimeException e) {
				failure = DeviceException.reason(e);
			}
		}
		if (failure != null) throw failure;
	}

	/** A call makes new maps. To allocate and to fill them takes as long as quick algorithms compute. */
	private Sink sink() {
		final long responses = measured.responses() / measured.frames();
		return measured.result().isMap() && responses <= Math.min(MAX_MAP, Runtime.getRuntime().maxMemory() / (HEAP_SHARE * Double.BYTES))
			? new MapInMemory(measured.lags().count(), measured.templates().size(), measured.precision(),
				measured.result().type()) : new Discard(measured.result().type());
	}

	/** @param responseType the type of the responses that an execution passes */
	private record Discard(ResponseType responseType) implements Sink {

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {}

		@Override
		public void peaks(final int template, final BoxPeaks found) {}

		/** Matching keeps few peaks, so a measurement does the same. */
		@Override
		public float minScore() {
			return MIN_SCORE;
		}

		@Override
		public void best(final long[] min, final int[] size, final FloatBuffer greatest, final Buffer which) {}
	}
}
