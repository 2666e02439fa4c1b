package sc.fiji.ncc;

import java.nio.Buffer;
import java.util.List;

import sc.fiji.ncc.plan.Sink;

/** One map for each template. */
record BankSink(float undefined, List<MapSink> maps) implements Sink {

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		maps.get(template).map(0, min, size, from);
	}
}
