package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.TableColumns;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * Tables of shifts, as CSV after RFC 4180. Shifts are in pixels; that along z is 0 for frames of two dimensions. {@code sigma_*} and {@code correlation_*} are the standard deviations of the
 * shifts in pixels, and the correlations of their errors, for each dimension of a frame. A value that does not exist is NaN.
 */
public final class DriftTable {

	private DriftTable() {}

	/** One row per frame, counted from 1. */
	public static void write(final Drift drift, final Writer to) throws IOException {
		final int n = drift.dimensions();
		new TableColumns<>(drift.frames()).add("Frame", f -> f.frame() + 1).each("D", 3, (f, d) -> d < n ? f.shift()[d] : 0.0)
			.add("Score", ShownNumber.SCORE, FrameShift::score).add("Overlap", ShownNumber.SCORE, FrameShift::overlap).add("Residual", FrameShift::residual)
			.add("RunnerUp", ShownNumber.SCORE, FrameShift::runnerUp).add("State", f -> f.state().toString().toLowerCase(Locale.ROOT))
			.errors(n, FrameShift::sigma, FrameShift::correlation).write(to);
	}

	/** One row per peak. {@code doubtful} is 1 if the best peak can be one of noise, {@code false_alarms} in its row the expected number of such peaks. */
	public static void write(final Alignment alignment, final Writer to) throws IOException {
		final int n = alignment.shift().length;
		final IntFunction<Alignment.Peak> peak = alignment.peaks()::get;
		// only the best peak is refined
		new TableColumns<>(IntStream.range(0, alignment.peaks().size()).boxed().toList()).add("Peak", i -> i + 1)
			.each("D", 3, (i, d) -> d < n ? peak.apply(i).shift()[d] : 0.0).add("Score", ShownNumber.SCORE, i -> peak.apply(i).score())
			.add("Overlap", ShownNumber.SCORE, i -> peak.apply(i).overlap()).add("Doubtful", i -> alignment.doubtful())
			.add("FalseAlarms", ShownNumber.PROBABILITY, i -> i == 0 ? alignment.falseAlarms() : Double.NaN)
			.errors(n, (i, d) -> i == 0 ? alignment.sigma(d) : Double.NaN, (i, d, e) -> i == 0 ? alignment.correlation(d, e) : Double.NaN).write(to);
	}
}
