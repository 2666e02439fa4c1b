package sc.fiji.ncc.contract;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;

/** Responses in arrays, one a template. Counts how often each is written, and refuses boxes that leave the lags. */
public final class ArraySink implements Sink {

	/** A NaN that no computation produces. */
	private static final float UNTOUCHED = Float.intBitsToFloat(0x7fc04711);
	private static final double UNTOUCHED_DOUBLE = Double.longBitsToDouble(0x7ff8_0000_0000_4711L);

	private final float undefined;
	private final Precision precision;
	private final int[] size;
	private final double[][] responses;
	private final AtomicIntegerArray[] writes;
	/** Memory for responses that are written in place, with guard values before and after. Null if responses must be passed to {@link #map}. */
	private final Object[] places;
	private final AtomicReference<AssertionError> mistake = new AtomicReference<>();

	/**
	 * @param undefined the value of an undefined response
	 * @param size the number of lags along each dimension
	 */
	public ArraySink(final float undefined, final int templates, final int[] size) {
		this(Precision.SINGLE, undefined, templates, size);
	}

	/** @param precision of the responses. The sink rejects others */
	ArraySink(final Precision precision, final float undefined, final int templates, final int[] size) {
		this(precision, undefined, templates, size, false);
	}

	/** @param inPlace whether responses may be written in place */
	public ArraySink(final Precision precision, final float undefined, final int templates, final int[] size, final boolean inPlace) {
		this.precision = precision;
		this.undefined = undefined;
		this.size = size.clone();
		final int n = ReferenceNcc.pixels(size);
		responses = new double[templates][n];
		writes = new AtomicIntegerArray[templates];
		for (int t = 0; t < templates; t++) {
			Arrays.fill(responses[t], 4711);
			writes[t] = new AtomicIntegerArray(n);
		}
		places = inPlace ? new Object[templates] : null;
		for (int t = 0; inPlace && t < templates; t++) {
			places[t] = precision == Precision.SINGLE ? new float[n + 2] : new double[n + 2];
			if (precision == Precision.SINGLE) Arrays.fill((float[]) places[t], UNTOUCHED);
			else Arrays.fill((double[]) places[t], UNTOUCHED_DOUBLE);
		}
	}

	@Override
	public Place place(final int template, final long[] min) {
		if (places == null) return null;
		final int[] at = Arrays.stream(min).mapToInt(Math::toIntExact).toArray(), strides = new int[size.length];
		for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) strides[d] = stride;
		return new Place(places[template], 1 + ReferenceNcc.index(size, at), strides);
	}

	/** Copies the responses that were written in place. */
	private void fetch(final int template) {
		final Object array = places[template];
		final int n = responses[template].length;
		if (!untouched(array, 0) || !untouched(array, n + 1)) throw new AssertionError("template " + template + " was written to beyond its place");
		for (int i = 0; i < n; i++)
			if (!untouched(array, i + 1)) {
				responses[template][i] = Array.getDouble(array, i + 1);
				writes[template].incrementAndGet(i);
			}
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public void map(final int template, final long[] min, final int[] box, final Buffer from) {
		try {
			copy(template, min, box, from);
		}
		catch (final AssertionError e) {
			// kept, because an execution might swallow the exception
			mistake.compareAndSet(null, e);
			throw e;
		}
	}

	private void copy(final int template, final long[] min, final int[] box, final Buffer from) {
		if (from instanceof DoubleBuffer != (precision == Precision.DOUBLE)) throw new AssertionError(from + " in " + precision + " precision");
		if (template < 0 || template >= responses.length) throw new AssertionError("responses of template " + template);
		for (int d = 0; d < size.length; d++)
			if (min[d] < 0 || box[d] < 1 || min[d] + box[d] > size[d])
				throw new AssertionError("responses " + Arrays.toString(box) + " at " + Arrays.toString(min) + " of " + Arrays.toString(size));
		final int n = ReferenceNcc.pixels(box), first = from.position();
		if (from.remaining() < n) throw new AssertionError(from.remaining() + " of " + n + " responses");
		final int[] at = new int[box.length];
		for (int i = 0; i < n; i++) {
			ReferenceNcc.unravel(i, box, at);
			for (int d = 0; d < at.length; d++) at[d] += (int) min[d];
			final int to = ReferenceNcc.index(size, at);
			responses[template][to] = Buffers.value(from, false, first + i);
			writes[template].incrementAndGet(to);
		}
	}

	/** The number of responses that were written, for all templates. */
	int written() {
		int n = 0;
		for (final AtomicIntegerArray w : writes)
			for (int i = 0; i < w.length(); i++) n += w.get(i) > 0 ? 1 : 0;
		return n;
	}

	private static boolean untouched(final Object array, final int i) {
		return array instanceof float[] ? Float.floatToRawIntBits(((float[]) array)[i]) == Float.floatToRawIntBits(UNTOUCHED)
			: Double.doubleToRawLongBits(((double[]) array)[i]) == Double.doubleToRawLongBits(UNTOUCHED_DOUBLE);
	}

	/** The responses of one template, x fastest. Fails if any response of any template was not written exactly once. */
	public double[] complete(final int template) {
		if (mistake.get() != null) throw mistake.get();
		for (int t = 0; t < writes.length; t++) {
			if (places != null) fetch(t);
			for (int i = 0; i < responses[t].length; i++)
				if (writes[t].get(i) != 1)
					throw new AssertionError("response " + i + " to template " + t + " was written " + writes[t].get(i) + " times");
		}
		return responses[template];
	}
}
