package sc.fiji.ncc.contract;

import java.util.Arrays;
import java.util.Random;

import sc.fiji.ncc.oracle.ReferenceNcc;

/** The masks and weights of the templates of the contract's cases. */
final class CaseWeights {

	enum Mask { NONE, DISC, RING, ROW, RANDOM }

	/** Real weights. */
	enum Weighing {
		UNIFORM, GAUSSIAN,
		/** Over 24 powers of ten, with zeros. */
		WIDE,
		/** Multiples of a third. The weight of a partial overlap can be exactly a third of the sum. */
		THIRDS
	}

	private final Random random;

	CaseWeights(final Random random) {
		this.random = random;
	}

	/** One weight per pixel. At least two are positive. */
	double[] of(final Weighing weighing, final int[] size) {
		final double[] weights = new double[ReferenceNcc.pixels(size)];
		final int[] at = new int[size.length];
		for (int i = 0; i < weights.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			double radius = 0;
			for (int d = 0; d < size.length; d++) radius += Math.pow((2 * at[d] + 1.0) / size[d] - 1, 2);
			weights[i] = switch (weighing) {
				case UNIFORM -> 7 * random.nextDouble();
				case GAUSSIAN -> Math.exp(-2 * radius);
				case WIDE -> random.nextInt(6) == 0 ? 0 : Math.pow(10, 24 * random.nextDouble() - 12);
				case THIRDS -> random.nextInt(4) / 3.0;
			};
		}
		// a template needs two pixels
		if (Arrays.stream(weights).filter(w -> w > 0).count() < 2) weights[0] = weights[weights.length - 1] = 0.3;
		return weights;
	}

	/** 1 for the pixels that count, at least two, and 0 for the others; null if all count. */
	double[] of(final Mask mask, final int[] size) {
		if (mask == Mask.NONE) return null;
		final double[] weights = new double[ReferenceNcc.pixels(size)];
		final int[] at = new int[size.length];
		for (int i = 0; i < weights.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			double radius = 0;
			boolean row = true;
			for (int d = 0; d < size.length; d++) {
				radius += Math.pow((2 * at[d] + 1.0) / size[d] - 1, 2);
				row &= d == 0 || at[d] == size[d] / 2;
			}
			final boolean counts = switch (mask) {
				case DISC -> radius <= 1;
				case RING -> radius <= 1 && radius > 0.25;
				case ROW -> row;
				default -> random.nextBoolean();
			};
			weights[i] = counts ? 1 : 0;
		}
		// a template needs two pixels
		if (Arrays.stream(weights).sum() < 2) weights[0] = weights[weights.length - 1] = 1;
		return weights;
	}
}
