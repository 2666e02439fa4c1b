package sc.fiji.ncc.bench.planner;

import java.nio.Buffer;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sink;

/** One map of responses in an array, as large as all lags. */
final class MapInMemory implements Sink {

	private final int[] size;
	private final Buffer responses;

	MapInMemory(final int[] size, final Precision precision) {
		this.size = size.clone();
		int n = 1;
		for (final int s : size) n = Math.multiplyExact(n, s);
		responses = precision.allocate(n);
	}

	@Override
	public float undefined() {
		return 0;
	}

	@Override
	public void map(final int template, final long[] min, final int[] box, final Buffer from) {
		int rows = 1;
		for (int d = 1; d < box.length; d++) rows *= box[d];
		for (int row = 0; row < rows; row++) {
			long to = min[0], stride = size[0];
			for (int d = 1, rest = row; d < box.length; d++) {
				to += (min[d] + rest % box[d]) * stride;
				stride *= size[d];
				rest /= box[d];
			}
			Buffers.copy(from, from.position() + row * box[0], responses, (int) to, box[0]);
		}
	}
}
