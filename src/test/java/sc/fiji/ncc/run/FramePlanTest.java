package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.util.ConstantUtils;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sc.fiji.ncc.fixture.DelegatingAlgorithm;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.SlidingTemplates;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.SlidingSettings;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.CountedFrames;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.sink.ResponseMaps;

/** The frames of one size. */
@Timeout(60)
class FramePlanTest {

	private static final Size TEMPLATE = Size.of(4, 5);
	private static final long LAGS = 27L * 16;

	private final FakeDevice device = new FakeDevice();
	private final Img<UnsignedByteType> image = RandomPixels.image(1, 30, 20);

	private int threads = 1, templates = 1;
	private SlidingSettings settings = new SlidingSettings(Extent.VALID, Undefined.ZERO);
	/** Several boxes. */
	private long maxLags = 100;
	private Device where = device.devices().get(0);
	/** The blocks of memory of the device for frames. */
	private final AtomicInteger staged = new AtomicInteger(), released = new AtomicInteger();

	/** The fake device under the name {@link #where}, with memory for frames. */
	private Backend backend() {
		return new FakeBackend("fake", where, List.of(new DelegatingAlgorithm(Problems.correlations(device).get(0)) {

			@Override
			public SlidingPlan plan(final Correlation problem, final Device on) {
				return staging(algorithm.plan(problem, on));
			}
		}), false);
	}

