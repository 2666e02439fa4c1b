package sc.fiji.ncc.planner;

import java.nio.Buffer;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/** The maps of the responses of a frame, each in a new array, as a call makes them. An array is allocated with its first responses. */
public final class MapInMemory implements Sink {

	private final Precision precision;
	private final int[] strides;
	private final int length;
	private final Buffer[] maps;

	/** @param lags the size of a map */
	public MapInMemory(final Size lags, final int templates, final Precision precision) {
		final int[] size = lags.toIntArray();
		strides = new int[size.length];
		int n = 1;
		for (int d = 0; d < size.length; d++) {
			strides[d] = n;
			n = Math.multiplyExact(n, size[d]);
		}
		this.precision = precision;
		length = n;
		maps = new Buffer[templates];
	}

	@Override
	public float undefined() {
		return 0;
	}

	@Override
	public Place place(final int template, final long[] min) {
		return new Place(map(template).array(), index(min), strides);
	}

	@Override
	public void map(final int template, final long[] min, final int[] box, final Buffer from) {
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		final Buffer to = map(template);
		final long[] first = min.clone();
		for (int row = 0; row < rows; row++) {
			for (int d = 1, rest = row; d < box.length; d++) {
				first[d] = min[d] + rest % box[d];
				rest /= box[d];
			}
			Buffers.copy(from, from.position() + row * box[0], to, index(first), box[0]);
		}
	}

	private synchronized Buffer map(final int template) {
		if (maps[template] == null) maps[template] = precision.allocate(length);
		return maps[template];
	}

	private int index(final long[] position) {
		int i = 0;
		for (int d = 0; d < position.length; d++) i += (int) position[d] * strides[d];
		return i;
	}
}
