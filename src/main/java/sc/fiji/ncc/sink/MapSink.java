package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.support.Boxes;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Sink;

/** Writes responses into a part of a map. Several threads may write boxes that do not overlap. */
public final class MapSink implements Sink {

	/** Null if the pixels lie in one array. */
	private final RandomAccessibleInterval<? extends RealType<?>> map;
	private final Buffer array;
	/** The array if it is allocated later. Default: null. */
	private final DeferredArray late;
	private final long[] extents, place;
	private final int offset;
	private final float undefined;
	private final ResponseType type;

	/** The index in the array at which a frame begins, and the position of lag 0 in the frame. */
	private record Start(long offset, long[] place) {}

	/**
	 * @param map one frame of the map, its first pixel at zero
	 * @param array the pixels of the map, a buffer of the type of the responses, if they lie in one array; else null
	 * @param offset the index in the array at which the frame begins
	 * @param place the position of lag 0 in the frame
	 */
	public MapSink(final RandomAccessibleInterval<? extends RealType<?>> map, final Buffer array, final long offset, final long[] place,
		final float undefined, final ResponseType type)
	{
		this(map, array, null, map.dimensionsAsLongArray(), new Start(offset, place), undefined, type);
	}

	/**
	 * The same for a map that is allocated later.
	 *
	 * @param extents those of one frame of the map
	 */
	MapSink(final DeferredArray array, final long[] extents, final long offset, final long[] place, final float undefined,
		final ResponseType type) {
		this(null, null, array, extents, new Start(offset, place), undefined, type);
	}

	private MapSink(final RandomAccessibleInterval<? extends RealType<?>> map, final Buffer array, final DeferredArray late,
		final long[] extents, final Start start, final float undefined, final ResponseType type)
	{
		this.map = map;
		this.array = array;
		this.late = late;
		this.extents = extents;
		offset = (int) start.offset;
		place = start.place;
		this.undefined = undefined;
		this.type = type;
	}

	/** Begins a box: see {@link DeferredArray#begin}. */
	void begin() {
		if (late != null) late.begin();
	}

	/** Allocates the map, unless this has been done. */
	void allocate() {
		if (late != null) late.allocate();
	}

	private Buffer array() {
		return late == null ? array : late.get();
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public ResponseType responseType() {
		return type;
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		final Buffer to = array();
		if (late == null || to != null) {
			write(min, size, from, from.position(), to);
			return;
		}
		final int n = Boxes.pixels(size);
		final Buffer copy = type.allocate(from instanceof DoubleBuffer ? Precision.DOUBLE : Precision.SINGLE, n);
		Buffers.copy(from, from.position(), copy, 0, n);
		late.later(a -> write(min, size, copy, 0, a));
	}

	/** @param first the index of the first response */
	private void write(final long[] min, final int[] size, final Buffer from, final int first, final Buffer to) {
		final long[] position = new long[min.length];
		final int rows = Boxes.rows(size);
		if (to != null && isContiguous(size)) {
			for (int d = 0; d < position.length; d++) position[d] = place[d] + min[d];
			Buffers.copy(from, first, to, index(position), rows * size[0]);
			return;
		}
		final RandomAccess<? extends RealType<?>> access = to == null ? map.randomAccess() : null;
		for (int row = 0; row < rows; row++) {
			for (int d = 0, rest = row; d < position.length; d++) {
				position[d] = place[d] + min[d];
				if (d == 0) continue;
				position[d] += rest % size[d];
				rest /= size[d];
			}
			if (to != null) Buffers.copy(from, first + row * size[0], to, index(position), size[0]);
			else write(access, position, from, first + row * size[0], size[0]);
		}
	}

	/** Whether a box consists of whole rows of the map, and in a volume of whole planes, so that it is contiguous in the array. */
	private boolean isContiguous(final int[] size) {
		for (int d = 0; d < size.length - 1; d++) if (size[d] != extents[d]) return false;
		return true;
	}

	@Override
	public Place place(final int template, final long[] min) {
		final Buffer to = array();
		if (to == null || type.quantized()) return null;
		final long[] position = new long[min.length];
		final int[] strides = new int[min.length];
		long stride = 1;
		for (int d = 0; d < position.length; d++) {
			position[d] = place[d] + min[d];
			strides[d] = (int) stride;
			stride *= extents[d];
		}
		return new Place(to.array(), index(position), strides);
	}

	private int index(final long[] position) {
		long i = 0;
		for (int d = position.length - 1; d >= 0; d--) i = i * extents[d] + position[d];
		return offset + (int) i;
	}

	private void write(final RandomAccess<? extends RealType<?>> access, final long[] position, final Buffer from,
		final int o, final int n) {
		final boolean quantize = type.quantized() && from instanceof FloatBuffer;
		access.setPosition(position);
		for (int x = 0; x < n; x++) {
			access.get().setReal(quantize ? type.quantize(((FloatBuffer) from).get(o + x)) : Buffers.value(from, true, o + x));
			access.fwd(0);
		}
	}
}
