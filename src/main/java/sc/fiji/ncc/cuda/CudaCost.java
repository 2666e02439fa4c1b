package sc.fiji.ncc.cuda;

import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;

/**
 * What a problem costs on a card, from pixels in Java's memory to responses there. Constants in seconds, fitted to what {@code CudaBench} showed on an
 * H200 with 16 cores of the host (2026-11-21); other cards are taken to be as fast for each multiprocessor.
 */
final class CudaCost {

	/** A frame through its threads and launches, whatever its size. */
	private static final double FRAME = 45e-6;
	/** To prepare an execution: template, streams, first memory. A guess. */
	private static final double PREPARE = 400e-6;
	/** A byte up, with the copy into pinned memory; a byte down, with the copy out of it. */
	private static final double BYTE_UP = 1 / 30e9, BYTE_DOWN = 1 / 32e9;
	/** How much longer copies take where none hides behind another. */
	private static final double ALONE = 2.2;
	/** Converting, window sums and normalisation for each lag, on one multiprocessor; the H200 has 132. */
	static final double LAG = 132 * 8e-12;
	/** To look for maxima or compare templates there, for each response; bytes of the best response and its template. */
	private static final double LOOK = 132 * 3e-12, BEST_BYTES = 6;
	/** The driver, the context and the kernels, in a process that has not used them: roughly. */
	private static final double START = 0.8;

	private CudaCost() {}

	static Cost of(final Problem p, final CudaDevice device, final CudaAlgorithm algorithm) {
		final double lags = p.lags().count().pixels();
		double frame = FRAME;
		long memory = 0;
		for (final Size t : p.templates()) {
			frame += algorithm.deviceSeconds(device, t, p) + lags * LAG / device.processors;
			memory += (long) (lags * 40);
		}
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++)
			pixels *= Math.min(p.size().get(d), p.lags().count().get(d) + p.templates().get(0).get(d) - 1);
		final double maps = p.templates().size() * lags, down;
		switch (p.result()) {
			case PEAKS: down = 0; break;
			case BEST: down = Math.min(4 * maps, BEST_BYTES * lags); break;
			default: down = p.precision().bytes * maps;
		}
		if (p.result() != Result.MAP) frame += maps * LOOK / device.processors;
		final double copies = pixels * p.image().bytes * BYTE_UP + down * BYTE_DOWN;
		frame += p.frames() > 1 || algorithm.inSlabs() ? copies : ALONE * copies;
		return new Cost(PREPARE + p.frames() * frame, START, (long) (pixels * p.image().bytes + p.precision().bytes * lags), memory);
	}
}
