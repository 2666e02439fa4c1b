package sc.fiji.ncc.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;

/** Templates through the pictures of a folder, which are a time series in the order of their names: one is read after the other, and none is kept. */
final class FolderTracking {

	private final List<String> names;
	private final int dimensions;
	private final ProgressBar progress;

	/**
	 * @param names of files in a folder
	 * @param dimensions of a frame
	 */
	FolderTracking(final List<String> names, final int dimensions, final ProgressBar progress) {
		this.names = names;
		this.dimensions = dimensions;
		this.progress = progress;
	}

	/**
	 * The frame in which templates begin.
	 *
	 * @throws IllegalArgumentException if there is none of that number
	 */
	Picture reference(final long reference) {
		if (reference < 0 || reference >= names.size()) throw new IllegalArgumentException("reference frame " + reference + " does not exist: the folder has " + names.size()
			+ (names.size() == 1 ? " picture" : " pictures") + ", counted from 0");
		return frame(names.get((int) reference));
	}

	/** From the reference frame to the last, and from there back to the first. */
	Tracks track(final TemplateTracking op, final long reference) {
		final int from = (int) reference;
		progress.total(names.size());
		final List<TrackPoint> points = new ArrayList<>();
		final Tracks on = op.track(frames(names.subList(from, names.size())), frame -> take(frame, from, 1, points));
		if (from == 0) return on.with(points);
		final List<String> back = new ArrayList<>(names.subList(0, from + 1));
		Collections.reverse(back);
		final Tracks before = op.track(frames(back), frame -> {
			// that one has been seen
			if (frame.get(0).frame() > 0) take(frame, from, -1, points);
		});
		return new Tracks(points, on.report().plus(before.report()), on.rankings(), on.seconds() + before.seconds());
	}

	private void take(final List<TrackPoint> frame, final long from, final int step, final List<TrackPoint> to) {
		for (final TrackPoint p : frame)
			to.add(new TrackPoint(p.template(), from + step * p.frame(), p.position(), p.subpixel(), p.score(), p.second(), p.lost(), p.motion(), p.edge()));
		progress.done(1);
	}

	private Iterable<RandomAccessibleInterval<?>> frames(final List<String> files) {
		final Picture first = frame(files.get(0));
		return () -> files.stream().<RandomAccessibleInterval<?>>map(name -> like(first, frame(name)).pixels()).iterator();
	}

	private Picture frame(final String name) {
		final Picture picture = ImageFiles.read(name).spatialFirst(dimensions);
		if (picture.pixels().numDimensions() != dimensions) throw new IllegalArgumentException(name + " (" + picture.axes() + ", " + picture.size()
			+ ") is more than one frame: templates are followed through a folder of single frames, or through one stack");
		return picture;
	}

	/** The op counts frames, and people know them by name. */
	private static Picture like(final Picture first, final Picture other) {
		if (!first.size().equals(other.size()) || !type(first).equals(type(other))) throw new IllegalArgumentException(other.name() + " is "
			+ Size.of(other.pixels().dimensionsAsLongArray()) + " of " + type(other) + ", and " + first.name() + " is " + first.size() + " of " + type(first)
			+ ": frames must be of one size and type");
		return other;
	}

	private static String type(final Picture picture) {
		return picture.pixels().getType().getClass().getSimpleName().replace("Type", "");
	}
}
