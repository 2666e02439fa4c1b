package sc.fiji.ncc.register;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.LagRange;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cuda.frame.CardCorrelator;
import sc.fiji.ncc.cuda.frame.CardFrame;
import sc.fiji.ncc.cuda.frame.CardPeaks;
import sc.fiji.ncc.cuda.frame.FrameRange;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.run.Parallel;

/** Frames on a card. Threads of the CPU read frames while the card computes. The pixels of frames that stay on the card stay in memory, too, in case the card fails. */
final class CardFrames implements FrameEngine {

	/** The share of the heap for frames that are read and wait for the card. */
	private static final double SHARE_OF_READ = 0.1;

	private final DriftSettings settings;
	private final CardCorrelator card;
	private final Parallel parallel;
	private final PixelType type;
	private final int[] size;
	/** The largest number of frames that a thread reads at a time. */
	private final int most;
	private final Set<OnCard> held = Collections.newSetFromMap(new IdentityHashMap<>());

	private final class OnCard implements Frame {

		final CardFrame frame;
		private final Buffer raw;

		OnCard(final CardFrame frame, final Buffer raw) {
			this.frame = frame;
			this.raw = raw;
		}

		@Override
		public boolean isFlat() {
			return frame.isFlat();
		}

		@Override
		public FramePixels pixels() {
			return FramePixels.of(size, type, raw, null);
		}
	}

	/** @throws DeviceException if the card fails */
	CardFrames(final DriftSettings settings, final FramePairs frames, final PixelType type) {
		this.settings = settings;
		size = frames.size;
		this.type = type;
		card = new CardCorrelator(range(size, size, frames.maxShift(), settings.minOverlap()), 1, settings.subpixel(), CardCorrelator.FRAMES);
		final double read = SHARE_OF_READ * Runtime.getRuntime().maxMemory() / ((double) size[0] * size[1] * type.bytes);
		final int threads = (int) Math.max(1, Math.min(settings.threads(), read));
		most = (int) Math.max(1, Math.min(card.chunk(), read / threads));
		parallel = new Parallel(threads);
	}

	static FrameRange range(final int[] fixed, final int[] moving, final long[] maxShift, final double minOverlap) {
		final LagRange range = LagRange.of(fixed, moving, maxShift, minOverlap);
		return new FrameRange(Arrays.copyOf(fixed, 2), Arrays.copyOf(moving, 2), Arrays.copyOf(range.min(), 2), Arrays.copyOf(range.max(), 2), range.leastPixels());
	}

	@Override
	public FramePairs.Room room() {
		return FramePairs.room(card.room(), settings.threads());
	}

	private void check() {
		if (settings.monitor().canceled()) throw new CancellationException("canceled");
	}

	private List<Buffer> read(final List<? extends RandomAccessibleInterval<?>> frames) {
		final List<Buffer> all = new ArrayList<>();
		for (final RandomAccessibleInterval<?> frame : frames) {
			final ImagePixels pixels = ImagePixels.of(frame);
			if (pixels.type() != type) throw new DeviceException("frames of " + type + " and " + pixels.type() + " cannot be measured together on a card");
			all.add(FrameReader.raw(pixels, size[0], size[1]));
		}
		return all;
	}

	/** The number of elements that a stream takes at a time: few, so that all streams have work. */
	private static int piece(final int n, final int most) {
		return Math.max(1, Math.min(most, (n + 2 * CardCorrelator.LANES - 1) / (2 * CardCorrelator.LANES)));
	}

	@Override
	public List<Frame> transform(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int n = frames.size(), piece = piece(n, most);
		final OnCard[] all = new OnCard[n];
		try {
			parallel.each((n + piece - 1) / piece, i -> {
				check();
				final List<Buffer> raw = read(frames.subList(i * piece, Math.min(n, (i + 1) * piece)));
				final List<CardFrame> transformed = card.transform(type, raw, true);
				for (int k = 0; k < raw.size(); k++) all[i * piece + k] = new OnCard(transformed.get(k), raw.get(k));
			});
		}
		finally {
			for (final OnCard frame : all)
				if (frame != null) held.add(frame);
		}
		return Arrays.asList(all);
	}

	@Override
	public List<PairPeaks> correlate(final List<List<Pair>> groups) {
		final List<Pair> pairs = groups.stream().flatMap(List::stream).toList();
		final int n = pairs.size(), piece = piece(n, card.pairs());
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			check();
			final List<CardFrame> some = new ArrayList<>();
			for (final Pair p : pairs.subList(i * piece, Math.min(n, (i + 1) * piece))) some.addAll(Arrays.asList(((OnCard) p.fixed()).frame, ((OnCard) p.moving()).frame));
			final List<CardPeaks> peaks = card.correlate(some);
			for (int k = 0; k < peaks.size(); k++) found[i * piece + k] = peaks(peaks.get(k));
		});
		return Arrays.asList(found);
	}

	@Override
	public PairPeaks[] against(final Frame fixed, final List<? extends RandomAccessibleInterval<?>> frames, final boolean[] flat) {
		final int n = frames.size(), piece = piece(n, most);
		final PairPeaks[] found = new PairPeaks[n];
		parallel.each((n + piece - 1) / piece, i -> {
			check();
			final List<Buffer> raw = read(frames.subList(i * piece, Math.min(n, (i + 1) * piece)));
			final boolean[] equal = new boolean[raw.size()];
			final List<CardPeaks> peaks = card.against(((OnCard) fixed).frame, type, raw, equal);
			System.arraycopy(equal, 0, flat, i * piece, equal.length);
			for (int k = 0; k < equal.length; k++) found[i * piece + k] = equal[k] ? null : peaks(peaks.get(k));
		});
		return found;
	}

	/** The same as of the CPU, in three dimensions. */
	static PairPeaks peaks(final CardPeaks found) {
		final List<PairPeaks.Place> places = new ArrayList<>();
		for (final CardPeaks.Place p : found.places()) places.add(new PairPeaks.Place(Arrays.copyOf(p.lag(), 3), Arrays.copyOf(p.shift(), 3), p.score(), p.overlap()));
		final double[][] c = found.covariance();
		return new PairPeaks(List.copyOf(places), c == null ? null : new double[][] { Arrays.copyOf(c[0], 3), Arrays.copyOf(c[1], 3), new double[3] }, found.edge());
	}

	@Override
	public void keep(final Collection<Frame> frames) {
		final Set<Frame> kept = Collections.newSetFromMap(new IdentityHashMap<>());
		kept.addAll(frames);
		held.removeIf(f -> {
			if (kept.contains(f)) return false;
			f.frame.close();
			return true;
		});
	}

	@Override
	public void close() {
		parallel.close();
		try {
			card.close();
		}
		finally {
			keep(List.of());
		}
	}
}
