package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

import sc.fiji.ncc.result.Alignment;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** Tables of shifts, as CSV after RFC 4180. Shifts are in pixels; that along z is 0 for frames of two dimensions. A value that does not exist is NaN. */
public final class DriftTable {

	private static final String LINE = "\r\n";

	private DriftTable() {}

	/** One row per frame. */
	public static void write(final Drift drift, final Writer to) throws IOException {
		to.write("frame,dx,dy,dz,score,overlap,residual,runner_up,state" + LINE);
		for (final FrameShift f : drift.frames())
			to.write(f.frame() + "," + shift(f.shift()) + "," + f.score() + "," + f.overlap() + "," + f.residual() + "," + f.runnerUp() + "," + f.state().toString().toLowerCase(Locale.ROOT)
				+ LINE);
	}

	/** One row per peak. */
	public static void write(final Alignment alignment, final Writer to) throws IOException {
		to.write("peak,dx,dy,dz,score,overlap" + LINE);
		int i = 0;
		for (final Alignment.Peak p : alignment.peaks()) to.write(++i + "," + shift(p.shift()) + "," + p.score() + "," + p.overlap() + LINE);
	}

	private static String shift(final double[] shift) {
		return shift[0] + "," + shift[1] + "," + (shift.length > 2 ? shift[2] : 0.0);
	}
}
