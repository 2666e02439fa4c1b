package sc.fiji.ncc.cpu.response;

import sc.fiji.ncc.cpu.tile.SumsPlace;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TilePixels;
import sc.fiji.ncc.cpu.tile.WindowFlags;
import sc.fiji.ncc.cpu.window.ChannelMoments;
import sc.fiji.ncc.cpu.window.CountedSums;
import sc.fiji.ncc.cpu.window.Numerator;

/**
 * Divides the numerators of a row of windows by their norms:
 *
 * <pre>
 *               Σ w·P·T̂                           numerator
 * r = ─────────────────────────────    =  ─────────────────────────
 *     √(Σ w·P² − (Σ w·P)²/N) · ‖T̂‖         √variance of P · ‖T̂‖
 * </pre>
 *
 * with N = Σ w, T̂ = T − ΣwT/N, ‖T̂‖² = Σ w·T̂². Several channels have one numerator and one variance: both are sums over the channels. {@link
 * RealNormalisation} takes sums in floating point and compares each variance with its minimum, so that the estimated error stays below the tolerance.
 * {@link ExactNormalisation} takes whole numbers. Belongs to one thread.
 */
public abstract class Normalisation {

	/**
	 * The sums of which the responses of a tile are the quotients; {@code parts}: those over the part of each channel of the template that counts, null
	 * if all of it counts.
	 */
	public record Sums(Numerator numerator, ChannelMoments moments, CountedSums[] parts) {}

	/**
	 * The lags of one plane of a tile (one z), or of a rectangle in it.
	 *
	 * @param lag the first lag, all dimensions
	 * @param z the index of the z in the tile
	 * @param offset the index of the first response in its array
	 */
	public record Plane(Sums sums, TilePixels pixels, TileInput tile, long[] lag, int z, int offset) {

		public int lagsX() {
			return tile.lagsX();
		}

		public int lagsY() {
			return tile.lagsY();
		}

		public long lags() {
			return (long) lagsX() * lagsY();
		}

		/** The flat windows, and those with pixels that are NaN or infinite. */
		public WindowFlags flags(final TemplatePlanes planes) {
			return new WindowFlags(pixels.planes(z), pixels.channels(), planes.width, planes.height, lagsX(), lagsY());
		}

		/** Computes the sums over the parts of the template that count in a row of windows. */
		void rowOfParts(final int y) {
			for (final CountedSums part : sums.parts) part.row(lag, pixels.size(), z, y, lagsX());
		}
	}

	/** The margin of each response of the row: negative if the response must be rechecked. */
	public final double[] margin;
	/** Whether a response is certainly undefined: too little of the template counts, or the exact variance is 0. */
	public final boolean[] undefined;
	SumsPlace to;

	Normalisation(final int maxLags) {
		margin = new double[maxLags];
		undefined = new boolean[maxLags];
	}

	/** Sets the destination of responses; null releases it. */
	public final void to(final SumsPlace place) {
		to = place;
	}

	/**
	 * Divides: writes the responses of row {@code y} of a plane, whose numerators and window sums are computed. Sets {@link #margin} and {@link #undefined}.
	 *
	 * @param at the index of the first response
	 * @return whether no response is undefined or must be rechecked
	 */
	public abstract boolean divide(Plane plane, CurrentTemplate template, int y, int at);
}
