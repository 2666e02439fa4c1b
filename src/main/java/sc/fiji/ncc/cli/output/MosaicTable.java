package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Mosaic;

/** Tables of a mosaic, as CSV after RFC 4180. Positions and shifts are in pixels. A value that does not exist is NaN. */
public final class MosaicTable {

	private static final String LINE = "\r\n";

	private MosaicTable() {}

	/** One row for each tile. If there are mosaics of several frames, one for each tile in each frame, with the number of the frame. */
	public static void tiles(final List<Mosaic> frames, final Writer to) throws IOException {
		final int n = frames.get(0).dimensions();
		to.write((frames.size() > 1 ? "frame," : "") + "tile" + columns("", n) + columns("sigma_", n) + ",links,linked" + LINE);
		for (int f = 0; f < frames.size(); f++) for (final Mosaic.Placed t : frames.get(f).tiles()) {
			final StringBuilder row = new StringBuilder(frame(frames, f) + quoted(t.name()));
			for (int d = 0; d < n; d++) row.append(position(t.position() == null ? Double.NaN : t.position()[d]));
			for (int d = 0; d < n; d++) row.append(score(t.sigma(d)));
			to.write(row + "," + t.links() + "," + (t.linked() ? 1 : 0) + LINE);
		}
	}

	private static String frame(final List<Mosaic> frames, final int frame) {
		return frames.size() > 1 ? frame + 1 + "," : "";
	}

	/** One row for each pair of tiles that was compared; of several frames as there. */
	public static void links(final List<Mosaic> frames, final Writer to) throws IOException {
		final int n = frames.get(0).dimensions();
		to.write((frames.size() > 1 ? "frame," : "") + "a,b" + columns("d", n) + ",score,runner_up,false_alarms" + columns("sigma_", n) + ",residual,residual_sigmas,used,reason" + LINE);
		for (int f = 0; f < frames.size(); f++) for (final Mosaic.Link l : frames.get(f).links()) {
			final Mosaic mosaic = frames.get(f);
			final StringBuilder row = new StringBuilder(frame(frames, f) + quoted(mosaic.tiles().get(l.a()).name())).append(',').append(quoted(mosaic.tiles().get(l.b()).name()));
			for (int d = 0; d < n; d++) row.append(position(l.shift() == null ? Double.NaN : l.shift()[d]));
			row.append(score(l.score())).append(score(l.runnerUp())).append(',').append(ShownNumber.text(l.falseAlarms(), ShownNumber.PROBABILITY));
			for (int d = 0; d < n; d++) row.append(score(l.sigma(d)));
			row.append(position(l.residual())).append(position(l.sigmas()));
			to.write(row + "," + (l.used() ? 1 : 0) + "," + quoted(l.reason()) + LINE);
		}
	}

	private static String columns(final String prefix, final int n) {
		final StringBuilder columns = new StringBuilder();
		for (int d = 0; d < n; d++) columns.append(',').append(prefix).append("xyz".charAt(d));
		return columns.toString();
	}

	private static String quoted(final String text) {
		return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
	}

	private static String position(final double value) {
		return "," + ShownNumber.text(value, ShownNumber.POSITION);
	}

	private static String score(final double value) {
		return "," + ShownNumber.text(value, ShownNumber.SCORE);
	}
}
