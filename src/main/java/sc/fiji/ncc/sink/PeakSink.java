package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Sink.SampledRows;
import sc.fiji.ncc.peaks.MapSample;

/** Collects the maxima of one box of a template's map, and on request a sample of its rows. If it receives responses, it searches them in the calling thread. */
final class PeakSink implements BoxSink {

	private final float undefined, minScore;
	private final int stride;
	private final long[] origin;
	private final BiConsumer<List<BoxPeaks>, MapSample> finished;
	private final List<BoxPeaks> found = new ArrayList<>();
	private final MapSample rows = new MapSample();

	/**
	 * @param stride the distance between sampled blocks of rows; 0 for no sample
	 * @param origin the first lag of the box, relative to the first lag of the map
	 * @param finished receives the maxima and the sample when the box is complete
	 */
	PeakSink(final float undefined, final float minScore, final int stride, final long[] origin, final BiConsumer<List<BoxPeaks>, MapSample> finished) {
		this.undefined = undefined;
		this.minScore = minScore;
		this.stride = stride;
		this.origin = origin;
		this.finished = finished;
	}

	@Override
	public Optional<SampledRows> sampled() {
		return stride > 0 ? Optional.of(new SampledRows(stride, origin)) : Optional.empty();
	}

	@Override
	public void sample(final int template, final long[] min, final int[] size, final Buffer from) {
		rows.add(inMap(min), size, from);
	}

	private long[] inMap(final long[] min) {
		final long[] at = min.clone();
		for (int d = 0; d < at.length; d++) at[d] += origin[d];
		return at;
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public float minScore() {
		return minScore;
	}

	@Override
	public synchronized void begin() {
		found.clear();
		rows.clear();
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		if (stride > 0) rows.addBox(stride, inMap(min), size, from);
		peaks(template, BoxMaxima.of(min, size, from, minScore));
	}

	@Override
	public synchronized void peaks(final int template, final BoxPeaks box) {
		if (box.peaks().length + box.rim().length > 0) found.add(box);
	}

	@Override
	public synchronized void end() {
		finished.accept(found, rows);
		found.clear();
		rows.clear();
	}
}
