package sc.fiji.ncc.cli.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.store.OmeZarr;

/**
 * The frames of one picture after the other, as a stream takes them: a picture is read when the frames of those before are under way. Remembers where
 * those come from whose results are still to be handed over.
 */
public final class InputFrames implements Iterable<RandomAccessibleInterval<?>> {

	private static final Pattern PICTURE = Pattern.compile(".*\\.(tiff?|png|pgm|jpe?g|bmp|gif)", Pattern.CASE_INSENSITIVE);
	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private final List<String> names;
	private final int dimensions;
	private final Consumer<? super Picture> admission;
	private final Deque<Place> underWay = new ArrayDeque<>();
	private final InputWatch watch = new InputWatch();

	/**
	 * Where a frame comes from.
	 *
	 * @param picture with the spatial dimensions first
	 * @param name the picture's, for the reader of a table
	 * @param index of the frame in it
	 * @param count of its frames
	 */
	public record Place(Picture picture, String name, long index, long count) {

		public boolean last() {
			return index == count - 1;
		}
	}

	/**
	 * @param names of files in a folder
	 * @param dimensions of a frame
	 */
	public InputFrames(final List<String> names, final int dimensions) {
		this(names, dimensions, picture -> {});
	}

	/** @param admission sees each picture before its frames are handed over, and throws if it is not to be taken */
	public InputFrames(final List<String> names, final int dimensions, final Consumer<? super Picture> admission) {
		this.names = names;
		this.dimensions = dimensions;
		this.admission = admission;
	}

	/** Whether a name ends as those of pictures do. */
	public static boolean picture(final String name) {
		return PICTURE.matcher(name).matches();
	}

	/** Whether a name is that of a folder of pictures. */
	public static boolean folder(final String name) {
		final Path path = ImageFiles.path(name);
		// what is called a Zarr and is none is said where it is read
		return Files.isDirectory(path) && !OmeZarr.is(path) && !ZarrPictures.isZarr(name);
	}

	/**
	 * Refuses an output that would be read as an input by the next run.
	 *
	 * @param output null for none
	 */
	public static void requireElsewhere(final String folder, final String output) {
		if (output == null || !picture(output)) return;
		final Path parent = ImageFiles.path(output).toAbsolutePath().normalize().getParent();
		try {
			if (Files.isDirectory(parent) && Files.isSameFile(parent, ImageFiles.path(folder))) throw new IllegalArgumentException("the output " + output
				+ " would lie among the pictures in " + folder + ", and the next run would read it: name another folder for it");
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot tell whether " + output + " lies in " + folder + ": " + FailureReason.of(e), e);
		}
	}

	/**
	 * The pictures in a folder, numbers in their names counted as such: {@code t2.tif} before {@code t10.tif}.
	 *
	 * @param without files that are none of them
	 * @throws IllegalArgumentException if there is none
	 */
	public static List<String> files(final String folder, final List<String> without) {
		final List<String> found = new ArrayList<>();
		try (Stream<Path> all = Files.list(ImageFiles.path(folder))) {
			for (final Path p : (Iterable<Path>) all::iterator) {
				final String name = p.getFileName().toString();
				boolean other = name.startsWith(".") || !PICTURE.matcher(name).matches() || !Files.isRegularFile(p);
				for (final String w : without) other = other || Files.exists(ImageFiles.path(w)) && Files.isSameFile(p, ImageFiles.path(w));
				if (!other) found.add(p.toString());
			}
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the folder " + folder + " cannot be read: " + FailureReason.of(e), e);
		}
		if (found.isEmpty()) throw new IllegalArgumentException("there are no pictures in the folder " + folder + ": name another, or a file");
		found.sort((a, b) -> sortKey(a).compareTo(sortKey(b)) != 0 ? sortKey(a).compareTo(sortKey(b)) : a.compareTo(b));
		return found;
	}

	/** A text in whose order numbers have their own: each begins with how many digits it has. */
	private static String sortKey(final String name) {
		final Matcher m = NUMBER.matcher(name.toLowerCase(Locale.ROOT));
		return m.replaceAll(n -> {
			final String digits = n.group().replaceFirst("^0+(?=\\d)", "");
			return String.format(Locale.ROOT, "%03d%s", digits.length(), digits);
		});
	}

	@Override
	public Iterator<RandomAccessibleInterval<?>> iterator() {
		final Iterator<String> left = names.iterator();
		return new Iterator<>() {

			private Picture picture;
			private List<RandomAccessibleInterval<?>> frames = List.of();
			private int next;

			@Override
			public boolean hasNext() {
				return next < frames.size() || left.hasNext();
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (next == frames.size()) {
					final String name = left.next();
					watch.add(name);
					picture = ImageFiles.read(name).spatialFirst(dimensions);
					admission.accept(picture);
					frames = Frames.of(picture.pixels(), dimensions);
					next = 0;
				}
				final RandomAccessibleInterval<?> frame = frames.get(next);
				synchronized (underWay) {
					underWay.add(new Place(picture, ImageFiles.path(picture.name()).getFileName().toString(), next, frames.size()));
				}
				next++;
				return frame;
			}
		};
	}

	/** @throws sc.fiji.ncc.NccException if a picture is not what it was when its reading began */
	public void requireUnchanged() {
		watch.requireUnchanged();
	}

	/** As {@link #requireUnchanged} of the picture that a frame comes from, which counts no more then. */
	public void release(final Place place) {
		watch.release(place.picture().name());
	}

	/** Where the frame comes from whose result is handed over next. */
	public Place next() {
		synchronized (underWay) {
			return underWay.remove();
		}
	}
}
