package sc.fiji.ncc.cpu.ncc;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import sc.fiji.ncc.cpu.correlator.DoubleRowCorrelator;
import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.execution.SharedTile;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.response.TileResponses;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.ByteMoments;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.DirectMaskSums;
import sc.fiji.ncc.cpu.window.IntWindowSums;
import sc.fiji.ncc.cpu.window.MaskSums;
import sc.fiji.ncc.cpu.window.OverlapSums;
import sc.fiji.ncc.cpu.window.PartSums;
import sc.fiji.ncc.cpu.window.WeightedMoments;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.loops.Rows;
import sc.fiji.ncc.numeric.Int128;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Sink;

/** The memory of one thread for {@link ExactTiles}. */
final class ExactWorker implements TileMethod.Worker {

	private final List<ExactTiles.Prepared> templates;
	private final TemplatePlanes planes;
	private final Lags lags;
	private final TileScale scale;
	private final boolean narrow;
	private final long n;
	private final int bits, maxLagsX, channels;
	/** The planes of the template, channel after channel. */
	private final TileReader[] readers;
	private final ChannelMoments moments;
	/** The objects of each template, created when they are first needed. */
	private final FloatRowCorrelator[] floatCorrelators;
	private final DoubleRowCorrelator[] doubleCorrelators;
	private final OverlapSums[][] overlaps;
	/** Null if no pixel may be missing. */
	private final MaskSums[] maskSums;
	private final float[] floats;
	private final double[] doubles, products, r;
	/** For one window with several channels: the sums of window and template. */
	private final long[] windowSums, templateSums;
	/** The shared data of the current tile if it has several templates. */
	private final SharedTile ownShared;

	// the current tile
	private TileMethod.Tile tile;
	private int lagsX, lagsY;
	private BooleanSupplier stop;

	// the current template
	private ExactTiles.Prepared template;
	private FloatRowCorrelator floatCorrelator;
	private DoubleRowCorrelator doubleCorrelator;
	/** The sums over the part of each channel of the template that counts. */
	private PartSums[] parts;

	ExactWorker(final ExactTiles tiles) {
		templates = tiles.templates;
		planes = tiles.planes;
		lags = tiles.lags;
		scale = tiles.scale;
		narrow = tiles.narrow;
		n = tiles.n;
		bits = tiles.bits;
		final int[] maxLags = tiles.maxLags();
		maxLagsX = maxLags[0];
		channels = tiles.channels;
		ownShared = new SharedTile(channels);
		readers = new TileReader[channels * planes.count];
		for (int p = 0; p < readers.length; p++) readers[p] = new TileReader(tiles.image);
		moments = new ChannelMoments(IntStream.range(0, channels).mapToObj(c -> moments(tiles)).toArray(WindowMoments[]::new), maxLagsX);
		floatCorrelators = new FloatRowCorrelator[templates.size()];
		doubleCorrelators = new DoubleRowCorrelator[templates.size()];
		overlaps = new OverlapSums[templates.size()][];
		maskSums = lags.masked() ? IntStream.range(0, channels).mapToObj(c -> maskSums(tiles, c)).toArray(MaskSums[]::new) : null;
		final int columns = maxLagsX + planes.width - 1;
		floats = new float[narrow ? columns : 0];
		doubles = new double[narrow ? 0 : columns];
		products = new double[maxLagsX];
		r = new double[maxLagsX];
		windowSums = new long[channels];
		templateSums = new long[channels];
	}

	private MaskSums maskSums(final ExactTiles tiles, final int channel) {
		return new DirectMaskSums(planes, tiles.weights, null, templates.stream().map(t -> tiles.channel(t.centred(), channel)).toList(), tiles.maxLags());
	}

	private WindowMoments moments(final ExactTiles tiles) {
		final int[] maxLags = tiles.maxLags();
		if (tiles.weights != null) return narrow ? new ByteMoments(planes, tiles.weights, maxLagsX) : new WeightedMoments(planes, tiles.weights, Tolerance.RESPONSE, maxLagsX);
		return IntWindowSums.holds(tiles.image, n) ? new IntWindowSums(planes, maxLags) : new WindowSums(planes, maxLags, false);
	}

	@Override
	public SharedTile share(final TileMethod.Tile tile, final BooleanSupplier stop) {
		begin(tile, stop);
		final SharedTile shared = new SharedTile(channels);
		share(shared);
		this.tile = null;
		return shared;
	}

