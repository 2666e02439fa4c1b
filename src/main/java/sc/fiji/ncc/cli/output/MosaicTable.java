package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.stream.DoubleStream;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Mosaic;

/** Tables of a mosaic, as CSV after RFC 4180. Positions and shifts are in pixels. A value that does not exist is NaN. */
public final class MosaicTable {

	private MosaicTable() {}

	/** One row for each tile. */
	public static void tiles(final Mosaic mosaic, final Writer to) throws IOException {
		final int n = mosaic.dimensions();
		to.write(new CsvRow().columns("tile").columns("", n).columns("sigma_", n).columns("links,linked").toString());
		for (final Mosaic.Placed t : mosaic.tiles())
			to.write(new CsvRow().add(t.name()).positions(known(t.position(), n)).sigmas(n, t::sigma).add(t.links(), t.linked()).toString());
	}

	/** One row for each pair of tiles that was compared. */
	public static void links(final Mosaic mosaic, final Writer to) throws IOException {
		final int n = mosaic.dimensions();
		to.write(new CsvRow().columns("a,b").columns("d", n).columns("score,runner_up,false_alarms").columns("sigma_", n)
			.columns("residual,residual_sigmas,used,reason").toString());
		for (final Mosaic.Link l : mosaic.links())
			to.write(new CsvRow().add(mosaic.tiles().get(l.a()).name(), mosaic.tiles().get(l.b()).name()).positions(known(l.shift(), n)).scores(l.score(), l.runnerUp())
				.number(l.falseAlarms(), ShownNumber.PROBABILITY).sigmas(n, l::sigma).positions(l.residual(), l.sigmas()).add(l.used(), l.reason()).toString());
	}

	private static double[] known(final double[] place, final int n) {
		return place != null ? place : DoubleStream.generate(() -> Double.NaN).limit(n).toArray();
	}
}
