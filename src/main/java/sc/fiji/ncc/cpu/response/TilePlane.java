package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.tile.WindowDefects;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.Numerator;
import sc.fiji.ncc.cpu.window.PartSums;

/**
 * The lags of one plane of a tile (one z), or of a rectangle in it, with all that their responses are computed from.
 *
 * @param parts the sums over the part of each channel of the template that counts; null if all of it counts in every window
 * @param lag the first lag, all dimensions
 * @param z the index of the z in the tile
 * @param offset the index of the first response in its array
 */
public record TilePlane(Numerator numerator, ChannelMoments moments, PartSums[] parts, TilePixels pixels, TileScale scale, long[] lag, int z, int lagsX, int lagsY, int offset) {

	/** The flat and the defective windows. */
	public WindowDefects defects(final TemplatePlanes planes) {
		return new WindowDefects(pixels.planes(z), pixels.channels(), planes.width, planes.height, lagsX, lagsY);
	}

	public long lags() {
		return (long) lagsX * lagsY;
	}
}
