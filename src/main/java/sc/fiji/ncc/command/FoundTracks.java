package sc.fiji.ncc.command;

import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;

import sc.fiji.ncc.command.input.FrameSequence;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.front.TableColumns;
import sc.fiji.ncc.track.TrackMateFile;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/**
 * Tracks as rows of a table, as boxes and lines on an image, and as a graph of the motion.
 *
 * @param templates regions of the templates in the reference frame
 * @param tracked the frames
 * @param image title of the image
 * @param calibration calibration of the image
 */
record FoundTracks(Tracks tracks, List<Region> templates, FrameSequence tracked, String image, Calibration calibration) {

	private static final String[] XYZ = { "x", "y", "z" };

	/** The number of dimensions of the templates. */
	private int dimensions() {
		return tracked.depth() > 1 ? 3 : 2;
	}

	/**
	 * A row for each template and frame, sorted by template. Channel, slice and frame count from 1, as in ImageJ. Templates of several slices have the middle slice, and columns for Z. Pixels count from 0. X, Y: the first
	 * pixel of the window with the highest score. Subpixel: the refined position of the template's first pixel. Calibrated: the refined centre. Motion:
	 * the motion since the reference frame. Calibrated and Motion are in the image's unit. Edge: 1 if the window lies at the edge of the search, else 0.
	 * SigmaX, SigmaY, CorrelationXY of refined positions: standard deviations in pixels, and the correlation of the errors.
	 */
	Table table() {
		final int n = dimensions();
		final Function<Integer, Double> pixel = calibration::size;
		final TableColumns<TrackPoint> columns = new TableColumns<TrackPoint>(
			IntStream.range(0, templates.size()).boxed().flatMap(t -> tracks.of(t).stream()).toList())
			.add("Score", ShownNumber.SCORE, TrackPoint::score).each("", n, (p, d) -> p.position()[d])
			.add("Template", p -> templates.get(p.template()).name()).add("Frame", p -> tracked.place('t', p.frame()) + 1).add("Image", p -> image)
			.add("Channel", p -> tracked.place('c', p.frame()) + 1).add("Slice", p -> middleSlice(p) + 1).each("Subpixel", n, (p, d) -> p.subpixel()[d])
			.lengths("Calibrated", n, pixel, (p, d) -> calibration.place(d, centre(p)[d]))
			.lengths("Motion", n, pixel, (p, d) -> p.motion()[d] * calibration.size(d)).add("Unit", p -> calibration.units(1))
			.add("RunnerUp", ShownNumber.SCORE, TrackPoint::runnerUp).add("Ratio", TrackPoint::ratio).add("Lost", TrackPoint::lost).add("Edge", TrackPoint::edge);
		if (tracks.points().stream().anyMatch(p -> p.covariance() != null)) columns.errors(2, TrackPoint::sigma, TrackPoint::correlation);
		return columns.table(FrontEnd.TRACKS);
	}

	/** The slice of a window, from 0; of several slices the middle one. */
	private long middleSlice(final TrackPoint p) {
		return dimensions() == 2 ? tracked.place('z', p.frame()) : p.position()[2] + (tracked.depth() - 1) / 2;
	}

	/** The centre of a window in ImageJ's coordinates: the centre of the pixel at x lies at x + 0.5. */
	private double[] centre(final TrackPoint p) {
		final Selection region = templates.get(p.template()).area();
		final double x = p.subpixel()[0] + region.width() / 2.0, y = p.subpixel()[1] + region.height() / 2.0;
		return dimensions() == 2 ? new double[] { x, y } : new double[] { x, y, p.subpixel()[2] + tracked.depth() / 2.0 };
	}

	/** Writes the tracks as a file of TrackMate. The image has no folder there, because an open image need not be a file. */
	void writeTrackMate(final Writer to) {
		final long[] size = tracked.frames().dimensionsAsLongArray();
		final boolean timed = tracked.axis() == 't' && calibration.frameInterval() > 0;
		TrackMateFile.write(tracks.points(), templates.stream().map(Region::name).toList(),
			templates.stream().map(t -> Arrays.copyOf(new long[] { t.area().width(), t.area().height(), tracked.depth() }, dimensions())).toList(),
			new TrackMateFile.Image("", image, Arrays.copyOf(size, dimensions()), tracked.axis() == 'z' || dimensions() > 2 ? 0 : tracked.place('z', 0),
				size[dimensions()], calibration.sizes(3),
				calibration.units(1),
				timed ? calibration.frameInterval() : 1, timed ? calibration.timeUnit() : "frame"), to);
	}

	/** A box for each template in each frame. */
	List<Box> boxes() {
		final List<Box> boxes = new ArrayList<>();
		for (final TrackPoint p : tracks.points()) {
			final Selection region = templates.get(p.template()).area();
			final String label = FoundMatches.shortened(templates.get(p.template()).name()) + " "
				+ (p.lost() ? "lost" : String.format(Locale.ROOT, "%.2f", p.score()));
			boxes.add(new Box(label, p.template(), (int) p.position()[0], (int) p.position()[1], region.width(), region.height(),
				(int) tracked.place('c', p.frame()), (int) (dimensions() == 2 ? tracked.place('z', p.frame()) : p.position()[2]), (int) tracked.place('t', p.frame()),
				1, tracked.depth(), 1));
		}
		return boxes;
	}

	/** Lines along the centres of each template, drawn on all frames. A line ends where the template is lost. */
	List<TrackLine> lines() {
		final List<TrackLine> lines = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) {
			final List<double[]> corners = new ArrayList<>();
			for (final TrackPoint p : tracks.of(t)) {
				if (!p.lost()) corners.add(centre(p));
				else end(t, corners, lines);
			}
			end(t, corners, lines);
		}
		return lines;
	}

	private void end(final int template, final List<double[]> corners, final List<TrackLine> lines) {
		// the corner of a line at x lies at the centre of the pixel at x
		final double[] x = corners.stream().mapToDouble(c -> c[0] - 0.5).toArray(), y = corners.stream().mapToDouble(c -> c[1] - 0.5).toArray();
		if (x.length > 1) lines.add(new TrackLine(FoundMatches.shortened(templates.get(template).name()), template, x, y, (int) tracked.place('c', -1),
			tracked.axis() == 'z' || dimensions() == 3 ? -1 : (int) tracked.place('z', -1), tracked.axis() == 't' ? -1 : (int) tracked.place('t', -1)));
		corners.clear();
	}

	/** The motion of each template along x and y, and of templates of several slices along z, in the image's unit, over time. Without a frame interval: over frames. */
	Graph graph() {
		final boolean timed = tracked.axis() == 't' && calibration.frameInterval() > 0;
		final double[] x = tracks.of(0).stream().mapToDouble(p -> timed ? p.frame() * calibration.frameInterval() : p.frame() + 1).toArray();
		final List<Graph.Line> lines = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++)
			for (int d = 0; d < dimensions(); d++) {
				final int dimension = d;
				lines.add(new Graph.Line(FoundMatches.shortened(templates.get(t).name()) + " " + XYZ[d], t, d > 0,
					tracks.of(t).stream().mapToDouble(p -> p.lost() ? Double.NaN : p.motion()[dimension] * calibration.size(dimension)).toArray()));
			}
		return new Graph("Motion of " + image, timed ? "Time (" + calibration.timeUnit() + ")" : tracked.axis() == 't' ? "Frame" : "Slice",
			"Motion (" + calibration.units(1) + ")", x, lines);
	}
}
