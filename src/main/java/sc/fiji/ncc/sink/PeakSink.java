package sc.fiji.ncc.sink;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.plan.BoxPeaks;

/** Collects the maxima of one box of a template's map. If it receives responses, it searches them in the calling thread. */
final class PeakSink implements BoxSink {

	private final float undefined, minScore;
	private final Consumer<List<BoxPeaks>> finished;
	private final List<BoxPeaks> found = new ArrayList<>();

	/** @param finished receives the maxima when the box is complete */
	PeakSink(final float undefined, final float minScore, final Consumer<List<BoxPeaks>> finished) {
		this.undefined = undefined;
		this.minScore = minScore;
		this.finished = finished;
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
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		peaks(template, BoxMaxima.of(min, size, from, minScore));
	}

	@Override
	public synchronized void peaks(final int template, final BoxPeaks box) {
		if (box.peaks().length + box.rim().length > 0) found.add(box);
	}

	@Override
	public synchronized void end() {
		finished.accept(found);
		found.clear();
	}
}
