package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FrameCorrelator;
import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.run.Parallel;

/**
 * Measures the shifts between the frames of a sequence that comes in order. Each frame is read and transformed once. Memory holds the last frames, a few key frames
 * and a batch, whatever the number of frames; and the measured shifts.
 * <p>
 * With {@link DriftReference.Kind#MULTI} a frame is measured against those 1, 2, 4 and 8 frames before it, and against up to four key frames. Key frames are spread
 * evenly over the frames so far: when there are too many, every second one is dropped. The first frame stays.
 */
public final class DriftRun implements AutoCloseable {

	private static final int[] LAGS = { 1, 2, 4, 8 };
	private static final int KEY_FRAMES = 4;
	/** The share of the heap that transformed frames may fill, and the threads' working memory. */
	private static final double SHARE_OF_FRAMES = 0.25, SHARE_OF_WORK = 0.2;
	/** With the reference previous: a frame is bad if its scores with both neighbours are below this share of the usual score. */
	private static final double BAD = 0.85;

	private final DriftSettings settings;
	private final int dimensions;
	private final int[] size;
	private final FrameCorrelator correlator;
	private final Parallel parallel;
	private final int threads, batches, lags, keyFrames;
	private final List<Edge> edges = new ArrayList<>();
	private final List<Boolean> flat = new ArrayList<>();
	private final Map<Integer, TransformedFrame> recent = new LinkedHashMap<>(), keys = new LinkedHashMap<>();
	private int keyStep = 4;
	/** The reference of all frames, and its number, which is -1 if it is not a frame of the sequence; null if frames have different references. */
	private TransformedFrame reference;
	private int referenceNumber = -1;
	/** The first frame that is not flat; -1 before it. */
	private int anchor = -1;
	/** The last frame that is good, with the reference previous; -1 before the first. */
	private int lastGood = -1;

	/**
	 * @param frame the first frame, for the size
	 * @param given the reference; null if it is one of the frames
	 */
	public DriftRun(final DriftSettings settings, final RandomAccessibleInterval<?> frame, final FramePixels given) {
		this.settings = settings;
		dimensions = frame.numDimensions();
		size = FrameReader.extents(frame);
		final long[] most = { 0, 0, 0 };
		for (int d = 0; d < dimensions; d++) most[d] = settings.maxShift() == null ? Integer.MAX_VALUE : Math.min(settings.maxShift()[d], Integer.MAX_VALUE);
		correlator = new FrameCorrelator(size, size, most, settings.minOverlap(), 1, settings.subpixel());
		final double heap = Runtime.getRuntime().maxMemory();
		final double room = SHARE_OF_FRAMES * heap / correlator.frameBytes();
		// a batch has two frames for each thread, and may fill half of the room
		threads = (int) Math.max(1, Math.min(settings.threads(), Math.min(room / 4, SHARE_OF_WORK * heap / correlator.workerBytes())));
		// threads wait for each other less often in larger batches
		batches = (int) Math.max(1, Math.min(4, (room - 12) / batch()));
		final int held = (int) Math.min(64, room - batches * batch());
		lags = held >= 12 ? 4 : held >= 7 ? 3 : held >= 4 ? 2 : 1;
		keyFrames = held >= 12 ? KEY_FRAMES : held >= 7 ? 3 : held >= 4 ? 2 : 1;
		parallel = new Parallel(threads);
		if (given != null) {
			if (given.isFlat()) throw new IllegalArgumentException("the reference frame is flat: all its pixels are equal; choose another reference");
			reference = correlator.transform(given, null)[0];
		}
	}

	/** The number of frames that {@link #push} needs at once for all threads to have work. */
	public int batch() {
		return 2 * threads;
	}

	/** The number of frames that {@link #push} takes at once with advantage, if they need not be measured soon. */
	public int largeBatch() {
		if (reference != null) return 8 * batch();
		// the first frames give the reference
		return hasOneReference() ? batch() : batches * batch();
	}

	/** The number of frames so far. */
	public int count() {
		return flat.size();
	}

	/**
	 * Measures the next frames.
	 *
	 * @throws IllegalArgumentException if a frame has another size
	 * @throws CancellationException if the monitor cancels
	 */
	public void push(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int first = count(), n = frames.size();
		for (int i = 0; i < n; i++)
			if (frames.get(i).numDimensions() != dimensions || !Arrays.equals(size, FrameReader.extents(frames.get(i)))) throw new IllegalArgumentException("frame " + (first + i) + " is "
				+ Size.of(frames.get(i).dimensionsAsLongArray()) + ", and the frames before are " + Size.of(Arrays.stream(size).limit(dimensions).asLongStream().toArray())
				+ ": give frames of one size");
		if (reference != null) against(frames);
		else between(frames);
		settings.monitor().done(n);
	}

