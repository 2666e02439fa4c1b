package sc.fiji.ncc.pose;

import java.util.Arrays;

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.result.Pose;

/**
 * The pixels of a window that count, in a box about the centre. Each extent of the box is odd or even as that of the template, so that the centres of boxes
 * lie where the centres of templates lie.
 *
 * @param box the extents of the box
 * @param pixels the indices of the pixels in the box, ascending, x fastest
 */
record SupportPixels(int[] box, int[] pixels) {

	/** Less than this many pixels decide nothing. */
	static final int MIN_PIXELS = 5;
	private static final double EPS = 1e-9;

	/** A disk or a ball, without a smaller one about the same centre. */
	static SupportPixels ball(final int[] template, final double inner, final double outer) {
		return in(boxOf(template, new double[] { outer }), offset -> {
			double r = 0;
			for (final double o : offset) r += o * o;
			return r <= (outer + EPS) * (outer + EPS) && r >= inner * inner;
		});
	}

	/**
	 * The pixels that lie in the template once it has a pose.
	 *
	 * @param mask the weights of the template's pixels; null if all count
	 */
	static SupportPixels whole(final int[] template, final double[] mask, final Pose pose) {
		final double[][] image = pose.toImage(), back = pose.toTemplate();
		final int n = template.length;
		final double[] halves = new double[n];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) halves[i] += Math.abs(image[i][j]) * (template[j] - 1) / 2.0;
		return in(boxOf(template, halves), offset -> {
			int index = 0;
			for (int i = n - 1; i >= 0; i--) {
				double v = 0;
				for (int j = 0; j < n; j++) v += back[i][j] * offset[j];
				final double half = (template[i] - 1) / 2.0;
				if (Math.abs(v) > half + EPS) return false;
				index = index * template[i] + (int) Math.round(v + half);
			}
			return mask == null || mask[index] > 0;
		});
	}

	private interface Inside {

		boolean test(double[] offset);
	}

	private static SupportPixels in(final int[] box, final Inside inside) {
		final int n = Boxes.pixels(box);
		final int[] pixels = new int[n];
		int count = 0;
		final double[] offset = new double[box.length];
		for (int i = 0; i < n; i++) {
			offset(box, i, offset);
			if (inside.test(offset)) pixels[count++] = i;
		}
		return new SupportPixels(box, Arrays.copyOf(pixels, count));
	}

	private static int[] boxOf(final int[] template, final double[] halves) {
		final int[] box = new int[template.length];
		for (int d = 0; d < box.length; d++) {
			final double r = halves[halves.length == 1 ? 0 : d] + EPS;
			box[d] = template[d] % 2 == 1 ? 2 * (int) Math.floor(r) + 1 : Math.max(2, 2 * (int) Math.floor(r + 0.5));
		}
		return box;
	}

	/** The offset of a pixel of the box from the centre. */
	void offset(final int pixel, final double[] to) {
		offset(box, pixel, to);
	}

	private static void offset(final int[] box, final int pixel, final double[] to) {
		for (int d = 0, rest = pixel; d < box.length; d++) {
			to[d] = rest % box[d] - (box[d] - 1) / 2.0;
			rest /= box[d];
		}
	}
}
