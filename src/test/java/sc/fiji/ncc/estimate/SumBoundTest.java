package sc.fiji.ncc.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.correlator.SumOrder;
import sc.fiji.ncc.numeric.Tolerance;

/** Each term of the estimate, against the sums of all roundings one by one. */
class SumBoundTest {

	private static final double EPS = 0x1p-24;

	/** Walks through the sums: the coefficients of each sum that is rounded. */
	private static final class Roundings implements Additions.Sum {

		final List<List<Integer>> rounded = new ArrayList<>();
		private List<Integer> run = new ArrayList<>();

		@Override
		public void start() {
			run = new ArrayList<>();
		}

		@Override
		public void add(final int i, final int n) {
			final List<Integer> products = new ArrayList<>();
			for (int j = i + n - 1; j >= i; j--) {
				products.add(j);
				if (n > 1) rounded.add(List.copyOf(products));
			}
			run.addAll(products);
			rounded.add(List.copyOf(run));
		}
	}

	/** Each term is compared by itself: the means of partial sums, their rest, the roundings of deviations, rounded coefficients, and inexact products. */
	@Test
	void eachTermIsTheSumOfItsRoundings() {
		final Random random = new Random(3);
		for (final int[] size : new int[][] { { 5, 3, 1000 }, { 18, 4, 20 }, { 7, 9, 16 }, { 3, 3, 1000 } })
			for (final boolean weighted : new boolean[] { false, true }) {
				final int count = size[0] * size[1];
				final double[] exact = random.doubles(count, -1, 1).toArray(), coefficients = exact.clone();
				final double[] weights = weighted ? random.doubles(count, 0.5, 3).toArray() : null;
				for (int i = 0; i < count; i++) coefficients[i] += 1e-6 * random.nextGaussian();
				final SumOrder order = SumOrder.inFloat(size[0], size[1], 1, size[2], coefficients);
				final double n = 40, norm = 1.7;
				double mean = 0, deviations = 0, changed = 0, sum = 0, magnitude = 0;
				for (int phase = 0; phase < order.phases(); phase++) {
					final Roundings walk = new Roundings();
					order.walk(phase, walk);
					double partial = 0, squares = 0;
					final int[] roundings = new int[count];
					for (final List<Integer> one : walk.rounded) {
						double s = 0;
						for (final int i : one) {
							s += coefficients[i];
							roundings[i]++;
						}
						partial += Math.abs(s);
					}
					for (int i = 0; i < count; i++) squares += Math.pow(roundings[i] * coefficients[i], 2) / (weighted ? weights[i] : 1);
					mean = Math.max(mean, partial);
					deviations = Math.max(deviations, Math.sqrt(squares));
				}
				for (int i = 0; i < count; i++) {
					changed += Math.pow(coefficients[i] - exact[i], 2) / (weighted ? weights[i] : 1);
					sum += coefficients[i];
					magnitude += Math.abs(coefficients[i]);
				}
				for (final double inexact : new double[] { 0, 2 }) {
					final SumBound.Terms found = SumBound.of(order, new SumBound.Coefficients(exact, coefficients, weights, n, norm), inexact, EPS);
					final double ofMean = (EPS * (mean + inexact * magnitude) + Math.abs(sum)) / (Math.sqrt(n) * norm);
					final double ofDeviations = (EPS * deviations + Math.sqrt(changed)) / norm + (1 + inexact) * EPS;
					assertEquals(ofMean, found.ofMean(), 1e-9 * ofMean);
					assertEquals(ofDeviations, found.ofDeviations(), 1e-9 * ofDeviations);
					assertEquals(Math.sqrt(changed) / norm, found.rounded(), 1e-15);
				}
				// coefficients that are exact, with a sum of 0: the roundings alone
				final double[] balanced = new double[count];
				for (int i = 0; i + 1 < count; i += 2) {
					balanced[i] = i % 3 + 1;
					balanced[i + 1] = -balanced[i];
				}
				if (count % 2 == 1) {
					// no coefficient is 0: its addition would not be rounded
					balanced[count - 3] = 2;
					balanced[count - 2] = balanced[count - 1] = -1;
				}
				final SumOrder plain = SumOrder.inFloat(size[0], size[1], 1, size[2], balanced);
				double most = 0;
				for (int phase = 0; phase < plain.phases(); phase++) {
					final Roundings walk = new Roundings();
					plain.walk(phase, walk);
					double partial = 0;
					for (final List<Integer> one : walk.rounded) partial += Math.abs(one.stream().mapToDouble(i -> balanced[i]).sum());
					most = Math.max(most, partial);
				}
				assertEquals(EPS * most / (Math.sqrt(n) * norm),
					SumBound.of(plain, new SumBound.Coefficients(balanced, balanced, null, n, norm), 0, EPS).ofMean(), 1e-15);
			}
	}

	/** Rounded coefficients count the more, the less contrast the part of the template has. The whole template has the limit of whole windows. */
	@Test
	void windowsOfAPartOfTheTemplate() {
		final DirectError error = new DirectError(7, 1e-7, 2e-7, 1e-5, 0);
		assertEquals(7, error.partialLimit(1, 1));
		assertEquals(Math.pow(1e-5 / 4e-7, 2) - 1, error.partialLimit(0.5, 0.25), 1e-9);
		assertEquals(Math.pow(1e-5 / 2e-7, 2) - 1, new DirectError(7, 0, 2e-7, 1e-5, 0).partialLimit(0.5, 0), 1e-9);
		assertEquals(Tolerance.DOUBLE_LIMIT, new DirectError(7, 0, 1e-30, 1e-5, 0).partialLimit(0.5, 1));
		assertEquals(0.25 * Tolerance.roundedLimit(true), FourierError.inFloat(true, 3).partialLimit(0.25, 1));
	}

	/** Coefficients that are added one by one: 1, 2 and −3 have the sums 1, 3 and 0. */
	@Test
	void oneByOne() {
		final Additions order = new Additions() {

			@Override
			public int phases() {
				return 1;
			}

			@Override
			public void walk(final int phase, final Sum sum) {
				sum.start();
				for (int i = 0; i < 3; i++) sum.add(i, 1);
			}
		};
		final double[] c = { 1, 2, -3 };
		final SumBound.Terms terms = SumBound.of(order, new SumBound.Coefficients(c, c, null, 4, 5), 0, 0.5);
		assertEquals(0.5 * 4 / (2 * 5), terms.ofMean(), 1e-12);
		// 1 is in three sums, 2 in two and 3 in one
		assertEquals(0.5 * Math.sqrt(9 + 4 * 4 + 9) / 5 + 0.5, terms.ofDeviations(), 1e-12);
		assertEquals(0, terms.rounded());
		assertEquals(1e-3 / 5, SumBound.of(order,
			new SumBound.Coefficients(new double[] { 1, 1e-3, -1 }, new double[] { 1, 0, -1 }, null, 4, 5), 0, 0.5).rounded(), 1e-12);
	}

	/** A limit is the square of what is left of the tolerance, over the error of the mean; never 0. */
	@Test
	void limits() {
		assertEquals(Math.pow((1 - 0.25) / 3, 2), new SumBound.Terms(3, 0.25, 0).limit(1), 1e-12);
		for (final double deviations : new double[] { 1, 5 }) assertEquals(Double.MIN_NORMAL, new SumBound.Terms(3, deviations, 0)
			.limit(1));
	}
}
