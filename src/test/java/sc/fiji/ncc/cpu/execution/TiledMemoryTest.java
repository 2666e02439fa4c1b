package sc.fiji.ncc.cpu.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The heap is full at any step of a submission: the submission fails, and the execution goes on and can be closed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TiledMemoryTest {

	private static final int SIDE = 40;
	private static final Template TEMPLATE = new Template(Size.of(1, 1), PixelType.U8, new double[] { 1 }, null);

	/** The number of allocations until the heap is full once. Less than 0: never. */
	private final AtomicInteger inFrame = new AtomicInteger(-1), inWorker = new AtomicInteger(-1), inCompute = new AtomicInteger(-1), inAdopt = new AtomicInteger(-1);
	private final AtomicInteger responses = new AtomicInteger();
	/** The methods that workers have adopted. */
	private final Map<TileMethod.Worker, TileMethod> methods = new HashMap<>();
	private final Pixels in = ImagePixels.of(ArrayImgs.unsignedBytes(SIDE, SIDE));
	private final LagBox lags = new LagBox(new long[][] { { 0, 0 } }, new int[] { SIDE, SIDE });
	private final Sink sink = new Sink() {

		@Override
		public float undefined() {
			return 0;
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {
			responses.addAndGet(from.remaining());
		}
	};

	private static void allocate(final AtomicInteger left) {
		if (left.getAndDecrement() == 0) throw new OutOfMemoryError("Java heap space");
	}

	/** Responses of 1. */
	private final class Ones extends TileMethod {

		Ones() {
			super(new int[] { 8, 8, 8 }, new int[] { 1, 1, 1 });
		}

		@Override
		public long sharedBytes(final int[] size) {
			return 0;
		}

		@Override
		public boolean oneByOne() {
			return true;
		}

		@Override
		public FrameData frame(final Pixels pixels, final long[] origin, final int[] size) {
			allocate(inFrame);
			return null;
		}

		@Override
		public Worker worker() {
			allocate(inWorker);
			return new Worker() {

				@Override
				public boolean adopt(final TileMethod other) {
					allocate(inAdopt);
					methods.put(this, other);
					return true;
				}

				@Override
				public SharedTile share(final Tile tile, final BooleanSupplier stop) {
					throw new AssertionError("nothing is kept");
				}

				@Override
				public Count compute(final Tile tile, final SharedTile shared, final int[] templates, final float undefined, final Buffer buffer,
					final Output out, final BooleanSupplier stop)
				{
					allocate(inCompute);
					final FloatBuffer r = (FloatBuffer) buffer;
					for (int i = 0; i < tile.lags(); i++) r.put(i, 1);
					for (final int t : templates) out.take(t, r);
					return new Count(0, 0);
				}
			};
		}
	}

	private TiledExecution execution(final int threads) {
		return new TiledExecution(List.of(TEMPLATE), Precision.SINGLE, threads, 1, templates -> new Ones(), null);
	}

	private void assertGoesOn(final TiledExecution execution) {
		for (int i = 0; i < 2 * execution.depth(); i++) {
			responses.set(0);
			assertEquals(SIDE * SIDE, execution.submit(in, lags, sink, Monitor.NONE).join().responses());
			assertEquals(SIDE * SIDE, responses.get());
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4 })
	void theDataOfAnImage(final int threads) {
		try (TiledExecution execution = execution(threads)) {
			for (int i = 0; i <= execution.depth(); i++) {
				inFrame.set(0);
				assertThrows(OutOfMemoryError.class, () -> execution.submit(in, lags, sink, Monitor.NONE));
			}
			assertGoesOn(execution);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 4 })
	void aWorkerOrATile(final int threads) {
		try (TiledExecution execution = execution(threads)) {
			for (final AtomicInteger left : List.of(inWorker, inCompute, inCompute)) {
				left.set(left == inWorker ? 0 : 7);
				final CompletionException e = assertThrows(CompletionException.class, () -> execution.submit(in, lags, sink, Monitor.NONE).join());
				assertInstanceOf(DeviceException.class, e.getCause());
				assertTrue(e.getCause().getMessage().contains("increase the heap (-Xmx)"));
			}
			assertGoesOn(execution);
		}
	}

	/** A worker of other templates would give wrong responses. */
	@Test
	void theChangeOfTemplates() {
		final List<TileGroup> before = TileGroup.of(List.of(TEMPLATE), templates -> new Ones()), after = TileGroup.of(List.of(TEMPLATE), templates -> new Ones());
		final List<TileMethod.Worker> workers = new ArrayList<>();
		for (int i = 0; i < 3; i++) workers.add(before.get(0).acquire());
		workers.forEach(before.get(0)::release);
		inAdopt.set(1);
		assertThrows(OutOfMemoryError.class, () -> TileGroup.inherit(after, before));
		assertEquals(1, methods.size());
		for (int i = 0; i < 3; i++) assertNull(methods.get(before.get(0).acquire()), "a worker of the other templates");
	}

	/** The caller waits for the future, so it ends whatever happens. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void theResult(final int threads) {
		final TiledExecution execution = execution(threads);
		final List<TileGroup> groups = TileGroup.of(List.of(TEMPLATE), templates -> new Ones());
		final TiledSubmission<Report> s = new TiledSubmission<>(execution, new SubmissionTiles(groups, lags, threads, 1), in, lags, Monitor.NONE) {

			@Override
			Buffer run(final int tile, final Buffer buffer) {
				tileDone(null, false);
				return buffer;
			}

			@Override
			boolean inMemory() {
				return true;
			}

			@Override
			Report result() {
				throw new OutOfMemoryError("Java heap space");
			}
		};
		for (int i = 0; i < s.parts.tiles; i++) s.take();
		for (int i = 0; i < s.parts.tiles; i++) s.run(i, FloatBuffer.allocate(0));
		assertTrue(s.future.isDone(), "the future is complete");
		assertInstanceOf(DeviceException.class, assertThrows(CompletionException.class, s.future::join).getCause());
	}
}
