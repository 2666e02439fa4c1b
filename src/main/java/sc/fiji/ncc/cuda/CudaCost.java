package sc.fiji.ncc.cuda;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;

/**
 * What a problem costs on a card, from pixels in Java's memory to responses there. Constants in seconds, fitted to what {@code CudaBench} showed on an
 * H200 with 16 cores of the host (2026-11-22); other cards are taken to be as fast for each multiprocessor.
 */
final class CudaCost {

	/** A frame through its threads and launches, whatever its size; one of many; and what slabs cost an image of more lags than are worth cutting. */
	private static final double FRAME = 50e-6, ONE_OF_MANY = 10e-6, SLABS = 70e-6, WORTH_CUTTING = 1 << 17;
	/** What a single image costs more that is not cut: all of its memory at once, and its transforms. */
	private static final double WHOLE = 150e-6;
	/** What each further template takes that waits for the one before. */
	private static final double ROUND = 25e-6;
	/** To prepare an execution and to close it, templates, streams, memory, and what its first run takes more; and what planning cuFFT's transforms takes beside that. */
	static final double PREPARE = 400e-6, PLANS = 1.1e-3;
	/** A byte of many frames up, with the copy into pinned memory, or down, with the copy out of it. */
	private static final double BYTE = 1 / 50e9;
	/** How much longer copies take of a single image in slabs, and where none hides behind another. */
	private static final double SINGLE = 1.25, ALONE = 2.4;
	/** Converting, window sums and normalisation for each lag, on one multiprocessor; the H200 has 132. */
	static final double LAG = 132 * 8e-12;
	/** To look for maxima or compare templates there, for each response; bytes of the best response and its template. */
	private static final double LOOK = 132 * 10e-12, BEST_BYTES = 6;
	/** The share of a copy's time that remains where two cards copy at once, with 32 cores of the host; and what it takes to cut one image for them, a guess. */
	private static final double SHARED = 0.95, BAND = 40e-6;
	/** The driver, the context and the kernels, in a process that has not used them; and an algorithm's kernels alone: roughly. */
	private static final double START = 0.8, KERNELS = 0.1;

	private CudaCost() {}

	private static double start(final CudaDevice device) {
		return device.started() ? KERNELS : START;
	}

	/** How many times longer lags take whose blocks, of so many, do not fill the device. */
	static double idle(final CudaDevice device, final Size lags, final int across, final int down) {
		final double blocks = Math.ceil(lags.get(0) / (double) across) * Math.ceil(lags.get(1) / (double) down) * lags.get(2);
		return Math.max(1, device.processors / blocks);
	}

	/** A frame whose templates go through together. @param seconds on the device, for each frame; launches included */
	static Cost together(final Problem p, final CudaDevice device, final double preparation, final double seconds, final double alone) {
		final double responses = p.templates().size() * (double) p.lags().count().pixels();
		double pixels = 0, union = 1;
		for (final Size t : p.templates()) {
			double windows = 1;
			for (int d = 0; d < p.size().dimensions(); d++) windows *= p.lags().count().get(d) + t.get(d) - 1;
			pixels += windows;
		}
		for (int d = 0; d < p.size().dimensions(); d++) union *= p.size().get(d);
		pixels = Math.min(pixels, union);
		final double frame = alone + seconds + SINGLE * BYTE * (pixels * p.image().bytes + responses * 4);
		return new Cost(preparation + p.frames() * frame, start(device), (long) (pixels * p.image().bytes + 4 * responses), (long) (pixels * p.image().bytes + 40 * responses));
	}

	static Cost of(final Problem p, final CudaDevice device, final CudaAlgorithm algorithm) {
		final double lags = p.lags().count().pixels();
		final boolean many = p.frames() > 1, slabs = !many && algorithm.inSlabs();
		double frame = (algorithm.rounds(device, p) - 1) * ROUND;
		if (many) frame += ONE_OF_MANY;
		else frame += FRAME + (!slabs ? WHOLE : lags > WORTH_CUTTING ? SLABS : 0);
		long memory = 0;
		for (final Size t : p.templates()) {
			frame += algorithm.deviceSeconds(device, t, p) + lags * algorithm.lagSeconds(p) / device.processors;
			memory += (long) (lags * 40);
		}
		if (p.result() != Result.MAP) frame += p.templates().size() * lags * LOOK / device.processors;
		final double copies = copies(p);
		frame += many ? copies : slabs ? SINGLE * copies : ALONE * copies;
		return new Cost(algorithm.preparation() + p.frames() * frame, start(device), (long) (pixels(p) * p.image().bytes + p.precision().bytes * lags), memory);
	}

	/** Of the image that windows see. */
	private static double pixels(final Problem p) {
		double pixels = 1;
		for (int d = 0; d < p.size().dimensions(); d++)
			pixels *= Math.min(p.size().get(d), p.lags().count().get(d) + p.templates().get(0).get(d) - 1);
		return pixels;
	}

	/** Seconds of a frame's way to the card and back. */
	private static double copies(final Problem p) {
		final double lags = p.lags().count().pixels(), maps = p.templates().size() * lags, down;
		switch (p.result()) {
			case PEAKS: down = 0; break;
			case BEST: down = Math.min(4 * maps, BEST_BYTES * lags); break;
			default: down = p.precision().bytes * maps;
		}
		return BYTE * (pixels(p) * p.image().bytes + down);
	}

	/**
	 * The same by several such cards: what they compute is shared, what the host copies hardly.
	 *
	 * @param one what one of them takes
	 * @param preparation what of that it takes to prepare it
	 */
	static Cost spread(final Cost one, final double preparation, final Problem p, final int cards) {
		final double host = p.frames() * SHARED * copies(p), frames = one.seconds() - preparation;
		return new Cost(cards * preparation + (p.frames() == 1 ? BAND : 0) + Math.max(host, frames / cards), cards * one.startSeconds(), one.hostBytes(), one.deviceBytes());
	}
}
