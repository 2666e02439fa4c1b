package sc.fiji.ncc.cuda.run;

import java.nio.ByteBuffer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;

/** Fetches the requested result of a slab from the GPU: all responses, their maxima, or the greatest response of each lag. */
abstract class ResultFetcher {

	/** The size in bytes of the counters of an {@link Outcome} and of one further counter. */
	static final int COUNTERS = 16;

	final StreamContext context;
	final Sink out;
	final Monitor monitor;
	/** The slab's first lag, relative to the submission's first lag, and its extents. */
	final long[] min;
	final int[] size;

	ResultFetcher(final StreamContext context, final Sink out, final Monitor monitor, final long[] min, final int[] size) {
		this.context = context;
		this.out = out;
		this.monitor = monitor;
		this.min = min;
		this.size = size;
	}

	/**
	 * @param kind the requested result; responses in double precision are always fetched completely
	 * @param templates the number of templates with a map in this slab, over all methods
	 * @param rounds how often maps are computed
	 * @param maxElements the number of elements of the largest maps that are computed at once
	 * @param maps fetches the complete maps of the slab
	 */
	static ResultFetcher of(final Result kind, final int templates, final int rounds, final long maxElements, final MapFetcher maps) {
		if (kind == Result.PEAKS) return new PeakFetcher(maps);
		// one template needs no comparison; and one more than an index must fit into 16 bits
		return kind == Result.BEST && templates > 1 && templates < 1 << 16 ? new BestFetcher(maps, templates, rounds, maxElements) : maps;
	}

	/**
	 * The number of rounds that are enqueued before the host reads their counters. Default: 1. If there are more, {@link #fetch} does nothing for a round
	 * that must be computed again.
	 */
	int together() {
		return 1;
	}

	/** The counters on the GPU for a round with this number of responses. */
	CUdeviceptr counts(final int round, final int responses) {
		return context.buffer("counts", COUNTERS);
	}

	/** Clears the counters before the computation. */
	void clear(final CUdeviceptr counts) {
		context.clear(counts, COUNTERS / 4);
	}

	/**
	 * Enqueues the work that follows the computation of the responses.
	 *
	 * @param first the index of the first template of the maps among all templates
	 * @param isFinal whether the responses are final because they were computed again
	 */
	abstract void fetch(DeviceMaps maps, CUdeviceptr counts, int round, int first, boolean isFinal);

	/** The counters; valid when the stream is done. */
	abstract ByteBuffer counted(int round);

	/**
	 * Passes the result on. Call it when the stream is done and the responses are final.
	 *
	 * @param first the index of the first template of the maps among all templates
	 */
	abstract void take(DeviceMaps maps, CUdeviceptr counts, int first);

	/** Ends the slab after the results of all templates were taken. */
	void end() {}
}
