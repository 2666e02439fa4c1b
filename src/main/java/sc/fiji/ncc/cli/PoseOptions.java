package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

import picocli.CommandLine.Option;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputStamp;
import sc.fiji.ncc.cli.map.PoseMaps;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.front.PoseText;
import sc.fiji.ncc.pose.PoseGrid;
import sc.fiji.ncc.pose.PoseSupport;

/** The options of {@code ncc match} for rotated, scaled and mirrored templates. */
final class PoseOptions {

	private static final String ANGLES = "--angles ";
	private static final double[] UNROTATED = { 0 };

	@Option(names = "--angles", paramLabel = "FROM:TO:STEP|auto|uniform:STEP|FILE", description = {
		"Also search rotated templates: the angles in degrees, counter-clockwise as seen on the screen, as in 0:360:2. Or numbers, as in 0,90,180.",
		"auto: all angles, with a step from the template.",
		"For templates of three dimensions uniform:STEP, all orientations about STEP degrees apart. Or a FILE with a rotation in each line: a quaternion "
		+ "w x y z, or Euler angles about z, x and z in degrees." })
	String angles;

	@Option(names = "--scales", paramLabel = "FROM:TO:FACTOR", description =
		"Also search scaled templates: from, from·factor, from·factor², ..., as in 0.8:1.25:1.05. Or numbers, as in 0.9,1,1.1. Default: 1.")
	String scales;

	@Option(names = "--mirrored", description = "Also search the templates mirrored from left to right.")
	boolean mirrored;

	@Option(names = "--support", paramLabel = "disk|ring[:SHARE]|whole", description = {
		"Which pixels of a rotated template count. disk: the largest disk in it, in three dimensions the largest ball. ring: without the inner SHARE of the radius; default of SHARE: 0.5.",
		"whole: all pixels or the mask, rotated with the template; slower. Default: disk." })
	String support;

	@Option(names = "--no-refine", description = "Report the best of the searched angles and scales. Default: position, angle and scale are refined between them, and the table has their standard deviations: sigma_* in pixels, sigma_angle in degrees, sigma_scale in per cent.")
	boolean gridOnly;

	@Option(names = "--score-map", paramLabel = "SCORES.tif|SCORES.mrc", description = {
		"Also write the best score over all poses at each position, as a 32-bit image; NaN below the minimum score. A position is the first pixel of the "
			+ "unrotated template.",
		"With --min-score -1 every position has a score, and the search takes as long as for all poses. Several templates write SCORES-1.tif, SCORES-2.tif "
			+ "and so on." })
	String scoreMap;

	@Option(names = "--pose-map", paramLabel = "POSES.tif|POSES.mrc", description = "Also write the number of the best pose at each position, counted "
		+ "from 1; 0 below the minimum score.")
	String poseMap;

	@Option(names = "--pose-list", paramLabel = "POSES.csv", description = "Also write the angle, scale and reflection of each pose of the map, and its number.")
	String poseList;

	/** Whether rotated, scaled or mirrored templates are searched. */
	boolean given() {
		return angles != null || scales != null || mirrored;
	}

	private boolean isFile() {
		return angles != null && PoseText.isFile(angles);
	}

	/** Resolves the file name for a process of a cluster. */
	void resolve(final ClusterTask.Command command) {
		if (isFile()) angles = command.resolve(angles);
	}

	/** The input file, one line; empty if there is none. */
	List<String> lines() throws IOException {
		return isFile() ? List.of("rotations " + InputStamp.of(ImageFiles.path(angles))) : List.of();
	}

	/** Refuses options that need others. */
	void check() {
		final String alone = given() ? null : support != null ? "--support " + support : gridOnly ? "--no-refine"
			: scoreMap != null ? "--score-map " + scoreMap : poseMap != null ? "--pose-map " + poseMap : poseList != null ? "--pose-list " + poseList : null;
		if (alone != null) throw new IllegalArgumentException(alone
			+ " has no effect without --angles, --scales or --mirrored: give one of them, or leave " + alone.split(" ")[0] + " out");
	}

	/** Whether maps of scores and poses are written. */
	boolean mapped() {
		return scoreMap != null || poseMap != null || poseList != null;
	}

	/**
	 * Refuses inputs for which no maps are written.
	 *
	 * @param folder whether the input is a folder of images
	 */
	void checkMaps(final boolean folder) {
		if (mapped() && folder) throw new IllegalArgumentException("--score-map, --pose-map and --pose-list do not go with a folder of images: give one "
			+ "image or stack");
		PoseMaps.check(scoreMap, poseMap);
		Outputs.requireEnding("--pose-list", poseList, ".csv");
	}

	/** Sets all options. */
	PoseSearch set(final PoseSearch search, final int dimensions) throws IOException {
		PoseGrid grid = PoseGrid.DEFAULT.mirrored(mirrored);
		if (dimensions == 3) grid = grid.rotations(angles == null ? List.of(new double[] { 1, 0, 0, 0 }) : rotations());
		else grid = grid.angles(angles == null ? UNROTATED : PoseText.angles(ANGLES, angles));
		if (scales != null) grid = grid.scales(PoseText.scales("--scales ", scales));
		search.poses(grid).refine(!gridOnly).maps(mapped());
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
		final List<double[]> uniform = PoseText.uniform(ANGLES, angles);
		if (uniform != null) return uniform;
		PoseText.requireSpatial(ANGLES, angles);
		return PoseText.rotations(ANGLES + angles, FailureReason.tried("read the rotations " + angles,
			() -> Files.readAllLines(ImageFiles.requireFile(angles), StandardCharsets.UTF_8)));
	}

	/** Whether position, angle and scale are refined. */
	boolean refines() {
		return !gridOnly;
	}
}