	/** Reads two frames, or the last one. */
	private TransformedFrame[] read(final List<? extends RandomAccessibleInterval<?>> frames, final int i) {
		check();
		return correlator.transform(FrameReader.read(frames.get(i), settings.mask()), i + 1 < frames.size() ? FrameReader.read(frames.get(i + 1), settings.mask()) : null);
	}

	/** Measures frames against the reference of all frames. No frame is kept, and threads do not wait for each other between reading and measuring. */
	private void against(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int first = count(), n = frames.size();
		final PairPeaks[] found = new PairPeaks[n];
		final boolean[] equal = new boolean[n];
		parallel.each((n + 1) / 2, i -> {
			final TransformedFrame[] both = read(frames, 2 * i);
			for (int k = 0; k < both.length; k++) equal[2 * i + k] = both[k].pixels().isFlat();
			final boolean two = both.length > 1 && !equal[2 * i] && !equal[2 * i + 1];
			if (two) System.arraycopy(correlator.correlate(reference, both[0], reference, both[1]), 0, found, 2 * i, 2);
			for (int k = 0; k < both.length && !two; k++)
				if (!equal[2 * i + k]) found[2 * i + k] = correlator.correlate(reference, both[k], null, null)[0];
		});
		for (int i = 0; i < n; i++) {
			flat.add(equal[i]);
			if (anchor < 0 && !equal[i]) anchor = first + i;
			if (found[i] != null && found[i].isFound()) edges.add(edge(referenceNumber, first + i, found[i]));
		}
	}

	/** Measures frames against each other. */
	private void between(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int first = count(), n = frames.size();
		final TransformedFrame[] transformed = new TransformedFrame[n];
		parallel.each((n + 1) / 2, i -> {
			final TransformedFrame[] both = read(frames, 2 * i);
			System.arraycopy(both, 0, transformed, 2 * i, both.length);
		});
		final List<Pair> pairs = new ArrayList<>();
		for (int i = 0; i < n; i++) {
			final int frame = first + i;
			flat.add(transformed[i].pixels().isFlat());
			if (flat.get(frame)) continue;
			for (final int p : partners(frame)) pairs.add(new Pair(p, frame(p), frame, transformed[i]));
			recent.put(frame, transformed[i]);
			if (anchor < 0) anchor = frame;
			if (reference == null && hasOneReference()) {
				reference = transformed[i];
				referenceNumber = frame;
			}
			if (settings.reference().kind() == DriftReference.Kind.MULTI) key(frame, transformed[i]);
		}
		measure(pairs);
		if (settings.reference().kind() == DriftReference.Kind.PREVIOUS) bridge(first);
		forget();
	}

	private boolean hasOneReference() {
		return settings.reference().kind() != DriftReference.Kind.PREVIOUS && settings.reference().kind() != DriftReference.Kind.MULTI;
	}

	private void check() {
		if (settings.monitor().canceled()) throw new CancellationException("canceled");
	}

	/** The frames that a frame is measured against; -1 for a reference that is not a frame. */
	private List<Integer> partners(final int frame) {
		switch (settings.reference().kind()) {
			case PREVIOUS: return before(frame, 1);
			case MULTI: {
				final List<Integer> all = new ArrayList<>();
				for (int i = 0; i < lags; i++) all.addAll(before(frame, LAGS[i]));
				for (final int key : keys.keySet())
					if (!all.contains(key)) all.add(key);
				return all.stream().distinct().toList();
			}
			default: return reference == null ? List.of() : List.of(referenceNumber);
		}
	}

	/** The last frame that is not flat and at least this many frames before another one; empty if there is none. */
	private List<Integer> before(final int frame, final int lag) {
		int found = -1;
		for (final int r : recent.keySet())
			if (r <= frame - lag) found = Math.max(found, r);
		return found < 0 ? List.of() : List.of(found);
	}

	private void key(final int frame, final TransformedFrame transformed) {
		if (frame == anchor || frame - anchor >= keyStep && (frame - anchor) % keyStep == 0) keys.put(frame, transformed);
		while (keys.size() > keyFrames) {
			keyStep *= 2;
			keys.keySet().removeIf(k -> (k - anchor) % keyStep != 0);
		}
	}

	private TransformedFrame frame(final int number) {
		return reference != null && number == referenceNumber ? reference : recent.containsKey(number) ? recent.get(number) : keys.get(number);
	}

