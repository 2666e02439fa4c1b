package sc.fiji.ncc.cpu.frame;

import java.util.Arrays;

/**
 * The pixels of a region that a fit of a shift takes, of frames with missing pixels: the pixel of the fixed frame counts, and so do all pixels of the moving
 * frame from which it is interpolated at any shift near the lag. So the pixels do not change from step to step, and a missing pixel has no part in any sum.
 */
final class FitPixels {

	private final int[] min, size;
	private final float[] counts;
	private final int number;

	/**
	 * @param lag the whole part of the shift, which may be one less
	 * @param kernelSize the number of pixels from which a pixel is interpolated, along x, y and z
	 * @param min, until the first pixel of the region, and the one after the last
	 */
	FitPixels(final FramePixels f, final FramePixels m, final int[] lag, final int[] kernelSize, final int[] min, final int[] until) {
		this.min = min.clone();
		size = new int[3];
		final int[] margin = new int[3], first = new int[3], around = new int[3];
		for (int d = 0; d < 3; d++) {
			size[d] = until[d] - min[d];
			margin[d] = kernelSize[d] / 2;
			first[d] = min[d] + lag[d] - margin[d];
			around[d] = size[d] + 2 * margin[d];
		}
		float[] all = box(m, first, around);
		for (int d = 0; d < 3; d++) {
			if (margin[d] > 0) all = eroded(all, around, d, margin[d]);
			around[d] = size[d];
		}
		final float[] fixed = box(f, min, size);
		int n = 0;
		for (int i = 0; i < fixed.length; i++) {
			all[i] *= fixed[i];
			n += (int) all[i];
		}
		counts = all;
		number = n;
	}

	/** What counts in a box of a frame. */
	private static float[] box(final FramePixels frame, final int[] first, final int[] extents) {
		final float[] box = new float[extents[0] * extents[1] * extents[2]];
		if (frame.weights() == null) Arrays.fill(box, 1);
		else for (int i = 0; i < extents[1] * extents[2]; i++) {
			final int y = first[1] + i % extents[1], z = first[2] + i / extents[1];
			System.arraycopy(frame.weights(), (z * frame.extent(1) + y) * frame.extent(0) + first[0], box, i * extents[0], extents[0]);
		}
		return box;
	}

	/** A pixel counts if all from {@code margin} before to {@code margin} after it along a dimension do; the ends are left out. */
	private static float[] eroded(final float[] from, final int[] extents, final int d, final int margin) {
		final int inner = d == 0 ? 1 : d == 1 ? extents[0] : extents[0] * extents[1], n = extents[d], outer = from.length / inner / n;
		final float[] to = new float[outer * (n - 2 * margin) * inner];
		final int[] missing = new int[inner];
		for (int o = 0, at = 0; o < outer; o++) {
			Arrays.fill(missing, 0);
			for (int k = 0; k < n; k++) {
				final int row = (o * n + k) * inner, before = row - 2 * margin * inner;
				for (int i = 0; i < inner; i++) missing[i] += from[row + i] == 0 ? 1 : 0;
				for (int i = 0; k >= 2 * margin && i < inner; i++) {
					to[at++] = missing[i] == 0 ? 1 : 0;
					missing[i] -= from[before + i] == 0 ? 1 : 0;
				}
			}
		}
		return to;
	}

	/** The number of pixels. */
	int number() {
		return number;
	}

	/** 1 for pixels that the fit takes and 0 for others, in a row from {@code (x, y, z)} of the fixed frame on. */
	void row(final int x, final int y, final int z, final int width, final float[] to) {
		System.arraycopy(counts, ((z - min[2]) * size[1] + y - min[1]) * size[0] + x - min[0], to, 0, width);
	}

	boolean has(final int x, final int y, final int z) {
		return counts[((z - min[2]) * size[1] + y - min[1]) * size[0] + x - min[0]] != 0;
	}
}
