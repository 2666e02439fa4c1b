package sc.fiji.ncc.motion;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.statistics.Texture;

/** The independent details of a window and of what it was compared with, see {@link Texture}: of one pair of frames, or of several. Start with 0 pairs. */
final class WindowChance {

	private double details, pixelsADetail;
	private int pairs;

	/** The pixels of a window that are present and inside. @param count their number */
	private record Seen(Texture texture, double count) {

		static Seen of(final ImagePixels frame, final long[] first, final Size window) {
			final int n = first.length;
			final long[] min = new long[n], extents = frame.size();
			final int[] part = new int[n];
			int all = 1;
			for (int d = 0; d < n; d++) {
				min[d] = Math.max(0, first[d]);
				part[d] = (int) Math.max(0, Math.min(extents[d], first[d] + window.get(d)) - min[d]);
				all *= part[d];
			}
			if (all == 0) return null;
			final Buffer raw = frame.type().allocate(all);
			frame.read(min, part, raw);
			final byte[] present = new byte[frame.mask() == null ? 0 : all];
			if (present.length > 0) frame.mask().read(min, part, ByteBuffer.wrap(present));
			final double[] values = new double[all];
			int count = 0;
			for (int i = 0; i < all; i++) {
				values[i] = present.length > 0 && present[i] == 0 ? Double.NaN : Buffers.value(raw, frame.type().min == 0, i);
				if (Double.isFinite(values[i])) count++;
			}
			return new Seen(Texture.of(DoubleBuffer.wrap(values), PixelType.F64, part), count);
		}
	}

	/**
	 * Adds the details of a window in one pair of frames.
	 *
	 * @param place the first pixel of the window in the first frame, and {@code at} that in the other one
	 */
	void add(final WindowSearch.Pair pair, final long[] place, final long[] at, final Size window) {
		final Seen a = Seen.of(pair.fixed(), place, window), b = Seen.of(pair.moving(), at, window);
		if (a == null || b == null) return;
		details += Texture.details(a.texture, b.texture, Math.min(a.count, b.count));
		pixelsADetail += Texture.pixelsADetail(a.texture, b.texture);
		pairs++;
	}

	/** The expected number of peaks as high by chance. */
	double falseAlarms(final int dimensions, final double score, final double shifts) {
		return pairs == 0 ? Double.NaN : Texture.chance(details, pixelsADetail / pairs, dimensions, score, shifts);
	}
}
