package sc.fiji.ncc;

import java.util.Random;

/**
 * Ingredients of pictures on which floating point fails, of random strength. The values span many orders of magnitude and are not yet rounded
 * to what a pixel type holds.
 */
enum AdversarialField {

	/** Noise about zero. */
	NOISE {
		@Override
		Field of(final int[] size, final Random random) {
			return at -> random.nextGaussian();
		}
	},
	/** Whole numbers of a byte. */
	BYTES {
		@Override
		Field of(final int[] size, final Random random) {
			return at -> random.nextInt(256);
		}
	},
	/** Noise that stands up to 10^7 high. */
	OFFSET {
		@Override
		Field of(final int[] size, final Random random) {
			final double offset = power(random, 0, 7);
			return at -> offset + random.nextGaussian();
		}
	},
	/** Up to 10^6 on one side of an edge, with noise. */
	STEP {
		@Override
		Field of(final int[] size, final Random random) {
			final Edge edge = new Edge(size, random);
			final double height = power(random, 0, 6);
			return at -> (edge.beyond(at) > 0 ? height : 0) + random.nextGaussian();
		}
	},
	/** One side of an edge 8 to 1000 times as bright as the other. */
	BRIGHTER_HALF {
		@Override
		Field of(final int[] size, final Random random) {
			final Edge edge = new Edge(size, random);
			final double times = power(random, Math.log10(8), 3);
			return at -> (edge.beyond(at) > 0 ? times : 1) * random.nextDouble();
		}
	},
	/** Up to 10^6 for each pixel, in any direction, with noise. */
	RAMP {
		@Override
		Field of(final int[] size, final Random random) {
			final Edge edge = new Edge(size, random);
			final double slope = power(random, -3, 6), noise = random.nextInt(3) * power(random, -6, 0);
			return at -> slope * edge.beyond(at) + noise * random.nextGaussian();
		}
	},
	/** A faint field with up to three single pixels that outshine it. */
	SPOTS {
		@Override
		Field of(final int[] size, final Random random) {
			final int pixels = ReferenceNcc.pixels(size), count = 1 + random.nextInt(3);
			final double height = power(random, 1, 9);
			final int[] spots = random.ints(count, 0, pixels).toArray();
			return at -> {
				final int i = ReferenceNcc.index(size, at);
				double v = random.nextGaussian();
				for (final int s : spots) if (s == i) v += height;
				return v;
			};
		}
	},
	/** A contrast of 10^-3 to 10^-8. */
	FAINT {
		@Override
		Field of(final int[] size, final Random random) {
			final double contrast = power(random, -8, -3);
			return at -> 1 + contrast * random.nextGaussian();
		}
	},
	/** Waves of a period of 2 to 40 pixels, sometimes on an offset. */
	PERIODIC {
		@Override
		Field of(final int[] size, final Random random) {
			final double[] wave = random.doubles(size.length, 0, Math.PI).toArray();
			final double offset = random.nextInt(2) * power(random, 0, 5), noise = random.nextInt(2) * power(random, -7, -1);
			return at -> {
				double phase = 0;
				for (int d = 0; d < at.length; d++) phase += wave[d] * at[d];
				return offset + Math.sin(phase) + noise * random.nextGaussian();
			};
		}
	},
	/** Flat but for a few pixels. */
	SPARSE {
		@Override
		Field of(final int[] size, final Random random) {
			final double share = power(random, -3, -0.5), ground = random.nextInt(2) * power(random, 0, 6), height = power(random, -2, 4);
			return at -> ground + (random.nextDouble() < share ? height * random.nextGaussian() : 0);
		}
	},
	/** Flat tiles of random heights. */
	TILES {
		@Override
		Field of(final int[] size, final Random random) {
			final int side = 1 + (int) power(random, 0, 1.7);
			final double spread = power(random, 0, 3), noise = random.nextInt(2) * power(random, -4, 0);
			final long key = random.nextLong();
			return at -> {
				long h = key;
				for (final int x : at) h = (h + x / side) * 0x9E3779B97F4A7C15L;
				return spread * (h >>> 40) / (1 << 24) + noise * random.nextGaussian();
			};
		}
	},
	/** Noise that grows by up to ten orders of magnitude across the picture. */
	GROWING {
		@Override
		Field of(final int[] size, final Random random) {
			final Edge edge = new Edge(size, random);
			final double rate = 10 * random.nextDouble() * Math.log(10) / edge.length;
			return at -> Math.exp(rate * edge.beyond(at)) * random.nextGaussian();
		}
	},
	/** A checkerboard with noise upon it. */
	CHECKERBOARD {
		@Override
		Field of(final int[] size, final Random random) {
			final double noise = random.nextInt(2) * power(random, -5, 0), offset = random.nextInt(2) * power(random, 0, 6);
			return at -> {
				int parity = 0;
				for (final int x : at) parity += x;
				return offset + (parity & 1) + noise * random.nextGaussian();
			};
		}
	};

	/** A value for each place; drawn in order, since it may draw from its random numbers. */
	interface Field {
		double at(int[] place);
	}

	/** A straight edge through the picture. */
	static final class Edge {

		private final double[] normal, foot;
		/** About how far the picture reaches across the edge. */
		final double length;

		Edge(final int[] size, final Random random) {
			normal = new double[size.length];
			foot = new double[size.length];
			// along an axis as often as not: then a transform's rows are all alike
			final int axis = random.nextInt(2 * size.length);
			double norm = 0, reach = 0;
			for (int d = 0; d < size.length; d++) {
				normal[d] = axis < size.length ? axis == d ? 1 : 0 : random.nextGaussian();
				foot[d] = size[d] * random.nextDouble();
				norm += normal[d] * normal[d];
			}
			for (int d = 0; d < size.length; d++) {
				normal[d] /= Math.sqrt(norm);
				reach += Math.abs(normal[d]) * size[d];
			}
			length = Math.max(1, reach);
		}

		/** How far beyond the edge, in pixels; negative on this side. */
		double beyond(final int[] place) {
			double far = 0;
			for (int d = 0; d < place.length; d++) far += normal[d] * (place[d] - foot[d]);
			return far;
		}
	}

	/** A field over a picture of some size. */
	abstract Field of(int[] size, Random random);

	/** A power of ten with an exponent between two, evenly. */
	static double power(final Random random, final double least, final double most) {
		return Math.pow(10, least + (most - least) * random.nextDouble());
	}
}
