package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.ImageCalibration;
import sc.fiji.ncc.command.program.Table;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/**
 * A drift as rows of a table and as a graph.
 *
 * @param drift the shifts
 * @param image title of the image
 * @param calibration calibration of the image
 * @param timed whether frames are time points; otherwise slices
 */
record FoundDrift(Drift drift, String image, ImageCalibration calibration, boolean timed) {

	private static final String[] XYZ = { "X", "Y", "Z" };

	/**
	 * A row for each frame. Frames count from 1, as in ImageJ. D: the shift in pixels. Shift: the shift in the image's unit. Planes have no Z. Sigma:
	 * the standard deviation of D, in pixels.
	 */
	Table table() {
		final int n = drift.dimensions();
		final List<String> columns = new ArrayList<>(List.of("Frame", "Score"));
		columns.addAll(shiftColumns("D", n));
		columns.addAll(List.of("State", "Image"));
		columns.addAll(shiftColumns("Shift", n));
		columns.addAll(List.of("Unit", "Overlap", "Residual", "RunnerUp"));
		columns.addAll(errorColumns(n));
		final Table table = new Table(FrontEnd.DRIFT, columns.toArray(String[]::new));
		table.decimals(ShownNumber.SCORE, List.of("Score", "Overlap", "RunnerUp")).decimals(ShownNumber.SCORE, errorColumns(n));
		lengths(table, calibration, n, "Shift");
		for (final FrameShift f : drift.frames()) {
			final List<Object> row = new ArrayList<>(List.of(f.frame() + 1, f.score()));
			for (int d = 0; d < n; d++) row.add(f.shift()[d]);
			row.addAll(List.of(f.state().toString().toLowerCase(Locale.ROOT), image));
			for (int d = 0; d < n; d++) row.add(f.shift()[d] * calibration.size()[d]);
			row.addAll(List.of(calibration.unit(), f.overlap(), f.residual(), f.runnerUp()));
			row.addAll(errors(n, f::sigma, f::correlation));
			table.row(row.toArray());
		}
		return table;
	}

	/** Sets the decimals of columns with lengths in the unit of an image. */
	static void lengths(final Table table, final ImageCalibration calibration, final int n, final String... prefixes) {
		for (final String prefix : prefixes) for (int d = 0; d < n; d++) table.decimals(ShownNumber.length(calibration.size()[d]), List.of(prefix + XYZ[d]));
	}

	/** The columns of a shift: DX, DY and in volumes DZ, or the same with another prefix. */
	static List<String> shiftColumns(final String prefix, final int n) {
		return Stream.of(XYZ).limit(n).map(axis -> prefix + axis).toList();
	}

	/** The columns of the standard deviations of a shift, in pixels, and of the correlations of its errors. */
	static List<String> errorColumns(final int n) {
		final List<String> columns = new ArrayList<>();
		for (int d = 0; d < n; d++) columns.add("Sigma" + XYZ[d]);
		for (int d = 0; d < n; d++) for (int e = d + 1; e < n; e++) columns.add("Correlation" + XYZ[d] + XYZ[e]);
		return columns;
	}

	/** The values of these columns. */
	static List<Double> errors(final int n, final IntToDoubleFunction sigma, final ToDoubleBiFunction<Integer, Integer> correlation) {
		final List<Double> values = new ArrayList<>();
		for (int d = 0; d < n; d++) values.add(sigma.applyAsDouble(d));
		for (int d = 0; d < n; d++) for (int e = d + 1; e < n; e++) values.add(correlation.applyAsDouble(d, e));
		return values;
	}

	/** The shift along each dimension, in the image's unit, over time. Without a frame interval: over frames. */
	Graph graph() {
		final boolean seconds = timed && calibration.interval() > 0;
		final double[] x = drift.frames().stream().mapToDouble(f -> seconds ? f.frame() * calibration.interval() : f.frame() + 1).toArray();
		final List<Graph.Line> lines = new ArrayList<>();
		for (int d = 0; d < drift.dimensions(); d++) {
			final int dimension = d;
			lines.add(new Graph.Line(XYZ[d].toLowerCase(Locale.ROOT), d, false,
				drift.frames().stream().mapToDouble(f -> f.state().interpolated() ? Double.NaN : f.shift()[dimension] * calibration.size()[dimension]).toArray()));
		}
		return new Graph("Drift of " + image, seconds ? "Time (" + calibration.timeUnit() + ")" : timed ? "Frame" : "Slice", "Shift (" + calibration.unit() + ")", x, lines);
	}

	/** The text of the status bar. */
	String summary(final double seconds) {
		final StringBuilder s = new StringBuilder(String.format(Locale.ROOT, "%s: %d frames, largest shift", image, drift.frames().size()));
		for (int d = 0; d < drift.dimensions(); d++) s.append(String.format(Locale.ROOT, "%s %.2f", d == 0 ? "" : ",", drift.largest(d)));
		return s.append(" pixels").append(drift.deformedText()).append(String.format(Locale.ROOT, ", %.3g s", seconds)).toString();
	}

	/** What the user must check, a sentence each. */
	List<String> notes() {
		final List<String> notes = new ArrayList<>();
		final int count = drift.frames().size();
		final long special = drift.frames().stream().filter(f -> f.state() != FrameShift.State.OK && f.state() != FrameShift.State.DOUBTFUL)
			.count(), edge = drift.frames().stream().filter(FrameShift::edge).count(), doubtful = drift.doubtful();
		if (special > 0) notes.add(String.format(Locale.ROOT, "%d of %d frames of %s need a check. See the column State.", special, count, image));
		if (doubtful > 0) notes.add(String.format(Locale.ROOT, "the shift is doubtful in %d of %d frames of %s: other shifts fit almost as well, or "
			+ "pairs of frames disagree. See the column State.",
			doubtful, count, image));
		if (edge > 0) notes.add(String.format(Locale.ROOT, "in %d of %d frames of %s the peak lies at the end of the search. Increase the maximum shift.",
			edge, count, image));
		return notes;
	}
}
