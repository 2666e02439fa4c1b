package sc.fiji.ncc.cuda.method;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.contract.ArrayPixels;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankExecution.Range;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.Members;

/** A bounded search on a GPU finds what the definition finds in plain loops: the best member of each window that reaches the minimum score. */
@Tag("gpu")
public class BoundedSearchTest {

	private static final int MEMBERS = 50, FIELDS = 7, GROUPS = 22;

	/** A bank of smooth members under a disk or ball, whose basis does not contain all of them. */
	private static Members bank(final int dimensions, final int radius, final double minScore, final Random random) {
		final int side = 2 * radius + 1;
		int n = 1;
		for (int d = 0; d < dimensions; d++) n *= side;
		final int[] support = new int[n];
		int count = 0;
		for (int i = 0; i < n; i++) {
			double r = 0;
			for (int d = 0, rest = i; d < dimensions; d++, rest /= side) r += Math.pow(rest % side - radius, 2);
			if (r > radius * radius + 0.1) continue;
			support[count++] = i;
		}
		final int[] at = Arrays.copyOf(support, count);
		final double[][] fields = new double[FIELDS][count];
		for (final double[] f : fields) {
			final double[] wave = random.doubles(dimensions + 1, -0.9, 0.9).toArray();
			for (int i = 0; i < count; i++) {
				double phase = 3 * wave[dimensions];
				for (int d = 0, rest = at[i]; d < dimensions; d++, rest /= side) phase += wave[d] * (rest % side);
				f[i] = StrictMath.sin(phase);
			}
		}
		final float[][] members = new float[MEMBERS][count];
		final double[] gains = new double[MEMBERS];
		for (int m = 0; m < MEMBERS; m++) {
			final double[] v = new double[count];
			for (final double[] f : fields) {
				final double share = random.nextGaussian();
				for (int i = 0; i < count; i++) v[i] += share * f[i];
			}
			for (int i = 0; i < count; i++) v[i] += 0.1 * random.nextGaussian();
			normalise(v);
			for (int i = 0; i < count; i++) members[m][i] = (float) v[i];
			gains[m] = 1 / normalise(doubles(members[m]));
		}
		final List<double[]> basis = new ArrayList<>();
		for (final double[] f : fields) {
			final double[] v = f.clone();
			normalise(v);
			for (int pass = 0; pass < 2; pass++)
				for (final double[] other : basis) {
					final double product = dot(v, other);
					for (int i = 0; i < count; i++) v[i] -= product * other[i];
				}
			if (normalise(v) > 1e-3) basis.add(v);
		}
		final long[] box = new long[dimensions];
		Arrays.fill(box, side);
		final int k = basis.size();
		final float[][] vectors = new float[k][count];
		final double[][] products = new double[MEMBERS][k];
		for (int v = 0; v < k; v++) {
			for (int i = 0; i < count; i++) vectors[v][i] = (float) basis.get(v)[i];
			for (int m = 0; m < MEMBERS; m++) products[m][v] = dot(basis.get(v), doubles(members[m])) * gains[m];
		}
		return new Members(Size.of(box), at, 1, members, gains, new Bounds(vectors, products, k, minScore, 1, List.<int[][]> of(groups(products))));
	}

	/** Each member in the group of the most similar of the first members. */
	private static int[][] groups(final double[][] products) {
		final List<List<Integer>> groups = new ArrayList<>();
		for (int g = 0; g < GROUPS; g++) groups.add(new ArrayList<>());
		for (int m = 0; m < MEMBERS; m++) {
			int best = 0;
			for (int g = 1; g < GROUPS; g++) if (cosine(products[m], products[g]) > cosine(products[m], products[best])) best = g;
			groups.get(best).add(m);
		}
		return groups.stream().map(g -> g.stream().mapToInt(m -> m).toArray()).toArray(int[][]::new);
	}

	private static double cosine(final double[] a, final double[] b) {
		return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
	}

	private static double[] doubles(final float[] v) {
		final double[] d = new double[v.length];
		for (int i = 0; i < d.length; i++) d[i] = v[i];
		return d;
	}

	private static double dot(final double[] a, final double[] b) {
		double sum = 0;
		for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
		return sum;
	}

	/** Gives numbers zero mean and unit norm, and returns the norm before; 0 if all are equal. */
	private static double normalise(final double[] v) {
		final double first = v[0];
		double mean = 0;
		for (int i = 0; i < v.length; i++) mean += (v[i] -= first) / v.length;
		for (int i = 0; i < v.length; i++) v[i] -= mean;
		final double norm = Math.sqrt(dot(v, v));
		for (int i = 0; i < v.length; i++) v[i] /= norm;
		return norm;
	}

