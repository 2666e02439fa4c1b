package sc.fiji.ncc.sink;

import static sc.fiji.ncc.layout.Columns.turned;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Optional;

import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.plan.Sink.BoxPeaks;
import sc.fiji.ncc.plan.Sink.SampledRows;
import sc.fiji.ncc.plan.Sink;

/** Receives the responses of an image of one row for the sink of an image of one column: see {@link sc.fiji.ncc.layout.Columns}. */
public record ColumnSink(Sink column) implements BoxSink {

	/** The sink for what an execution computes of a bank: the given one, or one in front of it that turns the responses. */
	public static Sink of(final TemplateBank bank, final Sink sink) {
		return bank.turned() ? new ColumnSink(sink) : sink;
	}

	@Override
	public float undefined() {
		return column.undefined();
	}

	@Override
	public void map(final int template, final long[] min, final int[] size, final Buffer from) {
		column.map(template, turned(min), turned(size), from);
	}

	@Override
	public ResponseType responseType() {
		return column.responseType();
	}

	@Override
	public Place place(final int template, final long[] min) {
		final Place place = column.place(template, turned(min));
		// a row must lie without gaps
		return place == null || place.strides()[1] != 1 ? null : new Place(place.array(), place.offset(), turned(place.strides()));
	}

	@Override
	public void peaks(final int template, final BoxPeaks p) {
		column.peaks(template, new BoxPeaks(turned(p.min()), turned(p.size()), p.peaks(), p.values(), p.rim(), p.rimValues(), p.plateaus()));
	}

	@Override
	public float minScore() {
		return column.minScore();
	}

	/** All rows: those of a column are in each of them. */
	@Override
	public Optional<SampledRows> sampled() {
		return column.sampled().map(rows -> new SampledRows(SampledRows.ROWS, turned(rows.origin())));
	}

	@Override
	public void sample(final int template, final long[] min, final int[] size, final Buffer from) {
		final SampledRows rows = column.sampled().orElseThrow();
		final long[] first = turned(min);
		for (final int z : size.length < 3 ? new int[1] : rows.all(first, 2, size[2]))
			for (final int y : rows.all(first, 1, size[0])) {
				final long[] at = first.clone();
				final int[] one = size.clone();
				at[1] += y;
				one[0] = 1;
				if (size.length > 2) {
					at[2] += z;
					one[2] = 1;
				}
				column.sample(template, at, one, from.duplicate().position(from.position() + z * size[0] + y));
			}
	}

	@Override
	public float undefinedBest() {
		return column.undefinedBest();
	}

	@Override
	public void best(final long[] min, final int[] size, final FloatBuffer greatest, final Buffer which) {
		column.best(turned(min), turned(size), greatest, which);
	}

	@Override
	public void begin() {
		if (column instanceof BoxSink) ((BoxSink) column).begin();
	}

	@Override
	public void allocate() {
		if (column instanceof BoxSink) ((BoxSink) column).allocate();
	}

	@Override
	public void end() {
		if (column instanceof BoxSink) ((BoxSink) column).end();
	}
}
