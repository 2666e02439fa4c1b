package sc.fiji.ncc.windows;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;

/**
 * Each window of a frame is a template with its own origin of lags. The fastest algorithm of the device for templates correlates many of
 * them together, by estimate. Windows that overlap share no work. Windows with missing pixels, or whose lags reach beyond the frame, are
 * correlated apart from the others.
 */
public final class TemplateWindows implements WindowAlgorithm {

	/** The largest number of windows that are correlated together, whole ones and others, of their pixels, and of their responses. */
	private static final int WHOLE = 1024, PARTIAL = 32, PIXELS = 1 << 22, RESPONSES = 1 << 23;

	private final String id;
	private final List<? extends SlidingAlgorithm<?>> correlations;

	/** @param sliding algorithms of the device */
	public TemplateWindows(final String id, final List<SlidingAlgorithm<?>> sliding) {
		this.id = id;
		correlations = sliding.stream().filter(a -> a.kind() == Sliding.Correlation.class && a.precisions().contains(Precision.SINGLE)).toList();
	}

	@Override
	public String id() {
		return id;
	}

	@Override
	public Optional<String> unsupported(final WindowPairs p) {
		return p.window().pixels() > PIXELS || p.lags().pixels() > RESPONSES ? Optional.of("it supports windows of at most " + PIXELS + " pixels, and " + RESPONSES
			+ " lags") : Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final WindowPairs p, final Device device) {
		return unsupported(p).or(() -> {
			for (final boolean partial : new boolean[] { false, true }) if (best(bank(p, partial), device).isEmpty()) return Optional.of(
				"no algorithm of the device computes " + bank(p, partial));
			return Optional.empty();
		});
	}

	/** Windows that are correlated together. */
	private static Sliding.Correlation bank(final WindowPairs p, final boolean partial) {
		final int n = (int) Math.max(1, Math.min(Math.min(p.count().pixels(), partial ? PARTIAL : WHOLE), Math.min(PIXELS / p.window().pixels(),
			RESPONSES / p.lags().pixels())));
		final Weights all = p.shape() == WindowPairs.Shape.GAUSSIAN ? Weights.REAL : p.shape() == WindowPairs.Shape.CIRCLE ? Weights.BINARY : Weights.NONE;
		final Lags lags = (partial ? new Lags(p.lags(), true, p.masked(), p.minOverlap()) : Lags.inside(p.lags())).apart(true);
		return new Sliding.Correlation(new Sliding.Windows(p.image(), p.image(), p.frame(), Collections.nCopies(n, p.window()), lags, 1, Precision.SINGLE), partial
			&& all == Weights.NONE ? Weights.BINARY : all, 1, Result.MAP);
	}

	private Optional<SlidingPlan> best(final Sliding.Correlation bank, final Device device) {
		return correlations.stream().filter(a -> a.refuses(bank, device).isEmpty()).map(a -> a.planAny(bank, device)).min(Comparator.comparingDouble(
			plan -> plan.cost().seconds())).map(SlidingPlan.class::cast);
	}

	@Override
	public WindowPlan plan(final WindowPairs p, final Device device) {
		final Sliding.Correlation whole = bank(p, false), partial = bank(p, true);
		final SlidingPlan plan = best(whole, device).orElseThrow(), ofPartial = best(partial, device).orElseThrow();
		return new WindowPlan() {

			@Override
			public Cost cost() {
				final double all = p.count().pixels(), inside = inside(p);
				final Cost a = plan.cost(), b = ofPartial.cost();
				// templates are prepared again for each batch
				final double pair = a.seconds() * Math.ceil(inside / whole.templates().size()) + b.seconds() * Math.ceil((all - inside) / partial.templates().size());
				// the values and weights of the templates of a batch, and its maps
				final long heap = whole.templates().size() * Double.BYTES * (2 * p.window().pixels() + p.lags().pixels());
				return new Cost(p.frames() * pair, Math.max(a.startSeconds(), b.startSeconds()), heap + a.hostBytes() + b.hostBytes(), a.deviceBytes() + b.deviceBytes());
			}

			@Override
			public WindowExecution prepare(final int threads) {
				return new TemplateExecution(p, new TemplateExecution.Bank(plan, whole.templates().size()),
					new TemplateExecution.Bank(ofPartial, partial.templates().size()), threads);
			}
		};
	}

	/** The number of windows whose lags do not reach beyond the frame. */
	private static double inside(final WindowPairs p) {
		double n = 1;
		for (int d = 0; d < p.frame().dimensions(); d++) {
			final long shift = p.shift(d), spacing = p.spacing().get(d), low = (shift + spacing - 1) / spacing,
				high = Math.floorDiv(p.frame().get(d) - p.window().get(d) - shift, spacing);
			n *= Math.max(0, high - low + 1);
		}
		return n;
	}
}
