package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.deform.DeformedCells;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.DeformationFit;
import sc.fiji.ncc.motion.DeformationFit.Fitted;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformAlgorithm;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;

/** A device that fails within a frame: the next candidate repeats the frame, and measures all others. */
class FailingDeformationTest {

	/**
	 * Costs nothing. Sums some passes, then fails. It overwrites the frame that it was given.
	 *
	 * @param together frames wait for so many executions, but not for ever
	 */
	private record Failing(int good, AtomicInteger summed, AtomicInteger closed, long bytes, AtomicInteger opened, CountDownLatch together)
		implements DeformAlgorithm {

		Failing(final int good, final long bytes) {
			this(good, bytes, 0);
		}

		Failing(final int good, final long bytes, final int together) {
			this(good, new AtomicInteger(), new AtomicInteger(), bytes, new AtomicInteger(), new CountDownLatch(together));
		}

		@Override
		public String id() {
			return "test-deform";
		}

		@Override
		public DeformPlan plan(final Deformations problem, final Device device) {
			return new DeformPlan() {

				@Override
				public Cost cost() {
					return new Cost(0, 0, 0, bytes);
				}

				@Override
				public DeformExecution prepare(final int threads) {
					opened.incrementAndGet();
					together.countDown();
					return new Execution(new DeformedCells(problem, 1));
				}
			};
		}

		private final class Execution implements DeformExecution {

			private final DeformedCells cells;

			Execution(final DeformedCells cells) {
				this.cells = cells;
			}

			@Override
			public void frame(final float[] values, final boolean coarse) {
				try {
					// the reference comes first, and alone
					if (coarse) together.await(10, TimeUnit.SECONDS);
				}
				catch (final InterruptedException e) {
					throw new IllegalStateException(e);
				}
				cells.frame(values.clone(), coarse);
				Arrays.fill(values, 7);
			}

			@Override
			public float[] deformed(final int level, final double[][] motion) {
				return cells.deformed(level, motion);
			}

			@Override
			public double[][] sums(final int level, final DeformReference reference, final double[][] motion, final boolean exact) {
				if (summed.incrementAndGet() > good) throw new DeviceException("the device is lost");
				return cells.sums(level, reference, motion, exact);
			}

			@Override
			public void close() {
				closed.incrementAndGet();
				cells.close();
			}
		}
	}

	@TempDir
	private Path folder;

	@Test
	void theNextCandidateRepeatsTheFrame() {
		final RandomAccessibleInterval<?> stack = new DeformedStack(128, 4, 128, 3, 400, 3).stack();
		// 9 passes: within the second frame
		final Failing failing = new Failing(9, 0);
		final List<Fitted> expected = fits(stack, List.of(new CpuBackend(1))),
			found = fits(stack, List.of(new FakeBackend(new Device("test", "a test", 1, 1L << 30), List.of(failing)), new CpuBackend(1)));
		assertEquals(10, failing.summed.get());
		assertEquals(1, failing.closed.get());
		for (int t = 0; t < 3; t++) {
			for (int d = 0; d < 2; d++) assertArrayEquals(expected.get(t).motion()[d], found.get(t).motion()[d], "frame " + t);
			assertEquals(expected.get(t).score(), found.get(t).score());
			assertEquals(expected.get(t).residual(), found.get(t).residual());
			assertTrue(found.get(t).valid() > 0.5 && found.get(t).valid() <= 1, found.get(t).toString());
			assertTrue(found.get(t).residual() > 0 && found.get(t).residual() < 1, found.get(t).toString());
		}
	}

