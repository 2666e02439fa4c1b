package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Graph;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.command.program.Space;
import sc.fiji.ncc.command.program.Table;
import sc.fiji.ncc.command.program.TrackLine;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/** Tracks as people see them: rows of a table, boxes and ways on the image, motion over time. */
final class FoundTracks {

	private static final int SCORE_DECIMALS = 6;
	private static final String[] XY = { "X", "Y" };

	private final Tracks tracks;
	private final List<Region> templates;
	private final FrameSequence tracked;
	private final String image;
	private final Space space;

	/**
	 * @param templates as they began
	 * @param image its name
	 */
	FoundTracks(final Tracks tracks, final List<Region> templates, final FrameSequence tracked, final String image, final Space space) {
		this.tracks = tracks;
		this.templates = templates;
		this.tracked = tracked;
		this.image = image;
		this.space = space;
	}

	/**
	 * A row for each template and frame, by template. Channel, slice and frame count from 1, as in ImageJ; pixels from 0. X, Y is the first pixel
	 * of the window that is most like the template, Subpixel where the template's first pixel lies now, Calibrated its middle and Motion its way from
	 * where it began, both in the image's unit. Edge is 1 where the window lies at the edge of the search.
	 */
	Table table() {
		final List<String> columns = new ArrayList<>(List.of("Image", "Template", "Channel", "Slice", "Frame"));
		for (final String group : new String[] { "", "Subpixel", "Calibrated", "Motion" }) for (final String axis : XY) columns.add(group + axis);
		columns.addAll(List.of("Unit", "Score", "Second", "Ratio", "Lost", "Edge"));
		final Table table = new Table(FrontEnd.RESULTS, columns.toArray(new String[0]));
		for (int d = 0; d < XY.length; d++) {
			table.decimals("Calibrated" + XY[d], FoundMatches.decimals(space.size()[d]));
			table.decimals("Motion" + XY[d], FoundMatches.decimals(space.size()[d]));
		}
		table.decimals("Score", SCORE_DECIMALS);
		table.decimals("Second", SCORE_DECIMALS);
		for (int t = 0; t < templates.size(); t++)
			for (final TrackPoint p : tracks.of(t)) {
				final List<Object> row = new ArrayList<>(List.of(image, templates.get(t).name(), tracked.place('c', p.frame()) + 1,
					tracked.place('z', p.frame()) + 1, tracked.place('t', p.frame()) + 1));
				for (final long x : p.position()) row.add(x);
				for (final double x : p.subpixel()) row.add(x);
				for (final double x : space.of(middle(p))) row.add(x);
				for (int d = 0; d < XY.length; d++) row.add(p.motion()[d] * space.size()[d]);
				row.addAll(List.of(space.unit(), p.score(), p.second(), p.ratio(), p.lost() ? 1 : 0, p.edge() ? 1 : 0));
				table.row(row.toArray());
			}
		return table;
	}

	/** In ImageJ's coordinates, in which a pixel's own middle lies half a pixel from its place. */
	private double[] middle(final TrackPoint p) {
		final Selection began = templates.get(p.template()).area();
		return new double[] { p.subpixel()[0] + began.width() / 2.0, p.subpixel()[1] + began.height() / 2.0 };
	}

	/** A box for each template in each frame. */
	List<Box> boxes() {
		final List<Box> boxes = new ArrayList<>();
		for (final TrackPoint p : tracks.points()) {
			final Selection began = templates.get(p.template()).area();
			final String label = FoundMatches.shortened(templates.get(p.template()).name()) + " "
				+ (p.lost() ? "lost" : String.format(Locale.ROOT, "%.2f", p.score()));
			boxes.add(new Box(label, p.template(), (int) p.position()[0], (int) p.position()[1], began.width(), began.height(),
				(int) tracked.place('c', p.frame()), (int) tracked.place('z', p.frame()), (int) tracked.place('t', p.frame()), 1, 1, 1));
		}
		return boxes;
	}

	/** The way of each template's middle, in pieces where it is lost, on all frames. */
	List<TrackLine> ways() {
		final List<TrackLine> ways = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++) {
			final List<double[]> corners = new ArrayList<>();
			for (final TrackPoint p : tracks.of(t)) {
				if (!p.lost()) corners.add(middle(p));
				else end(t, corners, ways);
			}
			end(t, corners, ways);
		}
		return ways;
	}

	private void end(final int template, final List<double[]> corners, final List<TrackLine> ways) {
		// corners of lines count from the middle of a pixel
		final double[] x = corners.stream().mapToDouble(c -> c[0] - 0.5).toArray(), y = corners.stream().mapToDouble(c -> c[1] - 0.5).toArray();
		if (x.length > 1) ways.add(new TrackLine(FoundMatches.shortened(templates.get(template).name()), template, x, y, (int) tracked.place('c', -1),
			tracked.axis() == 'z' ? -1 : (int) tracked.place('z', -1), tracked.axis() == 't' ? -1 : (int) tracked.place('t', -1)));
		corners.clear();
	}

	/** The motion of each template along x and y, in the image's unit, over time where that is known, and over frames otherwise. */
	Graph graph() {
		final boolean timed = tracked.axis() == 't' && space.interval() > 0;
		final double[] x = tracks.of(0).stream().mapToDouble(p -> timed ? p.frame() * space.interval() : p.frame() + 1).toArray();
		final List<Graph.Line> lines = new ArrayList<>();
		for (int t = 0; t < templates.size(); t++)
			for (int d = 0; d < XY.length; d++) {
				final int dimension = d;
				lines.add(new Graph.Line(FoundMatches.shortened(templates.get(t).name()) + " " + XY[d].toLowerCase(Locale.ROOT), t, d > 0,
					tracks.of(t).stream().mapToDouble(p -> p.lost() ? Double.NaN : p.motion()[dimension] * space.size()[dimension]).toArray()));
			}
		return new Graph("Motion of " + image, timed ? "Time (" + space.timeUnit() + ")" : tracked.axis() == 't' ? "Frame" : "Slice",
			"Motion (" + space.unit() + ")", x, lines);
	}
}
