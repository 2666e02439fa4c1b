package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.front.MatchColumns;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.BestPoses;

/**
 * The maps of a search for poses, written frame by frame: the best score of each position, and the number of its pose. Both are 32-bit floats. A list of the
 * poses explains the numbers.
 */
public final class PoseMaps {

	/** The files of one kind of map, one per template. */
	private static final class Files {

		final List<Path> places = new ArrayList<>();
		MapsOnDisk maps;
	}

	private final Outputs outputs;
	private final Files scores = new Files(), numbers = new Files();
	private final Path list;
	private final List<String> names = new ArrayList<>();

	/**
	 * Reserves the files.
	 *
	 * @param scoreMap the file for scores; null for none. The files of several templates are numbered
	 * @param poseMap the file for poses; null for none
	 * @param poseList the file for the list of poses; null for none
	 * @param templates the number of templates
	 * @param inputs all input files; they must not be written to
	 * @throws IllegalArgumentException as {@link Outputs#promise}
	 */
	public PoseMaps(final Outputs outputs, final String scoreMap, final String poseMap, final String poseList, final int templates, final List<String> inputs) {
		this.outputs = outputs;
		promise(scores, scoreMap, templates, inputs);
		promise(numbers, poseMap, templates, inputs);
		list = outputs.promise(poseList, inputs);
		if (poseList != null) names.add(poseList);
	}

	private void promise(final Files files, final String name, final int templates, final List<String> inputs) {
		for (int t = 0; name != null && t < templates; t++) {
			final String numbered = MapFiles.name(name, t, templates);
			files.places.add(outputs.promise(numbered, inputs));
			names.add(numbered);
		}
	}

	/**
	 * Checks the names of the files.
	 *
	 * @throws IllegalArgumentException if a name has another ending
	 */
	public static void check(final String scoreMap, final String poseMap) {
		for (final String[] o : new String[][] { { "--score-map", scoreMap }, { "--pose-map", poseMap } })
			if (o[1] != null && !PlaneFile.is(o[1])) throw new IllegalArgumentException(o[0] + " is a TIFF or MRC file, not " + o[1] + ": give a name that ends in "
				+ PlaneFile.ENDINGS);
	}

	/**
	 * Writes the maps of a frame.
	 *
	 * @param image the whole image, spatial dimensions first
	 * @param frame the number of the frame, counted from 0
	 * @param maps one for each template
	 */
	public void write(final InputImage image, final long frame, final List<BestPoses> maps) throws IOException {
		final List<Img<FloatType>> best = maps.stream().map(BestPoses::score).toList();
		final List<RandomAccessibleInterval<FloatType>> poses = maps.stream().map(m -> floats(m.pose())).toList();
		if (frame == 0) {
			final List<long[]> origins = maps.stream().map(BestPoses::origin).toList();
			if (!scores.places.isEmpty()) scores.maps = MapsOnDisk.ofFrames(outputs, image, best, origins, Precision.SINGLE, true, scores.places);
			if (!numbers.places.isEmpty()) numbers.maps = MapsOnDisk.ofFrames(outputs, image, poses, origins, Precision.SINGLE, false, numbers.places);
			outputs.text(list, MatchColumns.list(maps.get(0).poses())::write);
		}
		if (scores.maps != null) scores.maps.write(frame, best);
		if (numbers.maps != null) numbers.maps.write(frame, poses);
	}

	/** Numbers up to 2^24 are exact in floats. */
	private static RandomAccessibleInterval<FloatType> floats(final Img<IntType> numbers) {
		return Converters.convert((RandomAccessibleInterval<IntType>) numbers, (from, to) -> to.set(from.get()), new FloatType());
	}

	/** The names of all files. */
	public List<String> names() {
		return names;
	}

	/** Completes the temporary files. */
	public void finish() throws IOException {
		if (scores.maps != null) scores.maps.finish();
		if (numbers.maps != null) numbers.maps.finish();
	}
}
