package sc.fiji.ncc;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

import sc.fiji.ncc.AdversarialField.Edge;
import sc.fiji.ncc.AdversarialField.Field;
import sc.fiji.ncc.plan.PixelType;

/** Random cases, each the same whenever its seed is: pictures of one or two adversarial fields, scaled anywhere, with templates of any origin. */
final class AdversarialCases {

	private enum Origin { CUT, NOISY_CUT, NOISE, GRADIENT, CHECKERBOARD, SINGLE_PIXEL, OTHER_FIELD }

	/** Float most often: it is what the estimates are for. */
	private static final PixelType[] TYPES = { PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F64,
		PixelType.F64, PixelType.U16, PixelType.S16, PixelType.U8, PixelType.S32, PixelType.U32 };

	private final Random random;
	private final StringBuilder name = new StringBuilder();

	private AdversarialCases(final long seed) {
		// seeds that follow each other begin alike
		random = new Random(seed * 0x9E3779B97F4A7C15L);
	}

	/** @param mostSide of a template, 2 to 200 */
	static ContractCase of(final long seed, final int mostSide) {
		return new AdversarialCases(seed).draw(seed, mostSide);
	}

	/** One of a signal. */
	static ContractCase ofSignal(final long seed, final int mostLength) {
		return new AdversarialCases(~seed).draw(seed, 1, mostLength, 20_000);
	}

	private ContractCase draw(final long seed, final int mostSide) {
		final PixelType type = TYPES[random.nextInt(TYPES.length)];
		final boolean flat = random.nextInt(4) > 0;
		return draw(seed, type, flat ? 2 : 3, flat ? mostSide : Math.min(mostSide, 24), flat ? 260 : 30);
	}

	private ContractCase draw(final long seed, final int dimensions, final double most, final double room) {
		return draw(seed, TYPES[random.nextInt(TYPES.length)], dimensions, most, room);
	}

	/**
	 * @param most the longest side of a template
	 * @param room the most lags along a side
	 */
	private ContractCase draw(final long seed, final PixelType type, final int dimensions, final double most, final double room) {
		final int[] templateSize = new int[dimensions], imageSize = new int[dimensions];
		final double side = even(2, most), lags = even(4, room);
		final boolean square = random.nextBoolean();
		for (int d = 0; d < dimensions; d++) {
			templateSize[d] = (int) Math.round(square ? side : even(d == 0 ? 2 : 1, most));
			imageSize[d] = templateSize[d] + (int) Math.round(square ? lags : even(1, room)) - 1;
		}
		final double[] image = held(type, picture(imageSize, type));
		name.append(' ').append(type).append(' ').append(text(imageSize));
		final double[] weights = mask(templateSize);
		final double[] template = template(image, imageSize, templateSize, type, weights);
		name.append(' ').append(text(templateSize)).append(weights == null ? "" : " with a mask");
		final boolean partial = random.nextInt(6) == 0;
		final long[] origin = new long[dimensions];
		final int[] count = new int[dimensions];
		for (int d = 0; d < dimensions; d++) {
			origin[d] = partial ? 1 - templateSize[d] : 0;
			count[d] = imageSize[d] + (partial ? templateSize[d] : -templateSize[d]) + (partial ? -1 : 1);
		}
		if (partial) name.append(", over the image's border");
		return new ContractCase("seed " + seed + ": " + name, type, type, imageSize, templateSize, image, template, weights, origin, count, partial,
			partial ? 1 / 3.0 : 1);
	}

	/** Between two, evenly in its logarithm. */
	private double even(final double least, final double most) {
		return least * Math.pow(most / least, random.nextDouble());
	}

