package sc.fiji.ncc;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * One image, one template and the lags to answer. Arrays hold x fastest; every value is one that its pixel type can hold.
 *
 * @param name unique in the list, for people
 * @param weights one a template pixel, each 0 or 1; null without a mask
 * @param origin the first lag
 * @param count how many lags along each dimension
 * @param partial whether windows may leave the image
 * @param leastOverlap the least share of the weight that must lie inside
 */
record ContractCase(String name, PixelType imageType, PixelType templateType, int[] imageSize, int[] templateSize, double[] image,
	double[] template, double[] weights, long[] origin, int[] count, boolean partial, double leastOverlap)
{

	/** The problem of this case alone. */
	Problem problem() {
		return problem(List.of(this));
	}

	/** The problem of several cases that differ in nothing but template and origin. */
	static Problem problem(final List<ContractCase> bank) {
		final ContractCase first = bank.get(0);
		return new Problem(first.imageType, first.templateType, size(first.imageSize), bank.stream().map(c -> size(c.templateSize)).toList(),
			first.weights == null ? Weights.NONE : Weights.BINARY, new Lags(size(first.count), first.partial, first.leastOverlap), 1);
	}

	/** A template of copied arrays. */
	Template templateCopy() {
		return new Template(size(templateSize), templateType, template.clone(), weights == null ? null : weights.clone());
	}

	LagBox lagBox() {
		return new LagBox(new long[][] { origin.clone() }, count.clone());
	}

	/** How many responses. */
	int lags() {
		return ReferenceNcc.pixels(count);
	}

	/** The exact responses, x fastest, NaN where undefined. Computed anew by each call. */
	double[] reference() {
		return new ReferenceNcc(image, imageSize, template, templateSize, weights).responses(ReferenceNcc.Form.AFFORDABLE, origin, count,
			partial, leastOverlap);
	}

	private static Size size(final int[] extents) {
		return Size.of(Arrays.stream(extents).asLongStream().toArray());
	}

	@Override
	public String toString() {
		return name;
	}
}