	/** Each frame that is measured at once has an execution of its own. On a device with memory of its own frames wait, so there are 6 for 4 threads. */
	@Test
	void framesAreMeasuredAtOnceAsFarAsTheDevicesMemoryAllows() {
		final List<RandomAccessibleInterval<?>> frames = Frames.of(new DeformedStack(128, 12, 128, 3, 400, 3).stack(), 2);
		final List<FrameShift> shifts = IntStream.range(0, 12)
			.mapToObj(t -> new FrameShift(t, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.OK))
			.toList();
		for (final int held : new int[] { 0, 1, 3, 9 }) {
			final int expected = held == 0 ? 4 : Math.min(held, 6);
			final Failing fake = new Failing(Integer.MAX_VALUE, held == 0 ? 0 : 1000 / held, expected);
			final ComputeOptions options = ComputeOptions.DEFAULT.threads(4).planner(new Planner(List.of(
				new FakeBackend(new Device("test", "a test", 1, 1000), List.of(fake)), new CpuBackend(1)), folder.resolve("wisdom")));
			new PiecewiseMeasurement(Components.with(Components.with(DriftSettings.DEFAULT, DriftSettings::piecewise, Size.of(64, 64)),
				DriftSettings::reference, DriftReference.FIRST), options, Size.of(128, 128), f -> f).drift(frames, shifts);
			assertEquals(expected, fake.opened.get());
			assertEquals(fake.opened.get(), fake.closed.get());
		}
	}

	/** A level ends when the motion has settled. Two levels of boxes take up to three passes each, and pixels one. */
	@Test
	void aFitThatBeginsAtItsMotionTakesFewPasses() {
		final RandomAccessibleInterval<?> stack = new DeformedStack(128, 2, 128, 3, 400, 3).stack();
		final Failing counting = new Failing(Integer.MAX_VALUE, 0);
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1)
			.planner(new Planner(List.of(new FakeBackend(new Device("test", "a test", 1,
			1L << 30), List.of(counting)), new CpuBackend(1)), folder.resolve("wisdom")));
		try (DeformationFit fit = new DeformationFit(Size.of(64, 64), MissingPixels.NONE, options, Size.of(128, 128), 2)) {
			final double[][] still = new double[2][fit.windows()];
			final DeformationFit.Reference reference = fit.new Reference(fit.corrected(Views.hyperSlice(stack, 2, 0), 0, still), true);
			final Fitted first = fit.fit(reference, Views.hyperSlice(stack, 2, 1), 1, still, true);
			counting.summed.set(0);
			final Fitted again = fit.fit(reference, Views.hyperSlice(stack, 2, 1), 1, first.motion(), true);
			assertTrue(counting.summed.get() < 3 + 3 + 1, counting.summed.get() + " passes");
			for (int d = 0; d < 2; d++) assertArrayEquals(first.motion()[d], again.motion()[d], 0.1);
		}
	}

	/** Windows have 16 boxes or more along each dimension, and are no larger than the frame. */
	@Test
	void boxesOfTheFirstPasses() {
		assertArrayEquals(new int[] { 4, 2 }, DeformationFit.boxes(Size.of(64, 63), new long[] { 512, 400 }));
		assertArrayEquals(new int[] { 1, 4 }, DeformationFit.boxes(Size.of(64, 64), new long[] { 20, 512 }));
	}

	/** As a GPU has none for volumes. The search and the shifts may use it. */
	@Test
	void theCpuDeformsWhatTheSelectedBackendCannot() {
		final Device device = new Device("test", "a test", 1, 1L << 30);
		final Deformations problem = new Deformations(Size.of(40, 40, 20), Size.of(16, 16, 8), 3);
		for (final boolean can : new boolean[] { false, true }) {
			final FakeBackend selected = new FakeBackend(device, can ? List.of(new Failing(0, 0)) : List.of());
			final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).backend("test")
				.planner(new Planner(List.of(selected, new CpuBackend(1)), folder.resolve("wisdom")));
			assertEquals(can ? "test-deform" : "cpu-deform", DeformationFit.rank(problem, options).best().orElseThrow().name());
		}
	}

	/** The deformations of all frames against the first one. */
	private List<Fitted> fits(final RandomAccessibleInterval<?> stack, final List<Backend> backends) {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).planner(new Planner(backends, folder.resolve("wisdom")));
		try (DeformationFit fit = new DeformationFit(Size.of(64, 64), MissingPixels.NONE, options, Size.of(128, 128), 3)) {
			final double[][] still = new double[2][fit.windows()];
			final DeformationFit.Reference reference = fit.new Reference(fit.corrected(Views.hyperSlice(stack, 2, 0), 0, still), true);
			return IntStream.rangeClosed(1, 3).mapToObj(t -> fit.fit(reference, Views.hyperSlice(stack, 2, t), t, still, true)).toList();
		}
	}
}
