package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.NccException;

/** A device that fails at some block: the next candidate samples this block and all further ones. */
class FailoverSamplerTest {

	private static final Resampling PROBLEM = new Resampling(PixelType.U8, Size.of(2, 1), 2, false, 10);
	/** Means of neighbours: 3, 15. */
	private static final Block BLOCK = new Block.Shifted(PixelType.U8, ByteBuffer.wrap(new byte[] { 2, 4, 26 }), new int[] { 3, 1 },
		new int[] { 2, 1 }, new double[][] { { 0.5, 0.5 }, { 1 } }, new double[] { 0.5, 0 });

	/** Costs nothing. Samples some blocks, then fails. */
	private static final class Failing implements ResampleAlgorithm {

		final AtomicInteger prepared = new AtomicInteger(), closed = new AtomicInteger(), sampled = new AtomicInteger();
		final int good;
		/** Called with a block's number before the block is returned. */
		final IntConsumer before;

		Failing(final int good) {
			this(good, n -> {});
		}

		Failing(final int good, final IntConsumer before) {
			this.good = good;
			this.before = before;
		}

		@Override
		public String id() {
			return "test-resample";
		}

		@Override
		public ResamplePlan plan(final Resampling problem, final Device device) {
			return new ResamplePlan() {

				@Override
				public Cost cost() {
					return new Cost(0, 0, 0, 0);
				}

				@Override
				public Sampler prepare() {
					prepared.incrementAndGet();
					return new Sampler() {

						@Override
						public Object sample(final Block block) {
							final int number = sampled.incrementAndGet();
							if (number > good) throw new DeviceException("lost");
							before.accept(number);
							return new byte[] { 3, 15 };
						}

						@Override
						public void close() {
							closed.incrementAndGet();
						}
					};
				}
			};
		}
	}

	private static Ranking ranking(final Path folder, final Failing failing, final boolean alone) {
		final Backend cpu = new CpuBackend(1);
		final Algorithm<?> other = cpu.algorithms().stream().filter(a -> a.id().equals("cpu-resample")).findFirst().orElseThrow();
		final Backend both = new FakeBackend(cpu.devices().get(0), alone ? List.of(failing) : List.of(failing, other));
		return new Planner(List.of(both), folder.resolve("wisdom.txt")).rank(PROBLEM, Optional.empty(), Optional.empty());
	}

	@Test
	void theNextCandidateContinuesInAllThreads(@TempDir final Path folder) {
		for (final int good : new int[] { 0, 5 }) {
			final Failing failing = new Failing(good);
			final AtomicInteger ranked = new AtomicInteger();
			final FailoverSampler sampler = new FailoverSampler(() -> {
				ranked.incrementAndGet();
				return ranking(folder, failing, false);
			});
			assertEquals(0, ranked.get(), "nothing is ranked before the first block");
			for (int i = 0; i < good + 2; i++) assertArrayEquals(new byte[] { 3, 15 }, (byte[]) sampler.sample(BLOCK));
			assertEquals("cpu-resample", sampler.ranking().best().orElseThrow().name());
			assertEquals(good + 1, failing.prepared.get(), "after its failure a device is left out");
			IntStream.range(0, 100).parallel().forEach(i -> assertArrayEquals(new byte[] { 3, 15 }, (byte[]) sampler.sample(BLOCK)));
			assertEquals(good + 1, failing.sampled.get());
			assertEquals(failing.prepared.get(), failing.closed.get());
			assertEquals(1, ranked.get());
			assertTrue(sampler.ranking().candidates().stream()
				.anyMatch(c -> c.name().equals("test-resample") && c.reason().contains("lost")));
		}
	}

	@Test
	void withoutAnotherCandidateTheReasonIsThrown(@TempDir final Path folder) {
		final Failing failing = new Failing(0);
		final FailoverSampler sampler = new FailoverSampler(() -> ranking(folder, failing, true));
		assertTrue(assertThrows(NccException.class, () -> sampler.sample(BLOCK)).getMessage().contains("lost"));
		assertEquals(failing.prepared.get(), failing.closed.get());
	}

	/** A device fails while it samples another block. That block is returned, and the device stays left out. */
	@Test
	void aBlockThatIsReturnedLaterDoesNotBringADeviceBack(@TempDir final Path folder) {
		final CountDownLatch begun = new CountDownLatch(1), failed = new CountDownLatch(1);
		final Failing failing = new Failing(1, number -> {
			begun.countDown();
			await(failed);
		});
		final FailoverSampler sampler = new FailoverSampler(() -> ranking(folder, failing, false));
		final CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> sampler.sample(BLOCK));
		await(begun);
		assertArrayEquals(new byte[] { 3, 15 }, (byte[]) sampler.sample(BLOCK));
		failed.countDown();
		assertArrayEquals(new byte[] { 3, 15 }, (byte[]) first.join());
		assertEquals("cpu-resample", sampler.ranking().best().orElseThrow().name());
	}

	private static void await(final CountDownLatch latch) {
		try {
			assertTrue(latch.await(1, TimeUnit.MINUTES));
		}
		catch (final InterruptedException e) {
			throw new AssertionError(e);
		}
	}
}
