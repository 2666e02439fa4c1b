package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.PeakMosaic;
import sc.fiji.ncc.plan.BoxPeaks;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;

/** The local maxima of all templates' maps of one frame, without the maps, and the sinks that find them. */
final class PeakMaps implements Sinks {

	/** Peaks of a box, and where its first lag lies in the map. */
	private record Placed(BoxPeaks peaks, long[] place) {}

	private final List<Arrangement> arrangements;
	private final float undefined, least;
	/** One list a template; each guarded by itself. */
	private final List<List<Placed>> found = new ArrayList<>();

	/**
	 * @param arrangements one a template
	 * @param least the least maximum that is wanted
	 */
	PeakMaps(final List<Arrangement> arrangements, final Undefined undefined, final float least) {
		this.arrangements = arrangements;
		this.undefined = undefined.value;
		this.least = least;
		for (int t = 0; t < arrangements.size(); t++) found.add(new ArrayList<>());
	}

	/** Forgets what has come. */
	void clear() {
		found.forEach(List::clear);
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<PeakSink> sinks = new ArrayList<>();
		for (final int t : bank.indices()) {
			final long[] place = ResponseMaps.place(arrangements.get(t), box);
			final List<Placed> all = found.get(t);
			sinks.add(new PeakSink(undefined, least, some -> {
				synchronized (all) {
					for (final BoxPeaks p : some) all.add(new Placed(p, place));
				}
			}));
		}
		return new BankSink(undefined, sinks);
	}

	/** The maxima of a template's map, once all has come, in its own coordinates and no particular order. */
	void forEach(final int template, final Consumer<Peak> consumer) {
		final Arrangement a = arrangements.get(template);
		final PeakMosaic mosaic = new PeakMosaic(a.size);
		synchronized (found.get(template)) {
			for (final Placed p : found.get(template)) mosaic.add(p.peaks, p.place);
		}
		if (a.hasUndefinedBorder() && undefined >= least) addBorder(mosaic, a);
		mosaic.forEach(consumer);
	}

	/** What lies around the lags that are computed reads undefined, and counts as other responses do. */
	private void addBorder(final PeakMosaic mosaic, final Arrangement a) {
		final int n = a.size.length;
		final long[] min = new long[n], max = a.size.clone();
		for (int d = n - 1; d >= 0; d--) {
			final long from = a.place[d], to = from + a.lags[d], end = max[d];
			max[d] = from;
			addFlat(mosaic, min, max);
			min[d] = to;
			max[d] = end;
			addFlat(mosaic, min, max);
			min[d] = from;
			max[d] = to;
		}
	}

	private void addFlat(final PeakMosaic mosaic, final long[] min, final long[] max) {
		final long[] size = new long[min.length];
		for (int d = 0; d < size.length; d++) {
			size[d] = max[d] - min[d];
			if (size[d] <= 0) return;
		}
		mosaic.add(BoxMaxima.flat(min.clone(), Size.of(size).toIntArray(), undefined), new long[min.length]);
	}
}