	private SlidingPlan staging(final SlidingPlan plan) {
		return new SlidingPlan() {

			@Override
			public Cost cost() {
				return plan.cost();
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				return plan.prepare(templates);
			}

			@Override
			public Staging staging(final long bytes) {
				staged.incrementAndGet();
				return new Block(ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder()));
			}
		};
	}

	private SlidingCall op(final int channels) {
		final double[] values = new double[20 * channels];
		values[3] = 7;
		return new SlidingCall(new SlidingTemplates(Collections.nCopies(templates,
			new Template(TEMPLATE, PixelType.U8, values, null, channels))),
			Components.with(settings, SlidingSettings::maxLags, maxLags),
			ComputeOptions.DEFAULT.threads(threads).planner(new Planner(List.of(backend()))), null);
	}

	/** Counts how often it is closed. */
	private final class Block implements SlidingPlan.Staging {

		private final ByteBuffer bytes;

		Block(final ByteBuffer bytes) {
			this.bytes = bytes;
		}

		@Override
		public ByteBuffer bytes() {
			return bytes;
		}

		@Override
		public void close() {
			released.incrementAndGet();
		}
	}

	@Test
	void aStreamReleasesTheMemoryOfItsFrames() {
		final StreamReport report = new FrameStream<>(op(1), List.of(image, image), Result.MAP,
			(like, layouts, stop) -> new ResponseMaps(like, layouts, Undefined.ZERO, Precision.SINGLE, ResponseType.FLOAT))
			.run((frame, response) -> {});
		assertEquals(2 * LAGS, report.report().responses());
		assertTrue(staged.get() > 0);
		assertEquals(staged.get(), released.get());
		assertEquals(0, device.open.get());
	}

	/** One frame for each thread and 3 more, at most 6 for a device. Large frames and their maps have a quarter of the heap, and at least 3 frames. */
	@Test
	void framesInFlight() {
		maxLags = Long.MAX_VALUE;
		final long heap = Runtime.getRuntime().maxMemory();
		// 9 bytes a pixel with the map, which has a few pixels less
		final long width = heap / 4 * 2 / 11 / 9 / 5000;
		final RandomAccessibleInterval<?> large = flat(width, 5000), huge = flat(1 << 20, 1 << 20);
		assertEquals(4, frames(image, Result.MAP));
		threads = 8;
		assertEquals(6, frames(image, Result.MAP));
		assertEquals(5, frames(large, Result.MAP));
		assertEquals(3, frames(huge, Result.MAP));
		templates = 2;
		assertEquals(5, frames(large, Result.BEST), "templates share one map");
		assertEquals(3, frames(large, Result.MAP));
		templates = 1;
		where = new Device("cpu", "CPU", 1, 1);
		assertEquals(11, frames(image, Result.MAP));
		assertEquals(11, frames(huge, Result.PEAKS), "it stays where it is");
		// all channels of a frame share a third of the memory for frames, so two of more than a 24th of the heap stay where they are
		final RandomAccessibleInterval<?> channel = flat(heap / 16 / 5000, 5000);
		assertEquals(11, frames(JointImage.of(List.of(channel, channel)), Result.PEAKS));
		final RandomAccessibleInterval<?> less = flat(heap / 26 / 5000, 5000);
		assertEquals(3, frames(JointImage.of(List.of(less, less)), Result.PEAKS), "a quarter of the heap for frames of a 13th");
	}

	/** A source states how many frames it expects. */
	@Test
	void framesAreExpected() {
		final CountedFrames frames = new CountedFrames() {

			@Override
			public Iterator<RandomAccessibleInterval<?>> iterator() {
				return List.<RandomAccessibleInterval<?>>of(image, image).iterator();
			}

			@Override
			public long expected() {
				return 77;
			}
		};
		final StreamReport report = new FrameStream<>(op(1), frames, Result.MAP,
			(like, layouts, stop) -> new ResponseMaps(like, layouts, Undefined.ZERO, Precision.SINGLE, ResponseType.FLOAT))
				.run((frame, response) -> {});
		assertEquals(2, report.frames());
		assertTrue(report.rankings().get(0).problem().toString().contains("77 frames"), report.rankings().toString());
	}

	@Test
	void aPlanIsForFramesOfOneKind() {
		final FramePlan<Response> plan = new FramePlan<>(op(1), image, 2, Result.MAP, (first, layouts, stop) -> null, Monitor.NONE,
			Runnable::run);
		assertTrue(plan.fits(RandomPixels.image(2, 30, 20)));
		assertFalse(plan.fits(RandomPixels.image(2, 20, 30)));
		assertFalse(plan.fits(ArrayImgs.bytes(30, 20)));
		assertFalse(plan.fits(JointImage.of(List.of(image, image))));
	}

	/** All windows of the searched column extend beyond the frame. */
	@Test
	void framesWithoutLagsNeedNoDevice() {
		settings = new SlidingSettings(Extent.SAME, Border.UNDEFINED, Undefined.ZERO, FinalInterval.createMinSize(0, 0, 1, 20),
			ResponseType.FLOAT,
			SlidingSettings.MAX_LAGS, Long.MAX_VALUE);
		final StreamReport report = new FrameStream<>(op(1), List.of(image, image), Result.MAP,
			(like, layouts, stop) -> new ResponseMaps(like, layouts, Undefined.ZERO, Precision.SINGLE, ResponseType.FLOAT))
			.run((frame, response) -> assertEquals(20, response.map().size()));
		assertEquals(2, report.frames());
		assertEquals(0, report.report().responses());
		try (KeptExecutions kept = new KeptExecutions(PixelType.U8, Size.of(30, 20))) {
			assertEquals(1, op(1).keeping(kept).open(image).size());
		}
		assertEquals(0, device.prepared.get());
	}

	private static RandomAccessibleInterval<?> flat(final long width, final long height) {
		return ConstantUtils.constantRandomAccessibleInterval(new UnsignedByteType(3), FinalInterval.createMinSize(0, 0, width, height));
	}

	private int frames(final RandomAccessibleInterval<?> like, final Result kind) {
		final FramePlan<Response> plan = new FramePlan<>(op(JointImage.channels(like)), like, 2, kind, (first, layouts, stop) -> null,
			Monitor.NONE, Runnable::run);
		int n = 0;
		while (plan.take(like) != null) n++;
		plan.close();
		return n;
	}

	@Test
	void thePlannerExpectsAThousandFramesOfAnUnknownNumber() {
		assertEquals("1000 1 1 7",
			FrameStream.expectedCount(-1) + " " + FrameStream.expectedCount(0) + " " + FrameStream.expectedCount(1) + " "
			+ FrameStream.expectedCount(7));
	}

	/** Then the thread that computed the last box makes the result. */
	@Test
	void aResultForWhichNoThreadCanBeStartedIsMadeNevertheless() throws Exception {
		final AtomicBoolean first = new AtomicBoolean(true);
		final Executor finishers = task -> {
			if (first.getAndSet(false)) throw new OutOfMemoryError("unable to create native thread");
			ForkJoinPool.commonPool().execute(task);
		};
		final FramePlan<Response> plan = new FramePlan<>(op(1), image, 2, Result.MAP,
			(like, layouts, stop) -> new ResponseMaps(like, layouts, Undefined.ZERO, Precision.SINGLE, ResponseType.FLOAT),
			Monitor.NONE, finishers);
		plan.start(t -> {
			throw new AssertionError(t);
		});
		for (int i = 0; i < 2; i++) {
			final FramePlan.Frame<Response> frame = plan.take(image);
			plan.read(frame, image, i);
			plan.submit(frame);
			assertEquals(LAGS, frame.result.get(30, TimeUnit.SECONDS).report().responses());
			assertEquals(LAGS, FramePlan.report(frame).responses());
			plan.release(frame);
		}
		plan.end();
		plan.join();
		plan.close();
		assertEquals(1, device.prepared.get(), "no box was computed again");
		assertEquals(0, device.open.get());
	}
}
