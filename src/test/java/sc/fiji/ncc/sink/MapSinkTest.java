package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink;

/** Each response of a box is at its place, whatever the shape of the box, and wherever the map is kept. */
class MapSinkTest {

	/** The frame, which begins after some pixels of another one, and the position of lag 0. */
	private static final int[][] FRAMES = { { 7 }, { 6, 5 }, { 4, 5, 6 } };
	private static final int OFFSET = 11;
	/** The number of responses in front of the first one in the buffer of the box. */
	private static final int BEFORE = 3;

	/** The parts of a frame that are a box: all positions and extents. */
	private static void eachBox(final int[] frame, final BoxTest test) {
		final int n = frame.length;
		final int[] pairs = Arrays.stream(frame).map(f -> f * (f + 1) / 2).toArray();
		for (int k = 0; k < ReferenceNcc.pixels(pairs); k++) {
			final int[] first = new int[n], size = new int[n];
			for (int d = 0, rest = k; d < n; rest /= pairs[d++]) {
				int pair = rest % pairs[d];
				while (pair >= frame[d] - first[d]) pair -= frame[d] - first[d]++;
				size[d] = pair + 1;
			}
			test.of(first, size);
		}
	}

	private interface BoxTest {

		void of(int[] first, int[] size);
	}

	private static double[] expected(final int[] frame, final int[] first, final int[] size, final int offset) {
		final double[] all = new double[offset + ReferenceNcc.pixels(frame)];
		final int[] at = new int[frame.length];
		for (int i = 0; i < ReferenceNcc.pixels(size); i++) {
			ReferenceNcc.unravel(i, size, at);
			for (int d = 0; d < at.length; d++) at[d] += first[d];
			all[offset + ReferenceNcc.index(frame, at)] = i + 1;
		}
		return all;
	}

	/** A box of the values 1, 2, … */
	private static Buffer box(final int[] size, final boolean single) {
		final int n = BEFORE + ReferenceNcc.pixels(size);
		final Buffer box = single ? FloatBuffer.allocate(n) : DoubleBuffer.allocate(n);
		for (int i = 0; i < n; i++) if (single) ((FloatBuffer) box).put(i, i + 1 - BEFORE);
		else ((DoubleBuffer) box).put(i, i + 1 - BEFORE);
		return box.position(BEFORE);
	}

	private static double[] values(final Buffer buffer) {
		final double[] values = new double[buffer.capacity()];
		for (int i = 0; i < values.length; i++) values[i] = buffer instanceof FloatBuffer ? ((FloatBuffer) buffer).get(i) : ((DoubleBuffer) buffer).get(i);
		return values;
	}

	@Test
	void boxesInAnArray() {
		for (final int[] frame : FRAMES) for (final boolean single : new boolean[] { true, false }) eachBox(frame, (first, size) -> {
			final int n = OFFSET + ReferenceNcc.pixels(frame);
			final Buffer array = single ? FloatBuffer.allocate(n) : DoubleBuffer.allocate(n);
			// lag 0 is at the second pixel along the last axis where it can be
			final long[] place = new long[frame.length], min = TestImages.longs(first);
			place[place.length - 1] = Math.min(1, min[place.length - 1]);
			min[place.length - 1] -= place[place.length - 1];
			final MapSink sink = new MapSink(ArrayImgs.floats(TestImages.longs(frame)), array, OFFSET, place, 0, ResponseType.FLOAT);
			sink.map(0, min, size, box(size, single));
			assertArrayEquals(expected(frame, first, size, OFFSET), values(array));
			final Sink.Place at = sink.place(0, min);
			assertSame(array.array(), at.array());
			assertEquals(1, single ? ((float[]) at.array())[at.offset()] : ((double[]) at.array())[at.offset()]);
			for (int d = 0, stride = 1; d < frame.length; stride *= frame[d++]) assertEquals(stride, at.strides()[d]);
		});
	}

	@Test
	void boxesInAnImage() {
		for (final int[] frame : FRAMES) eachBox(frame, (first, size) -> {
			final double[] pixels = new double[ReferenceNcc.pixels(frame)];
			final MapSink sink = new MapSink(ArrayImgs.doubles(pixels, TestImages.longs(frame)), null, 0, new long[frame.length], Float.NaN,
				ResponseType.FLOAT);
			sink.map(0, TestImages.longs(first), size, box(size, true));
			assertArrayEquals(expected(frame, first, size, 0), pixels);
			assertNull(sink.place(0, TestImages.longs(first)));
			assertEquals(Float.NaN, sink.undefined());
		});
	}

	/** Responses that come before the array are copied, so that their buffer can be used again. */
	@Test
	void boxesBeforeTheArray() {
		for (final boolean single : new boolean[] { true, false }) for (final int[] size : List.of(new int[] { 6, 2 }, new int[] { 4, 3 })) {
			final DeferredArray late = new DeferredArray(n -> single ? FloatBuffer.allocate(n) : DoubleBuffer.allocate(n), OFFSET + 30);
			final MapSink sink = new MapSink(late, new long[] { 6, 5 }, OFFSET, new long[] { 0, 1 }, 0, ResponseType.FLOAT);
			final Buffer box = box(size, single);
			sink.begin();
			sink.map(0, new long[2], size, box);
			assertNull(sink.place(0, new long[2]));
			for (int i = 0; i < box.capacity(); i++) if (single) ((FloatBuffer) box).put(i, -9);
			else ((DoubleBuffer) box).put(i, -9);
			sink.allocate();
			assertArrayEquals(expected(new int[] { 6, 5 }, new int[] { 0, 1 }, size, OFFSET), values(late.get()));
			// those that come later are not
			sink.map(0, new long[] { 0, 3 }, new int[] { 6, 1 }, box(new int[] { 6, 1 }, single));
			assertEquals(6, values(late.get())[OFFSET + 29]);
			// another attempt discards what waits only if there is no array
			sink.begin();
			assertEquals(1, values(late.get())[OFFSET + 6]);
		}
	}

	@Test
	void aFailedBoxLeavesNothing() {
		final DeferredArray late = new DeferredArray(n -> FloatBuffer.wrap(new float[] { 0.5f, 0.5f, 0.5f, 0.5f }), 4);
		final MapSink sink = new MapSink(late, new long[] { 4 }, 0, new long[1], 0, ResponseType.FLOAT);
		sink.begin();
		sink.map(0, new long[] { 1 }, new int[] { 2 }, FloatBuffer.wrap(new float[] { 7, 8 }));
		sink.begin();
		sink.map(0, new long[] { 3 }, new int[] { 1 }, FloatBuffer.wrap(new float[] { 9 }));
		sink.allocate();
		assertArrayEquals(new double[] { 0.5, 0.5, 0.5, 9 }, values(late.get()));
	}
}