	/** Noise with members of the bank, and a flat part. */
	private static double[] image(final PixelType type, final long[] size, final Members bank, final Random random) {
		int n = 1;
		for (final long s : size) n *= s;
		final double[] v = new double[n];
		final double middle = type.integer ? (type.min + type.max + 1) / 2 : 1e4, scale = type == PixelType.F32 ? 3 : (type.max - type.min) / 600;
		for (int i = 0; i < n; i++) v[i] = scale * random.nextGaussian();
		final int side = (int) bank.box().get(0);
		for (int o = 0; o < 12; o++) {
			final float[] member = bank.values()[random.nextInt(MEMBERS)];
			final int[] first = new int[size.length];
			for (int d = 0; d < first.length; d++) first[d] = random.nextInt((int) size[d] - side + 1);
			for (int i = 0; i < member.length; i++) {
				int index = 0;
				for (int d = size.length - 1; d >= 0; d--) {
					int coordinate = bank.support()[i];
					for (int k = 0; k < d; k++) coordinate /= side;
					index = index * (int) size[d] + first[d] + coordinate % side;
				}
				v[index] = 40 * scale * Math.sqrt(member.length) / 10 * member[i] + 0.2 * v[index];
			}
		}
		for (int i = 0; i < n; i++) {
			if (i % size[0] < side + 2 && i / size[0] % size[1] < side + 2) v[i] = 0;
			v[i] += middle;
			if (type.integer) v[i] = Math.max(type.min, Math.min(type.max, Math.rint(v[i])));
			else v[i] = (float) v[i];
		}
		return v;
	}

	/** Lag to score and member. */
	private static Map<String, double[]> expected(final double[] image, final long[] size, final Members bank, final double minScore) {
		final Map<String, double[]> all = new TreeMap<>();
		final int dimensions = size.length, side = (int) bank.box().get(0);
		final long[] lag = new long[dimensions];
		final double[] window = new double[bank.support().length];
		while (true) {
			for (int i = 0; i < window.length; i++) {
				long index = 0;
				for (int d = dimensions - 1; d >= 0; d--) {
					int coordinate = bank.support()[i];
					for (int k = 0; k < d; k++) coordinate /= side;
					index = index * size[d] + lag[d] + coordinate % side;
				}
				window[i] = image[(int) index];
			}
			if (normalise(window) > 0) {
				double best = -2;
				int member = -1;
				for (int m = 0; m < MEMBERS; m++) {
					final double score = dot(window, doubles(bank.values()[m])) * bank.gains()[m];
					if (score > best) {
						best = score;
						member = m;
					}
				}
				if (best >= minScore) all.put(Arrays.toString(lag), new double[] { best, member });
			}
			int d = 0;
			while (d < dimensions && ++lag[d] > size[d] - side) lag[d++] = 0;
			if (d == dimensions) return all;
		}
	}

	/** What the GPU finds, bank by bank. */
	private static List<Map<String, double[]>> found(final PixelType type, final long[] size, final double[] image, final List<Members> banks,
		final double minScore, final long memory)
	{
		RequiredGpu.require();
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final List<Map<String, double[]>> all = new ArrayList<>();
		for (int b = 0; b < banks.size(); b++) all.add(new TreeMap<>());
		final List<Range> lags = banks.stream().map(b -> new Range(new long[size.length],
			IntStream.range(0, size.length).mapToLong(d -> size[d] - b.box().get(d) + 1).toArray())).toList();
		try (BankExecution search = new BoundedSearch(device, type, Size.of(size), banks, minScore, memory)) {
			for (int repeat = 0; repeat < 2; repeat++) {
				final boolean again = repeat > 0;
				final ArrayPixels pixels = new ArrayPixels(type, Arrays.stream(size).mapToInt(s -> (int) s).toArray(), image);
				final Report report = search.search(pixels, lags, (bank, first, box, at, scores, members, n) -> {
					for (int i = 0; i < n; i++) {
						final long[] lag = first.clone();
						for (int d = 0, rest = at[i]; d < lag.length; d++) {
							lag[d] += rest % box[d];
							rest /= box[d];
						}
						final double[] before = all.get(bank).put(Arrays.toString(lag), new double[] { scores[i], members[i] });
						assertEquals(again, before != null, "each lag is found once in each of two searches");
						if (again) assertEquals(before[0], scores[i], "both searches find the same");
					}
				}, Monitor.NONE);
				assertEquals(search.responses(lags), report.responses());
				assertTrue(report.undefined() > 0, "the flat part has no score");
			}
		}
		return all;
	}

