package sc.fiji.ncc.sink;

import java.nio.Buffer;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;

import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Sink;

/** Writes responses into a part of a map. Several threads may write boxes that do not overlap. */
public final class MapSink implements Sink {

	private final RandomAccessibleInterval<? extends RealType<?>> map;
	private final Buffer array;
	private final long[] place;
	private final int offset;
	private final float undefined;

	/**
	 * @param map one frame of the map, its first pixel at zero
	 * @param array the pixels of the map, a Float- or DoubleBuffer, if they lie in one array; else null
	 * @param offset the index in the array at which the frame begins
	 * @param place the position of lag 0 in the frame
	 */
	public MapSink(final RandomAccessibleInterval<? extends RealType<?>> map, final Buffer array, final long offset, final long[] place, final float undefined) {
		this.map = map;
		this.array = array;
		this.offset = (int) offset;
		this.place = place;
		this.undefined = undefined;
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		final int first = from.position();
		final long[] position = new long[min.length];
		int rows = 1;
		for (int d = 1; d < size.length; d++) rows *= size[d];
		if (array != null && isContiguous(size)) {
			for (int d = 0; d < position.length; d++) position[d] = place[d] + min[d];
			Buffers.copy(from, first, array, index(position), rows * size[0]);
			return;
		}
		final RandomAccess<? extends RealType<?>> access = array == null ? map.randomAccess() : null;
		for (int row = 0; row < rows; row++) {
			for (int d = 0, rest = row; d < position.length; d++) {
				position[d] = place[d] + min[d];
				if (d == 0) continue;
				position[d] += rest % size[d];
				rest /= size[d];
			}
			if (array != null) Buffers.copy(from, first + row * size[0], array, index(position), size[0]);
			else write(access, position, from, first + row * size[0], size[0]);
		}
	}

	/** Whether a box consists of whole rows of the map, and in a volume of whole planes, so that it is contiguous in the array. */
	private boolean isContiguous(final int[] size) {
		for (int d = 0; d < size.length - 1; d++) if (size[d] != map.dimension(d)) return false;
		return true;
	}

	@Override
	public Place place(final int template, final long[] min) {
		if (array == null) return null;
		final long[] position = new long[min.length];
		final int[] strides = new int[min.length];
		long stride = 1;
		for (int d = 0; d < position.length; d++) {
			position[d] = place[d] + min[d];
			strides[d] = (int) stride;
			stride *= map.dimension(d);
		}
		return new Place(array.array(), index(position), strides);
	}

	private int index(final long[] position) {
		long i = 0;
		for (int d = position.length - 1; d >= 0; d--) i = i * map.dimension(d) + position[d];
		return offset + (int) i;
	}

	private static void write(final RandomAccess<? extends RealType<?>> access, final long[] position, final Buffer from, final int o, final int n) {
		access.setPosition(position);
		for (int x = 0; x < n; x++) {
			access.get().setReal(Buffers.value(from, false, o + x));
			access.fwd(0);
		}
	}
}
