package sc.fiji.ncc.stitch;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.view.Views;

import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.register.correct.FrameShifter;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.store.DiskImage;

/** The fused image of a mosaic. Its blocks are computed when they are used, so it may be larger than memory. */
public final class MosaicImage {

	/** The extent of a block along x and y. */
	private static final int BLOCK = 512;
	/** A pixel so near to the border of a tile counts as a pixel of it. */
	private static final double NEAR = 0.01;

	private final Tiles tiles;
	private final int n;
	private final Fusion fusion;
	private final FrameShifter shifter;
	/** The positions of the tiles, for each frame or for all of them; null for those that are left out. */
	private final double[][][] positions;
	private final long[] origin, size;

	/**
	 * @param mosaics the positions of these tiles; those without a position are left out. One for all frames, or one for each position along the last
	 *         dimension of a tile
	 * @throws IllegalArgumentException if a mosaic has another number of tiles, there is another number of frames, or pixels of the type cannot have the
	 * value outside
	 */
	public MosaicImage(final Tiles tiles, final List<Mosaic> mosaics, final Fusion fusion) {
		for (final Mosaic mosaic : mosaics) if (mosaic.tiles().size() != tiles.count()) throw new IllegalArgumentException("the mosaic has " + mosaic.tiles().size()
			+ " tiles, and there are " + tiles.count() + ": give the tiles that were measured");
		final long[] first = tiles.get(0).size();
		final long frames = first.length > tiles.dimensions() ? first[first.length - 1] : 1;
		if (mosaics.size() != 1 && mosaics.size() != frames) throw new IllegalArgumentException("there are positions of " + mosaics.size()
			+ " frames, and a tile has "
			+ frames + ": give those of each frame, or of one");
		this.tiles = tiles;
		this.fusion = fusion;
		n = tiles.dimensions();
		fusion.require(tiles.type());
		shifter = new FrameShifter(fusion.interpolation(), Outside.EDGE);
		positions = mosaics.stream().map(m -> m.tiles().stream().map(Mosaic.Placed::position).toArray(double[][]::new)).toArray(double[][][]::new);
		if (fusion.interpolation() == Interpolation.INTEGER) for (final double[][] frame : positions) round(frame);
		origin = new long[n];
		size = tiles.get(0).size().clone();
		if (Arrays.stream(positions).flatMap(Arrays::stream).allMatch(Objects::isNull)) throw new IllegalArgumentException(
			"no tile has a position: no link was found");
		for (int d = 0; d < n; d++) {
			double least = Double.POSITIVE_INFINITY, most = Double.NEGATIVE_INFINITY;
			for (final double[][] frame : positions)
				for (int i = 0; i < frame.length; i++) if (frame[i] != null) {
					least = Math.min(least, frame[i][d]);
					most = Math.max(most, frame[i][d] + tiles.size(i)[d] - 1);
				}
			origin[d] = (long) Math.floor(least + NEAR);
			size[d] = (long) Math.ceil(most - NEAR) - origin[d] + 1;
		}
	}

	/** Rounds the distances from the first tile. Positions themselves are relative to a mean: tiles at whole pixels can have positions of half a pixel. */
	private static void round(final double[][] positions) {
		double[] first = null;
		for (int i = 0; i < positions.length; i++) {
			if (positions[i] == null) continue;
			if (first == null) first = positions[i];
			positions[i] = positions[i].clone();
			for (int d = 0; d < first.length; d++) positions[i][d] = Math.rint(first[d]) + Math.rint(positions[i][d] - first[d]);
		}
	}

	/** The position of the first pixel of the mosaic, in pixels, in the frame of the tiles' positions. */
	public long[] origin() {
		return origin.clone();
	}

	/** The mosaic. It has the pixel type and the dimensions of a tile. */
	public Img<?> image() {
		final int[] cell = new int[size.length];
		Arrays.fill(cell, 1);
		for (int d = 0; d < 2; d++) cell[d] = (int) Math.min(size[d], BLOCK);
		return DiskImage.of("the mosaic", tiles.type(), size, cell, this::block);
	}

	private Object block(final long[] min, final int[] extents) {
		int pixels = 1;
		for (final int e : extents) pixels *= e;
		final double[] sum = new double[pixels], weight = new double[pixels];
		final double[][] places = positions[positions.length == 1 ? 0 : (int) min[min.length - 1]];
		for (int tile = 0; tile < places.length; tile++)
			if (places[tile] != null && meets(tile, places[tile], min, extents)) add(tile, places[tile], min, extents, sum, weight);
		for (int i = 0; i < pixels; i++) sum[i] = weight[i] > 0 ? sum[i] / (fusion.blending() == Fusion.Blending.MAX ? 1 : weight[i]) : fusion.outside();
		final Object result = tiles.type().allocate(pixels).array();
		Buffers.narrow(sum, tiles.type(), result, 0);
		return result;
	}

