package sc.fiji.ncc.planner;

import java.util.List;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.window.FoundWindow;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;

/** Two frames of noise with the windows of a problem. Large frames are replaced by smaller ones, and many pairs by one. */
final class WindowWorkload extends Workload<WindowPairs, WindowPlan, WindowExecution> {

	/** Integers and floats, many and few lags, windows that overlap and others, missing pixels, a volume. */
	static final Kind<WindowPairs> KIND = new Kind<>(WindowPairs.class, WindowWorkload::part, WindowWorkload::new, List.of(
		windows(PixelType.U8, false, 32, 16, 25, 200, 200), windows(PixelType.U16, false, 32, 16, 25, 200, 200), windows(PixelType.F32, true, 32, 16, 7, 200, 200),
		windows(PixelType.U8, false, 24, 24, 9, 200, 200), windows(PixelType.F32, false, 12, 6, 5, 40, 40, 30)), List.of());

	private static WindowPairs windows(final PixelType type, final boolean masked, final long window, final long spacing, final long lags, final long... frame) {
		final long[] windows = new long[frame.length], apart = new long[frame.length], count = new long[frame.length];
		for (int d = 0; d < frame.length; d++) {
			windows[d] = window;
			apart[d] = spacing;
			count[d] = lags;
		}
		return new WindowPairs(type, Size.of(frame), Size.of(windows), Size.of(apart), Size.of(count), masked, 0.5, 1);
	}

	private final Pixels fixed, moving;

	private WindowWorkload(final WindowPairs whole, final WindowPairs measured) {
		super(whole, measured, WindowPlan.class);
		fixed = new RandomPixels(measured.image(), measured.frame(), 1, 1, 1, measured.masked());
		moving = new RandomPixels(measured.image(), measured.frame(), 1, 2, 1, measured.masked());
	}

	/** The problem with one pair and at most so many responses, but with a few windows along each dimension. */
	private static WindowPairs part(final WindowPairs problem, final long most) {
		return problem.of(halved(problem.frame(), d -> problem.window().get(d) + 3 * problem.spacing().get(d) + problem.lags().get(d),
			s -> problem.of(s, 1).responses() <= most), 1);
	}

	@Override
	double ratio() {
		return (double) whole.responses() / measured.responses();
	}

	@Override
	WindowExecution prepare(final WindowPlan plan) {
		return plan.prepare(Runtime.getRuntime().availableProcessors());
	}

	@Override
	void run(final WindowExecution execution, final Monitor monitor) {
		execution.search(fixed, moving, null, new WindowExecution.Receiver() {

			@Override
			public void take(final int window, final double[] responses, final double error) {}

			@Override
			public WindowExecution.Wanted wanted() {
				return WindowExecution.Wanted.PEAKS;
			}

			@Override
			public void take(final int window, final FoundWindow found) {}
		}, monitor);
	}
}
