package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.front.TableColumns;
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
record FoundDrift(Drift drift, String image, Calibration calibration, boolean timed) {

	private static final String[] XYZ = { "x", "y", "z" };

	/**
	 * A row for each frame. Frames count from 1, as in ImageJ. D: the shift in pixels. Shift: the shift in the image's unit. Planes have no Z. Sigma:
	 * the standard deviation of D, in pixels.
	 */
	Table table() {
		final int n = drift.dimensions();
		return new TableColumns<FrameShift>(drift.frames()).add("Frame", f -> f.frame() + 1).add("Score", ShownNumber.SCORE, FrameShift::score)
			.each("D", n, (f, d) -> f.shift()[d])
			.add("State", f -> f.state().toString().toLowerCase(Locale.ROOT)).add("Image", f -> image)
			.lengths("Shift", n, calibration::size, (f, d) -> f.shift()[d] * calibration.size(d)).add("Unit", f -> calibration.units(1))
			.add("Overlap", ShownNumber.SCORE, FrameShift::overlap).add("Residual", FrameShift::residual).add("RunnerUp", ShownNumber.SCORE, FrameShift::runnerUp)
			.errors(n, FrameShift::sigma, FrameShift::correlation).table(FrontEnd.DRIFT);
	}

	/** The shift along each dimension, in the image's unit, over time. Without a frame interval: over frames. */
	Graph graph() {
		final boolean seconds = timed && calibration.frameInterval() > 0;
		final double[] x = drift.frames().stream().mapToDouble(f -> seconds ? f.frame() * calibration.frameInterval() : f.frame() + 1).toArray();
		final List<Graph.Line> lines = new ArrayList<>();
		for (int d = 0; d < drift.dimensions(); d++) {
			final int dimension = d;
			lines.add(new Graph.Line(XYZ[d], d, false,
				drift.frames().stream().mapToDouble(f -> f.state().interpolated() ? Double.NaN : f.shift()[dimension] * calibration.size(dimension))
					.toArray()));
		}
		return new Graph("Drift of " + image, seconds ? "Time (" + calibration.timeUnit() + ")" : timed ? "Frame" : "Slice",
			"Shift (" + calibration.units(1) + ")", x, lines);
	}

	/** What the user must check, a sentence each. */
	List<String> notes() {
		final List<String> notes = new ArrayList<>();
		final int count = drift.frames().size();
		final long edge = drift.frames().stream().filter(FrameShift::edge).count(), doubtful = drift.doubtful();
		if (!drift.toCheck().isEmpty()) notes.add(drift.checkText(" in " + image) + ". See the column State.");
		if (doubtful > 0) notes.add(String.format(Locale.ROOT, "the shift is doubtful in %d of %d frames of %s: other shifts fit almost as well, or "
			+ "pairs of frames disagree.%s", doubtful, count, image, drift.deformation() == null ? "" : " Increase the window, or choose another reference."));
		if (edge > 0) notes.add(String.format(Locale.ROOT, "in %d of %d frames of %s the peak lies at the end of the search. Increase the maximum shift.",
			edge, count, image));
		return notes;
	}
}
