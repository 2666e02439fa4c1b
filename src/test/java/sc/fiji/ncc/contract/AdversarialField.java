package sc.fiji.ncc.contract;

import java.util.Random;

import sc.fiji.ncc.oracle.ReferenceNcc;

/**
 * Ingredients of images on which floating point fails, of random strength. The values span many orders of magnitude and are not yet rounded
 * to what a pixel type holds.
 */
enum AdversarialField {

	/** Noise about zero. */
	NOISE {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			return at -> noise.nextGaussian();
		}
	},
	/** Whole numbers of a byte. */
	BYTES {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			return at -> noise.nextInt(256);
		}
	},
	/** Noise that stands up to 10^7 high. */
	OFFSET {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double offset = genes.power("offset", 0, 7);
			return at -> offset + noise.nextGaussian();
		}
	},
	/** Up to 10^6 on one side of an edge, with noise. */
	STEP {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final Edge edge = new Edge(size, genes);
			final double height = genes.power("height", 0, 6);
			return at -> (edge.beyond(at) > 0 ? height : 0) + noise.nextGaussian();
		}
	},
	/** One side of an edge 8 to 1000 times as bright as the other. */
	BRIGHTER_HALF {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final Edge edge = new Edge(size, genes);
			final double times = genes.power("times", Math.log10(8), 3);
			return at -> (edge.beyond(at) > 0 ? times : 1) * noise.nextDouble();
		}
	},
	/** Up to 10^6 for each pixel, in any direction, with noise. */
	RAMP {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final Edge edge = new Edge(size, genes);
			final double slope = genes.power("slope", -3, 6), height = genes.index("noisy", 3) * genes.power("height", -6, 0);
			return at -> slope * edge.beyond(at) + height * noise.nextGaussian();
		}
	},
	/** A power of the place along one direction, without noise: neighbours are nearly equal, and their roundings alike. */
	POWER {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Edge edge = new Edge(size, genes);
			final double exponent = genes.power("exponent", -1, 1.2), height = genes.power("height", -3, 9);
			return at -> height * Math.pow(Math.abs(edge.beyond(at)) / edge.length, exponent);
		}
	},
	/** An exponential along one direction, without noise. */
	EXPONENTIAL {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Edge edge = new Edge(size, genes);
			final double rate = genes.power("rate", -0.5, 1.9) / edge.length, height = genes.power("height", -3, 10);
			return at -> height * Math.exp(-rate * Math.abs(edge.beyond(at)));
		}
	},
	/** Up to three peaks that fall off exponentially with the distance. */
	BUMPS {
		@Override
		Field of(final int[] size, final Genes genes) {
			final int count = 1 + genes.index("count", 3);
			final double[][] centres = new double[count][size.length];
			final double[] scales = new double[count], heights = new double[count];
			for (int k = 0; k < count; k++) {
				for (int d = 0; d < size.length; d++) centres[k][d] = size[d] * genes.number("centre" + k + d);
				scales[k] = genes.power("scale" + k, -0.5, 2.5);
				heights[k] = k == 0 ? 1 : genes.power("height" + k, -6, 2);
			}
			return at -> {
				double v = 0;
				for (int k = 0; k < count; k++) {
					double square = 0;
					for (int d = 0; d < at.length; d++) square += (at[d] - centres[k][d]) * (at[d] - centres[k][d]);
					v += heights[k] * Math.exp(-Math.sqrt(square) / scales[k]);
				}
				return v;
			};
		}
	},
	/** Pixels of either sign and of any magnitude, over up to 70 orders. */
	EXPONENTS {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double spread = genes.power("reach", 0, 1.9);
			return at -> (noise.nextBoolean() ? 1 : -1) * Math.exp(spread * (noise.nextDouble() - 0.5) * 2);
		}
	},
	/** A faint field with up to three single pixels that outshine it. */
	SPOTS {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final int pixels = ReferenceNcc.pixels(size), count = 1 + genes.index("count", 3);
			final double height = genes.power("height", 1, 9);
			final int[] spots = new int[count];
			for (int k = 0; k < count; k++) spots[k] = genes.index("spot" + k, pixels);
			return at -> {
				final int i = ReferenceNcc.index(size, at);
				double v = noise.nextGaussian();
				for (final int s : spots) if (s == i) v += height;
				return v;
			};
		}
	},
	/** A contrast of 10^-3 to 10^-8. */
	FAINT {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double contrast = genes.power("contrast", -8, -3);
			return at -> 1 + contrast * noise.nextGaussian();
		}
	},
	/** Waves of a period of 2 to 40 pixels, sometimes on an offset. */
	PERIODIC {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double[] wave = new double[size.length];
			for (int d = 0; d < wave.length; d++) wave[d] = genes.between("wave" + d, 0, Math.PI);
			final double offset = genes.index("raised", 2) * genes.power("offset", 0, 5), height = genes.index("noisy", 2) * genes.power("height", -7, -1);
			return at -> {
				double phase = 0;
				for (int d = 0; d < at.length; d++) phase += wave[d] * at[d];
				return offset + Math.sin(phase) + height * noise.nextGaussian();
			};
		}
	},
	/** Flat but for a few pixels. */
	SPARSE {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double share = genes.power("share", -3, -0.5), ground = genes.index("raised", 2) * genes.power("ground", 0, 6),
					height = genes.power("height", -2, 4);
			return at -> ground + (noise.nextDouble() < share ? height * noise.nextGaussian() : 0);
		}
	},
	/** Flat tiles of random heights. */
	TILES {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final int side = 1 + (int) genes.power("side", 0, 1.7);
			final double spread = genes.power("spread", 0, 3), height = genes.index("noisy", 2) * genes.power("height", -4, 0);
			final long key = noise.nextLong();
			return at -> {
				long h = key;
				for (final int x : at) h = (h + x / side) * 0x9E3779B97F4A7C15L;
				return spread * (h >>> 40) / (1 << 24) + height * noise.nextGaussian();
			};
		}
	},
	/** Noise that grows by up to ten orders of magnitude across the image. */
	GROWING {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final Edge edge = new Edge(size, genes);
			final double rate = 10 * genes.number("rate") * Math.log(10) / edge.length;
			return at -> Math.exp(rate * edge.beyond(at)) * noise.nextGaussian();
		}
	},
	/** A checkerboard with noise upon it, down to 10^-10. */
	CHECKERBOARD {
		@Override
		Field of(final int[] size, final Genes genes) {
			final Random noise = genes.random("noise");
			final double height = genes.index("noisy", 2) * genes.power("height", -10, 0), offset = genes.index("raised", 2) * genes.power("offset", 0, 6);
			return at -> {
				int parity = 0;
				for (final int x : at) parity += x;
				return offset + (parity & 1) + height * noise.nextGaussian();
			};
		}
	};

	/** A value for each place; drawn in order, since it may draw from its random numbers. */
	interface Field {
		double at(int[] place);
	}

	/** A straight edge through the image. */
	static final class Edge {

		private final double[] normal, foot;
		/** About how far the image reaches across the edge. */
		final double length;

		Edge(final int[] size, final Genes genes) {
			normal = new double[size.length];
			foot = new double[size.length];
			// along an axis as often as not: then a transform's rows are all alike; from the border as often as not
			final int axis = genes.index("axis", 2 * size.length);
			final boolean border = genes.chance("border", 0.5);
			double norm = 0, span = 0;
			for (int d = 0; d < size.length; d++) {
				normal[d] = axis < size.length ? axis == d ? 1 : 0 : genes.between("normal" + d, -1, 1);
				foot[d] = border ? 0 : size[d] * genes.number("foot" + d);
				norm += normal[d] * normal[d];
			}
			if (norm == 0) normal[0] = norm = 1;
			for (int d = 0; d < size.length; d++) {
				normal[d] /= Math.sqrt(norm);
				span += Math.abs(normal[d]) * size[d];
			}
			length = Math.max(1, span);
		}

		/** How far beyond the edge, in pixels; negative on this side. */
		double beyond(final int[] place) {
			double far = 0;
			for (int d = 0; d < place.length; d++) far += normal[d] * (place[d] - foot[d]);
			return far;
		}
	}

	/** A field over an image of some size. */
	abstract Field of(int[] size, Genes genes);
}
