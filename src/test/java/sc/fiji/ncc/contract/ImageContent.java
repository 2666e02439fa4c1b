package sc.fiji.ncc.contract;

import java.util.Random;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;

/** Kinds of images: ordinary ones, and ones on which an algorithm without care for rounding and overflow fails. */
public enum ImageContent {

	/** The whole range of the type; for floating point a normal distribution. */
	NOISE {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return type.integer ? type.min + random.nextDouble() * (type.max - type.min) : random.nextGaussian();
		}
	},
	/** Smooth hills with a little noise: what a camera sees. */
	HILLS {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			final double hills = Math.sin(0.7 * at.x) * Math.cos(0.5 * at.y + 0.3 * at.z) + 0.3 * Math.sin(0.23 * at.x * at.y);
			return middle(type) + 0.35 * range(type) * (hills + 0.05 * random.nextGaussian());
		}
	},
	/** 40000 ± 3, or lower if the type cannot hold it. */
	SMALL_ON_OFFSET {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return Math.min(40_000, type.max * 0.75) + random.nextInt(7) - 3;
		}
	},
	NOISE_ON_A_MILLION {
		@Override
		public boolean suits(final PixelType type) {
			return type.max > 2e6;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return 1e6 + (type.integer ? 3 : 1) * random.nextGaussian();
		}
	},
	/** From the least to 10^6, with noise. */
	STEP {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			final double noise = type.integer ? random.nextInt(6) : random.nextGaussian();
			return at.left ? Math.max(0, type.min) + noise : Math.min(1e6, type.max - 6) + noise;
		}
	},
	HALF_EIGHT_TIMES_BRIGHTER {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return (at.left ? 1 : 8) * 15 * random.nextDouble();
		}
	},
	/** A faint field with one bright pixel. */
	BRIGHT_SPOT {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			if (at.spot) return type.integer ? type.max : 1e6;
			return type.integer ? random.nextInt(3) : 1e-3 * random.nextGaussian();
		}
	},
	/** A contrast of 1e-9, or the smallest of the type. */
	FAINT {
		@Override
		public boolean suits(final PixelType type) {
			return type.bytes >= 4;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			if (type.integer) return type.max - 1000 + random.nextInt(5);
			return 1 + (type == PixelType.F32 ? Math.ulp(1f) * random.nextInt(5) : 1e-9 * random.nextGaussian());
		}
	},
	/** Values of 1e-40, which a float holds with few bits. */
	TINY {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return 1e-40 * random.nextGaussian();
		}
	},
	/** Small multiples of the smallest positive number. */
	LEAST {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return random.nextInt(9) * (type == PixelType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE);
		}
	},
	/** Values of 1e300, or of 1e38. */
	HUGE {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return (type == PixelType.F32 ? 1e38 : 1e300) * random.nextGaussian();
		}
	},
	/** Both ends of the range of the type: differences overflow. */
	GREATEST {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			// more than a third of the pixels at the ends of the range
			return type.max * Math.max(-1, Math.min(1, 1.6 * (2 * random.nextDouble() - 1)));
		}
	},
	TINY_BESIDE_HUGE {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return (at.left ? 1e-40 : type == PixelType.F32 ? 1e37 : 1e300) * random.nextGaussian();
		}
	},
	/** Noise with some NaN and infinite pixels. */
	NOT_FINITE {
		@Override
		public boolean suits(final PixelType type) {
			return !type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			final double noise = random.nextGaussian();
			if (random.nextInt(120) > 0) return noise;
			return random.nextInt(3) == 0 ? Double.NaN : random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
		}
	},
	/** Two flat regions at values that floating point cannot sum exactly, and noise. */
	FLAT_REGIONS {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			final double noise = type.integer ? random.nextInt(100) : 1000 * random.nextDouble();
			if (at.left) return type.integer ? 99 : 1e6 / 3;
			return at.low ? type.integer ? 7 : 0.1 : noise;
		}
	},
	/** Flat but for a pixel here and there that differs by the least there is. */
	ALMOST_FLAT {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			final double ground = type.integer ? type.max - 1 : 1e6 / 3;
			if (random.nextInt(40) > 0) return ground;
			return type.integer ? ground + 1 : type == PixelType.F32 ? Math.nextUp((float) ground) : Math.nextUp(ground);
		}
	},
	/** Whole numbers in a type that could hold others. */
	WHOLE_NUMBERS {
		@Override
		public boolean suits(final PixelType type) {
			return type.bytes >= 4;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return random.nextInt(256);
		}
	},
	RAMP {
		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return type.integer ? type.min + at.share * (type.max - type.min) : 1e5 * at.share;
		}
	},
	/** Only the smallest and the largest value of the type. */
	EXTREMES {
		@Override
		public boolean suits(final PixelType type) {
			return type.integer;
		}

		@Override
		double value(final PixelType type, final Place at, final Random random) {
			return random.nextBoolean() ? type.min : type.max;
		}
	};

	/**
	 * The place of a pixel in its image.
	 *
	 * @param left in the half of small x
	 * @param low in the half of small y
	 * @param spot the one pixel that is bright
	 * @param share how far along the diagonal, from 0 to 1
	 */
	record Place(int x, int y, int z, boolean left, boolean low, boolean spot, double share) {}

	public boolean suits(final PixelType type) {
		return true;
	}

	/** The value of a pixel before it is rounded to the type. */
	abstract double value(PixelType type, Place at, Random random);

	/** The pixels, x fastest. The type can hold each value. */
	public final double[] draw(final PixelType type, final int[] size, final Random random) {
		final double[] values = new double[ReferenceNcc.pixels(size)];
		final int spot = values.length / 2 + size[0] / 3;
		final int[] at = new int[size.length];
		int extent = 0;
		for (final int s : size) extent += s - 1;
		for (int i = 0; i < values.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			int sum = 0;
			for (final int x : at) sum += x;
			final int y = at.length > 1 ? at[1] : 0;
			final Place place = new Place(at[0], y, at.length > 2 ? at[2] : 0, 2 * at[0] < size[0], at.length > 1 && 2 * y < size[1],
				i == spot % values.length, sum / Math.max(1.0, extent));
			values[i] = held(type, value(type, place, random));
		}
		return values;
	}

	/** The nearest value that the type can hold. */
	static double held(final PixelType type, final double value) {
		if (type.integer) return Math.max(type.min, Math.min(type.max, Math.rint(value)));
		if (type == PixelType.F64 || !Double.isFinite(value)) return value;
		return (float) Math.max(type.min, Math.min(type.max, value));
	}

	private static double middle(final PixelType type) {
		return type.integer ? type.min / 2 + type.max / 2 : 100;
	}

	private static double range(final PixelType type) {
		return type.integer ? type.max / 2 - type.min / 2 : 100;
	}
}
