package sc.fiji.ncc.contract;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

import sc.fiji.ncc.contract.AdversarialField.Edge;
import sc.fiji.ncc.contract.AdversarialField.Field;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;

/**
 * Random cases: signals, images and volumes of one or two adversarial fields, of any scale, with templates of any origin and shape, with masks and weights,
 * inside the image, over its border and beyond it. Equal genes give equal cases.
 */
final class AdversarialCases {

	private enum Shape { SIGNAL, PLANE, THIN, VOLUME, ONE_PLANE }

	private enum Composition { ONE, SUM, BESIDE, PRODUCT }

	private enum Origin {
		CUT, NOISY_CUT, NOISE, GRADIENT, CHECKERBOARD, SINGLE_PIXEL, OTHER_FIELD,
		/** The whole image. The image has the size of the template. */
		WHOLE
	}

	private enum Lags {
		VALID, FULL_OVERLAP, SAME_OVERLAP, FULL_EDGE, FULL_MIRROR, FULL_ZERO;

		boolean partial() {
			return this == FULL_OVERLAP || this == SAME_OVERLAP;
		}

		/** The index of the pixel that extends a line of the given length to an index outside. Negative for the value 0. */
		int inside(final int at, final int length) {
			if (at >= 0 && at < length) return at;
			if (this == FULL_ZERO) return -1;
			if (this == FULL_EDGE || length == 1) return Math.max(0, Math.min(length - 1, at));
			final int period = 2 * length - 2, phase = Math.floorMod(at, period);
			return Math.min(phase, period - phase);
		}
	}

	private enum Weighing {
		DISC, RANDOM, ONES, CUBES,
		/** Over up to 14 powers of ten. */
		DECADES,
		/** The first pixel has a very small weight. */
		LIGHT_FIRST,
		/** One pixel has the weight 1, the others an equal weight of 1e-30 to 1. */
		HEAVY_ONE
	}

	/** Mostly float, because the estimates matter most for it. */
	private static final PixelType[] TYPES = { PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F32, PixelType.F64,
		PixelType.F64, PixelType.U16, PixelType.S16, PixelType.U8, PixelType.U8, PixelType.S32, PixelType.U32 };
	/** The largest number of products of a direct sum. */
	private static final double PRODUCTS = 3e8;

	private final Genes genes;
	private final StringBuilder name = new StringBuilder();

	private AdversarialCases(final Genes genes) {
		this.genes = genes;
	}

	/** @param maxSide the longest side of a template, at least 2. Long thin templates are up to 6 times as long, those of signals up to 20 times */
	static ContractCase of(final Genes genes, final int maxSide) {
		return new AdversarialCases(genes).draw(maxSide);
	}

	/** The case of a seed. */
	static ContractCase of(final long seed, final int maxSide) {
		return of(Genes.of(seed), maxSide);
	}

