package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Sink.SampledRows;
import sc.fiji.ncc.plan.Sink;

/** A sink with one map for each template of a bank. */
record BankSink(float undefined, List<? extends Sink> maps) implements BoxSink {

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		maps.get(template).map(0, min, size, from);
	}

	/** All maps have the same type of responses. */
	@Override
	public ResponseType responseType() {
		return maps.get(0).responseType();
	}

	@Override
	public void peaks(final int template, final BoxPeaks found) {
		maps.get(template).peaks(0, found);
	}

	/** All maps have the same minimum score. */
	@Override
	public float minScore() {
		return maps.get(0).minScore();
	}

	/** All maps are sampled at the same rows. */
	@Override
	public Optional<SampledRows> sampled() {
		return maps.get(0).sampled();
	}

	@Override
	public void sample(final int template, final long[] min, final int[] size, final Buffer from) {
		maps.get(template).sample(0, min, size, from);
	}

	@Override
	public Place place(final int template, final long[] min) {
		return maps.get(template).place(0, min);
	}

	@Override
	public void begin() {
		for (final Sink s : maps) {
			if (s instanceof BoxSink) ((BoxSink) s).begin();
			else if (s instanceof MapSink) ((MapSink) s).begin();
		}
	}

	@Override
	public void allocate() {
		for (final Sink s : maps)
			if (s instanceof MapSink) ((MapSink) s).allocate();
	}

	@Override
	public void end() {
		for (final Sink s : maps)
			if (s instanceof BoxSink) ((BoxSink) s).end();
	}
}
