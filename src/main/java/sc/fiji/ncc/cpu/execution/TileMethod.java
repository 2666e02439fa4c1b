package sc.fiji.ncc.cpu.execution;

import java.nio.Buffer;
import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Sink;

/**
 * Templates of one size and one mask, prepared for one way to correlate them with tiles of an image: what they share of a tile is computed
 * once for all of them. Shared by all threads.
 */
public interface TileMethod {

	/** The most lags of a tile along dimension {@code d}. */
	int maxLags(int d);

	/**
	 * How many lags along dimension {@code d} it takes at a time: tiles are whole multiples of that, but for the last ones. A tile cut lower would do more
	 * work than the threads share.
	 */
	int unit(int d);

	/** Whether workers write to the places that an {@link Output} names, and need no room then. */
	default boolean writesInPlace() {
		return false;
	}

	/** Bytes of the {@link SharedTile} of a tile of so many lags, if it is kept: nearly. */
	long sharedBytes(int[] size);

	/** A worker with memory of its own, for one thread at a time. */
	Worker worker();

	/**
	 * One tile of an image.
	 *
	 * @param lag its first lag, all dimensions
	 * @param size how many lags along each dimension
	 */
	record Tile(Pixels in, long[] lag, int[] size) {

		public int lags() {
			int n = 1;
			for (final int extent : size) n *= extent;
			return n;
		}
	}

	/** What a worker says of a tile: how many responses are undefined, how many were computed a second time. */
	record Count(long undefined, long rechecked) {

		public Count plus(final Count other) {
			return new Count(undefined + other.undefined, rechecked + other.rechecked);
		}
	}

	/** Where the responses of a tile go. */
	interface Output {

		/** Where those to a template may be written; null if they must be handed over. */
		Sink.Place place(int template);

		/**
		 * @param template one of those that were asked for
		 * @param responses x fastest from its beginning; used again after the call. Null if they were written to their place
		 */
		void take(int template, Buffer responses);
	}

	interface Worker {

		/**
		 * Goes over to a method that differs from its own in nothing but the templates: its memory is used again.
		 *
		 * @return false if it cannot: a new one must be made
		 */
		default boolean adopt(final TileMethod method) {
			return false;
		}

		/** Computes what templates share of a tile, to be kept. Arguments as in {@link #compute}. */
		SharedTile share(Tile tile, BooleanSupplier stop);

		/**
		 * Computes the responses of a tile, one template after the other.
		 *
		 * @param shared what {@link #share} gave for this tile; null if nothing was kept of it
		 * @param templates indices of those that are wanted, at least one
		 * @param undefined what an undefined response reads
		 * @param responses room for those of one template, a heap buffer of the problem's precision; of no capacity if all may be written to their places
		 * @param stop polled for each row; true ends it with a CancellationException
		 */
		Count compute(Tile tile, SharedTile shared, int[] templates, float undefined, Buffer responses, Output out, BooleanSupplier stop);
	}
}