	@Override
	public TileMethod.Count compute(final TileMethod.Tile tile, final SharedTile shared, final int[] templates, final float undefined,
		final Buffer responses, final TileMethod.Output out, final BooleanSupplier stop)
	{
		begin(tile, stop);
		if (shared == null && templates.length > 1) share(ownShared);
		final SharedTile kept = shared != null ? shared : templates.length > 1 ? ownShared : null;
		final ChannelMoments windows = kept == null ? moments : new ChannelMoments(kept.moments, lagsX);
		long missing = 0;
		for (final int t : templates) {
			final Sink.Place inMap = out.place(t);
			missing += correlate(t, windows, undefined, SumsPlace.of(inMap, responses.array(), lagsX, lagsY));
			out.take(t, inMap == null ? responses : null);
		}
		this.tile = null;
		return new TileMethod.Count(missing, 0);
	}

	private void begin(final TileMethod.Tile tile, final BooleanSupplier stop) {
		this.tile = tile;
		this.stop = stop;
		lagsX = tile.size()[0];
		lagsY = tile.size().length > 1 ? tile.size()[1] : 1;
		for (int p = 0; p < readers.length; p++) {
			final long[] min = tile.lag().clone();
			for (int d = 2; d < min.length; d++) min[d] += planes.places[p % planes.count][d];
			readers[p].read(channels == 1 ? tile.in() : tile.in().channels().get(p / planes.count), min, lagsX + planes.width - 1, lagsY + planes.height - 1);
			readers[p].fill(scale.reference);
		}
		for (int c = 0; maskSums != null && c < channels; c++)
			if (c == 0) maskSums[c].begin(ChannelMoments.planes(readers, c, channels), lagsX, lagsY, 1, stop);
			else maskSums[c].begin(ChannelMoments.planes(readers, c, channels), maskSums[0]);
		moments.begin(readers, scale, lagsX, lagsY, 1, stop);
	}

	private void share(final SharedTile shared) {
		shared.scale = scale;
		for (int c = 0; c < channels; c++) shared.moments[c].fill(moments.channel(c), planes.height, lagsX, lagsY, 1, null, stop);
	}

	private long correlate(final int t, final ChannelMoments windows, final float undefined, final SumsPlace place) {
		select(t);
		final TileResponses out = TileResponses.in(place.to());
		long missing = 0;
		for (int row = 0; row < lagsY + planes.height - 1; row++) {
			if (stop.getAsBoolean()) throw new CancellationException("canceled");
			final int y = row - planes.height + 1, y0 = Math.max(0, y), y1 = Math.min(row, lagsY - 1);
			add(row, y0, y1);
			windows.add(0, row, y0, y1);
			if (y < 0) continue;
			if (narrow) floatCorrelator.finish(y, products);
			else doubleCorrelator.finish(y, products);
			windows.finish(0, y);
			if (lags.partial()) ofParts(windows, y);
			else if (channels == 1) inside(windows.sums(0), windows.energies(0));
			else joint(windows);
			missing += write(out, place.row(0, y), undefined);
		}
		return missing;
	}

	private void select(final int t) {
		template = templates.get(t);
		if (narrow) {
			if (floatCorrelators[t] == null) floatCorrelators[t] =
				FloatRowCorrelator.exact(planes.width, planes.height, planes.cut(Rows.toFloat(template.centred())), ByteMoments.EXACT_RUN, maxLagsX);
			floatCorrelator = floatCorrelators[t];
			floatCorrelator.begin(lagsX);
		}
		else {
			if (doubleCorrelators[t] == null) doubleCorrelators[t] = DoubleRowCorrelator.of(planes.width, planes.height, planes.cut(template.centred()), maxLagsX);
			doubleCorrelator = doubleCorrelators[t];
			doubleCorrelator.begin(lagsX);
		}
		if (maskSums != null) for (final MaskSums sums : maskSums) sums.select(t);
		else if (lags.partial() && overlaps[t] == null) overlaps[t] = template.overlapSums().stream().map(OverlapSums::copy).toArray(OverlapSums[]::new);
		parts = maskSums != null ? maskSums : overlaps[t];
	}

	private void add(final int row, final int y0, final int y1) {
		for (int p = 0; p < readers.length; p++)
			if (narrow) {
				readers[p].row(row, scale, floats);
				floatCorrelator.add(p, floats, row, y0, y1);
			}
			else {
				readers[p].row(row, scale, doubles);
				doubleCorrelator.add(p, doubles, row, y0, y1);
			}
	}

	/** Windows inside the image: the template's sums are constant. A flat window gives 0/0, which is NaN. */
	private void inside(final double[] sums, final double[] energies) {
		final long sum = template.sums()[0];
		final double norm = template.norm();
		if (bits <= 53) inDouble(products, sums, energies, r, n, sum, norm, lagsX);
		else if (bits <= 62) inLong(products, sums, energies, r, n, sum, norm, lagsX);
		else for (int x = 0; x < lagsX; x++) r[x] = wide((long) products[x], (long) sums[x], (long) energies[x], n, sum, norm);
	}

