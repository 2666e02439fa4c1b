package sc.fiji.ncc.cli.output;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import sc.fiji.ncc.cli.input.Calibration;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
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

	private static final String HOLDS = "min_score,background";

	/** A table without the columns of the last three components. */
	public MatchTable(final List<String> names, final List<long[]> sizes, final boolean statistics) {
		this(names, sizes, statistics, false, false, false);
	}

	private int dimensions() {
		return sizes.get(0).length;
	}

	/** The line with the names of the columns. */
	public String head() {
		return head(statistics ? "probability,false_alarms," + HOLDS : "", "");
	}

	/**
	 * The same for rotated templates. The statistics are {@code min_score,background}. {@code angle,scale,mirrored} follow, and in three dimensions the
	 * quaternion of the rotation. The errors end with those of angle and scale.
	 */
	public String poseHead() {
		return head((statistics ? HOLDS + "," : "") + pose(dimensions()), errors ? "sigma_angle,sigma_scale" : "");
	}

	private String head(final String more, final String moreErrors) {
		return new CsvRow().columns("image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,width,height").columns(dimensions() < 3 ? "" : "depth")
			.columns("template_name").columns("calibrated_", dimensions()).columns("unit").columns(more).errorColumns(errors ? dimensions() : 0).columns(moreErrors)
			.columns(quality ? "runner_up,ratio,sidelobe_ratio" : "").columns(edge ? "edge" : "").toString();
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
		final StringBuilder rows = new StringBuilder();
		for (final Match m : matches) {
			final CsvRow row = start(image, frame, calibration, m);
			if (statistics) holds(row.number(m.probability(), ShownNumber.PROBABILITY).number(m.falseAlarms(), ShownNumber.PROBABILITY), m);
			rows.append(end(row, m));
		}
		return rows.toString();
	}

	/** The rows of one frame for rotated templates, as {@link #rows}. */
	public String poseRows(final String image, final long frame, final Calibration calibration, final List<PoseMatch> matches) {
		final StringBuilder rows = new StringBuilder();
		for (final PoseMatch m : matches) {
			final CsvRow row = start(image, frame, calibration, m.match());
			if (statistics) holds(row, m.match());
			rows.append(end(pose(row, m.pose()), m.match(), m.sigmaAngle(), m.sigmaScale()));
		}
		return rows.toString();
	}

	/** A table of poses and their numbers, counted from 1. */
	public static String poseList(final List<Pose> poses) {
		final StringBuilder rows = new StringBuilder().append(new CsvRow().columns("pose").columns(pose(poses.get(0).rotation() == null ? 2 : 3)));
		for (int i = 0; i < poses.size(); i++) rows.append(pose(new CsvRow().add(i + 1), poses.get(i)));
		return rows.toString();
	}

	private static String pose(final int dimensions) {
		return "angle,scale,mirrored" + (dimensions < 3 ? "" : ",rotation_w,rotation_x,rotation_y,rotation_z");
	}

	private static CsvRow pose(final CsvRow row, final Pose p) {
		row.positions(p.angle()).scores(p.scale()).add(p.mirrored());
		return p.rotation() == null ? row : row.scores(p.rotation());
	}

	private CsvRow start(final String image, final long frame, final Calibration calibration, final Match m) {
		final long[] size = sizes.get(m.template());
		final CsvRow row = new CsvRow().add(image, frame + 1, m.template() + 1).whole(Arrays.copyOf(m.position(), 3)).scores(m.score())
			.positions(Arrays.copyOf(m.subpixel(), 3)).whole(size).add(names.get(m.template()));
		for (int d = 0; d < dimensions(); d++)
			row.number(calibration.place(d, m.subpixel()[d] + (d < 2 ? size[d] : size[d] - 1) / 2.0), ShownNumber.length(calibration.size(d)));
		return row.add(calibration.units(dimensions()));
	}

	/** The minimum score, and how far it holds. */
	private static void holds(final CsvRow row, final Match m) {
		row.scores(m.minScore()).add(m.background().name().toLowerCase(Locale.ROOT));
	}

	private CsvRow end(final CsvRow row, final Match m, final double... moreErrors) {
		if (errors) row.errors(dimensions(), m::sigma, m::correlation).scores(moreErrors);
		if (quality) row.scores(m.quality().runnerUp()).positions(m.quality().ratio(m.score()), m.quality().sidelobe());
		return edge ? row.add(m.edge()) : row;
	}
}
