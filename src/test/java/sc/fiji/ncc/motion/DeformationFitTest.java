package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.FakeWindows;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.DeformationFit.Fitted;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.planner.Planner;

/** Fits of frames with few objects, or with a motion that is known. */
class DeformationFitTest {

	@TempDir
	private Path folder;

	private DeformationFit fit(final int window, final int width, final int height, final List<Backend> backends) {
		return new DeformationFit(Size.of(window, window), MissingPixels.NONE, ComputeOptions.DEFAULT.threads(1).planner(new Planner(backends,
			folder.resolve("wisdom"))), Size.of(width, height), 1);
	}

	private static Fitted fit(final DeformationFit fit, final RandomAccessibleInterval<?> still, final RandomAccessibleInterval<?> moved) {
		final double[][] none = new double[2][fit.windows()];
		return fit.fit(fit.new Reference(fit.corrected(still, 0, none), true), moved, 1, none, true);
	}

	/** A dark frame with spots in squares of 10 pixels, whose first pixels are given. @param shift moves them along x */
	private static Img<FloatType> frame(final int width, final int height, final double shift, final int[]... squares) {
		final Img<FloatType> frame = ArrayImgs.floats(width, height);
		final Random random = new Random(2);
		for (final int[] square : squares)
			for (int s = 0; s < 5; s++) {
				final double x = square[0] + 2 + 6 * random.nextDouble() + shift, y = square[1] + 2 + 6 * random.nextDouble();
				for (int j = -6; j <= 6; j++) for (int i = -6; i <= 6; i++) {
					final int px = (int) x + i, py = (int) y + j;
					if (px < 0 || py < 0 || px >= width || py >= height) continue;
					final double r = (px - x) * (px - x) + (py - y) * (py - y);
					frame.getAt(px, py).set((float) (frame.getAt(px, py).get() + 100 * Math.exp(-r / 2)));
				}
			}
		return frame;
	}

	/** Windows are half a window apart, so an object is in four of them: the others are dark. That is enough, whatever lies beside it. */
	@Test
	void oneObjectIsEnough() {
		final int[] square = { 67, 67 };
		double residual = 0;
		for (final int width : new int[] { 144, 240 })
			try (DeformationFit fit = fit(32, width, 144, List.of(new CpuBackend(1)))) {
				final Fitted found = fit(fit, frame(width, 144, 0, square), frame(width, 144, 0.7, square));
				assertEquals(4.0 / fit.windows(), found.valid(), 1e-12);
				// the object lies between these windows
				final int row = fit.count()[0];
				for (final int window : new int[] { 4 * row + 4, 4 * row + 5, 5 * row + 4, 5 * row + 5 }) assertEquals(0.7, found.motion()[0][window], 0.1);
				if (residual > 0) assertEquals(residual, found.residual(), 0.1 * residual);
				residual = found.residual();
				assertTrue(residual > 0);
				assertNull(fit(fit, frame(width, 144, 0, square), ArrayImgs.floats(width, 144)));
			}
	}

	/** The first pixels of about half of the squares of a frame. */
	private static int[][] squares(final int side) {
		final Random random = new Random(1);
		return IntStream.range(0, side * side / 100).filter(i -> random.nextBoolean())
			.mapToObj(i -> new int[] { 10 * (i % (side / 10)), 10 * (i / (side / 10)) }).toArray(int[][]::new);
	}

	/** The search at the start reaches a third of a window. */
	@Test
	void aMotionOfAThirdOfAWindowIsFound() {
		try (DeformationFit fit = fit(64, 200, 200, List.of(new CpuBackend(1)))) {
			for (final double shift : new double[] { 20, -20 }) {
				final Fitted found = fit(fit, frame(200, 200, 0, squares(200)), frame(200, 200, shift, squares(200)));
				assertEquals(shift, found.motion()[0][fit.windows() / 2], 0.1);
			}
		}
	}

	@Test
	void theExecutionOfTheSearchIsClosed() {
		final WindowAlgorithm good = (WindowAlgorithm) new CpuBackend(1).algorithms().stream().filter(a -> a.id().equals("cpu-windows")).findFirst()
			.orElseThrow();
		final AtomicInteger open = new AtomicInteger();
		final List<Backend> backends = List.of(new FakeBackend(new Device("test", "a test", 1, 1L << 30), List.of(new FakeWindows(new Cost(0, 0, 0, 0),
			(problem, device, threads) -> counted(good.plan(problem, device).prepare(threads), open)))), new CpuBackend(1));
		try (DeformationFit fit = fit(32, 100, 100, backends)) {
			fit(fit, frame(100, 100, 0, squares(100)), frame(100, 100, 1, squares(100)));
			assertEquals(1, open.get());
		}
		assertEquals(0, open.get());
	}

	/** The same execution, which counts how many are open. */
	private static WindowExecution counted(final WindowExecution execution, final AtomicInteger open) {
		open.incrementAndGet();
		return new WindowExecution() {

			@Override
			public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to, final Monitor monitor) {
				return execution.search(fixed, moving, wanted, to, monitor);
			}

			@Override
			public void close() {
				open.decrementAndGet();
				execution.close();
			}
		};
	}
}
