package sc.fiji.ncc.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cpu.frame.FrameCorrelator;
import sc.fiji.ncc.cpu.frame.FramePixels;
import sc.fiji.ncc.cpu.frame.PairPeaks;
import sc.fiji.ncc.cpu.frame.TransformedFrame;
import sc.fiji.ncc.register.ShiftSolver.Edge;

/**
 * Reads the frames of a sequence and measures the shifts between them. The frames 2i and 2i + 1 share a transform, and two pairs of these frames share an inverse
 * one. Rounding depends on what shares a transform, so shifts depend neither on the number of threads nor on who measures them. Several threads may use an object at
 * once.
 */
final class FramePairs {

	/** The share of the heap that transformed frames may fill, and the threads' working memory. */
	private static final double SHARE_OF_FRAMES = 0.25, SHARE_OF_WORK = 0.2;

	/**
	 * Two frames.
	 *
	 * @param from the number of the fixed frame, or {@link PairPlan#GIVEN}
	 * @param to the number of the moving frame
	 */
	record Pair(int from, TransformedFrame fixed, int to, TransformedFrame moving) {}

	/**
	 * What the memory of a process suffices for.
	 *
	 * @param threads the number of threads
	 * @param batches the number of batches of two frames for each thread that are read at once
	 * @param held the number of earlier frames to keep
	 */
	record Room(int threads, int batches, int held) {

		/** The number of frames that give all threads work. */
		int batch() {
			return 2 * threads;
		}
	}

	private final DriftSettings settings;
	/** The number of shifts that are compared. */
	private final double shifts;
	private final FrameCorrelator correlator;
	final int dimensions;
	final int[] size;

	/** @param size the extents of the frames along x, y and z */
	FramePairs(final DriftSettings settings, final int dimensions, final int[] size) {
		this.settings = settings;
		this.dimensions = dimensions;
		this.size = size;
		final long[] extents = Arrays.stream(size).limit(dimensions).asLongStream().toArray();
		shifts = NoisePeak.shifts(extents, extents, settings.maxShift(), settings.minOverlap());
		correlator = new FrameCorrelator(size, size, maxShift(), settings.minOverlap(), 1, settings.subpixel());
	}

	/** @param heap the heap of the process, in bytes */
	Room room(final double heap) {
		return room(SHARE_OF_FRAMES * heap / correlator.frameBytes(), Math.min(settings.threads(), SHARE_OF_WORK * heap / correlator.workerBytes()));
	}

	/**
	 * @param frames the number of frames that memory can hold
	 * @param most the largest number of threads
	 */
	static Room room(final double frames, final double most) {
		// a batch has two frames for each thread, and may fill half of the room
		final int threads = (int) Math.max(1, Math.min(most, frames / 4));
		// threads wait for each other less often in larger batches
		final int batches = (int) Math.max(1, Math.min(4, (frames - 12) / (2 * threads)));
		return new Room(threads, batches, (int) Math.min(64, frames - batches * 2 * threads));
	}

	/** The largest shift along x, y and z. */
	long[] maxShift() {
		final long[] most = { 0, 0, 0 };
		for (int d = 0; d < dimensions; d++) most[d] = settings.maxShift() == null ? Integer.MAX_VALUE : Math.min(settings.maxShift()[d], Integer.MAX_VALUE);
		return most;
	}

	private void check() {
		if (settings.monitor().canceled()) throw new CancellationException("canceled");
	}

	/**
	 * Reads and transforms the frames 2i and 2i + 1, or the last one.
	 *
	 * @param b null for none
	 */
	TransformedFrame[] read(final RandomAccessibleInterval<?> a, final RandomAccessibleInterval<?> b) {
		check();
		return correlator.transform(FrameReader.read(a, settings.mask()), b == null ? null : FrameReader.read(b, settings.mask()));
	}

	/** A reference that is not a frame of the sequence. */
	TransformedFrame reference(final FramePixels given) {
		requireContrast(given.isFlat());
		return transformed(given);
	}

	static void requireContrast(final boolean flat) {
		if (flat) throw new IllegalArgumentException("the reference frame is flat: all its pixels are equal; choose another reference");
	}

	TransformedFrame transformed(final FramePixels pixels) {
		return correlator.transform(pixels, null)[0];
	}

	/** The pairs of the frames 2i and 2i + 1 in groups that share an inverse transform. */
	static <T> List<List<T>> groups(final List<T> pairs) {
		final List<List<T>> groups = new ArrayList<>();
		for (int i = 0; i < pairs.size(); i += 2) groups.add(pairs.subList(i, Math.min(pairs.size(), i + 2)));
		return groups;
	}

	/**
	 * Measures one pair or two.
	 *
	 * @return one for each pair; null where no shift is found
	 */
	List<Edge> measure(final List<Pair> group) {
		final Pair a = group.get(0), b = group.size() > 1 ? group.get(1) : null;
		final PairPeaks[] found = correlate(a.fixed(), a.moving(), b == null ? null : b.fixed(), b == null ? null : b.moving());
		final List<Edge> edges = new ArrayList<>();
		for (int i = 0; i < group.size(); i++) edges.add(edge(group.get(i).from(), group.get(i).to(), found[i]));
		return edges;
	}

	/** Correlates one pair or two. @param fixedB null for none */
	PairPeaks[] correlate(final TransformedFrame fixedA, final TransformedFrame movingA, final TransformedFrame fixedB, final TransformedFrame movingB) {
		check();
		return correlator.correlate(fixedA, movingA, fixedB, movingB);
	}

	/** @return null if no shift is found */
	Edge edge(final int from, final int to, final PairPeaks found) {
		if (found == null || !found.isFound()) return null;
		final PairPeaks.Place best = found.best();
		double variance = 0;
		for (int d = 0; d < dimensions && found.covariance() != null; d++) variance = Math.max(variance, found.covariance()[d][d]);
		// without a fit the shift is good to a few hundredths of a pixel, at whole pixels to 0.3
		if (found.covariance() == null) variance = settings.subpixel() ? 0.0025 : 1 / 12.0;
		final double[][] covariance = found.covariance() == null ? null : Arrays.stream(found.covariance()).limit(dimensions).map(row -> Arrays.copyOf(row, dimensions)).toArray(double[][]::new);
		return new Edge(from, to, Arrays.copyOf(best.shift(), dimensions), best.score(), variance, found.runnerUp(), best.overlap(), found.edge(), covariance,
			NoisePeak.alarms(best.score(), found.runnerUp(), shifts));
	}
}
