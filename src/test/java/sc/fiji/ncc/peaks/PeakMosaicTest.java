package sc.fiji.ncc.peaks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.Sink.BoxPeaks;

/** Maps cut into boxes anywhere: the peaks are those of the whole map. */
class PeakMosaicTest {

	@Property(tries = 1500)
	void asOfTheWholeMap(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 4) final int n,
		@ForAll @IntRange(min = 1, max = 6) final int levels) {
		final Random random = new Random(seed);
		final long[] size = random.longs(n, 1, n < 3 ? 14 : 6).toArray();
		final float[] map = new float[(int) Arrays.stream(size).reduce(1, (a, b) -> a * b)];
		for (int i = 0; i < map.length; i++) map[i] = random.nextInt(20) == 0 ? Float.NaN : random.nextInt(levels);
		final float least = random.nextInt(3) - 0.5f;
		assertEquals(whole(map, least, size), mosaic(map, least, random, size));
	}

	/** Plateaus that wind through many boxes. */
	@Property(tries = 100)
	void largePlateaus(@ForAll final long seed) {
		final Random random = new Random(seed);
		final float[] map = new float[40 * 30];
		for (int i = 0; i < map.length; i++) map[i] = random.nextInt(8) == 0 ? random.nextInt(3) : 1;
		assertEquals(whole(map, 0, 40, 30), mosaic(map, 0, random, 40, 30));
		assertEquals(whole(map, 0, 10, 12, 10), mosaic(map, 0, random, 10, 12, 10));
	}

	@Test
	void aPlateauAcrossTwoBoxesIsOnePeakAtItsFirstResponse() {
		final PeakMosaic mosaic = new PeakMosaic(new long[] { 4, 2 }, Double.NEGATIVE_INFINITY);
		mosaic.add(box(2, 0, 2, 2, 5, 1, 0, 1), new long[2]);
		mosaic.add(box(0, 0, 2, 2, 0, 0, 1, 5), new long[2]);
		assertEquals(List.of("[2, 0] 5.0"), peaks(mosaic));
	}

	@Test
	void aSlopeBesideABoxPutsItsMaximumOut() {
		final PeakMosaic mosaic = new PeakMosaic(new long[] { 4, 1 }, Double.NEGATIVE_INFINITY);
		mosaic.add(box(0, 0, 2, 1, 3, 4), new long[2]);
		assertEquals(List.of("[1, 0] 4.0"), peaks(mosaic), "where no box comes the map ends");
		mosaic.add(box(2, 0, 2, 1, 5, 6), new long[2]);
		assertEquals(List.of("[3, 0] 6.0"), peaks(mosaic));
	}

	@Test
	void onlyWhatReachesTheLeastValueIsListed() {
		final float[] map = new float[100 * 100];
		map[50 * 100 + 50] = 0.9f;
		map[99] = 0.8f;
		final BoxPeaks found = BoxMaxima.of(new long[2], new int[] { 100, 100 }, FloatBuffer.wrap(map), 0.5f);
		assertEquals("[5050] [99] [99]", Arrays.toString(found.peaks()) + " " + Arrays.toString(found.rim()) + " "
			+ Arrays.toString(found.plateaus()));
	}

	@Test
	void aFlatBoxIsOnePlateau() {
		final BoxPeaks flat = BoxMaxima.flat(new long[3], new int[] { 4, 3, 5 }, 2), found =
			BoxMaxima.of(new long[3], new int[] { 4, 3, 5 }, FloatBuffer.wrap(filled(60, 2)), 1);
		assertEquals(entries(found), entries(flat));
		assertEquals(0, flat.peaks().length);
	}

	@Test
	void aLeastResponseLeavesOutTheLowerPeaksOnly() {
		final Random random = new Random(4);
		final long[] size = { 40, 30 };
		final float[] map = new float[40 * 30];
		for (int i = 0; i < map.length; i++) map[i] = random.nextInt(40);
		for (final float least : new float[] { 0, 20, 36, 39 }) {
			final PeakMosaic mosaic = new PeakMosaic(size, least);
			for (int y = 0; y < 30; y += 10) for (int x = 0; x < 40; x += 8) mosaic.add(BoxMaxima.of(new long[] { x, y },
				new int[] { 8, 10 }, part(map, size, new long[][] { { x, y }, { 8, 10 } }, random), 5), new long[2]);
			assertEquals(whole(map, Math.max(5, least), size), peaks(mosaic), "least " + least);
		}
	}

	private static BoxPeaks box(final long x, final long y, final int width, final int height, final float... responses) {
		return BoxMaxima.of(new long[] { x, y }, new int[] { width, height }, FloatBuffer.wrap(responses), 0.5f);
	}

	private static float[] filled(final int n, final float value) {
		final float[] values = new float[n];
		Arrays.fill(values, value);
		return values;
	}

	private static List<String> entries(final BoxPeaks box) {
		final List<String> entries = new ArrayList<>();
		for (int i = 0; i < box.rim().length; i++) entries.add(box.rim()[i] + " " + box.rimValues()[i] + " " + box.plateaus()[i]);
		Collections.sort(entries);
		return entries;
	}

	private static List<String> peaks(final PeakMosaic mosaic) {
		final List<Peak> found = new ArrayList<>();
		mosaic.forEach(found::add);
		return text(found);
	}

	private static List<String> text(final List<Peak> peaks) {
		Collections.sort(peaks);
		return peaks.stream().map(p -> Arrays.toString(p.position()) + " " + p.value()).toList();
	}

	private static List<String> whole(final float[] map, final float least, final long... size) {
		final List<Peak> found = new ArrayList<>();
		LocalMaxima.find(MapRows.of(map, size), size, least, found::add);
		return text(found);
	}

	/** Cuts the map at random places, and each part again; the boxes come in any order. */
	private static List<String> mosaic(final float[] map, final float least, final Random random, final long... size) {
		final List<long[][]> boxes = new ArrayList<>();
		cut(new long[size.length], size, random, boxes);
		Collections.shuffle(boxes, random);
		final PeakMosaic mosaic = new PeakMosaic(size, Double.NEGATIVE_INFINITY);
		final long[] place = random.longs(size.length, 0, 3).toArray();
		for (final long[][] box : boxes) {
			final long[] min = box[0].clone();
			for (int d = 0; d < min.length; d++) min[d] -= place[d];
			mosaic.add(BoxMaxima.of(min, Arrays.stream(box[1]).mapToInt(Math::toIntExact).toArray(), part(map, size, box, random), least),
				place);
		}
		return peaks(mosaic);
	}

	private static void cut(final long[] min, final long[] size, final Random random, final List<long[][]> boxes) {
		final int d = random.nextInt(size.length);
		if (size[d] == 1 || random.nextInt(4) == 0) {
			boxes.add(new long[][] { min, size });
			return;
		}
		final long first = 1 + random.nextInt((int) size[d] - 1);
		final long[] before = size.clone(), after = size.clone(), second = min.clone();
		before[d] = first;
		after[d] -= first;
		second[d] += first;
		cut(min, before, random, boxes);
		cut(second, after, random, boxes);
	}

	/** The box's responses, as floats or as doubles, at the beginning of a buffer or further on. */
	private static Buffer part(final float[] map, final long[] size, final long[][] box, final Random random) {
		final int n = (int) Arrays.stream(box[1]).reduce(1, (a, b) -> a * b), skip = random.nextInt(3);
		final float[] part = new float[n + skip];
		for (int i = 0; i < n; i++) {
			int at = 0;
			for (int d = 0, rest = i, stride = 1; d < size.length; d++) {
				at += (box[0][d] + rest % box[1][d]) * stride;
				rest /= box[1][d];
				stride *= size[d];
			}
			part[skip + i] = map[at];
		}
		if (random.nextBoolean()) return FloatBuffer.wrap(part).position(skip);
		final double[] doubles = new double[part.length];
		for (int i = 0; i < doubles.length; i++) doubles[i] = part[i];
		return DoubleBuffer.wrap(doubles).position(skip);
	}
}
