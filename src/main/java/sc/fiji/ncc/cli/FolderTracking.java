package sc.fiji.ncc.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/**
 * Tracking through the images of a folder, one frame per file in the order of their names. Memory holds a few frames.
 *
 * @param names the image files, in order
 * @param dimensions the number of dimensions of a frame
 * @param timePoint makes a frame with this number of dimensions of an image
 */
record FolderTracking(List<String> names, int dimensions, BiFunction<InputImage, Integer, InputImage> timePoint, ProgressBar progress) {

	/** The number of frames. */
	int count() {
		return names.size();
	}

	/**
	 * Reads the reference frame.
	 *
	 * @param reference its number, from 0
	 *
	 * @throws IllegalArgumentException if it does not exist
	 */
	InputImage reference(final long reference) {
		if (reference >= names.size()) throw new IllegalArgumentException("--reference " + (reference + 1) + ": the folder has " + names.size()
			+ (names.size() == 1 ? " image" : " images")
			+ ": give a number from 1 to " + names.size());
		return frame(names.get((int) reference));
	}

	/**
	 * Tracks from the reference frame to the last one, and from the reference frame back to the first one.
	 *
	 * @param op the tracking with the given positions in the reference frame; null before they are known
	 */
	Tracks track(final Function<List<long[]>, TemplateTracking> op, final long reference) {
		final int from = (int) reference;
		progress.total(names.size());
		final List<TrackPoint> points = new ArrayList<>();
		final Tracks forward = op.apply(null).track(frames(names.subList(from, names.size())), frame -> take(frame, from, 1, points));
		if (from == 0) return forward.with(points);
		final List<String> back = new ArrayList<>(names.subList(0, from + 1));
		Collections.reverse(back);
		final List<long[]> starts = points.stream().filter(p -> p.frame() == from)
			.sorted(Comparator.comparingInt(TrackPoint::template)).map(TrackPoint::position).toList();
		final Tracks backward = op.apply(starts).track(frames(back), frame -> {
			// the first run has already delivered the reference frame
			if (frame.get(0).frame() > 0) take(frame, from, -1, points);
		});
		return new Tracks(points, forward.report().plus(backward.report()), forward.rankings(), forward.seconds() + backward.seconds());
	}

	private void take(final List<TrackPoint> frame, final long from, final int step, final List<TrackPoint> to) {
		for (final TrackPoint p : frame)
			to.add(p.in(from + step * p.frame()));
		progress.done(1);
	}

	private Iterable<RandomAccessibleInterval<?>> frames(final List<String> files) {
		final InputImage first = frame(files.get(0));
		return () -> files.stream().<RandomAccessibleInterval<?>>map(name -> frame(name).like(first).pixels()).iterator();
	}

	private InputImage frame(final String name) {
		final InputImage image = timePoint.apply(ImageFiles.read(name), dimensions);
		if (image.pixels().numDimensions() != dimensions) throw new IllegalArgumentException(name + " (" + image.axes() + ", " + image.size()
			+ ") has more than one frame: give a folder of single frames, or one stack");
		return image;
	}
}
