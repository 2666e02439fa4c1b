package sc.fiji.ncc.front;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

import sc.fiji.ncc.result.Mosaic;

/**
 * Tables of the mosaics of all measured frames, the same in all front ends. Positions and shifts are in pixels. Rows of several frames have the number of the
 * frame.
 */
public record MosaicTable(List<Mosaic> frames) {

	private record Row<T>(int frame, List<Mosaic.Placed> tiles, T of) {}

	private <T> TableColumns<Row<T>> rows(final Function<Mosaic, List<T>> of) {
		final TableColumns<Row<T>> columns = new TableColumns<>(IntStream.range(0, frames.size()).boxed().<Row<T>> flatMap(f -> of.apply(frames.get(f)).stream()
			.map(t -> new Row<>(f, frames.get(f).tiles(), t))).toList());
		return frames.size() > 1 ? columns.add("Frame", r -> r.frame + 1) : columns;
	}

	/** A row for each tile: its position and its standard deviation. */
	public TableColumns<?> tiles() {
		final int n = frames.get(0).dimensions();
		return rows(Mosaic::tiles).add("Tile", r -> r.of.name()).each("", n, (r, d) -> r.of.position() == null ? Double.NaN : r.of.position()[d])
			.sigmas(n, (r, d) -> r.of.sigma(d)).add("Links", r -> r.of.links()).add("Linked", r -> r.of.linked());
	}

	/** A row for each pair of tiles that was compared. */
	public TableColumns<?> links() {
		final int n = frames.get(0).dimensions();
		return rows(Mosaic::links).add("A", r -> r.tiles.get(r.of.a()).name()).add("B", r -> r.tiles.get(r.of.b()).name())
			.each("D", n, (r, d) -> r.of.shift() == null ? Double.NaN : r.of.shift()[d]).add("Score", ShownNumber.SCORE, r -> r.of.score())
			.add("RunnerUp", ShownNumber.SCORE, r -> r.of.runnerUp()).add("FalseAlarms", ShownNumber.PROBABILITY, r -> r.of.falseAlarms())
			.sigmas(n, (r, d) -> r.of.sigma(d)).add("Residual", r -> r.of.residual()).add("ResidualSigmas", r -> r.of.sigmas()).add("Used", r -> r.of.used())
			.add("Reason", r -> r.of.reason());
	}
}
