package sc.fiji.ncc.cuda.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.plan.Sink.BoxPeaks;

/** What the GPU finds of a box, put together, is what the CPU finds in the box. */
class BoxRecordsTest {

	/** As the kernel does it, one response after the other. */
	private static void find(final float[] map, final int[] size, final float least, final int offset, final List<Long> found) {
		for (int i = 0; i < map.length; i++) {
			final float v = map[i];
			if (!(v >= least) || v == Float.NEGATIVE_INFINITY) continue;
			boolean face = false, exceeded = false, tied = false;
			for (int d = 0, rest = i; d < size.length; rest /= size[d++]) face |= rest % size[d] == 0 || rest % size[d] == size[d] - 1;
			for (int j = 0; j < map.length; j++) {
				if (j == i || !neighbours(i, j, size)) continue;
				exceeded |= map[j] > v;
				tied |= map[j] == v;
			}
			if (face || tied || !exceeded) found.add(BoxRecords.of(i + offset | (exceeded ? 1 << 31 : 0) | (tied ? 1 << 30 : 0), Float.floatToRawIntBits(v)));
		}
	}

	private static boolean neighbours(final int i, final int j, final int[] size) {
		boolean near = true;
		for (int d = 0, a = i, b = j; d < size.length; d++) {
			near &= Math.abs(a % size[d] - b % size[d]) <= 1;
			a /= size[d];
			b /= size[d];
		}
		return near;
	}

	@Property(tries = 300)
	void peaksAndRimAreThoseOfTheCpu(@ForAll final long seed) {
		final Random random = new Random(seed);
		final int[] size = new int[1 + random.nextInt(3)];
		int n = 1;
		for (int d = 0; d < size.length; d++) n *= size[d] = 1 + random.nextInt(size.length == 3 ? 6 : 11);
		final int levels = 2 + random.nextInt(5);
		final float least = random.nextInt(levels + 1) - 1;
		final List<Long> records = new ArrayList<>();
		final float[][] maps = new float[1 + random.nextInt(3)][n];
		for (int t = 0; t < maps.length; t++) {
			for (int i = 0; i < n; i++) maps[t][i] = random.nextInt(20) == 0 ? Float.NaN : random.nextInt(30) == 0 ? Float.NEGATIVE_INFINITY : random.nextInt(levels) - 1;
			find(maps[t], size, least, t * n, records);
		}
		Collections.shuffle(records, random);
		final long[] sorted = records.stream().mapToLong(Long::longValue).sorted().toArray();
		for (int t = 0, from = 0; t < maps.length; t++) {
			int to = from;
			while (to < sorted.length && BoxRecords.index(sorted[to]) < (t + 1) * n) to++;
			assertEquals(text(BoxMaxima.of(new long[size.length], size, FloatBuffer.wrap(maps[t]), least)),
				text(BoxRecords.peaks(new long[size.length], size, sorted, from, to, t * n)), () -> Arrays.toString(size));
			from = to;
		}
	}

	static List<String> text(final BoxPeaks box) {
		final List<String> all = new ArrayList<>();
		for (int i = 0; i < box.peaks().length; i++) all.add("peak " + box.peaks()[i] + " " + box.values()[i]);
		for (int i = 0; i < box.rim().length; i++) all.add("rim " + box.rim()[i] + " " + box.rimValues()[i] + " " + box.plateaus()[i]);
		Collections.sort(all);
		return all;
	}
}
