package sc.fiji.ncc.bounded;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;

import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.bank.Members;

/**
 * A window of an image under the support of a family, and the scores of members for it. Each channel has zero mean, all channels together have unit norm. All
 * sums are in double, of deviations from a pixel of the channel's window, scaled by a power of two: the error of a score is below 1e-9 for every image. Only one
 * thread may use an object.
 */
public final class MemberWindow {

	private final Members members;
	private final int[] box;
	private final Pixels pixels;
	private final Buffer buffer;
	private final boolean unsigned;
	/** The normalised pixels of the window on the support, channel after channel. */
	public final double[] values;

	public MemberWindow(final Pixels pixels, final Members members) {
		this.pixels = pixels;
		this.members = members;
		box = members.box().toIntArray();
		buffer = pixels.type().allocate(Boxes.pixels(box));
		unsigned = pixels.type().min == 0;
		values = new double[members.length()];
	}

	/**
	 * Reads a window.
	 *
	 * @param lag the first pixel of the support's box
	 * @return false if no score is defined: all pixels of each channel are equal, or one is NaN or infinite
	 */
	public boolean read(final long[] lag) {
		final int n = values.length / members.channels();
		double max = 0;
		for (int from = 0; from < values.length; from += n) {
			pixels.channels().get(from / n).read(lag, box, buffer);
			gather(from);
			final double reference = values[from];
			for (int i = from; i < from + n; i++) {
				// halves, because the difference of two large numbers may overflow
				values[i] = 0.5 * values[i] - 0.5 * reference;
				final double a = Math.abs(values[i]);
				if (!(a <= Double.MAX_VALUE)) return false;
				if (a > max) max = a;
			}
		}
		if (max == 0) return false;
		final int exponent = -Math.getExponent(Math.max(max, Double.MIN_NORMAL));
		if (exponent > 0 && exponent > 1000) for (int i = 0; i < values.length; i++) values[i] = Math.scalb(values[i], exponent);
		else {
			final double scale = Math.scalb(1.0, exponent);
			for (int i = 0; i < values.length; i++) values[i] *= scale;
		}
		return normalise(values, members.channels()) > 0;
	}

	/** @param first the index of the first value */
	private void gather(final int first) {
		final int[] at = members.support();
		if (buffer instanceof FloatBuffer) {
			final float[] from = ((FloatBuffer) buffer).array();
			for (int i = 0; i < at.length; i++) values[first + i] = from[at[i]];
		}
		else if (buffer instanceof ByteBuffer && unsigned) {
			final byte[] from = ((ByteBuffer) buffer).array();
			for (int i = 0; i < at.length; i++) values[first + i] = from[at[i]] & 0xff;
		}
		else if (buffer instanceof ShortBuffer && unsigned) {
			final short[] from = ((ShortBuffer) buffer).array();
			for (int i = 0; i < at.length; i++) values[first + i] = from[at[i]] & 0xffff;
		}
		else for (int i = 0; i < at.length; i++) values[first + i] = Buffers.value(buffer, unsigned, at[i]);
	}

	/** The score of a member, in [-1, 1]. */
	public double score(final int member) {
		return Math.max(-1, Math.min(1, dot(values, members.values()[member]) * members.gains()[member]));
	}

	/** Gives each channel zero mean. */
	public static void centre(final double[] v, final int channels) {
		final int n = v.length / channels;
		for (int c = 0; c < channels; c++) {
			double mean = 0;
			for (int i = c * n; i < (c + 1) * n; i++) mean += v[i];
			mean /= n;
			for (int i = c * n; i < (c + 1) * n; i++) v[i] -= mean;
		}
	}

	/** Gives each channel zero mean, and all together unit norm. Returns the norm before; 0 if the numbers of each channel are equal. */
	public static double normalise(final double[] v, final int channels) {
		for (int pass = 0; pass < 2; pass++) centre(v, channels);
		double max = 0;
		for (final double x : v) max = Math.max(max, Math.abs(x));
		if (!(max > 0)) return 0;
		double energy = 0;
		for (final double x : v) energy += x / max * (x / max);
		final double norm = max * Math.sqrt(energy);
		for (int i = 0; i < v.length; i++) v[i] /= norm;
		return norm;
	}

	/** Four sums, because a single one waits for each addition. */
	public static double dot(final double[] a, final float[] b) {
		double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
		int i = 0;
		for (; i + 3 < a.length; i += 4) {
			s0 += a[i] * b[i];
			s1 += a[i + 1] * b[i + 1];
			s2 += a[i + 2] * b[i + 2];
			s3 += a[i + 3] * b[i + 3];
		}
		for (; i < a.length; i++) s0 += a[i] * b[i];
		return s0 + s1 + (s2 + s3);
	}
}
