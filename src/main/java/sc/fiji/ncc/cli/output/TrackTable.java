package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.track.TrackPoint;

/**
 * The table of tracks, as CSV after RFC 4180: one row per template and frame, sorted by template, then by frame. Both are counted from 1. Templates
 * of three dimensions also have columns for z. {@code template_name} is the template's file, or roi and its numbers. Refined positions also have
 * {@code sigma_*}, their standard deviations in pixels, and {@code correlation_*}, the correlations of their errors.
 */
public final class TrackTable {

	private static final String LINE = "\r\n";
	private static final char[] AXES = { 'x', 'y', 'z' };

	private TrackTable() {}

	/**
	 * @param names the names of the templates
	 * @param dimensions the number of dimensions of the templates
	 * @param refined whether the positions are refined
	 */
	public static void write(final List<TrackPoint> points, final List<String> names, final int dimensions, final boolean refined, final Writer to)
		throws IOException {
		final StringBuilder head = new StringBuilder("template,frame");
		for (int d = 0; d < dimensions; d++) head.append(',').append(AXES[d]);
		for (int d = 0; d < dimensions; d++) head.append(",subpixel_").append(AXES[d]);
		head.append(",score,runner_up,lost");
		for (int d = 0; d < dimensions; d++) head.append(",motion_").append(AXES[d]);
		head.append(",edge,template_name");
		for (int d = 0; refined && d < dimensions; d++) head.append(",sigma_").append(AXES[d]);
		for (int d = 0; refined && d < dimensions; d++) for (int e = d + 1; e < dimensions; e++) head.append(",correlation_").append(AXES[d]).append(AXES[e]);
		to.write(head.append(LINE).toString());
		for (final TrackPoint p : points.stream().sorted(Comparator.comparingInt(TrackPoint::template).thenComparingLong(TrackPoint::frame)).toList()) {
			final StringBuilder row = new StringBuilder().append(p.template() + 1).append(',').append(p.frame() + 1);
			for (final long x : p.position()) row.append(',').append(x);
			for (final double x : p.subpixel()) row.append(',').append(ShownNumber.text(x, ShownNumber.POSITION));
			for (final double score : new double[] { p.score(), p.runnerUp() }) row.append(',').append(ShownNumber.text(score, ShownNumber.SCORE));
			row.append(',').append(p.lost() ? 1 : 0);
			for (final double x : p.motion()) row.append(',').append(ShownNumber.text(x, ShownNumber.POSITION));
			row.append(',').append(p.edge() ? 1 : 0).append(',').append(MatchTable.quoted(names.get(p.template())));
			for (int d = 0; refined && d < dimensions; d++) row.append(',').append(ShownNumber.text(p.sigma(d), ShownNumber.SCORE));
			for (int d = 0; refined && d < dimensions; d++) for (int e = d + 1; e < dimensions; e++) row.append(',')
				.append(ShownNumber.text(p.correlation(d, e), ShownNumber.SCORE));
			to.write(row.append(LINE).toString());
		}
	}
}
