package sc.fiji.ncc.numeric;

import java.nio.Buffer;
import java.nio.ByteBuffer;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.support.Buffers;

/** A window of a frame as a template. */
public final class FrameWindow {

	private FrameWindow() {}

	/**
	 * @param first the first pixel of the window, which lies inside the frame
	 * @param shape the weights of the pixels; null if all are 1
	 * @param minOverlap the smallest share of the weights that must be present
	 * @return the window, with weight 0 where pixels are missing, and with the weights of the shape if none is. Null if too few pixels are present, if
	 *        they are all equal, or if one is not finite
	 */
	public static Template template(final Pixels frame, final long[] first, final Size window, final double[] shape, final double minOverlap) {
		final int[] size = window.toIntArray();
		final int n = Math.toIntExact(window.pixels());
		final Buffer raw = frame.type().allocate(n);
		frame.read(first, size, raw);
		final double[] values = new double[n];
		double[] weights = shape;
		if (frame.mask() != null) {
			final byte[] present = new byte[n];
			frame.mask().read(first, size, ByteBuffer.wrap(present));
			final double[] left = new double[n];
			double sum = 0, all = 0;
			int number = 0;
			for (int i = 0; i < n; i++) {
				final double weight = shape == null ? 1 : shape[i];
				left[i] = present[i] * weight;
				sum += left[i];
				all += weight;
				number += present[i];
			}
			if (sum < minOverlap * all || sum == 0) return null;
			if (number < n) weights = left;
		}
		final boolean unsigned = frame.type().min == 0;
		for (int i = 0; i < n; i++) {
			values[i] = weights != null && weights[i] == 0 ? 0 : Buffers.value(raw, unsigned, i);
			if (!Double.isFinite(values[i])) return null;
		}
		final Template template = new Template(window, frame.type(), values, weights);
		return template.hasContrast() ? template : null;
	}
}
