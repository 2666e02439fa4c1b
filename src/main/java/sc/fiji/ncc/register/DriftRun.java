package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.register.FrameEngine.Frame;
import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.result.FrameShift;

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
	/** With the reference previous: a frame is bad if its scores with both neighbours are below this share of the usual score. */
	private static final double BAD = 0.85;

	private final DriftSettings settings;
	private final int dimensions;
	private final int[] size;
	private final FrameEngine engine;
	private final int batches, lags, keyFrames;
	private final List<Edge> edges = new ArrayList<>();
	private final List<Boolean> flat = new ArrayList<>();
	private final Map<Integer, Frame> recent = new LinkedHashMap<>(), keys = new LinkedHashMap<>();
	private int keyStep = 4;
	/** The reference of all frames, and its number, which is -1 if it is not a frame of the sequence; null if frames have different references. */
	private Frame reference;
	private int referenceNumber = -1;
	/** The first frame that is not flat; -1 before it. */
	private int anchor = -1;
	/** The last frame that is good, with the reference previous; -1 before the first. */
	private int lastGood = -1;

	/**
	 * @param frame the first frame, for the size
	 * @param given the frame that is the reference; null for another reference
	 * @param mean the mean of the corrected frames, if it is the reference; null for another reference
	 * @param frames the number of frames, {@link EngineChoice#MANY} for a stream
	 */
	public DriftRun(final DriftSettings settings, final RandomAccessibleInterval<?> frame, final RandomAccessibleInterval<?> given, final FramePixels mean, final long frames) {
		this(settings, frame, given, mean, EngineChoice.of(settings, frame, mean != null, frames).engine(settings, FrameReader.extents(frame)));
	}

	/** For tests. */
	DriftRun(final DriftSettings settings, final RandomAccessibleInterval<?> frame, final RandomAccessibleInterval<?> given, final FramePixels mean, final FrameEngine engine) {
		this.settings = settings;
		this.engine = engine;
		dimensions = frame.numDimensions();
		size = FrameReader.extents(frame);
		final double room = engine.room();
		// threads wait for each other less often in larger batches
		batches = (int) Math.max(1, Math.min(4, (room - 12) / batch()));
		final int held = (int) Math.min(64, room - batches * batch());
		lags = held >= 12 ? 4 : held >= 7 ? 3 : held >= 4 ? 2 : 1;
		keyFrames = held >= 12 ? KEY_FRAMES : held >= 7 ? 3 : held >= 4 ? 2 : 1;
		if (given != null) require(given, settings.reference().frame());
		if (mean != null) reference = new Measured(mean);
		else if (given != null) reference = engine.transform(List.of(given)).get(0);
		if (reference != null && reference.isFlat()) throw new IllegalArgumentException("the reference frame is flat: all its pixels are equal; choose another reference");
	}

	/** A reference that is not a frame of the sequence. */
	private record Measured(FramePixels pixels) implements Frame {

		@Override
		public boolean isFlat() {
			return pixels.isFlat();
		}
	}

	/** The number of frames that {@link #push} needs at once for all threads to have work. */
	public int batch() {
		return engine.batch();
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
		for (int i = 0; i < n; i++) require(frames.get(i), first + i);
		if (reference != null) against(frames);
		else between(frames);
		settings.monitor().done(n);
	}

	private void require(final RandomAccessibleInterval<?> frame, final long number) {
		if (frame.numDimensions() != dimensions || !Arrays.equals(size, FrameReader.extents(frame))) throw new IllegalArgumentException("frame " + number + " is "
			+ Size.of(frame.dimensionsAsLongArray()) + ", and the frames before are " + Size.of(Arrays.stream(size).limit(dimensions).asLongStream().toArray())
			+ ": give frames of one size");
	}

	/** Measures frames against the reference of all frames. No frame is kept. */
	private void against(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int first = count();
		final boolean[] equal = new boolean[frames.size()];
		final PairPeaks[] found = engine.against(reference, frames, equal);
		for (int i = 0; i < equal.length; i++) {
			flat.add(equal[i]);
			if (anchor < 0 && !equal[i]) anchor = first + i;
			if (found[i] != null && found[i].isFound()) edges.add(edge(referenceNumber, first + i, found[i]));
		}
	}

	/** Measures frames against each other. */
	private void between(final List<? extends RandomAccessibleInterval<?>> frames) {
		final int first = count();
		final List<Frame> transformed = engine.transform(frames);
		final List<Pair> pairs = new ArrayList<>();
		for (int i = 0; i < transformed.size(); i++) {
			final int number = first + i;
			final Frame frame = transformed.get(i);
			flat.add(frame.isFlat());
			if (flat.get(number)) continue;
			for (final int p : partners(number)) pairs.add(new Pair(p, number, new FrameEngine.Pair(frame(p), frame)));
			recent.put(number, frame);
			if (anchor < 0) anchor = number;
			if (reference == null && hasOneReference()) {
				reference = frame;
				referenceNumber = number;
			}
			if (settings.reference().kind() == DriftReference.Kind.MULTI) key(number, frame);
		}
		measure(pairs);
		if (settings.reference().kind() == DriftReference.Kind.PREVIOUS) bridge(first);
		forget();
		final List<Frame> held = new ArrayList<>(recent.values());
		held.addAll(keys.values());
		if (reference != null) held.add(reference);
		engine.keep(held);
	}

	private boolean hasOneReference() {
		return settings.reference().kind() != DriftReference.Kind.PREVIOUS && settings.reference().kind() != DriftReference.Kind.MULTI;
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

	private void key(final int frame, final Frame transformed) {
		if (frame == anchor || frame - anchor >= keyStep && (frame - anchor) % keyStep == 0) keys.put(frame, transformed);
		while (keys.size() > keyFrames) {
			keyStep *= 2;
			keys.keySet().removeIf(k -> (k - anchor) % keyStep != 0);
		}
	}

	private Frame frame(final int number) {
		return reference != null && number == referenceNumber ? reference : recent.containsKey(number) ? recent.get(number) : keys.get(number);
	}

	private record Pair(int from, int to, FrameEngine.Pair frames) {}

	private void measure(final List<Pair> pairs) {
		final List<PairPeaks> found = engine.correlate(pairs.stream().map(Pair::frames).toList());
		for (int i = 0; i < found.size(); i++)
			if (found.get(i).isFound()) edges.add(edge(pairs.get(i).from(), pairs.get(i).to(), found.get(i)));
	}

	private Edge edge(final int from, final int to, final PairPeaks found) {
		final PairPeaks.Place best = found.best();
		double variance = 0;
		for (int d = 0; d < dimensions && found.covariance() != null; d++) variance = Math.max(variance, found.covariance()[d][d]);
		// without a fit the shift is good to a few hundredths of a pixel, at whole pixels to 0.3
		if (found.covariance() == null) variance = settings.subpixel() ? 0.0025 : 1 / 12.0;
		return new Edge(from, to, Arrays.copyOf(best.shift(), dimensions), best.score(), variance, found.runnerUp(), best.overlap(), found.edge());
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
			final PairPeaks over = engine.correlate(List.of(new FrameEngine.Pair(recent.get(good), recent.get(out.to())))).get(0);
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
		engine.close();
	}
}
