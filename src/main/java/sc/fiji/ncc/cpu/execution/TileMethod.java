package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.cpu.tile.FrameData;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Sink;

/**
 * A method to correlate tiles of an image with prepared templates of one size and mask. Data of a tile that the templates share are
 * computed once. Shared by all threads.
 */
public abstract class TileMethod {

	/** The maximum number of lags of a tile along x, y and z. Along further dimensions it is 1. */
	public final int[] maxLags;
	/**
	 * The number of lags along x, y and z of which a tile is a multiple; only the last tiles may have fewer. Smaller tiles would add more
	 * work than further threads save.
	 */
	public final int[] unit;

	/** Arguments as in {@link #maxLags} and {@link #unit}. */
	protected TileMethod(final int[] maxLags, final int[] unit) {
		this.maxLags = maxLags;
		this.unit = unit;
	}

	/** The approximate bytes of the {@link SharedTile} of a tile of so many lags, if it is kept. */
	public abstract long sharedBytes(int[] size);

	/**
	 * Data of an image that all tiles of a submission share. This allocates little: the first tile that needs the data computes it. Only for
	 * methods with {@link #oneByOne}. Default: null, none.
	 *
	 * @param origin the first lag of the submission
	 * @param size the number of its lags along each dimension
	 */
	public FrameData frame(final Pixels in, final long[] origin, final int[] size) {
		return null;
	}

	/** Whether all tiles of one template come before those of the next. Default: false, templates share tiles. */
	public boolean oneByOne() {
		return false;
	}

	/** Creates a worker with its own memory, for one thread at a time. */
	public abstract Worker worker();

	/**
	 * One tile of an image.
	 *
	 * @param lag its first lag, all dimensions
	 * @param size the number of lags along each dimension
	 * @param frame the data that all tiles of the image share, as {@link TileMethod#frame} returns it
	 */
	public record Tile(Pixels in, long[] lag, int[] size, FrameData frame) {

		public int lags() {
			int n = 1;
			for (final int extent : size) n *= extent;
			return n;
		}

		/** The number of lags along x, y and z. */
		public int[] extents() {
			return new int[] { size[0], size.length > 1 ? size[1] : 1, size.length > 2 ? size[2] : 1 };
		}
	}

	/** The result of a tile: the number of undefined responses, and of responses that were computed a second time. */
	public record Count(long undefined, long rechecked) {

		public Count plus(final Count other) {
			return new Count(undefined + other.undefined, rechecked + other.rechecked);
		}
	}

	/** The destination of a tile's responses. */
	public interface Output {

		/** The place for the responses to a template; null if they must be passed to {@link #take}. */
		Sink.Place place(int template);

		/**
		 * @param template one of the requested templates
		 * @param responses the responses from index 0 on, x fastest; the buffer is used again after the call. Null if they were written to their
		 *        place
		 */
		void take(int template, Buffer responses);
	}

	public interface Worker {

		/**
		 * Changes to a method that differs only in the templates, so that this worker's memory is used again.
		 *
		 * @return false if this is not possible: create a new worker
		 */
		default boolean adopt(final TileMethod method) {
			return false;
		}

		/** Computes the data of a tile that templates share, to be kept. Arguments as in {@link #compute}. */
		SharedTile share(Tile tile, BooleanSupplier stop);

		/**
		 * Computes the responses of a tile, one template after the other.
		 *
		 * @param shared the result of {@link #share} for this tile; null if none was kept
		 * @param templates the indices of the requested templates, at least one
		 * @param undefined the value of an undefined response
		 * @param responses a heap buffer in the problem's precision for the responses to one template; empty if all are written to their places
		 * @param stop polled for each row; true ends the call with a CancellationException
		 */
		Count compute(Tile tile, SharedTile shared, int[] templates, float undefined, Buffer responses, Output out, BooleanSupplier stop);
	}
}