	/** What the GPU finds, once it is what the definition finds. */
	private static List<Map<String, double[]>> compare(final PixelType type, final long[] size, final int[] radii, final double minScore, final long memory) {
		final Random random = new Random(Arrays.hashCode(size) + type.ordinal());
		final List<Members> banks = new ArrayList<>();
		for (final int radius : radii) banks.add(bank(size.length, radius, minScore, random));
		final double[] image = image(type, size, banks.get(0), random);
		final List<Map<String, double[]>> found = found(type, size, image, banks, minScore, memory);
		for (int b = 0; b < radii.length; b++) {
			final Map<String, double[]> expected = expected(image, size, banks.get(b), minScore), ofBank = found.get(b);
			assertEquals(expected.keySet(), ofBank.keySet(), "bank " + b);
			if (b == 0) assertTrue(expected.size() >= 5, "there is something to find: " + expected.size());
			expected.forEach((lag, of) -> {
				assertEquals(of[0], ofBank.get(lag)[0], 1e-11, lag);
				assertEquals(of[1], ofBank.get(lag)[1], lag);
			});
		}
		return found;
	}

	/** What the GPU finds in an image of this type, as text. It has the same bits on every GPU. */
	public static String record(final PixelType type) {
		final StringBuilder text = new StringBuilder();
		for (final Map<String, double[]> bank : compare(type, new long[] { 61, 47 }, new int[] { 5, 7 }, 0.6, 1L << 30))
			bank.forEach((lag, of) -> text.append(lag).append(Arrays.toString(of)).append('\n'));
		return text.toString();
	}

