package sc.fiji.ncc.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class BartlettTest {

	/** The template without its mean is (1, 0, -1), with the products 2, 0 and -1; the image is (2, 0, -2, 0), with 8, 0 and -4. */
	@Test
	void oneRow() {
		assertEquals(3 / (1 + 2 * (-1 * -4) / (2.0 * 8)), pixels(new double[] { 7, 6, 5 }, new double[] { 7, 5, 3, 5 }, 1, 4, 1), 1e-12);
		// a missing pixel is as the mean
		assertEquals(3 / (1 + 2 * (-1 * -4) / (2.0 * 8)), pixels(new double[] { 7, 6, 5 }, new double[] { 7, Double.NaN, 3, 5 }, 1, 4, 1), 1e-12);
		assertEquals(3e3, pixels(new double[] { 7, 6, 5 }, new double[] { 7, 7, 7, 7 }, 1, 4, 1), 1e-9, "no contrast");
	}

	/**
	 * Of two channels, all pairs count: (1, -1) and 2·(1, -1) in the template, (1, -1) and (3, -3) in the image. So Σ ρρ is that of one channel, times
	 * (1·1 + 4·9 + 2·2·3)/((1 + 4)·(1 + 9)).
	 */
	@Test
	void twoChannels() {
		final Template template = new Template(Size.of(2, 1), PixelType.F64, new double[] { 1, -1, 2, -2 }, null, 2);
		final var image = JointImage.of(List.of(ArrayImgs.doubles(new double[] { 1, -1 }, 2, 1), ArrayImgs.doubles(new double[] { 3, -3 }, 2, 1)));
		assertEquals(2 / (1.5 * (1 + 36 + 12) / 50), Bartlett.effectivePixels(template, image), 1e-12);
	}

	/** A large image counts in a box in its middle, and displacements count up to a limit, in 2 and in 3 dimensions. */
	@Test
	void largeImages() {
		expects(new int[] { 11, 3 }, new int[] { 139, 5 }, 128, 8);
		expects(new int[] { 3, 10 }, new int[] { 4, 132 }, 128, 8);
		expects(new int[] { 6, 2, 3 }, new int[] { 37, 3, 4 }, 32, 3);
		expects(new int[] { 2, 3, 5 }, new int[] { 2, 3, 35 }, 32, 3);
	}

	/** The definition, pair of pixels by pair of pixels. */
	private static void expects(final int[] size, final int[] extents, final int side, final int farthest) {
		final Random random = new Random(3);
		final double[] template = random.doubles(pixels(size)).toArray(), image = random.doubles(pixels(extents)).toArray();
		// texture, so that displacements count
		for (int i = 1; i < image.length; i++) image[i] += 0.8 * image[i - 1];
		for (int i = 1; i < template.length; i++) template[i] += 0.8 * template[i - 1];
		final int[] zero = new int[size.length];
		final int[] first = IntStream.of(extents).map(e -> Math.max(0, e - side) / 2).toArray();
		final int[] last = IntStream.range(0, extents.length).map(d -> first[d] + Math.min(side, extents[d]) - 1).toArray();
		final int[] end = IntStream.of(size).map(e -> e - 1).toArray();
		double sum = 0;
		final int[] from = IntStream.range(0, size.length).map(d -> -Math.min(farthest, Math.min(size[d] - 1, last[d] - first[d]))).toArray();
		final int[] to = IntStream.of(from).map(k -> -k).toArray();
		for (final int[] k : places(from, to)) sum += products(template, size, zero, end, k) * products(image, extents, first, last, k);
		final double share = sum / (products(template, size, zero, end, zero) * products(image, extents, first, last, zero));
		assertEquals(template.length / share, pixels(template, size, image, extents), 1e-9, Arrays.toString(extents));
	}

	/** The autocovariance at a displacement, in a box. */
	private static double products(final double[] values, final int[] size, final int[] first, final int[] last, final int[] shift) {
		final List<int[]> box = places(first, last);
		final double mean = box.stream().mapToDouble(p -> values[index(p, size)]).average().orElseThrow();
		double sum = 0;
		for (final int[] p : box) {
			final int[] q = IntStream.range(0, p.length).map(d -> p[d] + shift[d]).toArray();
			if (IntStream.range(0, p.length).allMatch(d -> q[d] >= first[d] && q[d] <= last[d]))
				sum += (values[index(p, size)] - mean) * (values[index(q, size)] - mean);
		}
		return sum;
	}

	private static List<int[]> places(final int[] first, final int[] last) {
		List<int[]> places = List.of(new int[0]);
		for (int d = 0; d < first.length; d++) {
			final int axis = d;
			places = places.stream().flatMap(p -> IntStream.rangeClosed(first[axis], last[axis]).mapToObj(v -> {
				final int[] longer = Arrays.copyOf(p, axis + 1);
				longer[axis] = v;
				return longer;
			})).toList();
		}
		return places;
	}

	private static int index(final int[] place, final int[] size) {
		int index = 0;
		for (int d = size.length - 1; d >= 0; d--) index = index * size[d] + place[d];
		return index;
	}

	private static int pixels(final int[] size) {
		return IntStream.of(size).reduce(1, (a, b) -> a * b);
	}

	private static double pixels(final double[] template, final double[] image, final int height, final int... size) {
		return pixels(template, new int[] { template.length, height }, image, size);
	}

	private static double pixels(final double[] template, final int[] size, final double[] image, final int[] extents) {
		final RandomAccessibleInterval<?> pixels = ArrayImgs.doubles(image, IntStream.of(extents).asLongStream().toArray());
		return Bartlett.effectivePixels(new Template(Size.of(IntStream.of(size).asLongStream().toArray()), PixelType.F64, template, null), pixels);
	}
}
