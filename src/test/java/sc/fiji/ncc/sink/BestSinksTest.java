package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.Precision;

/** The best of each lag, whether maps come or an execution has compared them; where the result lies or apart. */
class BestSinksTest {

	private static final int TEMPLATES = 5;
	/** The result, the box in it, and its part that comes at once. */
	private static final int[] ALL = { 9, 8, 7 }, BOX = { 6, 5, 4 }, PART = { 3, 5, 2 };
	private static final long[] PLACE = { 2, 1, 3 }, MIN = { 3, 0, 1 };
	private static final int[] NUMBERS = { 2, 3, 5, 7, 200 }, CONSECUTIVE = { 1, 2, 3, 4, 5 };

	private final Random random = new Random(1);
	private final int n = ReferenceNcc.pixels(PART);
	private final float[][] maps = new float[TEMPLATES][n];
	private final float[] greatest = new float[n];
	/** One more than the index of the template, 0 where all responses are undefined. */
	private final byte[] which = new byte[n];

	/** With ties and with what is undefined for some or for all. */
	private void compute() {
		for (int i = 0; i < n; i++) {
			greatest[i] = Float.NaN;
			which[i] = 0;
			for (int t = 0; t < TEMPLATES; t++) {
				maps[t][i] = i % 5 == 0 || random.nextInt(3) == 0 ? Float.NaN : random.nextInt(4) - 1.5f;
				if (maps[t][i] > greatest[i] || greatest[i] != greatest[i] && maps[t][i] == maps[t][i]) {
					greatest[i] = maps[t][i];
					which[i] = (byte) (t + 1);
				}
			}
		}
	}

	/** @param named the numbers that the sink writes */
	private void compare(final BoxSink sink, final int[] named, final float[] scores, final Buffer numbers) {
		final ByteBuffer bytes = ByteBuffer.wrap(which);
		final ShortBuffer shorts = ShortBuffer.allocate(n);
		for (final Buffer compared : new Buffer[] { null, bytes, shorts, null }) {
			compute();
			for (int i = 0; i < n; i++) shorts.put(i, which[i]);
			final float[] expected = new float[scores.length];
			final int[] expectedNumbers = new int[scores.length];
			Arrays.fill(expected, Float.NaN);
			for (int i = 0; i < n; i++) {
				final int[] at = new int[3];
				ReferenceNcc.unravel(i, PART, at);
				for (int d = 0; d < 3; d++) at[d] += (int) (PLACE[d] + MIN[d]);
				expected[ReferenceNcc.index(ALL, at)] = greatest[i];
				expectedNumbers[ReferenceNcc.index(ALL, at)] = which[i] == 0 ? 0 : named[which[i] - 1];
			}
			// what others than in place leave of the one before
			Arrays.fill(scores, Float.NaN);
			for (int i = 0; i < scores.length; i++) set(numbers, i, 0);
			// a box that failed leaves nothing behind
			sink.begin();
			sink.map(0, new long[3], BOX, FloatBuffer.wrap(filled(ReferenceNcc.pixels(BOX))));
			sink.begin();
			if (compared != null) {
				if (sink instanceof BestInPlace) sink.best(new long[3], BOX, FloatBuffer.wrap(undefined(ReferenceNcc.pixels(BOX))), ShortBuffer.allocate(ReferenceNcc.pixels(BOX)));
				sink.best(MIN, PART, FloatBuffer.wrap(greatest), compared);
			}
			else for (final int t : new int[] { 3, 1, 4, 0, 2 }) sink.map(t, MIN, PART, FloatBuffer.wrap(maps[t]));
			sink.end();
			assertArrayEquals(expected, scores);
			for (int i = 0; i < scores.length; i++) if (number(numbers, i) != expectedNumbers[i]) throw new AssertionError(i + ": " + number(numbers, i));
		}
	}

	private static float[] filled(final int n) {
		final float[] a = new float[n];
		Arrays.fill(a, 9);
		return a;
	}

	private static float[] undefined(final int n) {
		final float[] a = new float[n];
		Arrays.fill(a, Float.NaN);
		return a;
	}

	private static void set(final Buffer to, final int i, final int value) {
		if (to instanceof ByteBuffer) ((ByteBuffer) to).put(i, (byte) value);
		else if (to instanceof ShortBuffer) ((ShortBuffer) to).put(i, (short) value);
		else ((IntBuffer) to).put(i, value);
	}

	private static int number(final Buffer of, final int i) {
		return of instanceof ByteBuffer ? ((ByteBuffer) of).get(i) & 0xff : of instanceof ShortBuffer ? ((ShortBuffer) of).get(i) & 0xffff : ((IntBuffer) of).get(i);
	}

	@Test
	void apart() {
		final float[] scores = new float[ReferenceNcc.pixels(ALL)];
		final byte[] numbers = new byte[scores.length];
		final long[] size = TestImages.longs(ALL);
		compare(new BestSink(Precision.SINGLE, ArrayImgs.floats(scores, size), ArrayImgs.unsignedBytes(numbers, size), NUMBERS, this, PLACE, BOX), NUMBERS,
			scores, ByteBuffer.wrap(numbers));
	}

