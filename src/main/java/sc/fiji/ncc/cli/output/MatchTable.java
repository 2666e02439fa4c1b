package sc.fiji.ncc.cli.output;

import java.util.List;
import java.util.function.Function;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.MatchColumns;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.TableColumns;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.PoseMatch;

/**
 * The table of matches, as CSV after RFC 4180: one row per match, frame by frame, the best match first. {@code frame} and {@code template} are
 * counted from 1, frames in the order of the file: channels first, then slices, then frames. {@code x,y,z} is the window's first pixel, counted from
 * 0; z is 0 for templates of two dimensions. {@code width,height} is the window's size. {@code calibrated_*} is its refined centre in the image's
 * unit. As in ImageJ, pixel 0 has its centre at 0.5, and slice 0 at 0. Templates of three dimensions also have {@code depth} and
 * {@code calibrated_z}. On request, {@code probability} is the probability of such a score in background at one position, and {@code false_alarms}
 * the expected number of such matches in the background of the whole search, and {@code min_score} the minimum score that follows from the
 * background. {@code background} is ok, or says why these numbers are uncertain (few, skewed, misfit, diagonal, smooth). On request, {@code sigma_*} and
 * {@code correlation_*} are the standard deviations of the subpixel position, in pixels, and the correlations of its errors; for rotated templates
 * {@code sigma_angle} in degrees and {@code sigma_scale} in per cent follow; {@code runner_up}, {@code ratio} and {@code sidelobe_ratio} are the
 * quality of the peak. In a search of a region, {@code edge} is 1 if the window lies at the edge of the region and the image continues there,
 * otherwise 0.
 *
 * @param names the names of the templates
 * @param sizes the sizes of the templates, in pixels
 * @param statistics whether the minimum score follows from the background, so that the table says how far it holds
 * @param errors whether the table has the standard deviations of the positions
 * @param quality whether the table has the quality of the peaks
 * @param edge whether the table states if a match lies at the edge of the searched region
 */
public record MatchTable(List<String> names, List<long[]> sizes, boolean statistics, boolean errors, boolean quality, boolean edge) {

	/** A table without the columns of the last three components. */
	public MatchTable(final List<String> names, final List<long[]> sizes, final boolean statistics) {
		this(names, sizes, statistics, false, false, false);
	}

	private int dimensions() {
		return sizes.get(0).length;
	}

	/**
	 * @param image the name of the image
	 * @param frame the number of the frame, counted from 0
	 * @param pose null if templates are not rotated
	 */
	private <R> TableColumns<R> columns(final String image, final long frame, final Calibration calibration, final List<R> rows, final Function<R, Match> match,
		final Function<R, PoseMatch> pose)
	{
		final int n = dimensions();
		final Function<R, long[]> size = r -> sizes.get(match.apply(r).template());
		final TableColumns<R> to = new TableColumns<R>(rows).add("Image", r -> image).add("Frame", r -> frame + 1)
			.add("Template", r -> match.apply(r).template() + 1)
			.each("", 3, (r, d) -> d < n ? match.apply(r).position()[d] : 0).add("Score", ShownNumber.SCORE, r -> match.apply(r).score())
			.each("Subpixel", 3, (r, d) -> d < n ? match.apply(r).subpixel()[d] : 0.0).add("Width", r -> size.apply(r)[0]).add("Height", r -> size.apply(r)[1]);
		if (n > 2) to.add("Depth", r -> size.apply(r)[2]);
		to.add("TemplateName", r -> names.get(match.apply(r).template())).lengths("Calibrated", n, calibration::size,
			(r, d) -> calibration.place(d, match.apply(r).subpixel()[d] + (d < 2 ? size.apply(r)[d] : size.apply(r)[d] - 1) / 2.0))
			.add("Unit", r -> calibration.units(n));
		final MatchColumns<R> more = new MatchColumns<>(to, match, pose);
		if (statistics) more.statistics();
		if (pose != null) more.poses(n);
		if (errors) more.errors(n);
		if (quality) more.quality();
		if (edge) more.edge();
		return to;
	}

	/** The line with the names of the columns. */
	public String head() {
		return columns("", 0, Calibration.NONE, List.of(), Function.<Match> identity(), null).head();
	}

	/**
	 * The same for rotated templates. The statistics are {@code min_score,background}. {@code angle,scale,mirrored} follow, and in three dimensions the
	 * quaternion of the rotation. The errors end with those of angle and scale.
	 */
	public String poseHead() {
		return columns("", 0, Calibration.NONE, List.of(), PoseMatch::match, Function.identity()).head();
	}

	/**
	 * The rows of one frame.
	 *
	 * @param image the name of the image
	 * @param frame the number of the frame, counted from 0
	 * @param calibration the calibration of the image
	 * @param matches the matches of the frame, best first
	 */
	public String rows(final String image, final long frame, final Calibration calibration, final List<Match> matches) {
		return columns(image, frame, calibration, matches, Function.identity(), null).lines();
	}

	/** The rows of one frame for rotated templates, as {@link #rows}. */
	public String poseRows(final String image, final long frame, final Calibration calibration, final List<PoseMatch> matches) {
		return columns(image, frame, calibration, matches, PoseMatch::match, Function.identity()).lines();
	}
}
