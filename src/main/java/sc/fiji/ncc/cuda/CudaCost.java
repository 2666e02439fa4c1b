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
	/** What each further template takes that waits for the one before. */
	private static final double ROUND = 25e-6;
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

	/** How many times longer lags take whose blocks, of so many, do not fill the device. */
	static double idle(final CudaDevice device, final Size lags, final int across, final int down) {
		final double blocks = Math.ceil(lags.get(0) / (double) across) * Math.ceil(lags.get(1) / (double) down) * lags.get(2);
		return Math.max(1, device.processors / blocks);
	}

	/** A frame whose templates go through together. @param device seconds there, for each frame; launches included */
	static Cost together(final Problem p, final double device, final double alone) {
		final double responses = p.templates().size() * (double) p.lags().count().pixels();
		double pixels = 0, union = 1;
		for (final Size t : p.templates()) {
			double windows = 1;
			for (int d = 0; d < p.size().dimensions(); d++) windows *= p.lags().count().get(d) + t.get(d) - 1;
			pixels += windows;
		}
		for (int d = 0; d < p.size().dimensions(); d++) union *= p.size().get(d);
		pixels = Math.min(pixels, union);
		final double frame = alone + device + pixels * p.image().bytes * BYTE_UP + responses * 4 * BYTE_DOWN;
		return new Cost(PREPARE + p.frames() * frame, START, (long) (pixels * p.image().bytes + 4 * responses), (long) (pixels * p.image().bytes + 40 * responses));
	}

	static Cost of(final Problem p, final CudaDevice device, final CudaAlgorithm algorithm) {
		final double lags = p.lags().count().pixels();
		double frame = FRAME + (algorithm.rounds(device, p) - 1) * ROUND;
		long memory = 0;
		for (final Size t : p.templates()) {
			frame += algorithm.deviceSeconds(device, t, p) + lags * algorithm.lagSeconds(p) / device.processors;
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
