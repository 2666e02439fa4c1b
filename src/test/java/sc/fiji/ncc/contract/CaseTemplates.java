package sc.fiji.ncc.contract;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;

/** The templates of the contract's cases. */
final class CaseTemplates {

	/** The source of a template. */
	enum Origin { CUT, NOISY_CUT, NEGATIVE, UNRELATED, FAINT }

	private final Random random;

	CaseTemplates(final Random random) {
		this.random = random;
	}

	/**
	 * A template for an image.
	 *
	 * @param content the content of the image
	 * @param weights 0 for pixels that do not count; null if all count
	 */
	double[] of(final ImageContent content, final double[] image, final PixelType imageType, final int[] imageSize,
		final PixelType type, final int[] size, final Origin origin, final double[] weights)
	{
		final double[] template;
		if (origin == Origin.UNRELATED) template = (content.suits(type) ? content : ImageContent.NOISE).draw(type, size, random);
		else if (origin == Origin.FAINT) template = (ImageContent.FAINT.suits(type) ? ImageContent.FAINT
			: ImageContent.SMALL_ON_OFFSET).draw(type, size, random);
		else {
			template = cut(image, imageSize, size);
			if (type != imageType) stretch(template, type);
			if (origin == Origin.NOISY_CUT) addNoise(template, type);
			if (origin == Origin.NEGATIVE) negate(template, type);
		}
		makeLegal(template, type, weights);
		return template;
	}

	/** A random window, finite. */
	private double[] cut(final double[] image, final int[] imageSize, final int[] size) {
		final int[] corner = IntStream.range(0, size.length).map(d -> random.nextInt(imageSize[d] - size[d] + 1)).toArray();
		final int[] at = new int[size.length];
		final double[] cut = new double[ReferenceNcc.pixels(size)];
		for (int i = 0; i < cut.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			for (int d = 0; d < at.length; d++) at[d] += corner[d];
			final double value = image[ReferenceNcc.index(imageSize, at)];
			cut[i] = Double.isFinite(value) ? value : 0;
		}
		return cut;
	}

	/** Maps the values onto most of the range of a type, that of a byte for floats. */
	private static void stretch(final double[] values, final PixelType type) {
		final double least = Arrays.stream(values).min().getAsDouble(), most = Arrays.stream(values).max().getAsDouble();
		final double halfRange = most / 2 - least / 2;
		final double low = type.integer ? type.min : 0, high = type.integer ? type.max : 255;
		for (int i = 0; i < values.length; i++) {
			final double share = halfRange == 0 ? 0.5 : (values[i] / 2 - least / 2) / halfRange;
			values[i] = ImageContent.held(type, low + share * (high - low));
		}
	}

	private void addNoise(final double[] values, final PixelType type) {
		final double least = Arrays.stream(values).min().getAsDouble(), most = Arrays.stream(values).max().getAsDouble();
		final double amplitude = Math.max(0.2 * (most / 2 - least / 2), type.integer ? 1 : 0);
		for (int i = 0; i < values.length; i++) values[i] = ImageContent.held(type, values[i] + amplitude * (2 * random.nextDouble() - 1));
	}

	private static void negate(final double[] values, final PixelType type) {
		final double least = Arrays.stream(values).min().getAsDouble(), most = Arrays.stream(values).max().getAsDouble();
		// by halves where the range itself overflows
		final boolean wide = Double.isInfinite(most - least);
		for (int i = 0; i < values.length; i++)
			values[i] = ImageContent.held(type, wide ? 2 * (least / 2 + (most / 2 - values[i] / 2)) : least + (most - values[i]));
	}

	/** Makes the counted pixels finite and not all equal. Sets a pixel of weight 0 to NaN if the type has it. */
	private void makeLegal(final double[] template, final PixelType type, final double[] weights) {
		final int[] counted = IntStream.range(0, template.length).filter(i -> weights == null || weights[i] > 0).toArray();
		for (final int i : counted)
			if (!Double.isFinite(template[i])) template[i] = 1;
		final double first = template[counted[0]];
		if (IntStream.of(counted).allMatch(i -> template[i] == first))
			for (final int i : counted) template[i] = random.nextInt(100);
		final int last = counted[counted.length - 1];
		if (IntStream.of(counted).allMatch(i -> template[i] == template[counted[0]])) template[last] = template[last] == 0 ? 1 : 0;
		if (!type.integer && counted.length < template.length)
			IntStream.range(0, template.length).filter(i -> weights[i] == 0).findFirst().ifPresent(i -> template[i] = Double.NaN);
	}
}
