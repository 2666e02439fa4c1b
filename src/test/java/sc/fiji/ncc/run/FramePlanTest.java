package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.sink.ResponseMaps;

/** The frames of one size. */
@Timeout(60)
class FramePlanTest {

	private static final Size TEMPLATE = Size.of(4, 5);
	private static final long LAGS = 27L * 16;

	private final FakeDevice device = new FakeDevice();
	private final Img<UnsignedByteType> image = RandomPixels.image(1, 30, 20);

	private final FrameOperation op = new FrameOperation() {

		@Override
		public int dimensions() {
			return 2;
		}

		@Override
		public String noun() {
			return "template";
		}

		@Override
		public int threads() {
			return 1;
		}

		/** Several boxes. */
		@Override
		public long maxLags() {
			return 100;
		}

		@Override
		public Monitor monitor() {
			return Monitor.NONE;
		}

		@Override
		public List<Template> templates() {
			final double[] values = new double[20];
			values[3] = 7;
			return List.of(new Template(TEMPLATE, PixelType.U8, values, null));
		}

		@Override
		public List<ResponseLayout> layouts(final RandomAccessibleInterval<?> frame) {
			return List.of(new ResponseLayout(TEMPLATE, frame.dimensionsAsLongArray(), Extent.VALID, null, -1, null, MissingPixels.NONE));
		}

		@Override
		public Ranking rank(final RandomAccessibleInterval<?> frame, final TemplateBank bank, final BoxGrid boxes, final long frames, final Result kind) {
			final Problem problem = new Problem(PixelType.U8, PixelType.U8, Size.of(30, 20), List.of(TEMPLATE), Weights.NONE, Lags.inside(Size.of(27, 16)), 1);
			final Algorithm algorithm = device.algorithms().get(0);
			final Device d = device.devices().get(0);
			return new Ranking(problem, List.of(new Candidate("fake", algorithm, d, algorithm.plan(problem, d), OptionalDouble.empty(), 0, "")));
		}
	};

	/** Then the thread that computed the last box makes the result. */
	@Test
	void aResultForWhichNoThreadCanBeStartedIsMadeNevertheless() throws Exception {
		final AtomicBoolean first = new AtomicBoolean(true);
		final Executor finishers = task -> {
			if (first.getAndSet(false)) throw new OutOfMemoryError("unable to create native thread");
			ForkJoinPool.commonPool().execute(task);
		};
		final FramePlan<Response> plan = new FramePlan<>(op, image, 2, Result.MAP,
			(like, layouts, stop) -> new ResponseMaps(like, layouts, Undefined.ZERO, Precision.SINGLE), Monitor.NONE, finishers);
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
