package sc.fiji.ncc.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

class SeparationTest {

	private static final int N = 31;

	private static Template kernel(final IntToDoubleFunction value, final long... size) {
		final Size s = Size.of(size);
		return new Template(s, PixelType.F64, IntStream.range(0, (int) s.pixels()).mapToDouble(value).toArray(), null);
	}

	private static int terms(final Template... kernels) {
		return Separation.terms(List.of(kernels), PixelType.F32, Precision.SINGLE);
	}

	private static double gaussian(final double sigma, final double... place) {
		double sum = 0;
		for (final double x : place) sum += x * x;
		return Math.exp(-sum / (2 * sigma * sigma));
	}

	private static double gaussian(final int i, final double sigma) {
		return gaussian(sigma, i % N - N / 2, i / N - N / 2);
	}

	@Test
	void findsTheNumberOfTerms() {
		assertEquals(1, terms(kernel(i -> 0.25, 5, 4)), "a box");
		assertEquals(1, terms(kernel(i -> gaussian(i, 5), N, N)));
		assertEquals(1, terms(kernel(i -> (float) gaussian(i, 5), N, N)), "rounded as an image holds it");
		assertEquals(2, terms(kernel(i -> gaussian(i, 3) - 0.5 * gaussian(i, 5), N, N)), "a difference");
		assertEquals(2, terms(kernel(i -> ((i % N - 15) * (i % N - 15) + (i / N - 15) * (i / N - 15) - 18) * gaussian(i, 3), N, N)), "a Laplacian of a Gaussian");
		assertEquals(1, terms(kernel(i -> gaussian(2, i % 9 - 4, i / 9 % 7 - 3, i / 63 - 2), 9, 7, 5)), "a volume");
		assertEquals(1, terms(kernel(i -> 0.1, 3, 4, 5)), "a box in a volume");
	}

	@Test
	void findsNoneWhereThereIsNone() {
		final double[] noise = new Random(3).doubles(N * N).toArray();
		assertEquals(0, terms(kernel(i -> noise[i], N, N)));
		assertEquals(0, terms(kernel(i -> Math.hypot(i % N - 15, i / N - 15) < 12 ? 1 : 0, N, N)), "a disc");
		assertEquals(0, terms(kernel(i -> 1 + 1e-4 * noise[i], N, N)), "nearly a box");
		assertEquals(0, terms(kernel(i -> noise[i], 3, 3)), "three products of three and three are more than nine");
		assertEquals(0, terms(kernel(i -> 1, 9)), "a line");
		assertEquals(0, terms(kernel(i -> 1, 1, 9)), "a line upright");
		assertEquals(0, terms(kernel(i -> 0, 3, 3)), "nothing");
		assertEquals(0, terms(kernel(i -> 1, 3, 3, 3, 3)), "four dimensions");
		assertEquals(0, terms(kernel(i -> 0.25, 5, 4), kernel(i -> noise[i], 5, 4)), "one of them");
		assertEquals(2, terms(kernel(i -> 0.25, N, N), kernel(i -> gaussian(i, 3) - 0.5 * gaussian(i, 5), N, N)), "the most of them");
	}

	@Test
	void inDoubleAKernelRoundedToFloatIsNoProduct() {
		final Template exact = kernel(i -> gaussian(i, 5), N, N), rounded = kernel(i -> (float) gaussian(i, 5), N, N);
		final Template volume = kernel(i -> gaussian(2, i % 9 - 4, i / 9 % 7 - 3, i / 63 - 2), 9, 7, 5);
		assertEquals(1, Separation.terms(List.of(exact), PixelType.F32, Precision.DOUBLE));
		assertEquals(1, Separation.terms(List.of(volume), PixelType.F32, Precision.DOUBLE));
		assertEquals(0, Separation.terms(List.of(rounded), PixelType.F32, Precision.DOUBLE));
	}

	@Test
	void boundsGrowWithWhatIsAddedUp() {
		final float[][] alike = new float[20][6];
		for (final float[] group : alike) java.util.Arrays.fill(group, 1f / 120);
		assertTrue(RoundingBound.of(alike, 20) > RoundingBound.of(alike, 10), "longer runs err more");
		// 6 products round by 3.5 times their sum, twenty sums by 10.5 times theirs, except for the first
		assertEquals(3.5 + 10.5 - 0.05, RoundingBound.of(alike, 20), 1e-3);
		assertEquals(20, RoundingBound.longestRun(alike, 14));
		assertEquals(10, RoundingBound.longestRun(alike, 13));
		assertEquals(0, RoundingBound.longestRun(alike, 1));
	}
}
