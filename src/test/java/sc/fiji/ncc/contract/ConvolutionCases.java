package sc.fiji.ncc.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import sc.fiji.ncc.oracle.ReferenceNcc;

/**
 * The cases of the contract for convolution: all cases of correlation with their templates as kernels, 0 where the mask is 0, and some of their images with
 * kernels that are sums of products of 1D kernels.
 */
public final class ConvolutionCases {

	/** One of this many cases also has a kernel that is a sum of products. */
	private static final int APART = 4;

	private static final List<ContractCase> ALL = Collections.unmodifiableList(list());
	private static final List<List<ContractCase>> BANKS = Collections.unmodifiableList(listOfBanks());

	/** Kernels of any size. */
	private enum Kind {
		BOX {
			@Override
			double[] kernel(final int[] size, final Random random) {
				final double[] k = new double[ReferenceNcc.pixels(size)];
				Arrays.fill(k, 1.0 / k.length);
				return k;
			}
		},
		GAUSSIAN {
			@Override
			double[] kernel(final int[] size, final Random random) {
				return gaussian(size);
			}
		},
		/** Rounded to float. */
		ROUNDED {
			@Override
			double[] kernel(final int[] size, final Random random) {
				return Arrays.stream(gaussian(size)).map(v -> (float) v).toArray();
			}
		},
		DIFFERENCE {
			@Override
			double[] kernel(final int[] size, final Random random) {
				final double[] narrow = gaussian(size, 8), wide = gaussian(size, 4);
				for (int i = 0; i < narrow.length; i++) narrow[i] -= wide[i];
				return narrow;
			}
		},
		/** The sum of three products of random 1D kernels. */
		RANDOM {
			@Override
			double[] kernel(final int[] size, final Random random) {
				final double[] k = new double[ReferenceNcc.pixels(size)];
				for (int t = 0; t < 3; t++) {
					final double[][] factors = IntStream.of(size).mapToObj(n -> random.doubles(n, -1, 1).toArray()).toArray(double[][]::new);
					product(factors, size, k);
				}
				return k;
			}
		},
		/** Values near the end of the range of a double. */
		HUGE {
			@Override
			double[] kernel(final int[] size, final Random random) {
				return Arrays.stream(gaussian(size)).map(v -> 1e200 * v).toArray();
			}
		},
		NOTHING {
			@Override
			double[] kernel(final int[] size, final Random random) {
				return new double[ReferenceNcc.pixels(size)];
			}
		};

		abstract double[] kernel(int[] size, Random random);
	}

	private ConvolutionCases() {}

	static List<ContractCase> all() {
		return ALL;
	}

	/** Several kernels with one image. */
	static List<List<ContractCase>> banks() {
		return BANKS;
	}

	private static List<ContractCase> list() {
		final CaseRandom random = new CaseRandom();
		final List<ContractCase> all = new ArrayList<>();
		for (final ContractCase c : ContractCases.all()) {
			all.add(c.convolving("convolved", kernel(c)));
			if (!CaseRandom.sampled(c, APART)) continue;
			final Kind kind = Kind.values()[CaseRandom.choice(c, "kernel", Kind.values().length)];
			all.add(c.convolving("convolved with " + kind.name().toLowerCase(), kind.kernel(c.templateSize(), random.start(kind, c.name()))));
		}
		return all;
	}

	/** The template, with 0 where the mask is 0. */
	private static double[] kernel(final ContractCase c) {
		final double[] kernel = c.template().clone();
		for (int i = 0; i < kernel.length; i++)
			if (c.weights() != null && c.weights()[i] == 0) kernel[i] = 0;
		return kernel;
	}

	private static List<List<ContractCase>> listOfBanks() {
		final CaseRandom random = new CaseRandom();
		final List<List<ContractCase>> banks = new ArrayList<>();
		for (final List<ContractCase> bank : ContractCases.banks()) {
			banks.add(bank.stream().map(c -> c.convolving("convolved", kernel(c))).toList());
			banks.add(bank.stream().map(c -> c.convolving("convolved with products", Kind.RANDOM.kernel(c.templateSize(), random.start(c.name())))).toList());
		}
		return banks;
	}

	/** A Gaussian with sum 1 and a standard deviation of a sixth of each extent. */
	public static double[] gaussian(final int[] size) {
		return gaussian(size, 6);
	}

	private static double[] gaussian(final int[] size, final double share) {
		final double[][] factors = new double[size.length][];
		for (int d = 0; d < size.length; d++) {
			final double middle = (size[d] - 1) / 2.0, sigma = size[d] / share;
			factors[d] = IntStream.range(0, size[d]).mapToDouble(i -> Math.exp(-(i - middle) * (i - middle) / (2 * sigma * sigma))).toArray();
			final double sum = Arrays.stream(factors[d]).sum();
			for (int i = 0; i < size[d]; i++) factors[d][i] /= sum;
		}
		final double[] kernel = new double[ReferenceNcc.pixels(size)];
		product(factors, size, kernel);
		return kernel;
	}

	/** Adds the product of 1D kernels to an array. */
	private static void product(final double[][] factors, final int[] size, final double[] to) {
		final int[] at = new int[size.length];
		for (int i = 0; i < to.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			double v = 1;
			for (int d = 0; d < size.length; d++) v *= factors[d][at[d]];
			to[i] += v;
		}
	}
}
