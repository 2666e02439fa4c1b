package sc.fiji.ncc.contract;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;

import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.oracle.ReferenceConvolution;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Template;

/**
 * An image, a template and the lags of the responses. Arrays hold x fastest. The pixel types can hold every value.
 *
 * @param name unique among the cases
 * @param weights one for each template pixel, at least 0. Null without a mask
 * @param origin the first lag
 * @param count the number of lags along each dimension
 * @param partial whether windows may leave the image
 * @param minOverlap the smallest share of the weight that must lie inside the image, 0 to 1
 * @param present one for each pixel of the image, 0 where it is missing and 1 elsewhere. Null: none is missing
 * @param convolves whether it is a convolution: the template is the kernel, in the sense of correlation
 * @param channels the number of channels of image and template, one after the other in the arrays
 */
public record ContractCase(String name, PixelType imageType, PixelType templateType, int[] imageSize, int[] templateSize, double[] image,
	double[] template, double[] weights, long[] origin, int[] count, boolean partial, double minOverlap, double[] present, boolean convolves, int channels)
{

	/** The same case with missing pixels in the image. The pixels of the image may be others, too. */
	ContractCase missing(final String what, final double[] otherImage, final double[] mask, final double share) {
		return new ContractCase(name + ", " + what, imageType, templateType, imageSize, templateSize, otherImage, template, weights, origin, count, partial, share,
			mask, convolves, channels);
	}

	/** A correlation. */
	public ContractCase(final String name, final PixelType imageType, final PixelType templateType, final int[] imageSize, final int[] templateSize,
		final double[] image, final double[] template, final double[] weights, final long[] origin, final int[] count, final boolean partial,
		final double minOverlap)
	{
		this(name, imageType, templateType, imageSize, templateSize, image, template, weights, origin, count, partial, minOverlap, null, false, 1);
	}

	/** A convolution of the same image with another kernel of the same size. */
	ContractCase convolving(final String kind, final double[] kernel) {
		return new ContractCase(name + ", " + kind, imageType, templateType, imageSize, templateSize, image, kernel, null, origin, count, partial,
			minOverlap, null, true, 1);
	}

	/** The case with other pixels. */
	ContractCase with(final String what, final double[] otherImage, final double[] otherTemplate, final double[] otherWeights) {
		return new ContractCase(name + ", " + what, imageType, templateType, imageSize, templateSize, otherImage, otherTemplate, otherWeights, origin,
			count, partial, minOverlap, present, convolves, channels);
	}

	/** A correlation with further channels. */
	ContractCase joint(final String what, final double[] jointImage, final double[] jointTemplate, final int jointChannels) {
		return new ContractCase(name + ", " + what, imageType, templateType, imageSize, templateSize, jointImage, jointTemplate, weights, origin, count, partial,
			minOverlap, present, convolves, jointChannels);
	}

	/** The problem of this case alone, in single precision. */
	public Sliding problem() {
		return problem(Precision.SINGLE);
	}

	/** The problem of this case alone. */
	Sliding problem(final Precision precision) {
		return problem(precision, List.of(this));
	}

	/** The problem of several cases that differ only in template and origin. */
	static Sliding problem(final Precision precision, final List<ContractCase> bank) {
		final ContractCase first = bank.get(0);
		final Windows windows = new Windows(first.imageType, first.templateType, size(first.imageSize), bank.stream().map(c -> size(c.templateSize)).toList(),
			new Lags(size(first.count), first.partial, first.present != null, first.minOverlap), 1, precision);
		return first.convolves ? new Convolution(windows, Separation.terms(bank.stream().map(ContractCase::templateCopy).toList(), first.imageType, precision))
			: Correlation.of(windows, first.templateCopy(), Result.MAP);
	}

	/** A template with copies of the arrays. */
	public Template templateCopy() {
		return new Template(size(templateSize), templateType, template.clone(), weights == null ? null : weights.clone(), channels);
	}

	public LagBox lagBox() {
		return new LagBox(new long[][] { origin.clone() }, count.clone());
	}

	/** The number of responses. */
	public int lags() {
		return ReferenceNcc.pixels(count);
	}

	/** The exact responses, x fastest, NaN where undefined. Each call computes them again. */
	double[] reference() {
		if (convolves)
			return new ReferenceConvolution(image, imageSize, template, templateSize).responses(origin, count, partial, minOverlap);
		return new ReferenceNcc(image, imageSize, template, templateSize, weights, present, channels).responses(ReferenceNcc.Form.AFFORDABLE, origin, count,
			partial, minOverlap);
	}

	/**
	 * What a case has in common with others: the content and its type, the template's size, the mask, the lags, and so on. They are the parts of its
	 * name without the numbers, and more.
	 */
	Set<String> properties() {
		final Set<String> properties = new HashSet<>(List.of(imageSize.length + " dimensions", "template of " + Arrays.toString(templateSize), channels
			+ " channels", partial ? "partial" : "inside",
			weights == null ? "no mask" : DoubleStream.of(weights).allMatch(w -> w == 0 || w == 1) ? "mask" : "weights", present == null
				? "complete" : "missing pixels"));
		for (final String part : name.split(", ")) properties.add(part.replaceAll("(^| )[\\d./]+(x\\d+)*(?= |$)|with \\[|]", "").strip());
		return properties;
	}

	private static Size size(final int[] extents) {
		return Size.of(Arrays.stream(extents).asLongStream().toArray());
	}

	@Override
	public String toString() {
		return name;
	}
}
