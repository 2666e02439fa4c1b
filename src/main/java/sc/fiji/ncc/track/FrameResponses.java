package sc.fiji.ncc.track;

import java.nio.Buffer;
import java.nio.FloatBuffer;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Sink;

/**
 * A frame and the responses of all templates around their last positions.
 *
 * @param computed the pixels as responses are computed of them: the same, or those of an image of one column as one row
 * @param maps one map per template, x fastest; NaN for undefined responses. Null before it is computed
 */
public record FrameResponses(ImagePixels pixels, ImagePixels computed, float[][] maps) {

	/** The responses of a number of templates, before they are computed. */
	public FrameResponses(final ImagePixels pixels, final int templates) {
		this(pixels, pixels, templates);
	}

	/** The same for pixels that are computed in another arrangement. */
	FrameResponses(final ImagePixels pixels, final ImagePixels computed, final int templates) {
		this(pixels, computed, new float[templates][]);
	}

	/**
	 * Receives the maps of some templates.
	 *
	 * @param members the indices of the templates
	 * @param size the extents of their maps
	 */
	public Sink sink(final int[] members, final int[] size) {
		int lags = 1;
		for (final int extent : size) lags = Math.multiplyExact(lags, extent);
		for (final int t : members) maps[t] = new float[lags];
		return new Copies(maps, members, size);
	}

	private record Copies(float[][] maps, int[] members, int[] size) implements Sink {

		/** NaN distinguishes undefined responses from 0. */
		@Override
		public float undefined() {
			return Float.NaN;
		}

		@Override
		public void map(final int template, final long[] min, final int[] part, final Buffer from) {
			final float[] to = maps[members[template]];
			final FloatBuffer responses = (FloatBuffer) from;
			int rows = 1;
			for (int d = 1; d < part.length; d++) rows *= part[d];
			for (int r = 0; r < rows; r++) {
				int at = (int) min[0];
				for (int d = 1, rest = r, stride = size[0]; d < part.length; d++) {
					at += ((int) min[d] + rest % part[d]) * stride;
					rest /= part[d];
					stride *= size[d];
				}
				responses.get(responses.position() + r * part[0], to, at, part[0]);
			}
		}
	}
}
