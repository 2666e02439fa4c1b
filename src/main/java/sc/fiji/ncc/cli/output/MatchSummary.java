package sc.fiji.ncc.cli.output;

import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.result.BackgroundState;
import sc.fiji.ncc.result.Frames;

/**
 * The frames of a search, and what it has found in them so far.
 *
 * @param <M> a match
 */
public final class MatchSummary<M> {

	private final InputImage image;
	private final int dimensions;
	/** Null if the input is not a folder. */
	private final InputFrames files;
	private final ToDoubleFunction<? super M> score;
	private long frames, matches;
	/** The range of the minimum scores; empty before the first one. */
	private double leastScore = 2, greatestScore = -2;
	/** How far the minimum scores hold. */
	private final Set<BackgroundState> states = EnumSet.noneOf(BackgroundState.class);
	/** The matches of the frame with the best match, and its place; without matches, of the first frame. */
	private List<M> best = List.of();
	private InputFrames.Place where;

	/**
	 * @param image the image, or the first one of a folder, spatial dimensions first
	 * @param dimensions the number of dimensions of a frame
	 * @param folder the images of a folder; null if there is none
	 * @param score the score of a match
	 */
	public MatchSummary(final InputImage image, final int dimensions, final ChannelChoice channels, final List<String> folder,
		final ToDoubleFunction<? super M> score)
	{
		this.image = image;
		this.dimensions = dimensions;
		this.score = score;
		files = folder == null ? null : new InputFrames(folder, dimensions, channels);
	}

	/** The frames to search. */
	public Iterable<? extends RandomAccessibleInterval<?>> frames() {
		return files == null ? Frames.of(image.pixels(), dimensions) : files;
	}

	/** The place of the next frame. @param index its number, from 0 */
	public InputFrames.Place place(final long index) {
		return files == null ? new InputFrames.Place(image, image.name(), index, image.frames(dimensions)) : files.next();
	}

	/** Adds a minimum score, and how far it holds. */
	public void minScore(final double least, final Collection<BackgroundState> holds) {
		leastScore = Math.min(leastScore, least);
		greatestScore = Math.max(greatestScore, least);
		states.addAll(holds);
	}

	/** Adds the matches of a frame, best first. A file of a folder is done with its last frame. */
	public void add(final InputFrames.Place place, final List<M> found, final ProgressBar progress) {
		frames++;
		matches += found.size();
		if (where == null || !found.isEmpty() && (best.isEmpty() || score.applyAsDouble(found.get(0)) > score.applyAsDouble(best.get(0)))) {
			best = found;
			where = place;
		}
		if (files != null && place.last()) progress.done(1);
	}

	/** Leaves out matches that are not among the best of all frames. @param count the number of those that stay */
	public void retain(final long count, final Predicate<? super M> stays) {
		matches = count;
		best = best.stream().filter(stays).toList();
	}

	/** The number of finished frames. */
	public long count() {
		return frames;
	}

	/** The matches of the frame with the best match. */
	public List<M> best() {
		return best;
	}

	/** The place of this frame. */
	public InputFrames.Place where() {
		return where;
	}

	/** @throws sc.fiji.ncc.result.NccException if an image of a folder has changed */
	public void requireUnchanged() {
		if (files != null) files.requireUnchanged();
	}

	/** The failure of a run whose finished rows are kept. */
	public UnfinishedException unfinished(final Path left, final RuntimeException cause) {
		return new UnfinishedException("the matches of the first " + (frames == 1 ? "frame" : frames + " frames") + " are in " + left, cause);
	}

	/** The range of the minimum scores; empty if there is none. */
	public String minScores() {
		if (leastScore > greatestScore) return "";
		final String reasons = BackgroundState.reasons(states.stream());
		return "; minimum score " + BackgroundState.range(leastScore, greatestScore) + (reasons.isEmpty() ? "" : " (uncertain: " + reasons + ")");
	}

	/** The number of matches, and the score of the best one. */
	@Override
	public String toString() {
		return "; " + matches + (matches == 1 ? " match" : " matches")
			+ (matches == 0 ? "" : ", the best " + String.format(Locale.ROOT, "%.3f", score.applyAsDouble(best.get(0))));
	}
}