	@Test
	void inPlace() {
		final float[] scores = new float[ReferenceNcc.pixels(ALL)];
		final int offset = ReferenceNcc.index(ALL, Arrays.stream(PLACE).mapToInt(Math::toIntExact).toArray());
		final int[] strides = { 1, ALL[0], ALL[0] * ALL[1] };
		for (final Buffer numbers : List.of(ByteBuffer.allocate(scores.length), ShortBuffer.allocate(scores.length), IntBuffer.allocate(scores.length)))
			for (final int[] named : new int[][] { NUMBERS, CONSECUTIVE })
				compare(new BestInPlace(scores, numbers, named, new BestInPlace.Place(offset, strides, BOX), Float.NaN, new AtomicBoolean()), named,
					scores, numbers);
	}

	/** Of equal responses the first template's counts, whichever box of two sizes of templates ends first; and what is undefined gives way. */
	@Test
	void ofEqualScoresTheFirstTemplateCountsWhicheverBoxEndsFirst() {
		final int[] size = { 5, 2 };
		final float[][] two = { { 0.5f, 0.25f, 0.75f, Float.NaN, Float.NaN, -1, 0.5f, 0, 1, Float.NaN }, { 0.5f, 0.75f, 0.25f, 0.5f, Float.NaN, -1, 0.25f, 0, 1, -1 } };
		final float[] scores = { 0.5f, 0.75f, 0.75f, 0.5f, Float.NaN, -1, 0.5f, 0, 1, -1 };
		final byte[] numbers = { 4, 9, 4, 9, 0, 4, 4, 4, 4, 9 };
		for (final int[] order : new int[][] { { 0, 1 }, { 1, 0 } }) {
			final float[] score = new float[10];
			final byte[] number = new byte[10];
			Arrays.fill(score, Float.NaN);
			for (final int t : order) {
				final BestSink sink = new BestSink(Precision.SINGLE, ArrayImgs.floats(score, 5, 2), ArrayImgs.unsignedBytes(number, 5, 2), new int[] { t == 0 ? 4 : 9 }, this,
					new long[2], size);
				sink.begin();
				sink.map(0, new long[2], size, FloatBuffer.wrap(two[t]));
				sink.end();
			}
			assertArrayEquals(scores, score, "box " + order[0] + " first");
			assertArrayEquals(numbers, number, "box " + order[0] + " first");
		}
	}

	/** In double precision, values that are equal as floats are not. Templates come in any order, and parts of a box. */
	@Test
	void doublePrecision() {
		final double third = 1 / 3.0, more = third + 1e-12;
		final double[][] maps = { { third, more, Double.NaN, -0.5, Double.NaN, 0.25 }, { more, third, -1, -0.5, Double.NaN, 0.25 },
			{ third, third, -2, -0.25, Double.NaN, 0.25 } };
		final double[] expected = { more, more, -1, -0.25, Double.NaN, 0.25 };
		final byte[] templates = { 6, 4, 6, 8, 0, 4 };
		for (final int[] order : new int[][] { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 0 } }) {
			final double[] score = new double[3 * 4];
			final byte[] number = new byte[score.length];
			Arrays.fill(score, Double.NaN);
			final BestSink sink = new BestSink(Precision.DOUBLE, ArrayImgs.doubles(score, 3, 4), ArrayImgs.unsignedBytes(number, 3, 4),
				new int[] { 4, 6, 8 }, this, new long[] { 0, 1 }, new int[] { 3, 2 });
			sink.begin();
			for (final int t : order) for (int row = 0; row < 2; row++)
				sink.map(t, new long[] { 0, row }, new int[] { 3, 1 }, DoubleBuffer.wrap(maps[t], 3 * row, 3));
			sink.end();
			assertArrayEquals(expected, Arrays.copyOfRange(score, 3, 9));
			assertArrayEquals(templates, Arrays.copyOfRange(number, 3, 9));
			for (final int i : new int[] { 0, 1, 2, 9, 10, 11 }) assertEquals(Double.NaN, score[i]);
		}
	}

	/** Templates of two sizes go through on their own: boxes of both end at the same lags at the same time. */
	@Test
	@Timeout(60)
	void whatEndsAtTheSameTimeIsMergedOneAfterTheOther() throws Exception {
		final int side = 150, tries = 40;
		final int[] size = { side, side };
		final ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			for (int i = 0; i < tries; i++) {
				final float[][] two = new float[2][side * side];
				for (final float[] map : two) for (int k = 0; k < map.length; k++) map[k] = random.nextFloat();
				final float[] scores = new float[side * side];
				final byte[] numbers = new byte[scores.length];
				Arrays.fill(scores, Float.NaN);
				final CyclicBarrier together = new CyclicBarrier(2);
				final List<Future<?>> ends = new ArrayList<>();
				for (int t = 0; t < 2; t++) {
					final BestSink sink = new BestSink(Precision.SINGLE, ArrayImgs.floats(scores, side, side), ArrayImgs.unsignedBytes(numbers, side, side), new int[] { t + 1 }, this,
						new long[2], size);
					sink.begin();
					sink.map(0, new long[2], size, FloatBuffer.wrap(two[t]));
					ends.add(threads.submit(() -> {
						together.await();
						sink.end();
						return null;
					}));
				}
				for (final Future<?> end : ends) end.get();
				for (int k = 0; k < scores.length; k++) {
					assertEquals(Math.max(two[0][k], two[1][k]), scores[k]);
					assertEquals(two[1][k] > two[0][k] ? 2 : 1, numbers[k]);
				}
			}
		}
		finally {
			threads.shutdownNow();
		}
	}
}