	private record Pair(int from, TransformedFrame fixed, int to, TransformedFrame moving) {}

	private void measure(final List<Pair> pairs) {
		final PairPeaks[] found = new PairPeaks[pairs.size()];
		parallel.each((found.length + 1) / 2, i -> {
			check();
			final Pair a = pairs.get(2 * i), b = 2 * i + 1 < found.length ? pairs.get(2 * i + 1) : null;
			final PairPeaks[] both = correlator.correlate(a.fixed(), a.moving(), b == null ? null : b.fixed(), b == null ? null : b.moving());
			System.arraycopy(both, 0, found, 2 * i, both.length);
		});
		for (int i = 0; i < found.length; i++)
			if (found[i].isFound()) edges.add(edge(pairs.get(i).from(), pairs.get(i).to(), found[i]));
	}

	private Edge edge(final int from, final int to, final PairPeaks found) {
		final PairPeaks.Place best = found.best();
		double variance = 0;
		for (int d = 0; d < dimensions && found.covariance() != null; d++) variance = Math.max(variance, found.covariance()[d][d]);
		// without a fit the shift is good to a few hundredths of a pixel, at whole pixels to 0.3
		if (found.covariance() == null) variance = settings.subpixel() ? 0.0025 : 1 / 12.0;
		final double[][] covariance = found.covariance() == null ? null : Arrays.stream(found.covariance()).limit(dimensions).map(row -> Arrays.copyOf(row, dimensions)).toArray(double[][]::new);
		return new Edge(from, to, Arrays.copyOf(best.shift(), dimensions), best.score(), variance, found.runnerUp(), best.overlap(), found.edge(), covariance);
	}

	/**
	 * With the reference previous: measures the frame after a bad frame against the last good frame, so that the bad frame does not bend the sum of the shifts. A frame
	 * is bad if its scores with both neighbours are far below the usual score.
	 */
	private void bridge(final int first) {
		for (int frame = Math.max(1, first - 1); frame < count() - 1; frame++) {
			final int current = frame;
			if (flat.get(current)) continue;
			final Edge in = last(current, true), out = last(current, false);
			if (in == null || out == null) {
				lastGood = current;
				continue;
			}
			final double usual = usual();
			if (in.score() >= BAD * usual || out.score() >= BAD * usual || !recent.containsKey(in.from())) {
				lastGood = current;
				continue;
			}
			final int good = lastGood >= 0 && recent.containsKey(lastGood) ? lastGood : in.from();
			if (good == current) continue;
			final PairPeaks over = correlator.correlate(recent.get(good), recent.get(out.to()), null, null)[0];
			if (!over.isFound() || over.best().score() <= out.score()) {
				lastGood = current;
				continue;
			}
			edges.remove(out);
			edges.add(edge(good, out.to(), over));
		}
	}

	/** The newest edge to or from a frame; null if there is none. */
	private Edge last(final int frame, final boolean to) {
		for (int i = edges.size() - 1; i >= 0; i--)
			if ((to ? edges.get(i).to() : edges.get(i).from()) == frame) return edges.get(i);
		return null;
	}

	private double usual() {
		final double[] scores = edges.stream().skip(Math.max(0, edges.size() - 64)).mapToDouble(Edge::score).sorted().toArray();
		return scores[scores.length / 2];
	}

	private void forget() {
		final int keep = settings.reference().kind() == DriftReference.Kind.PREVIOUS ? 3 : LAGS[lags - 1];
		final List<Integer> held = new ArrayList<>(recent.keySet());
		for (int i = 0; i < held.size() - (hasOneReference() ? 0 : keep); i++)
			if (held.get(i) != lastGood || hasOneReference()) recent.remove(held.get(i));
	}

	/** The shifts of all frames so far, solved together. */
	public List<FrameShift> solve() {
		return new DriftEvaluation(dimensions, flat, edges, anchor).shifts();
	}

	/**
	 * The shifts of the newest frames, which do not change any more when later frames come.
	 *
	 * @param known the shifts of the frames before
	 */
	public List<FrameShift> next(final List<FrameShift> known) {
		return new DriftEvaluation(dimensions, flat, edges, anchor).next(known);
	}

	/** Forgets the measurements of frames that no later frame is measured against. For streams, whose shifts are taken with {@link #next}. */
	public void forgetMeasurements() {
		final int oldest = count() - 64;
		edges.removeIf(e -> e.to() < oldest);
	}

	@Override
	public void close() {
		parallel.close();
	}
}
