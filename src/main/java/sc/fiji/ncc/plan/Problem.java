package sc.fiji.ncc.plan;

import java.util.List;

/**
 * All that decides which algorithm is best, and nothing else: the key of wisdom. Value equality.
 *
 * @param image the image's pixel type
 * @param template the templates' pixel type
 * @param size the size of the image, of one frame of it, or of the largest box that is read at once
 * @param templates the size of each template; as many dimensions as {@code size}
 * @param weights the kind of mask
 * @param lags the lags of one frame
 * @param frames how many images of this size follow each other
 */
public record Problem(PixelType image, PixelType template, Size size, List<Size> templates, Weights weights, Lags lags, long frames) {

	public Problem {
		templates = List.copyOf(templates);
		if (templates.isEmpty()) throw new IllegalArgumentException("a problem needs a template");
		for (final Size t : templates)
			if (t.dimensions() != size.dimensions())
				throw new IllegalArgumentException("the template " + t + " and the image " + size + " differ in dimensions");
	}

	/** {@code U8 image 384x303, template U8 [56x56], 329x248 lags, 1 frame}: for people, and all of it, so that it is a key. */
	@Override
	public String toString() {
		return image + " image " + size + ", template " + template + " " + templates + (weights == Weights.NONE ? "" : " with a mask") + ", "
			+ lags.count() + " lags" + (lags.partial() ? " that overlap by " + lags.leastOverlap() : "") + ", " + frames
			+ (frames == 1 ? " frame" : " frames");
	}

	/** Responses over all templates and frames. */
	public long responses() {
		return lags.count().pixels() * templates.size() * frames;
	}
}
