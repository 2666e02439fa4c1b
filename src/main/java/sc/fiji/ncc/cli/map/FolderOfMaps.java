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

import sc.fiji.ncc.SlidingOp;
import sc.fiji.ncc.cli.output.FrameTimes;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.cli.picture.FailureReason;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputFrames;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.ZarrPictures;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;

/** The maps of one picture after the other, in a folder: each comes to its place when it is whole, and stays, whatever becomes of the others. */
public final class FolderOfMaps implements AutoCloseable {

	private final String output;
	private final Path folder;
	/** Null for none. */
	private final Path pictureFolder;
	private final List<String> inputs;
	private final int templates;
	private final Precision precision;
	private Outputs outputs;
	private StreamedMaps maps;
	/** What the outputs of the picture at hand are called. */
	private String stem;
	private final Set<String> names = new HashSet<>();
	private long done;
	private final boolean coefficients;
	/** Whether the folders were not there before. */
	private boolean made, pictureFolderMade;

	/**
	 * @param name of the folder, which is made if it is not there
	 * @param pictures the folder that is read
	 * @param inputs that must not be written to
	 * @param templates or kernels: how many maps there are of a picture
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @throws IllegalArgumentException if it is the pictures' own, or cannot be made
	 */
	public FolderOfMaps(final String name, final String pictures, final List<String> inputs, final int templates, final Precision precision,
		final boolean coefficients)
	{
		this(name, null, pictures, inputs, templates, precision, coefficients);
	}

	/**
	 * With a picture of each frame's map.
	 *
	 * @param pictureFolder name of the folder for them, which is made likewise; null for none
	 */
	public FolderOfMaps(final String name, final String pictureFolder, final String pictures, final List<String> inputs, final int templates, final Precision precision,
		final boolean coefficients)
	{
		if (ZarrPictures.isZarr(name)) throw new IllegalArgumentException("the maps of a folder of pictures are TIFF files in a folder, and " + name + " would be one map: name a folder");
		output = name;
		folder = ImageFiles.path(name);
		this.inputs = inputs;
		this.templates = templates;
		this.precision = precision;
		this.coefficients = coefficients;
		if (pictureFolder != null && (InputFrames.picture(pictureFolder) || ZarrPictures.isZarr(pictureFolder))) throw new IllegalArgumentException("the picture "
			+ pictureFolder + " would be one file, and each frame of a folder of pictures has its own: name a folder for them");
		this.pictureFolder = pictureFolder == null ? null : ImageFiles.path(pictureFolder);
		made = make(name, pictures);
		try {
			pictureFolderMade = pictureFolder != null && make(pictureFolder, pictures);
			if (pictureFolder != null && Files.isSameFile(folder, this.pictureFolder))
				throw new IllegalArgumentException("maps and pictures of them would lie together in " + name + ": name another folder for one of them");
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot tell whether " + name + " and " + pictureFolder + " are the same folder: " + FailureReason.of(e), e);
		}
		catch (final IllegalArgumentException e) {
			removeEmpty();
			throw e;
		}
	}

	/**
	 * Makes a folder if it is not there.
	 *
	 * @return whether it was not
	 */
	private static boolean make(final String name, final String pictures) {
		final Path folder = ImageFiles.path(name);
		try {
			if (Files.exists(folder) && !Files.isDirectory(folder))
				throw new IllegalArgumentException(name + " is a file, and what comes of a folder of pictures goes to a folder: name another");
			if (Files.exists(folder) && Files.isSameFile(folder, ImageFiles.path(pictures)))
				throw new IllegalArgumentException("the outputs would lie among the pictures in " + pictures + ": name another folder for them");
			if (Files.exists(folder)) return false;
			Files.createDirectory(folder);
			return true;
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the folder " + name + " cannot be made: " + FailureReason.of(e), e);
		}
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
	 * Has the maps of all pictures made, and writes them.
	 *
	 * @param pictures names of files
	 * @param dimensions of a frame
	 * @param op with all that was asked for
	 * @param making takes the frames, and hands over what comes of each
	 * @return a line that says so
	 */
	public String make(final List<String> pictures, final int dimensions, final ProgressBar progress, final SlidingOp<?> op,
		final BiFunction<InputFrames, FrameConsumer<Response>, StreamReport> making)
	{
		final InputFrames frames = new InputFrames(pictures, dimensions, picture -> requireRoom(picture, op));
		progress.total(pictures.size());
		try {
			final StreamReport report = making.apply(frames, (frame, response) -> {
				final InputFrames.Place place = frames.next();
				write(place, response, frames);
				if (place.last()) progress.done(1);
			});
			progress.close();
			return MapFiles.summary(report.report(), report.rankings(), report.seconds()) + FrameTimes.text(report, pictures) + ": " + output;
		}
		catch (final RuntimeException e) {
			if (done == 0) throw e;
			throw new UnfinishedException("the maps of the first " + done + (done == 1 ? " file" : " files") + " are done and lie in " + output, e);
		}
	}

	private void requireRoom(final Picture picture, final SlidingOp<?> op) {
		double bytes = 0;
		for (final MapShape s : op.mapShapes(picture.pixels())) bytes += MapWriter.bytes(s.size(), precision, false);
		try {
			DiskSpace.require(output, folder.resolve("map"), bytes);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	/** Writes the next frame's maps. */
	private void write(final InputFrames.Place place, final Response response, final InputFrames frames) throws IOException {
		if (place.index() == 0) {
			outputs = new Outputs();
			final String whole = place.name().replaceFirst("\\.[^.]*$", "");
			// a.png beside a.tif
			stem = names.add(whole) ? whole : place.name();
			final String name = folder.resolve(stem + ".tif").toString();
			final List<Path> places = new ArrayList<>();
			for (int t = 0; t < templates; t++) places.add(outputs.promise(MapFiles.name(name, t, templates), inputs));
			maps = new StreamedMaps(outputs, place.picture(), response, precision, coefficients, places);
		}
		maps.write(place.index(), response);
		if (pictureFolder != null) draw(place, response);
		if (!place.last()) return;
		maps.finish();
		maps.close();
		frames.release(place);
		outputs.commit();
		outputs.close();
		outputs = null;
		done++;
	}

	/** {@code a.png}, of the second template {@code a-2.png}, of the eighth of several frames {@code a-f7.png}. */
	private void draw(final InputFrames.Place place, final Response response) throws IOException {
		for (int t = 0; t < templates; t++) {
			final String numbered = MapFiles.name(stem, t, templates) + (place.count() == 1 ? "" : "-f" + place.index());
			final Path file = outputs.promise(pictureFolder.resolve(numbered + (response.images().get(t).numDimensions() == 2 ? ".png" : ".tif")).toString(), inputs);
			try (OutputStream to = outputs.open(file)) {
				MapWriter.writePicture(response.images().get(t), to);
			}
		}
	}

	@Override
	public void close() throws IOException {
		try {
			if (outputs != null && maps != null) maps.close();
		}
		finally {
			if (outputs != null) outputs.close();
			if (done == 0) removeEmpty();
		}
	}
}
