package sc.fiji.ncc.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.FileOrder;
import sc.fiji.ncc.result.CountedFrames;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.store.OmeZarr;

/**
 * The frames of the images of a folder, as a stream. An image is read when the frames before it are being computed. A queue keeps the origin of each frame until
 * its result is written.
 */
public final class InputFrames implements CountedFrames {

	private final List<String> names;
	private final int dimensions;
	private final ChannelChoice channels;
	private final Consumer<? super InputImage> admission;
	/** The number of files and frames that were read, and the number of frames of the last file. */
	private long filesRead, framesRead, framesOfLast = 1;
	private final Deque<Place> pending = new ArrayDeque<>();
	private final InputWatch watch = new InputWatch();

	/**
	 * The origin of a frame.
	 *
	 * @param image the image, spatial dimensions first
	 * @param name the file name, for tables
	 * @param index the number of the frame in the image, counted from 0
	 * @param count the number of frames of the image
	 */
	public record Place(InputImage image, String name, long index, long count) {

		public boolean last() {
			return index == count - 1;
		}
	}

	/**
	 * @param names the image files, in order
	 * @param dimensions the number of dimensions of a frame
	 * @param channels the channels of each image
	 */
	public InputFrames(final List<String> names, final int dimensions, final ChannelChoice channels) {
		this(names, dimensions, channels, image -> {});
	}

	/** @param admission checks each image before its frames are computed; it throws to refuse the image */
	public InputFrames(final List<String> names, final int dimensions, final ChannelChoice channels, final Consumer<? super InputImage> admission) {
		this.names = names;
		this.dimensions = dimensions;
		this.channels = channels;
		this.admission = admission;
	}

	/** Whether a name denotes a folder of images. */
	public static boolean folder(final String name) {
		final Path path = ImageFiles.path(name);
		// the reader reports a folder that is named .zarr and is not one
		return Files.isDirectory(path) && !OmeZarr.is(path) && !ZarrImages.isZarr(name);
	}

	/**
	 * Refuses an output that the next run would read as an input.
	 *
	 * @param output null for no output
	 */
	public static void requireElsewhere(final String folder, final String output) {
		if (output == null || !ImageFiles.isImageName(output)) return;
		final Path parent = ImageFiles.path(output).toAbsolutePath().normalize().getParent();
		if (FailureReason.tried("find out whether " + output + " lies in " + folder,
			() -> Files.isDirectory(parent) && Files.isSameFile(parent, ImageFiles.path(folder)))) throw new IllegalArgumentException("the output " + output
				+ " would lie among the images in " + folder + ", and the next run would read it: give another folder");
	}

	/**
	 * The image files of a folder, in the order of their names. Numbers in names count as numbers: {@code t2.tif} comes before {@code t10.tif}.
	 *
	 * @param without files to leave out, such as templates
	 * @throws IllegalArgumentException if there is no image
	 */
	public static List<String> files(final String folder, final List<String> without) {
		final List<String> found = new ArrayList<>();
		try (Stream<Path> all = Files.list(ImageFiles.path(folder))) {
			for (final Path p : (Iterable<Path>) all::iterator) {
				final String name = p.getFileName().toString();
				boolean other = name.startsWith(".") || !ImageFiles.isImageName(name) || !Files.isRegularFile(p);
				for (final String w : without) other = other || Files.exists(ImageFiles.path(w)) && Files.isSameFile(p, ImageFiles.path(w));
				if (!other) found.add(p.toString());
			}
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot read the folder " + folder + ": " + FailureReason.of(e), e);
		}
		if (found.isEmpty()) throw new IllegalArgumentException("there are no images in the folder " + folder + ": give another folder, or a file");
		found.sort(FileOrder.BY_NUMBERS);
		return found;
	}

	/** Unread files count as many frames as the last one that was read. */
	@Override
	public synchronized long expected() {
		return framesRead + (names.size() - filesRead) * framesOfLast;
	}

	private synchronized void count(final int frames) {
		filesRead++;
		framesRead += frames;
		framesOfLast = frames;
	}

	@Override
	public Iterator<RandomAccessibleInterval<?>> iterator() {
		final Iterator<String> left = names.iterator();
		return new Iterator<>() {

			private InputImage image;
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
					image = ImageFiles.read(name).of(channels).spatialFirst(dimensions);
					admission.accept(image);
					frames = Frames.of(image.pixels(), dimensions);
					count(frames.size());
					next = 0;
				}
				final RandomAccessibleInterval<?> frame = frames.get(next);
				synchronized (pending) {
					pending.add(new Place(image, ImageFiles.path(image.name()).getFileName().toString(), next, frames.size()));
				}
				next++;
				return frame;
			}
		};
	}

	/** @throws sc.fiji.ncc.result.NccException if an image has changed since it was opened */
	public void requireUnchanged() {
		watch.requireUnchanged();
	}

	/** Checks the image of a frame as {@link #requireUnchanged} does, and stops watching it. */
	public void release(final Place place) {
		watch.release(place.image().name());
	}

	/** The origin of the next frame to be written. */
	public Place next() {
		synchronized (pending) {
			return pending.remove();
		}
	}
}