	private AdversarialField field() {
		final AdversarialField field = AdversarialField.values()[random.nextInt(AdversarialField.values().length)];
		name.append(field.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		return field;
	}

	/** One field, the sum of two, or one beside the other. */
	private double[] picture(final int[] size, final PixelType type) {
		final Field a = field().of(size, random);
		final int composition = random.nextInt(3);
		final double[] values = new double[ReferenceNcc.pixels(size)];
		if (composition == 0) fill(values, size, a);
		else {
			name.append(composition == 1 ? " + " : " beside ");
			final Field b = field().of(size, random);
			final Edge edge = new Edge(size, random);
			final double weight = AdversarialField.power(random, -3, 3);
			fill(values, size, composition == 1 ? at -> a.at(at) + weight * b.at(at) : at -> edge.beyond(at) > 0 ? weight * b.at(at) : a.at(at));
		}
		return type.integer ? stretched(values, type) : scaled(values, type);
	}

	private static void fill(final double[] values, final int[] size, final Field field) {
		final int[] at = new int[size.length];
		for (int i = 0; i < values.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			values[i] = field.at(at);
		}
	}

	/** Times a power of two: one half of the pictures as they are, a quarter anywhere, a quarter at an end of the type's range. */
	private double[] scaled(final double[] values, final PixelType type) {
		final int kind = random.nextInt(4);
		if (kind < 2) return values;
		double largest = 0;
		for (final double v : values) largest = Math.max(largest, Math.abs(v));
		final int least = type == PixelType.F32 ? -149 : -1074, most = type == PixelType.F32 ? 127 : 1023;
		final int end = random.nextInt(30);
		final int exponent = kind == 2 ? least + random.nextInt(most - least + 1) : random.nextBoolean() ? most - end / 10 : least + 1 + end;
		name.append(", greatest 2^").append(exponent);
		for (int i = 0; i < values.length; i++) values[i] = Math.scalb(values[i] / largest, exponent);
		return values;
	}

	/** Onto the whole of an integer type's range, or a part of it, down to a few grey levels. */
	private double[] stretched(final double[] values, final PixelType type) {
		final double least = Arrays.stream(values).min().orElseThrow(), most = Arrays.stream(values).max().orElseThrow();
		final double levels = even(3, type.max - type.min), low = type.min + random.nextDouble() * (type.max - type.min - levels);
		name.append(", ").append((long) levels).append(" levels");
		for (int i = 0; i < values.length; i++) values[i] = low + (most == least ? 0 : (values[i] - least) / (most - least)) * levels;
		return values;
	}

	private static double[] held(final PixelType type, final double[] values) {
		for (int i = 0; i < values.length; i++) values[i] = ContractPicture.held(type, values[i]);
		return values;
	}

	private double[] template(final double[] image, final int[] imageSize, final int[] size, final PixelType type, final double[] weights) {
		final Origin origin = Origin.values()[random.nextInt(Origin.values().length)];
		name.append(", template ").append(origin.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		final double[] values = new double[ReferenceNcc.pixels(size)];
		final double unit = type.integer ? 1 + random.nextInt((int) Math.min(type.max, 1 << 20)) / 4.0 : AdversarialField.power(random, -5, 5);
		switch (origin) {
			case CUT, NOISY_CUT -> cut(image, imageSize, size, values);
			case NOISE -> fill(values, size, at -> unit * random.nextDouble());
			case GRADIENT -> {
				final Edge edge = new Edge(size, random);
				fill(values, size, at -> unit * edge.beyond(at) / edge.length);
			}
			case CHECKERBOARD -> fill(values, size, at -> unit * (Arrays.stream(at).sum() & 1));
			case SINGLE_PIXEL -> values[random.nextInt(values.length)] = unit;
			case OTHER_FIELD -> fill(values, size, field().of(size, random));
		}
		if (origin == Origin.NOISY_CUT) {
			final double amplitude = (max(values) - min(values)) * AdversarialField.power(random, -3, 0);
			for (int i = 0; i < values.length; i++) values[i] += amplitude * random.nextDouble();
		}
		held(type, values);
		makeUneven(values, weights);
		return values;
	}

	private static double min(final double[] values) {
		return Arrays.stream(values).min().orElseThrow();
	}

	private static double max(final double[] values) {
		return Arrays.stream(values).max().orElseThrow();
	}

	private void cut(final double[] image, final int[] imageSize, final int[] size, final double[] values) {
		final int[] corner = new int[size.length];
		for (int d = 0; d < corner.length; d++) corner[d] = random.nextInt(imageSize[d] - size[d] + 1);
		fill(values, size, at -> {
			final int[] there = at.clone();
			for (int d = 0; d < there.length; d++) there[d] += corner[d];
			return image[ReferenceNcc.index(imageSize, there)];
		});
	}

	/** Not flat where it counts. */
	private static void makeUneven(final double[] values, final double[] weights) {
		int first = -1;
		for (int i = 0; i < values.length; i++) {
			if (weights != null && weights[i] == 0) continue;
			if (first < 0) first = i;
			if (values[i] != values[first]) return;
		}
		values[first] = values[first] == 0 ? 1 : 0;
	}

	/** A disc or random pixels, at least two, of the same weight or of any; null in three of four cases. */
	private double[] mask(final int[] size) {
		if (random.nextInt(4) > 0) return null;
		final double[] weights = new double[ReferenceNcc.pixels(size)];
		final double share = random.nextBoolean() ? 0 : 0.1 + 0.8 * random.nextDouble();
		fill(weights, size, at -> {
			double radius = 0;
			for (int d = 0; d < at.length; d++) radius += Math.pow((2 * at[d] + 1.0) / size[d] - 1, 2);
			return share == 0 ? radius <= 1 ? 1 : 0 : random.nextDouble() < share ? 1 : 0;
		});
		if (Arrays.stream(weights).sum() < 2) weights[0] = weights[weights.length - 1] = 1;
		// of any weight, in one of two
		if (random.nextBoolean()) for (int i = 0; i < weights.length; i++) weights[i] *= Math.pow(random.nextDouble(), 3);
		return weights;
	}

	private static String text(final int[] size) {
		return String.join("x", Arrays.stream(size).mapToObj(Integer::toString).toList());
	}
}
