package sc.fiji.ncc.register;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftPlan;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Ranking.Candidate;
import sc.fiji.ncc.register.ShiftSolver.Edge;
import sc.fiji.ncc.statistics.NoisePeak;

/**
 * The images that shifts are measured on: the frames, or one kind of their projections.
 *
 * @param compute how shifts are computed; with a planner. Its monitor receives the progress in frames
 * @param mask 0 for pixels that do not count; null if all count
 * @param type the type of their pixels
 * @param size their extents
 * @param values the number of recorded values from which each pixel is computed
 * @param image makes them from frames
 */
record ImageSequence(DriftSettings settings, ComputeOptions compute, boolean[] mask, PixelType type, Size size, long values,
	UnaryOperator<RandomAccessibleInterval<?>> image)
{

	int dimensions() {
		return size.dimensions();
	}

	/** @param mean whether the reference is the mean of frames, of which some pixels do not count */
	private FramePairs problem(final boolean mean, final long frames) {
		return settings.problem(mean ? PixelType.F64 : type, size, values, mean || mask != null, frames);
	}

	/** The candidates. An algorithm that the user named applies to frames that are compared with each other; the mean of frames needs one with masks. */
	Ranking ranking(final boolean mean, final long frames) {
		return (mean ? compute.algorithm(null) : compute).rank(problem(mean, frames));
	}

	/**
	 * The plan of each process of a cluster: the algorithm that the user named, or binned frames where they apply. Predicted and measured
	 * times do not count, because they differ from process to process.
	 */
	ShiftPlan onCpu(final boolean mean, final long frames) {
		return cpuCandidates(mean, frames).min(Comparator.comparing(c -> !c.name().endsWith("-binned"))).orElseThrow().plan(ShiftPlan.class);
	}

	/** The number of earlier frames that a process of a cluster keeps: as many as each algorithm can. */
	int held(final boolean mean, final long frames, final double heap) {
		return cpuCandidates(mean, frames).mapToInt(c -> c.plan(ShiftPlan.class).capacity(heap).held()).min().orElseThrow();
	}

	private Stream<Candidate> cpuCandidates(final boolean mean, final long frames) {
		final ComputeOptions cpu = compute.backend("cpu").effort(Effort.ESTIMATE, 0);
		return (mean ? cpu.algorithm(null) : cpu).rank(problem(mean, frames)).candidates().stream().filter(Candidate::applies);
	}

	/** A frame of the images, made already. */
	Frame frame(final RandomAccessibleInterval<?> made) {
		return FrameReader.frame(made, mask);
	}

	/** The shift of a frame against another one; null if no shift is found. */
	Edge edge(final int from, final int to, final PairPeaks found) {
		if (found == null || !found.isFound()) return null;
		final int n = dimensions();
		final PairPeaks.Place best = found.best();
		double variance = 0;
		for (int d = 0; d < n && found.covariance() != null; d++) variance = Math.max(variance, found.covariance()[d][d]);
		// without a fit the shift is good to a few hundredths of a pixel, at whole pixels to 0.3
		if (found.covariance() == null) variance = settings.subpixel() ? 0.0025 : 1 / 12.0;
		final double[][] covariance = found.covariance() == null ? null : Arrays.stream(found.covariance()).limit(n).map(row -> Arrays.copyOf(row,
			n)).toArray(double[][]::new);
		return new Edge(from, to, Arrays.copyOf(best.shift(), n), best.score(), variance, found.runnerUp(), best.overlap(), found.edge(), covariance,
			NoisePeak.alarms(best.score(), found.runnerUp(), NoisePeak.shifts(size.toArray(), size.toArray(), settings.maxShift(), settings.minOverlap())));
	}

	/** The pairs of two frames in groups that share an inverse transform. */
	static <T> List<List<T>> groups(final List<T> pairs) {
		return IntStream.range(0, (pairs.size() + 1) / 2).mapToObj(i -> pairs.subList(2 * i, Math.min(pairs.size(), 2 * i + 2))).toList();
	}

	static void requireContrast(final boolean flat) {
		if (flat) throw new IllegalArgumentException("the reference frame is flat: all its pixels are equal; choose another reference");
	}
}
