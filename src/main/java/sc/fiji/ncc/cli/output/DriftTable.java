package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleBiFunction;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * Tables of shifts, as CSV after RFC 4180. Shifts are in pixels; that along z is 0 for frames of two dimensions. {@code sigma_*} and {@code correlation_*} are the standard deviations of the
 * shifts in pixels, and the correlations of their errors, for each dimension of a frame. A value that does not exist is NaN.
 */
public final class DriftTable {

	private static final String LINE = "\r\n";

	private DriftTable() {}

	/** One row per frame, counted from 1. */
	public static void write(final Drift drift, final Writer to) throws IOException {
		to.write("frame,dx,dy,dz,score,overlap,residual,runner_up,state" + errorColumns(drift.dimensions()) + LINE);
		for (final FrameShift f : drift.frames())
			to.write(f.frame() + 1 + "," + shift(f.shift()) + score(f.score()) + score(f.overlap()) + "," + position(f.residual()) + score(f.runnerUp())
				+ "," + f.state().toString().toLowerCase(Locale.ROOT)
				+ errors(drift.dimensions(), f::sigma, f::correlation) + LINE);
	}

	/** One row per peak. {@code doubtful} is 1 if the best peak can be one of noise, {@code false_alarms} the expected number of such peaks. */
	public static void write(final Alignment alignment, final Writer to) throws IOException {
		final int n = alignment.shift().length;
		to.write("peak,dx,dy,dz,score,overlap,doubtful,false_alarms" + errorColumns(n) + LINE);
		int i = 0;
		for (final Alignment.Peak p : alignment.peaks()) {
			// only the best peak is refined
			final boolean best = i++ == 0;
			to.write(i + "," + shift(p.shift()) + score(p.score()) + score(p.overlap()) + "," + (alignment.doubtful() ? 1 : 0)
				+ "," + ShownNumber.text(alignment.falseAlarms(), ShownNumber.PROBABILITY)
				+ errors(n, d -> best ? alignment.sigma(d) : Double.NaN, (d, e) -> best ? alignment.correlation(d, e) : Double.NaN) + LINE);
		}
	}

	private static String errorColumns(final int n) {
		final StringBuilder columns = new StringBuilder();
		for (int d = 0; d < n; d++) columns.append(",sigma_").append("xyz".charAt(d));
		for (int d = 0; d < n; d++) for (int e = d + 1; e < n; e++) columns.append(",correlation_").append("xyz".charAt(d)).append("xyz".charAt(e));
		return columns.toString();
	}

	private static String errors(final int n, final IntToDoubleFunction sigma, final ToDoubleBiFunction<Integer, Integer> correlation) {
		final StringBuilder values = new StringBuilder();
		for (int d = 0; d < n; d++) values.append(score(sigma.applyAsDouble(d)));
		for (int d = 0; d < n; d++) for (int e = d + 1; e < n; e++) values.append(score(correlation.applyAsDouble(d, e)));
		return values.toString();
	}

	private static String position(final double value) {
		return ShownNumber.text(value, ShownNumber.POSITION);
	}

	private static String score(final double value) {
		return "," + ShownNumber.text(value, ShownNumber.SCORE);
	}

	private static String shift(final double[] shift) {
		return position(shift[0]) + "," + position(shift[1]) + "," + position(shift.length > 2 ? shift[2] : 0);
	}
}
