package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.track.TrackPoint;

/**
 * The table of tracks, as CSV after RFC 4180: one row per template and frame, sorted by template, then by frame. Both are counted from 1. Templates
 * of three dimensions also have columns for z. {@code template_name} is the template's file, or roi and its numbers. Refined positions also have
 * {@code sigma_*}, their standard deviations in pixels, and {@code correlation_*}, the correlations of their errors.
 */
public final class TrackTable {

	private TrackTable() {}

	/**
	 * @param names the names of the templates
	 * @param dimensions the number of dimensions of the templates
	 * @param refined whether the positions are refined
	 */
	public static void write(final List<TrackPoint> points, final List<String> names, final int dimensions, final boolean refined, final Writer to)
		throws IOException {
		final int errors = refined ? dimensions : 0;
		to.write(new CsvRow().columns("template,frame").columns("", dimensions).columns("subpixel_", dimensions).columns("score,runner_up,lost")
			.columns("motion_", dimensions).columns("edge,template_name").errorColumns(errors).toString());
		for (final TrackPoint p : points.stream().sorted(Comparator.comparingInt(TrackPoint::template).thenComparingLong(TrackPoint::frame)).toList())
			to.write(new CsvRow().add(p.template() + 1, p.frame() + 1).whole(p.position()).positions(p.subpixel()).scores(p.score(), p.runnerUp()).add(p.lost())
				.positions(p.motion()).add(p.edge(), names.get(p.template())).errors(errors, p::sigma, p::correlation).toString());
	}
}
