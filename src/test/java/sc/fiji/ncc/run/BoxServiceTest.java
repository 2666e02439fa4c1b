package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.SlidingTemplates;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Planner;

/** Boxes that threads submit for two banks of templates, and the threads that compute them. */
@Timeout(60)
class BoxServiceTest {

	private static final long[][] BOX = { { 2, 3 }, { 5, 4 } };
	private static final Runnable NOTHING = () -> {};

	private final FakeDevice device = new FakeDevice();
	private final Img<UnsignedByteType> image = RandomPixels.image(1, 30, 20);

	private BoxService service(final int... maxBoxes) {
		final List<Template> templates = Stream.of(Size.of(4, 5), Size.of(6, 5)).map(s -> new Template(s, PixelType.U8,
			IntStream.range(0, (int) s.pixels()).asDoubleStream().toArray(), null)).toList();
		final SlidingCall op = new SlidingCall(new SlidingTemplates(templates), new SlidingSettings(Extent.VALID, Undefined.ZERO),
			ComputeOptions.DEFAULT.planner(new Planner(List.of(device))), null);
		final List<TemplateBank> banks = TemplateBank.of(templates, op.layouts(image));
		return new BoxService(banks, op.rank(image, banks, Result.MAP), maxBoxes, Monitor.NONE);
	}

	/** @param received called when a box's responses arrive */
	private CompletableFuture<Report> submit(final BoxService service, final int bank, final Runnable received) {
		return service.submit(bank, image, 0, BOX, new Sink() {

			@Override
			public float undefined() {
				return 0;
			}

			@Override
			public void map(final int template, final long[] min, final int[] size, final Buffer from) {
				received.run();
			}
		});
	}

	private static void await(final CountDownLatch latch) {
		try {
			assertTrue(latch.await(1, TimeUnit.MINUTES));
		}
		catch (final InterruptedException e) {
			throw new AssertionError(e);
		}
	}

	private void awaitAllClosed() throws InterruptedException {
		for (int i = 0; i < 1000 && device.open.get() > 0; i++) Thread.sleep(10);
		assertEquals(0, device.open.get());
	}

	@Test
	void theThreadThatComputesCanClose() throws Exception {
		final BoxService service = service(1, 1);
		final CountDownLatch waiting = new CountDownLatch(1);
		final CompletableFuture<Void> closed = submit(service, 0, () -> await(waiting)).thenRun(service::close);
		waiting.countDown();
		closed.get(20, TimeUnit.SECONDS);
		awaitAllClosed();
	}

	/** The failure of one bank ends the threads of all, and is that of all later boxes. */
	@Test
	void aFailureEndsTheService() throws InterruptedException {
		try (BoxService service = service(1, 1)) {
			submit(service, 1, NOTHING).join();
			assertEquals(1, device.open.get());
			final IllegalStateException failure = new IllegalStateException("the store is full");
			final CompletableFuture<Report> failed = submit(service, 0, () -> {
				throw failure;
			});
			assertSame(failure, assertThrows(CompletionException.class, failed::join).getCause());
			awaitAllClosed();
			for (int bank = 0; bank < 2; bank++)
				assertSame(failure, assertThrows(CompletionException.class, submit(service, bank, NOTHING)::join).getCause());
		}
	}

	@Test
	void anInterruptedThreadCloses() {
		final BoxService service = service(1, 1);
		submit(service, 0, NOTHING).join();
		Thread.currentThread().interrupt();
		service.close();
		assertTrue(Thread.interrupted(), "the interrupt is not lost");
		assertEquals(0, device.open.get());
	}

	@Test
	void eachBankHasItsNumberOfBoxesInFlight() {
		device.depth = 8;
		device.latency = 40;
		try (BoxService service = service(4, 1)) {
			for (int bank = 1; bank >= 0; bank--) {
				final int b = bank;
				IntStream.range(0, 8).mapToObj(i -> submit(service, b, NOTHING)).toList().forEach(CompletableFuture::join);
				assertEquals(bank == 1 ? 1 : 4, device.mostInFlight.get());
			}
		}
	}

	@Test
	void aFeedWaitsNoLongerThanItsMonitor() {
		assertNull(new BankFeed(null, null, 1, Monitor.canceledIf(() -> true)).next(null));
		assertNull(new BankFeed(null, null, 1, Monitor.NONE).next(CompletableFuture.completedFuture(null)));
		Thread.currentThread().interrupt();
		assertEquals("interrupted", assertThrows(CancellationException.class, () -> new BankFeed(null, null, 1, Monitor.NONE).next(null))
			.getMessage());
		assertTrue(Thread.interrupted());
	}
}