	@TestFactory
	List<DynamicTest> theBestMemberOfEachWindow() {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S8, PixelType.U16, PixelType.S16, PixelType.F32 }) {
			tests.add(dynamicTest("2D " + type, () -> compare(type, new long[] { 83, 71 }, new int[] { 6 }, 0.7, 1L << 30)));
			tests.add(dynamicTest("low score " + type, () -> compare(type, new long[] { 60, 51 }, new int[] { 4 }, 0.1, 1L << 30)));
			tests.add(dynamicTest("3D " + type, () -> compare(type, new long[] { 24, 22, 20 }, new int[] { 3 }, 0.75, 1L << 30)));
			tests.add(dynamicTest("two banks in boxes " + type, () -> compare(type, new long[] { 90, 65 }, new int[] { 5, 7 }, 0.6, 500_000)));
		}
		return tests;
	}

	/** Without a basis: the member and its score, exact or within its error, of each window whose best score reaches the minimum. */
	private static void compareAll(final PixelType type, final long[] size, final int radius, final double minScore, final long memory) {
		RequiredGpu.require();
		final Random random = new Random(Arrays.hashCode(size) + type.ordinal());
		final Members bank = bank(3, radius, minScore, random).with(null);
		final double[] image = image(type, size, bank, random);
		final Map<String, double[]> expected = expected(image, size, bank, minScore), found = new TreeMap<>();
		assertTrue(expected.size() >= 5, "there is something to find: " + expected.size());
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final Range lags = new Range(new long[3], IntStream.range(0, 3).mapToLong(d -> size[d] - bank.box().get(d) + 1).toArray());
		try (BankExecution search = new MemberSearch(device, type, Size.of(size), List.of(bank), minScore, memory)) {
			for (int repeat = 0; repeat < 2; repeat++) {
				found.clear();
				final Report report = search.search(new ArrayPixels(type, Arrays.stream(size).mapToInt(s -> (int) s).toArray(), image), List.of(lags),
					(index, first, box, at, scores, codes, n) -> {
						for (int i = 0; i < n; i++) {
							final long[] lag = { first[0] + at[i] % box[0], first[1] + at[i] / box[0] % box[1], first[2] + at[i] / box[0] / box[1] };
							assertEquals(null, found.put(Arrays.toString(lag), new double[] { scores[i], codes[i] }), "each lag is found once");
						}
					}, Monitor.NONE);
				assertEquals(search.responses(List.of(lags)), report.responses());
				assertTrue(report.undefined() > 0, "the flat part has no score");
				assertTrue(found.keySet().containsAll(expected.keySet()), "all are found");
				found.forEach((lag, of) -> {
					final boolean isExact = of[1] >= 0;
					final double[] right = expected.get(lag);
					if (right == null) assertTrue(!isExact && of[0] < minScore + Bounds.RESPONSE, lag + Arrays.toString(of));
					else {
						assertEquals(right[0], of[0], isExact ? 1e-11 : Bounds.RESPONSE, lag);
						assertEquals(right[1], isExact ? of[1] : -1 - of[1], lag);
					}
				});
			}
		}
	}

	@TestFactory
	List<DynamicTest> theBestOfAllMembers() {
		final List<DynamicTest> tests = new ArrayList<>();
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.S8, PixelType.U16, PixelType.S16, PixelType.F32 }) {
			tests.add(dynamicTest("volume " + type, () -> compareAll(type, new long[] { 31, 26, 23 }, 4, 0.6, 1L << 33)));
			tests.add(dynamicTest("low score " + type, () -> compareAll(type, new long[] { 24, 22, 20 }, 3, -1, 1L << 33)));
			tests.add(dynamicTest("boxes " + type, () -> compareAll(type, new long[] { 90, 36, 33 }, 3, 0.6, (1L << 29) + 9_000_000)));
		}
		return tests;
	}

	/** The squares of a window of black and white pixels of 8 bits add up to more than 32 bits. */
	@Test
	void membersOfManyPixels() {
		compareBlackAndWhite(new int[] { 127, 63, 63 }, new int[] { 125, 61, 61 });
	}

	@Test
	void aSinglePlane() {
		compareBlackAndWhite(new int[] { 90, 67, 1 }, new int[] { 25, 19, 1 });
	}

	/** The best one of three members in an image of black and white pixels. */
	private static void compareBlackAndWhite(final int[] size, final int[] box) {
		RequiredGpu.require();
		final int n = box[0] * box[1] * box[2];
		final int[] lags = IntStream.range(0, 3).map(d -> size[d] - box[d] + 1).toArray();
		final Random random = new Random(7);
		final double[] image = random.ints((long) size[0] * size[1] * size[2], 0, 2).mapToDouble(i -> 255.0 * i).toArray();
		final float[][] values = new float[3][n];
		final double[] gains = new double[values.length];
		for (int m = 0; m < values.length; m++) {
			final double[] v = random.doubles(n).map(d -> d - 0.5).toArray(), window = window(image, size, box, m);
			for (int i = 0; i < n && m > 0; i++) v[i] += window[i] / 2000;
			normalise(v);
			for (int i = 0; i < n; i++) values[m][i] = (float) v[i];
			gains[m] = 1 / normalise(doubles(values[m]));
		}
		final Members bank = new Members(Size.of(box[0], box[1], box[2]), IntStream.range(0, n).toArray(), 1, values, gains, null);
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final Range all = new Range(new long[3], Arrays.stream(lags).asLongStream().toArray());
		final int[] found = new int[1];
		final Size extents = Size.of(size[0], size[1], size[2]);
		try (BankExecution search = new MemberSearch(device, PixelType.U8, extents, List.of(bank), -1, 1L << 33)) {
			search.search(new ArrayPixels(PixelType.U8, size, image), List.of(all), (index, first, part, at, scores, codes, count) -> {
				for (int i = 0; i < count; i++, found[0]++) {
					final double[] window = window(image, size, box, at[i]);
					normalise(window);
					double best = -2;
					int right = -1;
					for (int m = 0; m < values.length; m++) {
						final double score = dot(window, doubles(values[m])) * gains[m];
						if (score > best) right = m;
						best = Math.max(best, score);
					}
					assertEquals(right, codes[i] < 0 ? -1 - codes[i] : codes[i], "lag " + at[i]);
					assertEquals(best, scores[i], codes[i] < 0 ? Bounds.RESPONSE : 1e-11, "lag " + at[i]);
				}
			}, Monitor.NONE);
		}
		assertEquals(all.lags(), found[0]);
	}

	/** The pixels of a window. */
	private static double[] window(final double[] image, final int[] size, final int[] box, final int lag) {
		final int across = size[0] - box[0] + 1, down = size[1] - box[1] + 1, row = lag / across;
		final int x = lag % across, y = row % down, z = row / down;
		final double[] window = new double[box[0] * box[1] * box[2]];
		for (int i = 0; i < window.length; i++)
			window[i] = image[((z + i / box[0] / box[1]) * size[1] + y + i / box[0] % box[1]) * size[0] + x + i % box[0]];
		return window;
	}

	@Test
	void aCanceledSearchEnds() {
		RequiredGpu.require();
		final CudaDevice device = Driver.devices().list().get(0);
		device.enter();
		final Members bank = bank(2, 5, 0.5, new Random(1));
		final Monitor monitor = new Monitor() {

			@Override
			public void done(final long responses) {}

			@Override
			public boolean canceled() {
				return true;
			}
		};
		try (BankExecution search = new BoundedSearch(device, PixelType.U8, Size.of(40, 40), List.of(bank), 0.5)) {
			assertThrows(CancellationException.class,
				() -> search.search(new ArrayPixels(PixelType.U8, new int[] { 40, 40 }, new double[1600]),
					List.of(new Range(new long[2], new long[] { 30, 30 })), (b, first, box, lags, scores, members, n) -> {}, monitor));
		}
	}
}
