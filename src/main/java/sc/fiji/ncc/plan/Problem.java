package sc.fiji.ncc.plan;

import java.util.List;
import java.util.Optional;

/**
 * All that decides which algorithm is best, and nothing else: the key of wisdom. Value equality.
 *
 * @param operation what is computed
 * @param precision how exactly, and the type of the responses
 * @param image the image's pixel type
 * @param template the templates' pixel type
 * @param size the size of the image, of one frame of it, or of the largest box that is read at once
 * @param templates the size of each template; as many dimensions as {@code size}
 * @param weights the kind of mask
 * @param lags the lags of one frame
 * @param frames how many images of this size follow each other
 * @param terms of a convolution, of how many products of one-dimensional kernels each kernel is the sum, or can be taken for; 0 if of too many to
 *        be of use
 * @param result what comes back
 */
public record Problem(Operation operation, Precision precision, PixelType image, PixelType template, Size size, List<Size> templates, Weights weights,
	Lags lags, long frames, int terms, Result result)
{

	/** For every response. */
	public Problem(final Operation operation, final Precision precision, final PixelType image, final PixelType template, final Size size,
		final List<Size> templates, final Weights weights, final Lags lags, final long frames, final int terms)
	{
		this(operation, precision, image, template, size, templates, weights, lags, frames, terms, Result.MAP);
	}

	/** Of kernels of which nothing is known. */
	public Problem(final Operation operation, final Precision precision, final PixelType image, final PixelType template, final Size size,
		final List<Size> templates, final Weights weights, final Lags lags, final long frames)
	{
		this(operation, precision, image, template, size, templates, weights, lags, frames, 0);
	}

	/** Normalized cross-correlation in single precision. */
	public Problem(final PixelType image, final PixelType template, final Size size, final List<Size> templates, final Weights weights, final Lags lags,
		final long frames)
	{
		this(Operation.NCC, Precision.SINGLE, image, template, size, templates, weights, lags, frames);
	}

	public Problem {
		templates = List.copyOf(templates);
		if (templates.isEmpty()) throw new IllegalArgumentException("a problem needs a template");
		for (final Size t : templates)
			if (t.dimensions() != size.dimensions())
				throw new IllegalArgumentException("the " + operation.noun() + " " + t + " and the image " + size + " differ in dimensions");
	}

	/** {@code U8 image 384x303, template U8 [56x56], 329x248 lags, 1 frame}: for people, and all of it, so that it is a key. */
	@Override
	public String toString() {
		return (operation == Operation.NCC ? "" : operation + " of ") + (precision == Precision.SINGLE ? "" : "in " + precision + " precision ") + image
			+ " image " + size + ", " + operation.noun() + " " + template + " " + templates + (weights == Weights.NONE ? "" : " with " + weights) + ", "
			+ lags.count() + " lags" + (lags.partial() ? " that overlap by " + lags.leastOverlap() : "") + ", " + frames
			+ (frames == 1 ? " frame" : " frames") + (terms == 0 ? "" : terms == 1 ? ", separable" : ", " + terms + " separable terms")
			+ (result == Result.MAP ? "" : ", " + result.words);
	}

	/** The same in another precision. */
	public Problem in(final Precision other) {
		return new Problem(operation, other, image, template, size, templates, weights, lags, frames, terms, result);
	}

	/** The same responses, of which something else comes back. */
	public Problem to(final Result other) {
		return new Problem(operation, precision, image, template, size, templates, weights, lags, frames, terms, other);
	}

	/** The same lags, for plain sums with kernels in place of correlation with templates. */
	public Problem convolving(final int terms) {
		return new Problem(Operation.CONVOLUTION, precision, image, template, size, templates, weights, lags, frames, terms, result);
	}

	/** Why something that computes only this operation in this precision does not apply, in words; empty if it does. */
	public Optional<String> unlike(final Operation operation, final Precision precision) {
		if (operation != this.operation) return Optional.of("it computes " + operation + ", not " + this.operation);
		if (precision != this.precision) return Optional.of("it computes in " + precision + " precision, not " + this.precision);
		return Optional.empty();
	}

	/** Responses over all templates and frames. */
	public long responses() {
		return lags.count().pixels() * templates.size() * frames;
	}
}
