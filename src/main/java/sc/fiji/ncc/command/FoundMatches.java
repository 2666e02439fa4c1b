package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.program.Box;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.MatchColumns;
import sc.fiji.ncc.front.ShownNumber;
import sc.fiji.ncc.front.Table;
import sc.fiji.ncc.front.TableColumns;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/**
 * Matches as rows of a table and as boxes on an image.
 *
 * @param poses the same matches with their poses; null if the templates are not rotated
 * @param subpixel whether the table has refined positions
 * @param statistics whether the minimum score follows from the background, so that the table says how far it holds
 */
record FoundMatches(List<Match> matches, List<PoseMatch> poses, List<NamedTemplate> templates, Searched searched, boolean subpixel,
	boolean statistics) {

	/** Maximum number of characters of a template's name beside a box. */
	private static final int NAME_LENGTH = 16;
	/** Number of corners of a circle. */
	private static final int CIRCLE = 48;
	/** The probability of an error ellipse, and its magnification. */
	private static final double HELD = 0.68, ENLARGED = 20;

	/**
	 * The searched image.
	 *
	 * @param axes its axes, with the templates' dimensions first
	 * @param name its title
	 * @param calibration its calibration
	 * @param channel the index of the channel of matches if there is no axis of channels
	 * @param bounded whether only a region of it is searched, so that the table states if a match lies at the edge of the region
	 */
	record Searched(String axes, String name, Calibration calibration, long channel, boolean bounded) {

		static Searched of(final ImageInput image, final String axes, final boolean bounded) {
			return new Searched(axes, image.name(), image.calibration(), image.channel(), bounded);
		}
	}

	/** Matches of templates that are not rotated. */
	FoundMatches(final List<Match> matches, final List<NamedTemplate> templates, final Searched searched, final boolean subpixel,
		final boolean statistics) {
		this(matches, null, templates, searched, subpixel, statistics);
	}

	/** Matches of rotated templates; the arguments are those of the other constructor. */
	static FoundMatches ofPoses(final List<PoseMatch> matches, final List<NamedTemplate> templates, final Searched searched,
		final boolean statistics) {
		return new FoundMatches(matches.stream().map(PoseMatch::match).toList(), matches, templates, searched, true, statistics);
	}

	private int dimensions() {
		return templates.get(0).pixels().numDimensions();
	}

	/**
	 * A row for each match. Label: the number of the match, with which the text of its box begins. Channel, slice and frame count from 1, as in ImageJ. Pixels count from 0. X, Y, Z: the window's first pixel. Center: the
	 * window's centre. Subpixel: the refined first pixel. Calibrated: the refined centre, in the image's unit. Rotated templates also have Angle, Scale and
	 * Mirrored (0 or 1), and in three dimensions the quaternion of the rotation. Edge: 1 if the window lies at the edge of the searched region and the
	 * image continues there, else 0. Sigma: standard deviations of refined matches, in pixels, degrees (Angle) and per cent (Scale).
	 */
	Table table() {
		final int n = dimensions();
		final Calibration calibration = searched.calibration;
		final IntFunction<Match> match = matches::get;
		final TableColumns<Integer> columns = new TableColumns<>(IntStream.range(0, matches.size()).boxed().toList())
			.add("Label", FoundMatches::label).add("Score", ShownNumber.SCORE, i -> match.apply(i).score())
			.each("", n, (i, d) -> match.apply(i).position()[d]).add("Image", i -> searched.name)
			.add("Channel", i -> place('c', match.apply(i)) + 1).add("Slice", i -> place('z', match.apply(i)) + 1)
			.add("Frame", i -> place('t', match.apply(i)) + 1).add("Template", i -> templates.get(match.apply(i).template()).name())
			.each("Center", n, (i, d) -> centre(match.apply(i), false)[d]);
		if (subpixel) columns.each("Subpixel", n, (i, d) -> match.apply(i).subpixel()[d]);
		columns.lengths("Calibrated", n, calibration::size, (i, d) -> calibration.place(d, centre(match.apply(i), subpixel)[d]))
			.add("Unit", i -> calibration.units(1));
		final MatchColumns<Integer> more = new MatchColumns<>(columns, match::apply, poses == null ? null : poses::get);
		if (statistics) more.statistics();
		if (subpixel && matches.stream().anyMatch(m -> m.covariance() != null)) more.errors(n);
		if (matches.stream().anyMatch(m -> m.quality() != null)) more.quality();
		if (searched.bounded) more.edge();
		if (poses != null) more.poses(n);
		return columns.table(FrontEnd.MATCHES);
	}

	/**
	 * The centre of a window in ImageJ's coordinates: the centre of the pixel at x lies at x + 0.5.
	 *
	 * @param between whether the window lies between the pixels
	 */
	private double[] centre(final Match m, final boolean between) {
		final double[] centre = between ? m.subpixel().clone() : Arrays.stream(m.position()).asDoubleStream().toArray();
		for (int d = 0; d < dimensions(); d++) {
			final long size = templates.get(m.template()).pixels().dimension(d);
			// along z the centre of the plane at z lies at z
			centre[d] += d < 2 ? size / 2.0 : (size - 1) / 2.0;
		}
		return centre;
	}

	/** The position of a match along an axis of the image, from 0. */
	private long place(final char axis, final Match m) {
		final int d = searched.axes.indexOf(axis);
		return d < 2 ? axis == 'c' ? searched.channel : 0 : d < dimensions() ? m.position()[d] : m.frame()[d - dimensions()];
	}

	/** The number of a match, from 1 for the best. */
	private static String label(final int i) {
		return String.valueOf(i + 1);
	}

	/** The error ellipse of each refined match at its centre, which holds the true place with a probability of 68 %. It is enlarged {@link #ENLARGED} times. */
	List<Box> ellipses() {
		return IntStream.range(0, matches.size()).filter(i -> matches.get(i).covariance() != null).mapToObj(i -> {
			final Match m = matches.get(i);
			final Box b = box(i, m, null);
			final double[] centre = centre(m, true);
			final double[][] ellipse = m.errorEllipse(HELD, CIRCLE);
			final float[][] outline = new float[2][CIRCLE];
			for (int d = 0; d < 2; d++) for (int k = 0; k < CIRCLE; k++) outline[d][k] = (float) (centre[d] + ENLARGED * ellipse[d][k]);
			return new Box(null, b.group(), b.x(), b.y(), b.width(), b.height(), b.channel(), b.slice(), b.frame(), b.channels(),
				b.slices(), b.frames(), outline);
		}).toList();
	}

	/** A box for each match. */
	List<Box> boxes() {
		return IntStream.range(0, matches.size()).mapToObj(i ->
			box(i, matches.get(i), poses == null ? null : poses.get(i).pose())).toList();
	}

	private Box box(final int i, final Match m, final Pose pose) {
		final long[] size = templates.get(m.template()).pixels().dimensionsAsLongArray();
		final String template = templates.size() == 1 ? "" : shortened(templates.get(m.template()).name()) + " ";
		return new Box(String.format(Locale.ROOT, "%s: %s%.2f", label(i), template, m.score()), m.template(), (int) m.position()[0],
			(int) m.position()[1], (int) size[0], (int) size[1], (int) place('c', m), (int) place('z', m), (int) place('t', m),
			extent('c', size), extent('z', size), extent('t', size), pose == null ? null : outline(m, pose, size));
	}

	/**
	 * The corners of a rotated box, with a line from the middle of the template's right side to the centre and back. In three dimensions a circle, the section
	 * of the ball.
	 */
	private static float[][] outline(final Match m, final Pose pose, final long[] size) {
		final double[][] matrix = pose.toImage();
		final boolean spatial = size.length > 2;
		final double[][] corners = { { -1, -1 }, { 1, -1 }, { 1, 0 }, { 0, 0 }, { 1, 0 }, { 1, 1 }, { -1, 1 } };
		final float[][] outline = new float[2][spatial ? CIRCLE : corners.length];
		for (int i = 0; i < outline[0].length; i++)
			for (int d = 0; d < 2; d++) {
				final double angle = 2 * Math.PI * i / CIRCLE, radius = pose.scale() * Arrays.stream(size).min().orElse(1) / 2.0;
				outline[d][i] = (float) (m.subpixel()[d] + size[d] / 2.0 + (spatial ? radius * (d == 0 ? Math.cos(angle) : Math.sin(angle))
					: matrix[d][0] * corners[i][0] * size[0] / 2 + matrix[d][1] * corners[i][1] * size[1] / 2));
			}
		return outline;
	}

	/** The size of a template along an axis in pixels; 1 along axes that the template lacks. */
	private int extent(final char axis, final long[] template) {
		final int d = searched.axes.indexOf(axis);
		return d >= 2 && d < dimensions() ? (int) template[d] : 1;
	}

	/** The name of an image or a region without its file extension, cut to {@link #NAME_LENGTH}. */
	static String shortened(final String title) {
		final String name = title.replaceFirst("\\.[A-Za-z0-9]{1,4}$", "");
		return name.length() <= NAME_LENGTH ? name : name.substring(0, NAME_LENGTH - 1) + "\u2026";
	}
}
