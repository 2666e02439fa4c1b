package sc.fiji.ncc.cpu;

import java.util.function.BooleanSupplier;

import sc.fiji.ncc.plan.Pixels;

/** One template, prepared for one way to correlate it with tiles of an image. Shared by all threads. */
interface TileMethod {

	/** The most lags of a tile along dimension {@code d}. */
	int mostLags(int d);

	/** No tile is cut to fewer rows of lags only to have more tiles: then it would do more work than the threads share. */
	int leastRows();

	/** A worker with memory of its own, for one thread at a time. */
	Worker worker();

	/** What a worker says of a tile: how many responses are undefined, how many were computed a second time. */
	record Count(long undefined, long rechecked) {}

	interface Worker {

		/**
		 * Computes the responses of a tile.
		 *
		 * @param lag the tile's first lag, all dimensions
		 * @param size how many lags along each dimension
		 * @param undefined what an undefined response reads
		 * @param out receives the responses, x fastest
		 * @param stop polled for each row; true ends it with a CancellationException
		 */
		Count compute(Pixels in, long[] lag, int[] size, float undefined, float[] out, BooleanSupplier stop);
	}
}
