package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.TableColumns;
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
		new TableColumns<>(points.stream().sorted(Comparator.comparingInt(TrackPoint::template).thenComparingLong(TrackPoint::frame)).toList())
			.add("Template", p -> p.template() + 1).add("Frame", p -> p.frame() + 1).each("", dimensions, (p, d) -> p.position()[d])
			.each("Subpixel", dimensions, (p, d) -> p.subpixel()[d]).add("Score", ShownNumber.SCORE, TrackPoint::score)
			.add("RunnerUp", ShownNumber.SCORE, TrackPoint::runnerUp).add("Lost", TrackPoint::lost).each("Motion", dimensions, (p, d) -> p.motion()[d])
			.add("Edge", TrackPoint::edge).add("TemplateName", p -> names.get(p.template()))
			.errors(refined ? dimensions : 0, TrackPoint::sigma, TrackPoint::correlation).write(to);
	}
}
