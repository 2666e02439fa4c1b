package sc.fiji.ncc.sink;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.peaks.BoxMaxima;
import sc.fiji.ncc.peaks.Peak;
import sc.fiji.ncc.peaks.PeakMosaic;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.peaks.MapSample;

/** The local maxima of all templates' maps of one frame, found without storing the maps, with the sinks that find them. */
public final class PeakMaps implements Sinks {

	/**
	 * The peaks of a box of a template's map.
	 *
	 * @param template the index of the template
	 * @param place the position in the map of the lag that the box counts from
	 */
	public record Placed(int template, BoxPeaks peaks, long[] place) implements Serializable {}

	private final List<ResponseLayout> layouts;
	private final float undefined, minScore;
	/** One list per template; each is guarded by itself. */
	private final List<List<Placed>> found = new ArrayList<>();
	/** One per template; empty if no sample is requested. */
	private final List<MapSample> samples = new ArrayList<>();

	/**
	 * @param layouts one per template
	 * @param minScore the minimum score of a peak
	 * @param sampled whether to keep a sample of each map
	 */
	public PeakMaps(final List<ResponseLayout> layouts, final Undefined undefined, final float minScore, final boolean sampled) {
		this.layouts = layouts;
		this.undefined = undefined.value;
		this.minScore = minScore;
		for (int t = 0; t < layouts.size(); t++) {
			found.add(new ArrayList<>());
			if (sampled) samples.add(new MapSample());
		}
	}

	/** The peaks found so far, box by box, to be added to the maps of another process. */
	public List<Placed> found() {
		final List<Placed> all = new ArrayList<>();
		for (final List<Placed> placed : found) {
			synchronized (placed) {
				all.addAll(placed);
			}
		}
		return all;
	}

	/** Adds peaks that another process has found. */
	public void add(final Placed placed) {
		final List<Placed> of = found.get(placed.template);
		synchronized (of) {
			of.add(placed);
		}
	}

	/** The samples of all maps; empty if none is requested. */
	public List<MapSample> samples() {
		return List.copyOf(samples);
	}

	/** Adds samples that another process has taken, one for each template. */
	public void add(final List<MapSample> others) {
		for (int t = 0; t < others.size(); t++) samples.get(t).add(others.get(t));
	}

	/** Discards all peaks and samples. */
	public void clear() {
		found.forEach(List::clear);
		samples.forEach(MapSample::clear);
	}

	/** The sample of a template's map. Call it after all boxes are complete. */
	public MapSample sample(final int template) {
		return samples.get(template);
	}

	@Override
	public Sink of(final TemplateBank bank, final long frame, final long[][] box) {
		final List<PeakSink> sinks = new ArrayList<>();
		// all maps of a bank have the same stride
		final int stride = samples.isEmpty() ? 0 : MapSample.stride(layouts.get(bank.indices()[0]).lags);
		for (final int t : bank.indices()) {
			final long[] place = ResponseMaps.place(layouts.get(t), box);
			final List<Placed> placed = found.get(t);
			sinks.add(new PeakSink(undefined, minScore, stride, box[0], (peaks, rows) -> {
				synchronized (placed) {
					for (final BoxPeaks p : peaks) placed.add(new Placed(t, p, place));
				}
				if (stride > 0) samples.get(t).add(rows);
			}));
		}
		return new BankSink(undefined, sinks);
	}

	/** Passes on the maxima of a template's map, in coordinates of the map and in no particular order. Call it after all boxes are complete. */
	public void forEach(final int template, final Consumer<Peak> consumer) {
		forEach(template, minScore, consumer);
	}

	/** The same for the maxima with at least this response. */
	public void forEach(final int template, final double least, final Consumer<Peak> consumer) {
		final ResponseLayout a = layouts.get(template);
		final PeakMosaic mosaic = new PeakMosaic(a.size, least);
		synchronized (found.get(template)) {
			for (final Placed p : found.get(template)) mosaic.add(p.peaks, p.place);
		}
		if (a.hasUndefinedBorder() && undefined >= Math.max(minScore, least)) addBorder(mosaic, a);
		mosaic.forEach(consumer);
	}

	/** Adds the undefined responses around the computed lags. They count as other responses do. */
	private void addBorder(final PeakMosaic mosaic, final ResponseLayout a) {
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
