package sc.fiji.ncc.plan;

import java.util.ArrayList;
import java.util.List;

/** Templates or kernels that slide over an image: what correlation and convolution have in common. */
public sealed interface Sliding extends Problem {

	/**
	 * The windows of images under templates or kernels.
	 *
	 * @param image the pixel type of the image
	 * @param template the pixel type of the templates or kernels
	 * @param size the size of the image, of one frame, or of the largest box that is read at once
	 * @param templates the size of each template or kernel, with as many dimensions as {@code size}
	 * @param lags the lags of one frame, or of the largest box of lags that is computed in one piece
	 * @param frames the number of images of this size, or of their boxes of lags
	 * @param precision the accuracy and the type of the responses
	 * @param cut how the lags of each frame are cut into boxes; null if they are not
	 */
	record Windows(PixelType image, PixelType template, Size size, List<Size> templates, Lags lags, long frames, Precision precision, Cut cut) {

		/**
		 * Lags that are cut into boxes. The text of a problem has all lags and the boxes.
		 *
		 * @param lags the number of all lags of one frame along each dimension
		 * @param parts the number of boxes of one frame
		 */
		public record Cut(Size lags, long parts) {}

		/** Windows whose lags are computed in one piece. */
		public Windows(final PixelType image, final PixelType template, final Size size, final List<Size> templates, final Lags lags, final long frames,
			final Precision precision)
		{
			this(image, template, size, templates, lags, frames, precision, null);
		}

		public Windows {
			templates = List.copyOf(templates);
			// one template shares nothing
			if (templates.size() == 1) lags = lags.apart(false);
			if (templates.isEmpty()) throw new IllegalArgumentException("the list of templates is empty: a problem needs at least one template");
			for (final Size t : templates)
				if (t.dimensions() != size.dimensions())
					throw new IllegalArgumentException("the template of " + t + " and the image of " + size + " differ in their number of dimensions");
		}

		/** The same in another precision. */
		public Windows in(final Precision other) {
			return new Windows(image, template, size, templates, lags, frames, other, cut);
		}

		/**
		 * The same with fewer lags and frames, in an image that is smaller by the missing lags.
		 *
		 * @param count the number of lags along each dimension, at most {@link Lags#count}
		 */
		public Windows part(final Size count, final long otherFrames) {
			if (count.equals(lags.count()) && otherFrames == frames) return this;
			final long[] smaller = size.toArray();
			for (int d = 0; d < smaller.length; d++) smaller[d] = Math.max(1, smaller[d] - lags.count().get(d) + count.get(d));
			return new Windows(image, template, Size.of(smaller), templates, lags.of(count), otherFrames, precision);
		}

		/** All components in words. */
		private String text(final String noun, final String weights) {
			return (precision == Precision.SINGLE ? "" : "in " + precision + " precision ") + image + " image " + size + ", " + noun + " " + template + " "
				+ sizes() + weights + ", " + (cut == null ? lags + ", " + frames(frames)
					: lags.of(cut.lags) + ", " + frames(frames / cut.parts) + (frames == cut.parts ? " in " : ", each in ") + cut.parts
					+ " parts of up to " + lags.count() + " lags");
		}

		private static String frames(final long count) {
			return count + (count == 1 ? " frame" : " frames");
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
	}

	/**
	 * Normalized cross-correlation of an image with templates.
	 *
	 * @param weights the kind of mask
	 * @param channels the number of channels of image and templates, which give one joint response
	 * @param result the requested result
	 */
	record Correlation(Windows windows, Weights weights, int channels, Result result) implements Sliding {

		public Correlation {
			if (result.type().quantized() && windows.precision != Precision.SINGLE) throw new IllegalArgumentException(result.type()
				+ " responses are computed in " + Precision.SINGLE + " precision, not in " + windows.precision + ": choose float responses, or single precision");
		}

		/** @param any one of the templates: all have the same kind of weights and the same channels */
		public static Correlation of(final Windows windows, final Template any, final Result result) {
			return new Correlation(windows, Weights.of(any), any.channels(), result);
		}

		/** The same problem with another result. */
		public Correlation of(final Result otherResult) {
			return new Correlation(windows, weights, channels, otherResult);
		}

		/** The same problem with joint responses of another number of channels. */
		public Correlation of(final int otherChannels) {
			return new Correlation(windows, weights, otherChannels, result);
		}

		@Override
		public Correlation with(final Windows others) {
			return new Correlation(others, weights, channels, result);
		}

		@Override
		public String noun() {
			return "template";
		}

		/** {@code U8 image 384x303, template U8 [56x56], 329x248 lags, 1 frame}: readable, and complete. */
		@Override
		public String toString() {
			return windows.text(noun(), weights == Weights.NONE ? "" : " with " + weights) + (result == Result.MAP ? "" : ", " + result.words)
				+ (channels == 1 ? "" : ", " + channels + " channels together");
		}
	}

	/**
	 * Convolution of an image with kernels: sums of products in the sense of correlation, so a kernel is not mirrored.
	 *
	 * @param terms the number of separable kernels whose sum equals or approximates each kernel; 0 if there are too many terms, or if their number is
	 *        unknown
	 */
	record Convolution(Windows windows, int terms) implements Sliding {

		@Override
		public Convolution with(final Windows others) {
			return new Convolution(others, terms);
		}

		@Override
		public String noun() {
			return "kernel";
		}

		@Override
		public Weights weights() {
			return Weights.NONE;
		}

		@Override
		public int channels() {
			return 1;
		}

		@Override
		public Result result() {
			return Result.MAP;
		}

		/** {@code convolution of F32 image 384x303, kernel F32 [9x9], 384x303 lags, 1 frame, separable}: readable, and complete. */
		@Override
		public String toString() {
			return "convolution of " + windows.text(noun(), "") + (terms == 0 ? "" : terms == 1 ? ", separable" : ", " + terms + " separable terms");
		}
	}

	Windows windows();

	/** The same problem with other windows. */
	Sliding with(Windows others);

	/** The same problem in another precision. */
	default Sliding in(final Precision precision) {
		return with(windows().in(precision));
	}

	/** What slides over the image: template or kernel. */
	String noun();

	/** The kind of mask. A kernel has none. */
	Weights weights();

	/** The number of channels of image and templates, which give one joint response. 1 for a convolution. */
	int channels();

	/** The requested result. A convolution gives maps. */
	Result result();

	/** The pixel type of the image. */
	default PixelType image() {
		return windows().image;
	}

	/** The pixel type of the templates or kernels. */
	default PixelType template() {
		return windows().template;
	}

	/** The size of the image, of one frame, or of the largest box that is read at once. */
	default Size size() {
		return windows().size;
	}

	/** The size of each template or kernel, with as many dimensions as {@link #size}. */
	default List<Size> templates() {
		return windows().templates;
	}

	/** The lags of one frame, or of the largest box of lags that is computed in one piece. */
	default Lags lags() {
		return windows().lags;
	}

	@Override
	default long frames() {
		return windows().frames;
	}

	/** The accuracy and the type of the responses. */
	default Precision precision() {
		return windows().precision;
	}

	/** The size in bytes of one response of a map. */
	default int responseBytes() {
		return result().type().bytes(precision());
	}

	/** The number of responses over all templates and frames. */
	default long responses() {
		return lags().count().pixels() * templates().size() * frames();
	}
}
