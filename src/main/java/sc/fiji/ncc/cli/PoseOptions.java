package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

import picocli.CommandLine.Option;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.cli.picture.FailureReason;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputStamp;
import sc.fiji.ncc.front.PoseText;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseMethod;
import sc.fiji.ncc.pose.PoseSupport;

/** The options of {@code ncc match} for rotated, scaled and mirrored templates. */
final class PoseOptions {

	private static final double[] UNROTATED = { 0 };

	@Option(names = "--rotate", paramLabel = "FROM:TO:STEP|auto", description = {
		"Also search rotated templates: the angles in degrees, counter-clockwise as seen on the screen, as in 0:360:2. Or numbers, as in 0,90,180.",
		"auto: all angles, with a step from the template." })
	String rotate;

	@Option(names = "--scale", paramLabel = "FROM:TO:FACTOR", description = "Also search scaled templates: from, from·factor, from·factor², ..., as in 0.8:1.25:1.05. Or numbers, as in 0.9,1,1.1. Default: 1.")
	String scale;

	@Option(names = "--mirrored", description = "Also search the templates mirrored from left to right.")
	boolean mirrored;

	@Option(names = "--rotations", paramLabel = "FILE|uniform:STEP", description = {
		"Rotations for templates of three dimensions. FILE: in each line a quaternion w x y z, or Euler angles about z, x and z in degrees.",
		"uniform:STEP: all orientations, about STEP degrees apart." })
	String rotations;

	@Option(names = "--support", paramLabel = "disk|ring[:SHARE]|whole", description = {
		"Which pixels of a rotated template count. disk: the largest disk in it, in three dimensions the largest ball. ring: without the inner SHARE of the radius; default of SHARE: 0.5.",
		"whole: all pixels or the mask, rotated with the template; slower. Default: disk." })
	String support;

	@Option(names = "--no-refine", description = "Report the best of the searched angles and scales. Default: position, angle and scale are refined between them, and the table has their standard deviations: sigma_* in pixels, sigma_angle in degrees, sigma_scale in per cent.")
	boolean gridOnly;

	@Option(names = "--every-pose", description = "Correlate every rotated template. Slower, with the same matches. Default: the faster way by estimate.")
	boolean everyPose;

	/** Whether rotated, scaled or mirrored templates are searched. */
	boolean given() {
		return rotate != null || scale != null || mirrored || rotations != null;
	}

	private boolean isFile() {
		return rotations != null && !rotations.startsWith("uniform");
	}

	/** Resolves the file name for a process of a cluster. */
	void resolve(final ClusterTask.Command command) {
		if (isFile()) rotations = command.resolve(rotations);
	}

	/** The input file, one line; empty if there is none. */
	List<String> lines() throws IOException {
		return isFile() ? List.of("rotations " + InputStamp.of(ImageFiles.path(rotations))) : List.of();
	}

	/** Refuses options that need others. */
	void check() {
		final String alone = given() ? null : support != null ? "--support " + support : gridOnly ? "--no-refine" : everyPose ? "--every-pose" : null;
		if (alone != null) throw new IllegalArgumentException(alone + " has no effect without --rotate, --scale, --mirrored or --rotations: give one of them, or leave " + alone.split(" ")[0] + " out");
	}

	/** Sets all options. */
	PoseSearch set(final PoseSearch search, final int dimensions) throws IOException {
		if (dimensions == 3 && rotate != null) throw new IllegalArgumentException("--rotate " + rotate + " is for templates of two dimensions, and the template has three: give --rotations uniform:STEP, as in --rotations uniform:30, or --rotations FILE");
		if (dimensions == 2 && rotations != null) throw new IllegalArgumentException("--rotations " + rotations + " is for templates of three dimensions, and the template has two: give --rotate FROM:TO:STEP, as in --rotate 0:360:5");
		PoseGrid grid = PoseGrid.DEFAULT.angles(rotate == null ? UNROTATED : PoseText.angles("--rotate ", rotate)).mirrored(mirrored);
		if (dimensions == 3) grid = grid.rotations(rotations == null ? List.of(new double[] { 1, 0, 0, 0 }) : rotations());
		if (scale != null) grid = grid.scales(PoseText.scales("--scale ", scale));
		search.poses(grid).refine(!gridOnly);
		if (everyPose) search.method(PoseMethod.EXHAUSTIVE);
		return support(search);
	}

	private PoseSearch support(final PoseSearch search) {
		if (support == null || support.equals("disk")) return search.support(PoseSupport.DISK);
		if (support.equals("whole")) return search.support(PoseSupport.WHOLE);
		if (support.equals("ring")) return search.support(PoseSupport.RING);
		if (support.startsWith("ring:")) {
			final double[] share = PoseText.scales("--support ring:", support.substring(5));
			if (share.length == 1) return search.ring(share[0]);
		}
		throw new IllegalArgumentException("--support " + support + ": give disk, ring, ring:SHARE or whole");
	}

	private List<double[]> rotations() throws IOException {
		final List<double[]> uniform = PoseText.uniform("--rotations ", rotations);
		if (uniform != null) return uniform;
		PoseText.requireSpatial("--rotations ", rotations);
		try {
			return PoseText.rotations("--rotations " + rotations, Files.readAllLines(ImageFiles.path(rotations), StandardCharsets.UTF_8));
		}
		catch (final CharacterCodingException e) {
			throw new IllegalArgumentException("cannot read the rotations " + rotations + ": it is not text in UTF-8", e);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot read the rotations " + rotations + ": " + FailureReason.of(e), e);
		}
	}

	/** Whether position, angle and scale are refined. */
	boolean refines() {
		return !gridOnly;
	}
}
