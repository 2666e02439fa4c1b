package sc.fiji.ncc.cpu.patch;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.support.Buffers;

/**
 * The pixels of a box as numbers about a reference. The box can extend beyond the frame. Pixels outside, missing ones, and those that are not
 * finite are 0.
 */
final class FramePart {

	/** The states of pixels: present, outside the frame or missing, present but not finite. */
	static final byte PRESENT = 0, ABSENT = 1, NOT_FINITE = 2;

	/** The first pixel of the box, and its extents, along x, y and z. */
	final int[] first = new int[3], size = new int[3];
	/** x fastest. */
	double[] values = {};
	/** The state of each pixel; null if all are present. */
	byte[] states;
	/** Whether pixels inside the frame are missing; whether some are not finite. */
	boolean missing, notFinite;
	/** No absolute value of an integer is larger. */
	double largest;

	private byte[] memory = {};

	int pixels() {
		return size[0] * size[1] * size[2];
	}

	/** The index of a pixel of the box. */
	int index(final int x, final int y, final int z) {
		return (z * size[1] + y) * size[0] + x;
	}

	/** Reads a box, whose first pixel and extents are set. */
	void read(final Pixels pixels) {
		final long[] extents = pixels.size();
		final int n = extents.length;
		final long[] min = new long[n];
		final int[] part = new int[n], skipped = new int[3], count = { 1, 1, 1 };
		int read = 1;
		for (int d = 0; d < n; d++) {
			min[d] = Math.max(0, first[d]);
			skipped[d] = (int) min[d] - first[d];
			part[d] = count[d] = (int) Math.max(0, Math.min(extents[d], (long) first[d] + size[d]) - min[d]);
			read *= part[d];
		}
		if (values.length < pixels()) values = new double[pixels()];
		missing = notFinite = false;
		states = null;
		if (read < pixels()) {
			Arrays.fill(values, 0, pixels(), 0);
			Arrays.fill(states(), 0, pixels(), ABSENT);
		}
		if (read == 0) {
			largest = 0;
			return;
		}
		final Buffer raw = pixels.type().allocate(read);
		pixels.read(min, part, raw);
		final byte[] present = pixels.mask() == null ? null : new byte[read];
		if (present != null) pixels.mask().read(min, part, ByteBuffer.wrap(present));
		for (int z = 0, from = 0; z < count[2]; z++)
			for (int y = 0; y < count[1]; y++, from += count[0]) {
				final int at = index(skipped[0], y + skipped[1], z + skipped[2]);
				convert(raw, pixels.type().min == 0, from, at, count[0]);
				if (states != null) Arrays.fill(states, at, at + count[0], PRESENT);
				if (present != null) mask(present, from, at, count[0]);
				if (!pixels.type().integer) finite(at, count[0]);
			}
		center(pixels.type());
	}

	private byte[] states() {
		if (states != null) return states;
		if (memory.length < pixels()) memory = new byte[pixels()];
		else Arrays.fill(memory, 0, pixels(), PRESENT);
		return states = memory;
	}

	private void convert(final Buffer raw, final boolean unsigned, final int from, final int to, final int n) {
		if (raw instanceof ByteBuffer && unsigned) bytes(((ByteBuffer) raw).array(), from, to, n);
		else if (raw instanceof ShortBuffer && unsigned) shorts(((ShortBuffer) raw).array(), from, to, n);
		else if (raw instanceof FloatBuffer) floats(((FloatBuffer) raw).array(), from, to, n);
		else for (int i = 0; i < n; i++) values[to + i] = Buffers.value(raw, unsigned, from + i);
	}

	private void bytes(final byte[] raw, final int from, final int to, final int n) {
		for (int i = 0; i < n; i++) values[to + i] = raw[from + i] & 0xff;
	}

	private void shorts(final short[] raw, final int from, final int to, final int n) {
		for (int i = 0; i < n; i++) values[to + i] = raw[from + i] & 0xffff;
	}

	private void floats(final float[] raw, final int from, final int to, final int n) {
		for (int i = 0; i < n; i++) values[to + i] = raw[from + i];
	}

	private void mask(final byte[] present, final int from, final int to, final int n) {
		for (int i = 0; i < n; i++) if (present[from + i] == 0) {
			states()[to + i] = ABSENT;
			values[to + i] = 0;
			missing = true;
		}
	}

	private void finite(final int at, final int n) {
		for (int i = at; i < at + n; i++) if (!Double.isFinite(values[i])) {
			states()[i] = NOT_FINITE;
			values[i] = 0;
			notFinite = true;
		}
	}

	/**
	 * Subtracts a reference, of integers the middle of their range and of others the mean. So integers stay whole, and small.
	 */
	private void center(final PixelType type) {
		final int n = pixels();
		double low = type.min, high = type.max, reference = 0;
		if (type.integer && type.bytes > 1) {
			low = high = Double.NaN;
			for (int i = 0; i < n; i++) if (states == null || states[i] == PRESENT) {
				final double v = values[i];
				if (!(v >= low)) low = v;
				if (!(v <= high)) high = v;
			}
		}
		if (type.integer) {
			reference = Double.isNaN(low) ? 0 : Math.rint(0.5 * (low + high));
			largest = Double.isNaN(low) ? 0 : Math.max(reference - low, high - reference);
		}
		else {
			double sum = 0;
			int count = 0;
			for (int i = 0; i < n; i++) if (states == null || states[i] == PRESENT) {
				sum += values[i];
				count++;
			}
			if (count > 0 && Double.isFinite(sum)) reference = sum / count;
		}
		if (states == null) subtract(values, reference, n);
		else for (int i = 0; i < n; i++) if (states[i] == PRESENT) values[i] -= reference;
	}

	private static void subtract(final double[] from, final double reference, final int n) {
		for (int i = 0; i < n; i++) from[i] -= reference;
	}

	/** 1 for each pixel in this state, 0 for the others. */
	double[] indicator(final byte state) {
		final double[] is = new double[pixels()];
		for (int i = 0; i < is.length; i++) is[i] = (states == null ? PRESENT : states[i]) == state ? 1 : 0;
		return is;
	}

	/** The squares of all values. */
	double[] squares() {
		final double[] squares = new double[pixels()];
		for (int i = 0; i < squares.length; i++) squares[i] = values[i] * values[i];
		return squares;
	}

	/**
	 * Whether all pixels of a box of this box are present.
	 *
	 * @param frame the extents of the frame
	 */
	boolean isWhole(final int x, final int y, final int z, final int[] extents, final Size frame) {
		if (states == null) return true;
		if (!missing && !notFinite) {
			final int[] at = { x, y, z };
			for (int d = 0; d < 3; d++) if (first[d] + at[d] < 0 || first[d] + at[d] + extents[d] > frame.get(d)) return false;
			return true;
		}
		for (int k = z; k < z + extents[2]; k++) for (int j = y; j < y + extents[1]; j++) {
			final int at = index(x, j, k);
			for (int i = at; i < at + extents[0]; i++) if (states[i] != PRESENT) return false;
		}
		return true;
	}
}