	private ContractCase draw(final int maxSide) {
		final PixelType type = genes.pick("type", TYPES);
		final Shape shape = genes.pick("shape", Shape.values());
		final Lags lags = genes.chance("inside", 0.4) ? Lags.VALID : genes.pick("reach", Lags.values());
		final Origin origin = genes.pick("origin", Origin.values());
		final int[] templateSize = templateSize(shape, maxSide), core = imageSize(shape, templateSize, origin, lags);
		final double[] plain = held(type, image(core, type));
		// a border other than a partial overlap becomes pixels around the image
		final boolean beyond = lags != Lags.VALID && !lags.partial();
		final int[] imageSize = core.clone();
		if (beyond) for (int d = 0; d < core.length; d++) imageSize[d] += 2 * (templateSize[d] - 1);
		final double[] image = beyond ? extended(plain, core, imageSize, templateSize, lags) : plain;
		name.append(' ').append(type).append(' ').append(text(core));
		final double[] weights = weights(templateSize);
		final double[] template = template(origin, plain, core, templateSize, type, weights);
		name.append(' ').append(text(templateSize)).append(", ").append(lags.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		final long[] first = new long[core.length];
		final int[] count = new int[core.length];
		for (int d = 0; d < core.length; d++) {
			count[d] = switch (lags) {
				case VALID -> core[d] - templateSize[d] + 1;
				case SAME_OVERLAP -> core[d];
				default -> core[d] + templateSize[d] - 1;
			};
			if (lags == Lags.FULL_OVERLAP) first[d] = 1 - templateSize[d];
			if (lags == Lags.SAME_OVERLAP) first[d] = -(templateSize[d] / 2);
		}
		final ContractCase whole = new ContractCase(genes + " " + name, type, type, imageSize, templateSize, image, template, weights, first, count, lags.partial(),
			lags.partial() ? genes.pick("overlap", new Double[] { 1 / 3.0, 1 / 3.0, 0.0 }) : 1);
		// only on request, so that the other cases stay what they are
		final ContractCase joint = genes.has("joint") ? joint(whole) : whole;
		return genes.has("missing") ? missing(joint) : joint;
	}

	/** The case with a second channel: image and template reversed, with a contrast of 1 to 1e-6 of the first. */
	private ContractCase joint(final ContractCase c) {
		final double scale = genes.power("joint", -6, 0);
		return c.joint("with a channel of " + scale, twice(c.image(), c.imageType(), scale), twice(c.template(), c.templateType(), scale), 2);
	}

	private static double[] twice(final double[] values, final PixelType type, final double scale) {
		final int n = values.length;
		final double[] both = Arrays.copyOf(values, 2 * n);
		for (int i = 0; i < n; i++) {
			final double v = values[n - 1 - i] * scale;
			both[n + i] = ImageContent.held(type, Double.isFinite(v) ? v : 1);
		}
		return both;
	}

	/** The case with missing pixels: single ones, a box, all but a box, or stripes. Missing pixels have values that would spoil sums. */
	private ContractCase missing(final ContractCase c) {
		final int[] size = c.imageSize(), low = new int[size.length], high = new int[size.length];
		for (int d = 0; d < size.length; d++) {
			low[d] = genes.index("missing from" + d, size[d]);
			high[d] = low[d] + 1 + genes.index("missing to" + d, size[d] - low[d]);
		}
		final int kind = (int) (4 * genes.number("missing"));
		final double share = genes.power("missing share", -2, 0);
		final Random noise = genes.random("missing noise");
		final double[] mask = new double[c.image().length / c.channels()], image = c.image().clone();
		fill(mask, size, at -> {
			boolean inBox = true;
			for (int d = 0; d < at.length; d++) inBox &= at[d] >= low[d] && at[d] < high[d];
			return switch (kind) {
				case 0 -> noise.nextDouble() < share ? 0 : 1;
				case 1 -> inBox ? 0 : 1;
				case 2 -> inBox ? 1 : 0;
				default -> at[0] % 2;
			};
		});
		final double wild = c.imageType().integer ? c.imageType().max : genes.chance("missing NaN", 0.5) ? Double.NaN : c.imageType().max;
		for (int i = 0; i < image.length; i++)
			if (mask[i % mask.length] == 0) image[i] = wild;
		return c.missing("missing pixels " + kind, image, mask, genes.pick("missing overlap", new Double[] { 1 / 3.0, 0.0, 0.9 }));
	}

	/** A number between two others, with a uniform logarithm. */
	private int even(final String what, final double least, final double most) {
		return (int) Math.round(least * Math.pow(Math.max(1, most / least), genes.number(what)));
	}

	private int[] templateSize(final Shape shape, final int most) {
		if (shape == Shape.SIGNAL) return new int[] { even("width", 2, 20.0 * most) };
		if (shape == Shape.THIN) {
			final int length = even("width", 2, 6.0 * most), across = genes.chance("across", 0.7) ? 1 : even("height", 1, 4);
			return genes.chance("upright", 0.5) ? new int[] { across, length } : new int[] { length, across };
		}
		final double side = shape == Shape.PLANE ? most : Math.min(most, 24);
		final int width = even("width", 2, side);
		final boolean square = genes.chance("square", 0.5);
		final int height = square ? width : even("height", 1, side);
		return shape == Shape.PLANE ? new int[] { width, height }
			: new int[] { width, height, shape == Shape.ONE_PLANE ? 1 : square ? width : even("depth", 1, side) };
	}

	private int[] imageSize(final Shape shape, final int[] template, final Origin origin, final Lags lags) {
		final double most = switch (shape) {
			case SIGNAL -> 20_000;
			case VOLUME -> 30;
			default -> 260;
		};
		final int[] valid = new int[template.length], size = template.clone();
		for (int d = 0; d < valid.length; d++) valid[d] = origin == Origin.WHOLE || shape == Shape.ONE_PLANE && d == 2 ? 1 : even("room" + d, 1, most);
		while (true) {
			double products = 1;
			for (int d = 0; d < valid.length; d++) {
				size[d] = template[d] + valid[d] - 1;
				products *= (double) template[d] * (valid[d] + (lags == Lags.VALID ? 0 : 2 * template[d]));
			}
			if (products < PRODUCTS || Arrays.stream(valid).max().getAsInt() == 1) return size;
			for (int d = 0; d < valid.length; d++) valid[d] = (valid[d] + 1) / 2;
		}
	}

	private static double[] extended(final double[] plain, final int[] core, final int[] size, final int[] template, final Lags lags) {
		final double[] all = new double[ReferenceNcc.pixels(size)];
		fill(all, size, at -> {
			final int[] there = at.clone();
			for (int d = 0; d < there.length; d++) {
				there[d] = lags.inside(at[d] - template[d] + 1, core[d]);
				if (there[d] < 0) return 0;
			}
			return plain[ReferenceNcc.index(core, there)];
		});
		return all;
	}

	private Field field(final Genes of, final int[] size) {
		final AdversarialField field = of.pick("field", AdversarialField.values());
		name.append(field.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		return field.of(size, of);
	}

	/** One field, the sum or the product of two fields, or two fields side by side. */
	private double[] image(final int[] size, final PixelType type) {
		final Field a = field(genes.in("a"), size);
		final Composition composition = genes.pick("composition", Composition.values());
		final double[] values = new double[ReferenceNcc.pixels(size)];
		if (composition == Composition.ONE) fill(values, size, a);
		else {
			name.append(' ').append(composition.name().toLowerCase(Locale.ROOT)).append(' ');
			final Field b = field(genes.in("b"), size);
			final Edge edge = new Edge(size, genes.in("edge"));
			final double weight = genes.power("weight", -5, 5);
			fill(values, size, switch (composition) {
				case SUM -> at -> a.at(at) + weight * b.at(at);
				case PRODUCT -> at -> a.at(at) * b.at(at);
				default -> at -> edge.beyond(at) > 0 ? weight * b.at(at) : a.at(at);
			});
		}
		if (type.integer) return stretched(values, type);
		if (genes.chance("whole", 0.2)) {
			final double unit = genes.power("unit", -1, 6);
			name.append(" in whole numbers");
			for (int i = 0; i < values.length; i++) values[i] = Math.rint(values[i] * unit);
		}
		return scaled(values, type);
	}

	private static void fill(final double[] values, final int[] size, final Field field) {
		final int[] at = new int[size.length];
		for (int i = 0; i < values.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			values[i] = field.at(at);
		}
	}

	/** Scales by a power of two. Most images are unchanged, some have a random scale, some lie at an end of the range of the type. */
	private double[] scaled(final double[] values, final PixelType type) {
		final double kind = genes.number("scaling");
		double largest = 0;
		for (final double v : values) largest = Math.max(largest, Math.abs(v));
		if (kind < 0.7 || largest == 0) return values;
		final int least = type == PixelType.F32 ? -149 : -1074, most = type == PixelType.F32 ? 127 : 1023;
		final int end = genes.index("end", 30), anywhere = least + genes.index("exponent", most - least + 1);
		final int exponent = kind < 0.85 ? anywhere : genes.chance("large", 0.5) ? most - end / 10 : least + 1 + end;
		name.append(", greatest 2^").append(exponent);
		for (int i = 0; i < values.length; i++) values[i] = Math.scalb(values[i] / largest, exponent);
		return values;
	}

	/** Maps the values onto the range of an integer type or onto a part of it, down to a few grey levels. */
	private double[] stretched(final double[] values, final PixelType type) {
		final double least = min(values), most = max(values), range = (double) type.max - type.min;
		final double levels = Math.pow(range / 2, genes.number("levels")) * 2, low = type.min + genes.number("low") * (range - levels);
		name.append(", ").append((long) levels).append(" levels");
		for (int i = 0; i < values.length; i++) values[i] = low + (most == least ? 0 : (values[i] - least) / (most - least)) * levels;
		return values;
	}

	private static double[] held(final PixelType type, final double[] values) {
		for (int i = 0; i < values.length; i++) values[i] = ImageContent.held(type, values[i]);
		return values;
	}

	private double[] template(final Origin origin, final double[] image, final int[] imageSize, final int[] size, final PixelType type,
		final double[] weights)
	{
		name.append(", template ").append(origin.name().toLowerCase(Locale.ROOT).replace('_', ' ')).append(' ');
		final double[] values = new double[ReferenceNcc.pixels(size)];
		final double unit = type.integer ? 1 + genes.index("step", (int) Math.min(type.max, 1 << 20)) / 4.0 : genes.power("step", -5, 5);
		final Random noise = genes.random("noise");
		switch (origin) {
			case CUT, NOISY_CUT, WHOLE -> cut(image, imageSize, size, values);
			case NOISE -> fill(values, size, at -> unit * noise.nextDouble());
			case GRADIENT -> {
				final Edge edge = new Edge(size, genes.in("gradient"));
				fill(values, size, at -> unit * edge.beyond(at) / edge.length);
			}
			case CHECKERBOARD -> fill(values, size, at -> unit * (Arrays.stream(at).sum() & 1));
			case SINGLE_PIXEL -> values[genes.index("pixel", values.length)] = unit;
			case OTHER_FIELD -> fill(values, size, field(genes.in("t"), size));
		}
		if (origin == Origin.NOISY_CUT) {
			final double amplitude = (max(values) / 2 - min(values) / 2) * genes.power("amplitude", -3, 0);
			for (int i = 0; i < values.length; i++) values[i] += amplitude * noise.nextDouble();
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
		for (int d = 0; d < corner.length; d++) corner[d] = genes.index("corner" + d, imageSize[d] - size[d] + 1);
		fill(values, size, at -> {
			final int[] there = at.clone();
			for (int d = 0; d < there.length; d++) there[d] += corner[d];
			return image[ReferenceNcc.index(imageSize, there)];
		});
	}

	/** Changes one pixel if all pixels with weight are equal. */
	private static void makeUneven(final double[] values, final double[] weights) {
		int first = -1;
		for (int i = 0; i < values.length; i++) {
			if (weights != null && weights[i] == 0) continue;
			if (first < 0) first = i;
			if (values[i] != values[first]) return;
		}
		values[first] = values[first] == 0 ? 1 : 0;
	}

	/** Null in half of all cases. At least two weights are positive. */
	private double[] weights(final int[] size) {
		if (genes.chance("unweighted", 0.5)) return null;
		final Weighing weighing = genes.pick("weighing", Weighing.values());
		name.append(", weights ").append(weighing.name().toLowerCase(Locale.ROOT).replace('_', ' '));
		final Random noise = genes.random("weights");
		final double share = genes.between("share", 0.1, 0.9), decades = genes.between("decades", 0, 14), light = genes.power("light", -30, 0);
		final double[] weights = new double[ReferenceNcc.pixels(size)];
		fill(weights, size, at -> {
			double radius = 0;
			for (int d = 0; d < at.length; d++) radius += Math.pow((2 * at[d] + 1.0) / size[d] - 1, 2);
			return switch (weighing) {
				case DISC -> radius <= 1 ? 1 : 0;
				case RANDOM -> noise.nextDouble() < share ? 1 : 0;
				case CUBES -> noise.nextDouble() < share ? Math.pow(noise.nextDouble(), 3) : 0;
				case DECADES -> Math.pow(10, -decades * noise.nextDouble());
				case HEAVY_ONE -> light;
				default -> 1;
			};
		});
		if (weighing == Weighing.LIGHT_FIRST) weights[0] = light;
		if (weighing == Weighing.HEAVY_ONE) weights[genes.index("heavy", weights.length)] = 1;
		if (Arrays.stream(weights).filter(w -> w > 0).count() < 2) weights[0] = weights[weights.length - 1] = 1;
		return weights;
	}

	private static String text(final int[] size) {
		return String.join("x", Arrays.stream(size).mapToObj(Integer::toString).toList());
	}
}