	private static void inDouble(final double[] products, final double[] sums, final double[] energies, final double[] r, final double n,
		final double sum, final double norm, final int lags)
	{
		for (int x = 0; x < lags; x++) {
			final double s = sums[x];
			r[x] = (n * products[x] - s * sum) / (Math.sqrt(n * energies[x] - s * s) * norm);
		}
	}

	private static void inLong(final double[] products, final double[] sums, final double[] energies, final double[] r, final long n,
		final long sum, final double norm, final int lags)
	{
		for (int x = 0; x < lags; x++) {
			final long s = (long) sums[x];
			final long variance = n * (long) energies[x] - s * s;
			r[x] = (n * (long) products[x] - s * sum) / (Math.sqrt(variance) * norm);
		}
	}

	private static double wide(final long products, final long s, final long q, final long n, final long t, final double norm) {
		return Int128.difference(n, products, s, t) / (Math.sqrt(Int128.difference(n, q, s, s)) * norm);
	}

	/** Windows inside the image, over several channels. */
	private void joint(final ChannelMoments windows) {
		final double norm = template.norm();
		if (bits < 53) {
			// the sums of channels, in whole numbers that a double holds
			final double[] numerators = r, variances = products;
			for (int x = 0; x < lagsX; x++) numerators[x] = n * products[x];
			Arrays.fill(variances, 0, lagsX, 0);
			for (int c = 0; c < channels; c++)
				addChannel(windows.sums(c), windows.energies(c), numerators, variances, n, template.sums()[c], lagsX);
			for (int x = 0; x < lagsX; x++) r[x] = numerators[x] / (Math.sqrt(variances[x]) * norm);
		}
		else for (int x = 0; x < lagsX; x++) {
			final long energy = window(windows, x);
			r[x] = Int128.difference(n, (long) products[x], windowSums, template.sums()) / (Math.sqrt(Int128.difference(n, energy, windowSums, windowSums)) * norm);
		}
	}

	private static void addChannel(final double[] sums, final double[] energies, final double[] numerators, final double[] variances, final double n, final double sum,
		final int lags)
	{
		for (int x = 0; x < lags; x++) {
			final double s = sums[x];
			numerators[x] -= s * sum;
			variances[x] += n * energies[x] - s * s;
		}
	}

	/** Sets the sums of one window, and returns its energy over all channels. */
	private long window(final ChannelMoments windows, final int x) {
		long energy = 0;
		for (int c = 0; c < channels; c++) {
			windowSums[c] = (long) windows.sums(c)[x];
			energy += (long) windows.energies(c)[x];
		}
		return energy;
	}

	/** Windows that may leave the image or have missing pixels. */
	private void ofParts(final ChannelMoments windows, final int y) {
		for (final PartSums part : parts) part.row(tile.lag(), tile.in().size(), 0, y, lagsX);
		if (channels == 1) ofParts(windows.sums(0), windows.energies(0), parts[0]);
		else jointOfParts(windows);
	}

	private void ofParts(final double[] sums, final double[] energies, final PartSums parts) {
		for (int x = 0; x < lagsX; x++) {
			final long count = (long) parts.weight[x], t = (long) parts.value[x], e = (long) parts.square[x];
			final boolean enough = count > 0 && count >= lags.minOverlap() * n;
			r[x] = enough ? wide((long) products[x], (long) sums[x], (long) energies[x], count, t,
				Math.sqrt(Int128.difference(count, e, t, t))) : Double.NaN;
			if (Double.isInfinite(r[x])) r[x] = Double.NaN;
		}
	}

	/** The same with several channels. */
	private void jointOfParts(final ChannelMoments windows) {
		for (int x = 0; x < lagsX; x++) {
			final long count = (long) parts[0].weight[x];
			final boolean enough = count > 0 && count >= lags.minOverlap() * n;
			final long energy = window(windows, x);
			long squares = 0;
			for (int c = 0; c < channels; c++) {
				templateSums[c] = (long) parts[c].value[x];
				squares += (long) parts[c].square[x];
			}
			r[x] = enough ? Int128.difference(count, (long) products[x], windowSums, templateSums)
				/ (Math.sqrt(Int128.difference(count, energy, windowSums, windowSums)) * Math.sqrt(Int128.difference(count, squares, templateSums, templateSums)))
				: Double.NaN;
			if (Double.isInfinite(r[x])) r[x] = Double.NaN;
		}
	}

	private long write(final TileResponses out, final int o, final float undefined) {
		if (!out.put(o, r, lagsX)) return 0;
		long missing = 0;
		for (int x = o; x < o + lagsX; x++)
			if (out.undefined(x)) {
				out.put(x, undefined);
				missing++;
			}
		return missing;
	}
}
