package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Locale;

import sc.fiji.ncc.front.ShownNumber;
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
		to.write(new CsvRow().columns("frame,dx,dy,dz,score,overlap,residual,runner_up,state").errorColumns(n).toString());
		for (final FrameShift f : drift.frames())
			to.write(new CsvRow().add(f.frame() + 1).positions(Arrays.copyOf(f.shift(), 3)).scores(f.score(), f.overlap()).positions(f.residual()).scores(f.runnerUp())
				.add(f.state().toString().toLowerCase(Locale.ROOT)).errors(n, f::sigma, f::correlation).toString());
	}

	/** One row per peak. {@code doubtful} is 1 if the best peak can be one of noise, {@code false_alarms} the expected number of such peaks. */
	public static void write(final Alignment alignment, final Writer to) throws IOException {
		final int n = alignment.shift().length;
		to.write(new CsvRow().columns("peak,dx,dy,dz,score,overlap,doubtful,false_alarms").errorColumns(n).toString());
		int i = 0;
		for (final Alignment.Peak p : alignment.peaks()) {
			// only the best peak is refined
			final boolean best = i++ == 0;
			to.write(new CsvRow().add(i).positions(Arrays.copyOf(p.shift(), 3)).scores(p.score(), p.overlap()).add(alignment.doubtful())
				.number(alignment.falseAlarms(), ShownNumber.PROBABILITY).errors(n, d -> best ? alignment.sigma(d) : Double.NaN,
				(d, e) -> best ? alignment.correlation(d, e) : Double.NaN).toString());
		}
	}
}
