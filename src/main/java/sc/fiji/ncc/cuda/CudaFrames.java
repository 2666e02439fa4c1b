package sc.fiji.ncc.cuda;

import java.util.Optional;

import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.frame.CardCorrelator;
import sc.fiji.ncc.cuda.frame.CardFrames;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.shift.ShiftAlgorithm;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftPlan;

/** The shifts between whole planes of 8- and 16-bit integers in which all pixels count, see {@link CardCorrelator}. One card measures. */
final class CudaFrames implements ShiftAlgorithm {

	/**
	 * Seconds: a pixel of a frame, of one of two images, and of a pair; each frame, each pair; to prepare. Measured on an H200 by {@code ShiftTimes},
	 * 2026-11-24.
	 */
	private static final double SENT = 0.6e-9, SENT_ALONE = 1e-9, COMPARED = 0.06e-9, FRAME = 10e-6, PAIR = 10e-6, PREPARE = 16e-3;
	/** The seconds of a thread of the host to read a pixel. */
	private static final double READ = 0.5e-9;
	/** The bytes of a frame on a card for each pixel, and the share of the card's memory for frames. */
	private static final double BYTES = 40, SHARE_OF_FRAMES = 0.4;

	@Override
	public String id() {
		return "cuda-frames";
	}

	@Override
	public Optional<String> unsupported(final FramePairs p) {
		if (p.fixed().dimensions() != 2) return Optional.of("a GPU measures planes, and the frames have " + p.fixed().dimensions() + " dimensions");
		if (!p.image().exact()) return Optional.of("a GPU measures frames of 8- and 16-bit integers, and these are "
			+ (p.image().integer ? p.image().bytes * 8 + "-bit integers" : p.image().bytes * 8 + "-bit floats"));
		if (p.masked()) return Optional.of("a GPU measures frames of which all pixels count, and there is a mask");
		for (final var size : new long[][] { p.fixed().toArray(), p.moving().toArray() })
			if (Math.min(size[0], size[1]) < CardCorrelator.LEAST_SIDE) return Optional.of("a GPU measures frames of at least " + CardCorrelator.LEAST_SIDE
				+ " pixels along x and y, and these are " + size[0] + "x" + size[1]);
		if (p.peaks() > CardCorrelator.MOST_PEAKS) return Optional.of("a GPU finds up to " + CardCorrelator.MOST_PEAKS + " peaks, and " + p.peaks()
			+ " are wanted");
		return Optional.empty();
	}

	@Override
	public Optional<String> unsupported(final FramePairs p, final Device device) {
		final Optional<String> reason = unsupported(p);
		if (reason.isPresent()) return reason;
		if (Cufft.missing() != null) return Optional.of(Cufft.missing());
		return card(device).isEmpty() ? Optional.of("the shifts of frames are measured on one GPU, and this device is several") : Optional.empty();
	}

	private static Optional<CudaDevice> card(final Device device) {
		return Driver.devices().list().stream().filter(d -> d.device.id().equals(device.id())).findFirst();
	}

	@Override
	public ShiftPlan plan(final FramePairs p, final Device device) {
		final CudaDevice card = card(device).orElseThrow();
		final int processors = Runtime.getRuntime().availableProcessors();
		return new ShiftPlan() {

			@Override
			public Cost cost() {
				final double pixels = (p.fixed().pixels() + (double) p.moving().pixels()) / 2;
				final double frames = p.frames() * (FRAME + pixels * ((p.frames() > 2 ? SENT : SENT_ALONE) + READ / processors)) + p.pairs() * (PAIR
					+ pixels * COMPARED);
				return new Cost(PREPARE + frames, PREPARE, CudaCost.start(card), (long) (2 * processors * pixels * p.image().bytes),
					(long) (64 * BYTES * pixels));
			}

			@Override
			public ShiftExecution.Room room(final double heap) {
				return ShiftExecution.Room.of(SHARE_OF_FRAMES * device.memory() / (BYTES * Math.max(p.fixed().pixels(), p.moving().pixels())), processors);
			}

			@Override
			public ShiftExecution prepare(final int threads, final Monitor monitor) {
				if (card.lost() != null) throw new DeviceException(card.lost());
				return new CardFrames(card, p, threads, monitor);
			}
		};
	}
}
