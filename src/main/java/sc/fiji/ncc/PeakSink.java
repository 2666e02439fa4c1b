package sc.fiji.ncc;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.plan.BoxPeaks;

/** Keeps the maxima of one box of a template's map. Where responses come it looks for them itself, in the thread that computed them. */
final class PeakSink implements BoxSink {

	private final float undefined, least;
	private final Consumer<List<BoxPeaks>> finished;
	private final List<BoxPeaks> found = new ArrayList<>();

	/** @param finished takes them once all have come */
	PeakSink(final float undefined, final float least, final Consumer<List<BoxPeaks>> finished) {
		this.undefined = undefined;
		this.least = least;
		this.finished = finished;
	}

	@Override
	public float undefined() {
		return undefined;
	}

	@Override
	public float least() {
		return least;
	}

	@Override
	public synchronized void begin() {
		found.clear();
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		peaks(template, BoxMaxima.of(min, size, from, least));
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
