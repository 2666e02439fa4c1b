package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.stream.DoubleStream;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Mosaic;

/** Tables of a mosaic, as CSV after RFC 4180. Positions and shifts are in pixels. A value that does not exist is NaN. */
public final class MosaicTable {

	private MosaicTable() {}

	/** One row for each tile. If there are mosaics of several frames, one for each tile in each frame, with the number of the frame. */
	public static void tiles(final List<Mosaic> frames, final Writer to) throws IOException {
		final int n = frames.get(0).dimensions();
		to.write(head(frames).columns("tile").columns("", n).columns("sigma_", n).columns("links,linked").toString());
		for (int f = 0; f < frames.size(); f++) for (final Mosaic.Placed t : frames.get(f).tiles())
			to.write(row(frames, f).add(t.name()).positions(known(t.position(), n)).sigmas(n, t::sigma).add(t.links(), t.linked()).toString());
	}

	private static CsvRow head(final List<Mosaic> frames) {
		return frames.size() > 1 ? new CsvRow().columns("frame") : new CsvRow();
	}

	private static CsvRow row(final List<Mosaic> frames, final int frame) {
		return frames.size() > 1 ? new CsvRow().add(frame + 1) : new CsvRow();
	}

	/** One row for each pair of tiles that was compared; of several frames as there. */
	public static void links(final List<Mosaic> frames, final Writer to) throws IOException {
		final int n = frames.get(0).dimensions();
		to.write(head(frames).columns("a,b").columns("d", n).columns("score,runner_up,false_alarms").columns("sigma_", n)
			.columns("residual,residual_sigmas,used,reason").toString());
		for (int f = 0; f < frames.size(); f++) for (final Mosaic.Link l : frames.get(f).links()) {
			final List<Mosaic.Placed> tiles = frames.get(f).tiles();
			to.write(row(frames, f).add(tiles.get(l.a()).name(), tiles.get(l.b()).name()).positions(known(l.shift(), n)).scores(l.score(), l.runnerUp())
				.number(l.falseAlarms(), ShownNumber.PROBABILITY).sigmas(n, l::sigma).positions(l.residual(), l.sigmas()).add(l.used(), l.reason()).toString());
		}
	}

	private static double[] known(final double[] place, final int n) {
		return place != null ? place : DoubleStream.generate(() -> Double.NaN).limit(n).toArray();
	}
}
