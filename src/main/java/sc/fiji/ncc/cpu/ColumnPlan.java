package sc.fiji.ncc.cpu;

import static sc.fiji.ncc.cpu.ColumnAlgorithm.swapped;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Template;

/** The plan of {@link ColumnAlgorithm}: passes images of one column as images of one row to another plan, and returns its responses as columns. */
final class ColumnPlan implements SlidingPlan {

	private final SlidingPlan plan;

	/** @param plan for the problem with x and y swapped */
	ColumnPlan(final SlidingPlan plan) {
		this.plan = plan;
	}

	@Override
	public Cost cost() {
		return plan.cost();
	}

	@Override
	public Execution prepare(final List<Template> templates) {
		return new Columns(plan.prepare(rows(templates)));
	}

	private static List<Template> rows(final List<Template> templates) {
		return templates.stream().map(t -> new Template(swapped(t.size()), t.type(), t.values(), t.weights(), t.channels())).toList();
	}

	/** An execution for images of one column. */
	private static final class Columns implements Execution {

		private final Execution execution;

		Columns(final Execution execution) {
			this.execution = execution;
		}

		@Override
		public int depth() {
			return execution.depth();
		}

		@Override
		public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
			return execution.submit(in instanceof KeptColumn kept ? kept.row : new Row(in), rows(lags), new RowSink(out), monitor);
		}

		@Override
		public CompletableFuture<KeptPixels> keep(final Pixels in, final LagBox lags, final Monitor monitor) {
			return execution.keep(new Row(in), rows(lags), monitor).thenApply(row -> new KeptColumn(in, row));
		}

		private static LagBox rows(final LagBox lags) {
			return new LagBox(Arrays.stream(lags.origins()).map(ColumnAlgorithm::swapped).toArray(long[][]::new), swapped(lags.size()));
		}

		@Override
		public <T> T await(final CompletableFuture<T> submission) {
			return execution.await(submission);
		}

		@Override
		public void replace(final List<Template> sameShapes) {
			execution.replace(ColumnPlan.rows(sameShapes));
		}

		@Override
		public void close() {
			execution.close();
		}
	}

	/** An image of one column as an image of one row. */
	private static class Row implements Pixels {

		private final Pixels column;

		Row(final Pixels column) {
			this.column = column;
		}

		@Override
		public PixelType type() {
			return column.type();
		}

		@Override
		public long[] size() {
			return swapped(column.size());
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			column.read(swapped(min), swapped(size), to);
		}

		@Override
		public List<? extends Pixels> channels() {
			final List<? extends Pixels> channels = column.channels();
			return channels.size() == 1 ? List.of(this) : channels.stream().map(Row::new).toList();
		}

		@Override
		public Pixels mask() {
			final Pixels mask = column.mask();
			return mask == null ? null : new Row(mask);
		}

		@Override
		public boolean readsRowsFast() {
			return column.readsRowsFast();
		}
	}

	/** The pixels of a column, with what the other execution keeps of them. */
	private static final class KeptColumn implements KeptPixels {

		private final Pixels column;
		private final KeptPixels row;

		KeptColumn(final Pixels column, final KeptPixels row) {
			this.column = column;
			this.row = row;
		}

		@Override
		public PixelType type() {
			return column.type();
		}

		@Override
		public long[] size() {
			return column.size();
		}

		@Override
		public void read(final long[] min, final int[] size, final Buffer to) {
			column.read(min, size, to);
		}

		@Override
		public List<? extends Pixels> channels() {
			return column.channels();
		}

		@Override
		public Pixels mask() {
			return column.mask();
		}

		@Override
		public boolean readsRowsFast() {
			return column.readsRowsFast();
		}

		@Override
		public long bytes() {
			return row.bytes();
		}

		@Override
		public void close() {
			row.close();
		}
	}

	/** Receives the responses of an image of one row for an image of one column. */
	private static final class RowSink implements Sink {

		private final Sink column;

		RowSink(final Sink column) {
			this.column = column;
		}

		@Override
		public float undefined() {
			return column.undefined();
		}

		@Override
		public void map(final int template, final long[] min, final int[] size, final Buffer from) {
			column.map(template, swapped(min), swapped(size), from);
		}

		@Override
		public Place place(final int template, final long[] min) {
			final Place place = column.place(template, swapped(min));
			// a row must lie without gaps
			return place == null || place.strides()[1] != 1 ? null : new Place(place.array(), place.offset(), place.strides());
		}
	}
}
