package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Templates or kernels that slide over an image: correlation and convolution.
 *
 * @param operation correlation or convolution
 * @param precision the accuracy and the type of the responses
 * @param image the pixel type of the image
 * @param template the pixel type of the templates
 * @param size the size of the image, of one frame, or of the largest box that is read at once
 * @param templates the size of each template, with as many dimensions as {@code size}
 * @param weights the kind of mask
 * @param lags the lags of one frame
 * @param frames the number of images of this size
 * @param terms for convolution, the number of separable kernels whose sum equals or approximates each kernel; 0 if there are too many terms, or
 *        if their number is unknown
 * @param result the requested result
 * @param channels the number of channels of image and templates, which give one joint response
 */
public record Sliding(Operation operation, Precision precision, PixelType image, PixelType template, Size size, List<Size> templates, Weights weights,
	Lags lags, long frames, int terms, Result result, int channels) implements Problem
{

	/** A problem with one channel. */
	public Sliding(final Operation operation, final Precision precision, final PixelType image, final PixelType template, final Size size,
		final List<Size> templates, final Weights weights, final Lags lags, final long frames, final int terms, final Result result)
	{
		this(operation, precision, image, template, size, templates, weights, lags, frames, terms, result, 1);
	}

	/** A problem with the result {@link Result#MAP}. */
	public Sliding(final Operation operation, final Precision precision, final PixelType image, final PixelType template, final Size size,
		final List<Size> templates, final Weights weights, final Lags lags, final long frames, final int terms)
	{
		this(operation, precision, image, template, size, templates, weights, lags, frames, terms, Result.MAP);
	}

	/** A problem with an unknown number of separable terms. */
	public Sliding(final Operation operation, final Precision precision, final PixelType image, final PixelType template, final Size size,
		final List<Size> templates, final Weights weights, final Lags lags, final long frames)
	{
		this(operation, precision, image, template, size, templates, weights, lags, frames, 0);
	}

	/** Normalized cross-correlation in single precision. */
	public Sliding(final PixelType image, final PixelType template, final Size size, final List<Size> templates, final Weights weights, final Lags lags,
		final long frames)
	{
		this(Operation.NCC, Precision.SINGLE, image, template, size, templates, weights, lags, frames);
	}

	public Sliding {
		templates = List.copyOf(templates);
		if (templates.isEmpty()) throw new IllegalArgumentException("the list of templates is empty: a problem needs at least one template");
		for (final Size t : templates)
			if (t.dimensions() != size.dimensions())
				throw new IllegalArgumentException("the " + operation.noun() + " of " + t + " and the image of " + size
					+ " differ in their number of dimensions");
	}

	/**
	 * {@code U8 image 384x303, template U8 [56x56], 329x248 lags, 1 frame}: readable, and complete, because it is a key of {@link
	 * sc.fiji.ncc.planner.Wisdom}.
	 */
	@Override
	public String toString() {
		return (operation == Operation.NCC ? "" : operation + " of ") + (precision == Precision.SINGLE ? "" : "in " + precision + " precision ") + image
			+ " image " + size + ", " + operation.noun() + " " + template + " " + sizes() + (weights == Weights.NONE ? "" : " with " + weights) + ", "
			+ lags.count() + " lags" + (lags.partial() ? " that overlap by " + lags.minOverlap() : "") + (lags.masked() ? lags.beyond()
				? " with missing pixels" : " with missing pixels, inside" : "") + ", " + frames
			+ (frames == 1 ? " frame" : " frames") + (terms == 0 ? "" : terms == 1 ? ", separable" : ", " + terms + " separable terms")
			+ (result == Result.MAP ? "" : ", " + result.words) + (channels == 1 ? "" : ", " + channels + " channels together");
	}

	/** The sizes of the templates in their order: {@code [56x56, 20x30]}, and for many of one size {@code [72 of 56x56]}. */
	private String sizes() {
		final List<String> texts = new ArrayList<>();
		for (int from = 0, to; from < templates.size(); from = to) {
			for (to = from + 1; to < templates.size() && templates.get(to).equals(templates.get(from)); to++);
			texts.add((to - from == 1 ? "" : to - from + " of ") + templates.get(from));
		}
		return texts.toString();
	}

	/** The same problem in another precision. */
	public Sliding in(final Precision other) {
		return new Sliding(operation, other, image, template, size, templates, weights, lags, frames, terms, result, channels);
	}

	/** The same problem with another result. */
	public Sliding to(final Result other) {
		return new Sliding(operation, precision, image, template, size, templates, weights, lags, frames, terms, other, channels);
	}

	/** The same problem with joint responses of several channels. */
	public Sliding of(final int otherChannels) {
		return new Sliding(operation, precision, image, template, size, templates, weights, lags, frames, terms, result, otherChannels);
	}

	/**
	 * The same problem with fewer lags and frames, in an image that is smaller by the missing lags.
	 *
	 * @param count the number of lags along each dimension, at most {@link Lags#count}
	 */
	public Sliding part(final Size count, final long otherFrames) {
		final long[] smaller = size.toArray();
		for (int d = 0; d < smaller.length; d++) smaller[d] = Math.max(1, smaller[d] - lags.count().get(d) + count.get(d));
		return new Sliding(operation, precision, image, template, Size.of(smaller), templates, weights,
			new Lags(count, lags.beyond(), lags.masked(), lags.minOverlap()),
			otherFrames, terms, result, channels);
	}

	/** The same problem, with convolution by kernels in place of correlation with templates. */
	public Sliding convolving(final int terms) {
		return new Sliding(Operation.CONVOLUTION, precision, image, template, size, templates, weights, lags, frames, terms, result, channels);
	}

	/** The reason why an algorithm that computes only this operation in this precision does not apply. Empty if it applies. */
	public Optional<String> mismatch(final Operation operation, final Precision precision) {
		if (operation != this.operation) return Optional.of("it computes " + operation + ", not " + this.operation);
		if (precision != this.precision) return Optional.of("it computes in " + precision + " precision, not " + this.precision);
		return Optional.empty();
	}

	/** The number of responses over all templates and frames. */
	public long responses() {
		return lags.count().pixels() * templates.size() * frames;
	}
}
