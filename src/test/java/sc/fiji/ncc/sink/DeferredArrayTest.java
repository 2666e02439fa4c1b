package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Buffers;

/** Responses that are complete before their map is allocated. */
class DeferredArrayTest {

	private static Buffer undefined(final int responses) {
		final Buffer array = Precision.SINGLE.allocate(responses);
		Buffers.fill(array, Float.NaN);
		return array;
	}

	@Test
	void responsesBeforeAndAfterTheAllocationAreInTheMap() {
		final DeferredArray array = new DeferredArray(DeferredArrayTest::undefined, 12);
		final MapSink sink = new MapSink(array, new long[] { 4, 3 }, 0, new long[] { 1, 1 }, Float.NaN, ResponseType.FLOAT);
		assertNull(sink.place(0, new long[2]));
		final FloatBuffer box = FloatBuffer.wrap(new float[] { 9, 1, 2 }).position(1);
		sink.map(0, new long[2], new int[] { 2, 1 }, box);
		// the buffer is used again
		box.put(1, 5);
		sink.allocate();
		assertNotNull(sink.place(0, new long[2]));
		sink.map(0, new long[] { 0, 1 }, new int[] { 3, 1 }, FloatBuffer.wrap(new float[] { 3, 4, 5 }));
		final float n = Float.NaN;
		assertArrayEquals(new float[] { n, n, n, n, n, 1, 2, n, n, 3, 4, 5 }, (float[]) array.get().array());
	}

	@Test
	void severalThreadsWriteDuringTheAllocation() {
		for (int repeat = 0; repeat < 50; repeat++) {
			final int rows = 64, columns = 100;
			final DeferredArray array = new DeferredArray(Precision.DOUBLE::allocate, rows * columns);
			final MapSink sink = new MapSink(array, new long[] { columns, rows }, 0, new long[2], 0, ResponseType.FLOAT);
			IntStream.range(0, rows + 1).parallel().forEach(y -> {
				if (y == rows / 2) sink.allocate();
				if (y < rows) sink.map(0, new long[] { 0, y }, new int[] { columns, 1 }, DoubleBuffer.wrap(IntStream.range(0, columns).mapToDouble(x -> 1000 * y + x).toArray()));
			});
			final double[] map = (double[]) array.get().array();
			for (int i = 0; i < map.length; i++) assertEquals(1000 * (i / columns) + i % columns, map[i]);
		}
	}

	/** A heap that is full for the first allocations. */
	private static IntFunction<Buffer> failing(final int failures) {
		final AtomicInteger left = new AtomicInteger(failures);
		return n -> {
			if (left.getAndDecrement() > 0) throw new OutOfMemoryError("Java heap space");
			return FloatBuffer.allocate(n);
		};
	}

	/** Copies that wait would take the memory that the next attempt needs. */
	@Test
	void aFailedAllocationDiscardsWhatWaited() {
		final DeferredArray array = new DeferredArray(failing(2), 2);
		final List<String> written = new ArrayList<>();
		array.later(a -> written.add("before the failure"));
		for (int i = 0; i < 2; i++) {
			assertThrows(OutOfMemoryError.class, array::allocate);
			assertNull(array.get());
			final DeviceException e = assertThrows(DeviceException.class, () -> array.later(a -> written.add("after the failure")));
			assertTrue(e.getCause() instanceof OutOfMemoryError, "the reason is kept");
			array.begin();
			array.later(a -> written.add("again"));
		}
		array.allocate();
		assertEquals(List.of("again"), written);
		// a later box does not discard the responses of this one
		array.begin();
		assertNotNull(array.get());
	}

	/** Many threads write while the allocation fails at some time, then once more while it succeeds: the map contains the second responses only. */
	@Test
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void afterAFailureAmongWritersTheMapIsThatOfTheSecondAttempt() {
		final int rows = 64, columns = 50;
		for (int repeat = 0; repeat < 300; repeat++) {
			final DeferredArray array = new DeferredArray(failing(1), rows * columns);
			final MapSink sink = new MapSink(array, new long[] { columns, rows }, 0, new long[2], Float.NaN, ResponseType.FLOAT);
			final int late = repeat % rows;
			for (final int attempt : new int[] { 1, 2 }) {
				sink.begin();
				final AtomicInteger refused = new AtomicInteger();
				IntStream.range(0, rows).parallel().forEach(y -> {
					if (y == late)
						try {
							sink.allocate();
						}
						catch (final OutOfMemoryError e) {
							refused.incrementAndGet();
						}
					final float[] row = new float[columns];
					Arrays.fill(row, 100 * attempt + y);
					try {
						sink.map(0, new long[] { 0, y }, new int[] { columns, 1 }, FloatBuffer.wrap(row));
					}
					catch (final DeviceException e) {
						refused.incrementAndGet();
					}
				});
				if (attempt == 1) assertTrue(refused.get() >= 2, "the failure, and the row of the thread that had it");
				else assertEquals(0, refused.get());
			}
			final float[] map = (float[]) array.get().array();
			for (int i = 0; i < map.length; i++) assertEquals(200 + i / columns, map[i]);
		}
	}
}
