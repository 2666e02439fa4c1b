package sc.fiji.ncc.cpu.convolution;

import java.nio.Buffer;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.execution.SharedTile;
import sc.fiji.ncc.cpu.execution.TileMethod;
import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TilePixels;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.tile.WindowFlags;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** Computes tiles of {@link ConvolutionTiles} on one thread. */
final class ConvolutionWorker implements TileMethod.Worker {

	private final ConvolutionTiles tiles;
	private final TemplatePlanes planes;
	private final TilePixels pixels;
	private final KernelSums primary;
	private KernelSums fallback;

	// the current tile
	private TileMethod.Tile tile;
	private int tileX, tileY, tileZ;
	private SumsPlace place;

	ConvolutionWorker(final ConvolutionTiles tiles) {
		this.tiles = tiles;
		planes = tiles.planes;
		pixels = new TilePixels(planes, tiles.image, 1, tiles.maxLags[2]);
		primary = tiles.sums.primary().get();
	}

	/** Returns an empty object: nothing is kept, and sums are always computed from the pixels. */
	@Override
	public SharedTile share(final TileMethod.Tile tile, final BooleanSupplier stop) {
		return new SharedTile(1);
	}

	@Override
	public TileMethod.Count compute(final TileMethod.Tile tile, final SharedTile shared, final int[] kernels, final float undefined,
		final Buffer buffer, final TileMethod.Output out, final BooleanSupplier stop)
	{
		this.tile = tile;
		final int[] lags = tile.extents();
		tileX = lags[0];
		tileY = lags[1];
		tileZ = lags[2];
		pixels.begin(tile.in(), tile.lag(), lags);
		pixels.load();
		TileScale scale = tiles.sums.scalesFirst() ? pixels.aboutZero() : TileScale.none();
		primary.begin(pixels.input(scale, null, stop), kernels.length);
		boolean fallbackBegun = false;
		TileMethod.Count total = new TileMethod.Count(0, 0);
		for (final int k : kernels) {
			KernelSums kernelSums = primary;
			long rechecked = 0;
			final Sink.Place inMap = out.place(k);
			place = SumsPlace.of(inMap, buffer.array(), tileX, tileY);
			sums(kernelSums, k);
			if (!kernelSums.accurate()) {
				if (tiles.sums.fallback() == null) {
					scale = pixels.aboutZero();
					kernelSums.begin(pixels.input(scale, null, stop), kernels.length);
				}
				else {
					if (fallback == null) fallback = tiles.sums.fallback().get();
					if (!fallbackBegun) fallback.begin(pixels.input(scale, null, stop), kernels.length);
					fallbackBegun = true;
					kernelSums = fallback;
				}
				sums(kernelSums, k);
				rechecked = tile.lags();
			}
			rescale(tiles.kernels.get(k).scale(), scale.factor);
			total = total.plus(new TileMethod.Count(undefined(tiles.templates.get(k), scale.nonFinite, undefined), rechecked));
			out.take(k, inMap == null ? buffer : null);
		}
		this.tile = null;
		pixels.release();
		place = null;
		return total;
	}

	private void sums(final KernelSums kernelSums, final int kernel) {
		kernelSums.to = place;
		kernelSums.select(kernel);
		for (int z = 0; z < tileZ; z++)
			for (int y = 0; y < tileY; y++) {
				kernelSums.tile.poll();
				kernelSums.row(z, y);
			}
	}

	/** Undoes the scales of kernel and pixels, both powers of two. A result too large for the type becomes infinite. */
	private void rescale(final double ofKernel, final double ofPixels) {
		if (ofKernel == ofPixels) return;
		// the quotient of the scales may lie outside the range of doubles: use their exponents
		final int exponent = Math.getExponent(ofKernel) - Math.getExponent(ofPixels);
		for (int z = 0; z < tileZ; z++)
			for (int y = 0; y < tileY; y++)
				if (place.to() instanceof double[]) rescale((double[]) place.to(), place.row(z, y), exponent);
				else rescale(place.floats(), place.row(z, y), exponent);
	}

	private void rescale(final double[] to, final int o, final int exponent) {
		if (exponent >= Double.MIN_EXPONENT && exponent <= Double.MAX_EXPONENT) multiply(to, o, o + tileX, Math.scalb(1.0, exponent));
		else for (int i = o; i < o + tileX; i++) to[i] = Math.scalb(to[i], exponent);
	}

	private void rescale(final float[] to, final int o, final int exponent) {
		if (exponent >= Float.MIN_EXPONENT && exponent <= Float.MAX_EXPONENT) multiply(to, o, o + tileX, Math.scalb(1f, exponent));
		else for (int i = o; i < o + tileX; i++) to[i] = (float) Math.scalb((double) to[i], exponent);
	}

	private static void multiply(final double[] to, final int from, final int until, final double factor) {
		for (int i = from; i < until; i++) to[i] *= factor;
	}

	private static void multiply(final float[] to, final int from, final int until, final float factor) {
		for (int i = from; i < until; i++) to[i] *= factor;
	}

	/**
	 * Writes the value of an undefined response where too little of the kernel overlaps the image, or a kernel value other than 0 meets a pixel that is
	 * NaN or infinite.
	 *
	 * @param nonFinite whether there is such a pixel
	 * @return the number of undefined responses
	 */
	private long undefined(final Template kernel, final boolean nonFinite, final float undefined) {
		final double minOverlap = tiles.lags.partial() ? tiles.lags.minOverlap() * planes.size.pixels() : 0;
		if (!nonFinite && minOverlap == 0) return 0;
		final long[] at = tile.lag().clone();
		long undefinedCount = 0;
		for (int z = 0; z < tileZ; z++) {
			if (tileZ > 1) at[2] = tile.lag()[2] + z;
			final TileReader[] window = pixels.planes(z);
			final WindowFlags flags = nonFinite ? new WindowFlags(window, 1, planes.width, planes.height, tileX, tileY) : null;
			for (int y = 0; y < tileY; y++) {
				if (tileY > 1) at[1] = tile.lag()[1] + y;
				for (int x = 0, i = place.row(z, y); x < tileX; x++, i++) {
					at[0] = tile.lag()[0] + x;
					if (!(minOverlap > 0 && overlap(at) < minOverlap) && !(nonFinite && flags.nonFinite(x, y) && meets(kernel, window, x, y))) continue;
					place.set(i, undefined);
					undefinedCount++;
				}
			}
		}
		return undefinedCount;
	}

	/** The number of kernel values that lie in the image. */
	private double overlap(final long[] lag) {
		final long[] image = tile.in().size();
		double overlap = 1;
		for (int d = 0; d < lag.length; d++) overlap *= Math.max(0, Math.min(image[d], lag[d] + planes.size.get(d)) - Math.max(0, lag[d]));
		return overlap;
	}

	private boolean meets(final Template kernel, final TileReader[] window, final int x, final int y) {
		for (int p = 0, i = 0; p < planes.count; p++)
			for (int v = 0; v < planes.height; v++)
				for (int u = 0; u < planes.width; u++, i++)
					if (kernel.values()[i] != 0 && window[p].inside(x + u, y + v) && !(Math.abs(window[p].value(x + u, y + v)) <= Double.MAX_VALUE))
						return true;
		return false;
	}
}
