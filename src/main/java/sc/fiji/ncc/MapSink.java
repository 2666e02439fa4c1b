package sc.fiji.ncc;

import java.nio.Buffer;
import java.nio.FloatBuffer;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Sink;

/** Writes responses into a part of a map. Threads write boxes that do not overlap. */
final class MapSink implements Sink {

	private final RandomAccessibleInterval<FloatType> map;
	private final float[] array;
	private final long[] place;
	private final int offset;
	private final float undefined;

	/**
	 * @param map one frame of the map, its first pixel at zero
	 * @param array the map's pixels if they lie in one array, else null
	 * @param offset where the frame begins in the array
	 * @param place where lag 0 lies in the frame
	 */
	MapSink(final RandomAccessibleInterval<FloatType> map, final float[] array, final long offset, final long[] place, final float undefined) {
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
		final FloatBuffer responses = ((FloatBuffer) from).duplicate();
		final long[] at = new long[min.length];
		int rows = 1;
		for (int d = 1; d < size.length; d++) rows *= size[d];
		final RandomAccess<FloatType> access = array == null ? map.randomAccess() : null;
		for (int row = 0; row < rows; row++) {
			for (int d = 0, rest = row; d < at.length; d++) {
				at[d] = place[d] + min[d];
				if (d == 0) continue;
				at[d] += rest % size[d];
				rest /= size[d];
			}
			if (array != null) responses.get(array, index(at), size[0]);
			else write(access, at, responses, size[0]);
		}
	}

	private int index(final long[] at) {
		long i = 0;
		for (int d = at.length - 1; d >= 0; d--) i = i * map.dimension(d) + at[d];
		return offset + (int) i;
	}

	private static void write(final RandomAccess<FloatType> access, final long[] at, final FloatBuffer from, final int n) {
		access.setPosition(at);
		for (int x = 0; x < n; x++) {
			access.get().set(from.get());
			access.fwd(0);
		}
	}
}
