package sc.fiji.ncc.sink;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.layout.Columns;
import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink.SampledRows;

/** What a device finds itself in an image of one row arrives as what the responses of an image of one column give. */
class ColumnSinkTest {

	private static final float MIN_SCORE = 0.2f;

	/** The sample of rows, in bytes, and the peaks of a column of a map. */
	private static final class Found {

		final List<byte[]> samples = new ArrayList<>();
		final List<BoxPeaks> peaks = new ArrayList<>();
		final PeakSink sink;

		Found(final int stride, final long[] origin) {
			sink = new PeakSink(0, MIN_SCORE, stride, origin, (found, sample) -> {
				peaks.addAll(found);
				final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
				try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
					out.writeObject(sample);
				}
				catch (final IOException e) {
					throw new UncheckedIOException(e);
				}
				samples.add(bytes.toByteArray());
			});
		}
	}

	private static float[] noise(final int n) {
		final float[] values = new float[n];
		final Random random = new Random(n);
		for (int i = 0; i < n; i++) values[i] = random.nextFloat() - 0.5f;
		return values;
	}

	@Test
	void peaksAndSampledRows() {
		for (final int[] size : new int[][] { { 1, 50 }, { 1, 23, 19 } }) {
			final int stride = 7;
			final long[] origin = new long[size.length], min = new long[size.length];
			for (int d = 1; d < size.length; d++) {
				origin[d] = 3 + d;
				min[d] = 2 * d;
			}
			final FloatBuffer values = FloatBuffer.wrap(noise(Arrays.stream(size).reduce(1, (a, b) -> a * b)));
			final Found expected = new Found(stride, origin), found = new Found(stride, origin);
			expected.sink.map(0, min, size, values);
			expected.sink.end();
			final ColumnSink row = new ColumnSink(found.sink);
			row.begin();
			final int[] turned = Columns.turned(size);
			row.peaks(0, BoxMaxima.of(Columns.turned(min), turned, values, row.minScore()));
			// as a device: one row after the other
			final SampledRows rows = row.sampled().orElseThrow();
			for (final int z : size.length < 3 ? new int[1] : rows.all(Columns.turned(min), 2, turned[2]))
				for (final int y : rows.all(Columns.turned(min), 1, turned[1])) {
					final long[] at = Columns.turned(min);
					final int[] one = new int[size.length];
					Arrays.fill(one, 1);
					one[0] = turned[0];
					at[1] += y;
					if (at.length > 2) at[2] += z;
					row.sample(0, at, one, values.slice(z * turned[0], turned[0]));
				}
			row.end();
			assertEquals(1, found.peaks.size());
			final BoxPeaks e = expected.peaks.get(0), f = found.peaks.get(0);
			// all responses of a column are at a face of the box
			assertTrue(e.rim().length > 3);
			assertArrayEquals(e.min(), f.min());
			assertArrayEquals(e.size(), f.size());
			assertArrayEquals(e.peaks(), f.peaks());
			assertArrayEquals(e.rim(), f.rim());
			assertArrayEquals(e.plateaus(), f.plateaus());
			assertArrayEquals(expected.samples.get(0), found.samples.get(0));
		}
	}

	@Test
	void theBestOfEachLag() {
		for (final float undefined : new float[] { 0, Float.NaN }) assertEquals(undefined,
			new ColumnSink(new BestInPlace(new float[1], ByteBuffer.allocate(1), new int[1],
			new BestInPlace.Place(0, new int[] { 1, 1 }, new int[] { 1, 1 }), undefined, new AtomicBoolean())).undefinedBest());
		final int[] size = { 1, 30 };
		final float[] values = noise(30);
		final Img<FloatType> score = ArrayImgs.floats(size[0], size[1]);
		score.forEach(v -> v.set(Float.NaN));
		final Img<UnsignedShortType> which = ArrayImgs.unsignedShorts(size[0], size[1]);
		final ColumnSink row = new ColumnSink(new BestSink(Precision.SINGLE, score, which, new int[] { 4, 9 }, this, new long[2], size));
		row.begin();
		final short[] templates = new short[30];
		for (int i = 0; i < templates.length; i++) templates[i] = (short) (1 + i % 2);
		row.best(new long[2], Columns.turned(size), FloatBuffer.wrap(values), ShortBuffer.wrap(templates));
		row.end();
		for (int i = 0; i < values.length; i++) {
			assertEquals(values[i], TestImages.values(score)[i]);
			assertEquals(i % 2 == 0 ? 4 : 9, TestImages.values(which)[i]);
		}
	}
}