	/** Whether a tile may have pixels in a block. */
	private boolean meets(final int tile, final double[] position, final long[] min, final int[] extents) {
		final long[] tileSize = tiles.get(tile).size();
		for (int d = 0; d < n; d++) {
			final double at = position[d] - origin[d] - min[d];
			if (at > extents[d] || at + tileSize[d] < -1) return false;
		}
		return true;
	}

	/** Adds the part of a tile that lies in a block. */
	private void add(final int tile, final double[] position, final long[] min, final int[] extents, final double[] sum, final double[] weight) {
		final long[] tileSize = tiles.size(tile), from = new long[n];
		final double[] shift = new double[n];
		final int[] part = new int[n];
		for (int d = 0; d < n; d++) {
			shift[d] = origin[d] - position[d];
			from[d] = Math.max(min[d], (long) Math.ceil(-shift[d] - NEAR));
			part[d] = (int) (Math.min(min[d] + extents[d] - 1, (long) Math.floor(tileSize[d] - 1 - shift[d] + NEAR)) - from[d] + 1);
			if (part[d] <= 0) return;
		}
		RandomAccessibleInterval<?> frame = tiles.pixels(tile);
		for (int d = size.length - 1; d >= n; d--) frame = Views.hyperSlice(frame, d, min[d]);
		final Buffer values = Buffers.of(shifter.box(frame, shift, from, part));
		final boolean isSum = fusion.blending() == Fusion.Blending.LINEAR || fusion.blending() == Fusion.Blending.MEAN;
		final double[] row = new double[part[0]], sums = new double[part[0]], held = new double[part[0]];
		final double[][] weights = weights(from, part, shift, tileSize);
		final int depth = n > 2 ? part[2] : 1;
		for (int z = 0, at = 0; z < depth; z++)
			for (int y = 0; y < part[1]; y++, at += part[0]) {
				Buffers.values(values, tiles.type().min == 0 && !(values instanceof FloatBuffer), at, row, part[0]);
				final double w = weights[1][y] * (n > 2 ? weights[2][z] : 1);
				int to = (int) (from[0] - min[0]) + extents[0] * ((int) (from[1] - min[1]) + y + (n > 2 ? extents[1] * ((int) (from[2] - min[2]) + z) : 0));
				if (!isSum || !isComplete(row)) for (int x = 0; x < part[0]; x++, to++) add(row[x], w * weights[0][x], to, sum, weight);
				else {
					System.arraycopy(sum, to, sums, 0, part[0]);
					System.arraycopy(weight, to, held, 0, part[0]);
					addRow(row, w, weights[0], sums, held);
					System.arraycopy(sums, 0, sum, to, part[0]);
					System.arraycopy(held, 0, weight, to, part[0]);
				}
			}
	}

	/** Adds a row without missing pixels to sums, in arrays with one index, because C2 vectorises only such loops. */
	private void addRow(final double[] row, final double w, final double[] weights, final double[] sums, final double[] held) {
		if (fusion.blending() == Fusion.Blending.LINEAR) addWeighted(row, w, weights, sums, held);
		else for (int x = 0; x < row.length; x++) {
			sums[x] += row[x];
			held[x]++;
		}
	}

	/** Whether no pixel is missing. */
	private boolean isComplete(final double[] row) {
		if (tiles.type().integer) return true;
		double sum = 0;
		for (final double v : row) sum += 0 * v;
		return sum == 0;
	}

	private static void addWeighted(final double[] row, final double factor, final double[] weights, final double[] sums, final double[] held) {
		for (int x = 0; x < row.length; x++) {
			final double w = factor * weights[x];
			sums[x] += w * row[x];
			held[x] += w;
		}
	}

	private void add(final double value, final double w, final int to, final double[] sum, final double[] weight) {
		// missing pixels do not count
		if (!Double.isFinite(value)) return;
		switch (fusion.blending()) {
			case FIRST:
				if (weight[to] > 0) return;
				sum[to] = value;
				weight[to] = 1;
				return;
			case MAX:
				sum[to] = weight[to] > 0 ? Math.max(sum[to], value) : value;
				weight[to] = 1;
				return;
			case MEAN:
				sum[to] += value;
				weight[to]++;
				return;
			default:
				sum[to] += w * value;
				weight[to] += w;
		}
	}

	/** The distances to the border of the tile along each dimension, from 1. */
	private static double[][] weights(final long[] from, final int[] part, final double[] shift, final long[] tile) {
		final double[][] weights = new double[part.length][];
		for (int d = 0; d < part.length; d++) {
			weights[d] = new double[part[d]];
			for (int i = 0; i < part[d]; i++) {
				final double at = from[d] + i + shift[d];
				weights[d][i] = Math.min(at, tile[d] - 1 - at) + 1;
			}
		}
		return weights;
	}
}
