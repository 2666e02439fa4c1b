package sc.fiji.ncc.contract;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;

/** Pixels in an array. Reading outside the image, into a buffer of another type or into a buffer that is too small fails. */
public final class ArrayPixels implements Pixels {

	private final PixelType type;
	private final int[] size;
	/** The raw bits of all pixels. */
	private final Buffer raw;
	private final boolean byRows;
	/** Null if no pixel is missing. */
	private final ArrayPixels mask;
	private final List<ArrayPixels> channels = new ArrayList<>();

	/**
	 * The pixels of several channels, one after the other in {@code values}.
	 *
	 * @param present the values of {@link #mask} of every channel. Null: no pixel is missing
	 */
	public static ArrayPixels of(final PixelType type, final int[] size, final double[] values, final int channels, final boolean byRows, final double[] present) {
		final int n = values.length / channels;
		final ArrayPixels first = new ArrayPixels(type, size, Arrays.copyOf(values, n), byRows, present);
		for (int c = 1; c < channels; c++) first.channels.add(new ArrayPixels(type, size, Arrays.copyOfRange(values, c * n, (c + 1) * n), byRows, present));
		return first;
	}

	/** @param values x fastest. The type must hold each of them */
	public ArrayPixels(final PixelType type, final int[] size, final double[] values) {
		this(type, size, values, false, null);
	}

	/**
	 * @param byRows the value of {@link #readsRowsFast}
	 * @param present the values of {@link #mask}. Null: no pixel is missing
	 */
	public ArrayPixels(final PixelType type, final int[] size, final double[] values, final boolean byRows, final double[] present) {
		this.byRows = byRows;
		mask = present == null ? null : new ArrayPixels(PixelType.U8, size, present, byRows, null);
		if (values.length != ReferenceNcc.pixels(size)) throw new IllegalArgumentException(values.length + " values for an image of " + Arrays.toString(size));
		this.type = type;
		this.size = size.clone();
		channels.add(this);
		raw = type.allocate(values.length);
		for (int i = 0; i < values.length; i++) put(i, values[i]);
	}

	private void put(final int i, final double value) {
		switch (type) {
			case U8, S8 -> ((ByteBuffer) raw).put(i, (byte) (int) value);
			case U16, S16 -> ((ShortBuffer) raw).put(i, (short) (int) value);
			case U32, S32 -> ((IntBuffer) raw).put(i, (int) (long) value);
			case F32 -> ((FloatBuffer) raw).put(i, (float) value);
			case F64 -> ((DoubleBuffer) raw).put(i, value);
		}
		if (Double.compare(value(type, raw, i), value) != 0 && value != 0) throw new IllegalArgumentException(type + " cannot hold " + value);
	}

	/** The {@code i}th pixel of a buffer, counted from its start. */
	static double value(final PixelType type, final Buffer raw, final int i) {
		return switch (type) {
			case U8 -> ((ByteBuffer) raw).get(i) & 0xff;
			case S8 -> ((ByteBuffer) raw).get(i);
			case U16 -> ((ShortBuffer) raw).get(i) & 0xffff;
			case S16 -> ((ShortBuffer) raw).get(i);
			case U32 -> ((IntBuffer) raw).get(i) & 0xffff_ffffL;
			case S32 -> ((IntBuffer) raw).get(i);
			case F32 -> ((FloatBuffer) raw).get(i);
			case F64 -> ((DoubleBuffer) raw).get(i);
		};
	}

	@Override
	public PixelType type() {
		return type;
	}

	@Override
	public Pixels mask() {
		return mask;
	}

	@Override
	public List<ArrayPixels> channels() {
		return channels;
	}

	@Override
	public boolean readsRowsFast() {
		return byRows;
	}

	@Override
	public long[] size() {
		return Arrays.stream(size).asLongStream().toArray();
	}

	@Override
	public void read(final long[] min, final int[] box, final Buffer to) {
		if (min.length != size.length || box.length != size.length) throw new AssertionError("a box of " + box.length + " dimensions");
		for (int d = 0; d < box.length; d++)
			if (min[d] < 0 || box[d] < 1 || min[d] + box[d] > size[d])
				throw new AssertionError("read of " + Arrays.toString(box) + " at " + Arrays.toString(min) + " of " + Arrays.toString(size));
		final int n = ReferenceNcc.pixels(box);
		if (to.remaining() < n) throw new AssertionError("a buffer for " + to.remaining() + " of " + n + " pixels");
		final int[] at = new int[box.length];
		for (int i = 0; i < n; i += box[0]) {
			ReferenceNcc.unravel(i, box, at);
			for (int d = 0; d < at.length; d++) at[d] += (int) min[d];
			copyRow(ReferenceNcc.index(size, at), box[0], to, to.position() + i);
		}
	}

	private void copyRow(final int from, final int n, final Buffer to, final int at) {
		switch (type) {
			case U8, S8 -> ((ByteBuffer) to).put(at, (ByteBuffer) raw, from, n);
			case U16, S16 -> ((ShortBuffer) to).put(at, (ShortBuffer) raw, from, n);
			case U32, S32 -> ((IntBuffer) to).put(at, (IntBuffer) raw, from, n);
			case F32 -> ((FloatBuffer) to).put(at, (FloatBuffer) raw, from, n);
			case F64 -> ((DoubleBuffer) to).put(at, (DoubleBuffer) raw, from, n);
		}
	}
}
