package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.SlidingOp;

/** Writes the maps of a folder of images to another folder. Each map appears there when it is complete, and stays if a later one fails. */
public final class FolderOfMaps implements AutoCloseable {

	private final String output;
	private final Path folder;
	/** Null for none. */
	private final Path pictureFolder;
	private final List<String> inputs;
	private final int templates;
	private final PixelType type;
	private Outputs outputs;
	private MapsOnDisk maps;
	/** The name of the current image's outputs, without extension. */
	private String stem;
	private final Set<String> names = new HashSet<>();
	private long done;
	private final boolean coefficients;
	/** Whether this object created the folders. */
	private boolean made, pictureFolderMade;

	/**
	 * @param name the output folder, which is created if it does not exist
	 * @param pictureFolder the folder for an 8-bit picture of each frame's map, which is created if it does not exist; null for no pictures
	 * @param input the input folder
	 * @param inputs all input files; they must not be written to
	 * @param templates the number of templates or kernels, which is the number of maps per image
	 * @param type the type of the pixels of the maps
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @throws IllegalArgumentException if the output folder is the input folder, or cannot be created
	 */
	public FolderOfMaps(final String name, final String pictureFolder, final String input, final List<String> inputs,
		final int templates, final PixelType type, final boolean coefficients)
	{
		requireFolderName(name);
		output = name;
		folder = ImageFiles.path(name);
		this.inputs = inputs;
		this.templates = templates;
		this.type = type;
		this.coefficients = coefficients;
		if (pictureFolder != null && (ImageFiles.isImageName(pictureFolder) || ZarrImages.isZarr(pictureFolder))) throw new IllegalArgumentException("the picture "
			+ pictureFolder + " is the name of one image, and a folder of images needs one per frame: give a folder name");
		this.pictureFolder = pictureFolder == null ? null : ImageFiles.path(pictureFolder);
		made = make(name, input);
		try {
			pictureFolderMade = pictureFolder != null && make(pictureFolder, input);
			if (pictureFolder != null && FailureReason.tried("compare the folders " + name + " and " + pictureFolder,
				() -> Files.isSameFile(folder, this.pictureFolder)))
				throw new IllegalArgumentException("--output and --picture are the same folder, " + name + ": give two folders");
		}
		catch (final IllegalArgumentException e) {
			removeEmpty();
			throw e;
		}
	}

	/** Refuses an output for a folder of images whose name is that of one file. */
	public static void requireFolderName(final String output) {
		if (ImageFiles.isImageName(output) || ZarrImages.isZarr(output))
			throw new IllegalArgumentException("the output " + output + " is the name of one image, and a folder of images needs a folder: give a folder name");
	}

	/**
	 * The path of an output folder.
	 *
	 * @throws IllegalArgumentException if it is a file, or the folder of the input
	 */
	public static Path requireFolder(final String name, final String input) {
		final Path folder = ImageFiles.path(name);
		return FailureReason.tried("find out whether " + name + " is " + input, () -> {
			if (Files.exists(folder) && !Files.isDirectory(folder))
				throw new IllegalArgumentException("the output " + name + " is a file, and a folder of images needs a folder: give another name");
			if (Files.exists(folder) && Files.isSameFile(folder, ImageFiles.path(input)))
				throw new IllegalArgumentException("the outputs would lie among the images in " + input + ": give another folder");
			return folder;
		});
	}

	/**
	 * Creates a folder if it does not exist.
	 *
	 * @return whether it did not exist
	 */
	private static boolean make(final String name, final String input) {
		final Path folder = requireFolder(name, input);
		if (Files.exists(folder)) return false;
		FailureReason.tried("create the folder " + name, () -> Files.createDirectory(folder));
		return true;
	}

	private void removeEmpty() {
		try {
			if (made) Files.deleteIfExists(folder);
			if (pictureFolderMade) Files.deleteIfExists(pictureFolder);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/**
	 * Computes and writes the maps of all images.
	 *
	 * @param images the names of the image files
	 * @param dimensions the number of dimensions of a frame
	 * @param channels the channels of each image
	 * @param op the op with all options
	 * @param making computes the maps of the frames in order, and passes each to a consumer
	 * @throws UnfinishedException if it fails after at least one image is done
	 */
	public StreamReport make(final List<String> images, final int dimensions, final ChannelChoice channels, final ProgressBar progress, final SlidingOp<?> op,
		final BiFunction<InputFrames, FrameConsumer<Response>, StreamReport> making)
	{
		final InputFrames frames = new InputFrames(images, dimensions, channels, image -> requireSpace(image, op));
		progress.total(images.size());
		try {
			final StreamReport report = making.apply(frames, (frame, response) -> {
				final InputFrames.Place place = frames.next();
				write(place, response, frames);
				if (place.last()) progress.done(1);
			});
			progress.close();
			return report;
		}
		catch (final RuntimeException e) {
			if (done == 0) throw e;
			throw new UnfinishedException("the maps of the first " + done + (done == 1 ? " file" : " files") + " are complete in " + output, e);
		}
	}

	private void requireSpace(final InputImage image, final SlidingOp<?> op) {
		double bytes = 0;
		for (final MapShape s : op.mapShapes(image.pixels())) bytes += MapWriter.bytes(s.size(), type, false);
		try {
			DiskSpace.require(output, folder.resolve("map"), bytes, DiskSpace.PART);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** Writes the maps of the next frame. */
	private void write(final InputFrames.Place place, final Response response, final InputFrames frames) throws IOException {
		if (place.index() == 0) {
			outputs = new Outputs();
			final String plain = place.name().replaceFirst("\\.[^.]*$", "");
			// a.png and a.tif in one folder: the second keeps its extension
			stem = names.add(plain) ? plain : place.name();
			final String name = folder.resolve(stem + ".tif").toString();
			final List<Path> places = new ArrayList<>();
			for (int t = 0; t < templates; t++) places.add(outputs.promise(MapFiles.name(name, t, templates), inputs));
			maps = MapsOnDisk.ofFrames(outputs, place.image(), response.images(), response.origins(), type, coefficients, places);
		}
		maps.write(place.index(), response.images());
		if (pictureFolder != null) draw(place, response);
		if (!place.last()) return;
		maps.finish();
		frames.release(place);
		outputs.commit();
		outputs.close();
		outputs = null;
		done++;
	}

	/** Writes {@code a.png}; with several templates {@code a-2.png} for the second; with several frames {@code a-f8.png} for the eighth. */
	private void draw(final InputFrames.Place place, final Response response) throws IOException {
		for (int t = 0; t < templates; t++) {
			final String numbered = MapFiles.name(stem, t, templates) + (place.count() == 1 ? "" : "-f" + (place.index() + 1));
			final Path file = outputs.promise(pictureFolder.resolve(numbered + (response.images().get(t).numDimensions() == 2 ? ".png" : ".tif")).toString(), inputs);
			try (OutputStream to = outputs.open(file)) {
				MapWriter.writePicture(response.images().get(t), to);
			}
		}
	}

	@Override
	public void close() throws IOException {
		if (outputs != null) outputs.close();
		if (done == 0) removeEmpty();
	}
}
