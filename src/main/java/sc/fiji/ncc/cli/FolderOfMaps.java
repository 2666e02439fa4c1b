package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

import sc.fiji.ncc.FrameConsumer;
import sc.fiji.ncc.MapShape;
import sc.fiji.ncc.Response;
import sc.fiji.ncc.SlidingOp;
import sc.fiji.ncc.StreamReport;
import sc.fiji.ncc.plan.Precision;

/** The maps of one picture after the other, in a folder: each comes to its place when it is whole, and stays, whatever becomes of the others. */
final class FolderOfMaps implements AutoCloseable {

	private final String output;
	private final Path folder;
	private final List<String> inputs;
	private final int templates;
	private final Precision precision;
	private Outputs outputs;
	private StreamedMaps maps;
	private final Set<String> names = new HashSet<>();
	private long done;
	private final boolean coefficients;
	/** Whether the folder was not there before. */
	private boolean made;

	/**
	 * @param name of the folder, which is made if it is not there
	 * @param pictures the folder that is read
	 * @param inputs that must not be written to
	 * @param templates or kernels: how many maps there are of a picture
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @throws IllegalArgumentException if it is the pictures' own, or cannot be made
	 */
	FolderOfMaps(final String name, final String pictures, final List<String> inputs, final int templates, final Precision precision,
		final boolean coefficients)
	{
		if (MapsOnDisk.zarr(name)) throw new IllegalArgumentException("the maps of a folder of pictures are TIFF files in a folder, and " + name + " would be one map: name a folder");
		output = name;
		folder = ImageFiles.path(name);
		this.inputs = inputs;
		this.templates = templates;
		this.precision = precision;
		this.coefficients = coefficients;
		try {
			if (Files.exists(folder) && !Files.isDirectory(folder))
				throw new IllegalArgumentException(name + " is a file, and the maps of a folder of pictures go to a folder: name another");
			made = !Files.exists(folder);
			if (made) Files.createDirectory(folder);
			if (Files.isSameFile(folder, ImageFiles.path(pictures)))
				throw new IllegalArgumentException("the maps would lie among the pictures in " + pictures + ": name another folder for them");
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the folder " + name + " cannot be made: " + Outputs.reason(e), e);
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
	String make(final List<String> pictures, final int dimensions, final Progress progress, final SlidingOp<?> op,
		final BiFunction<InputFrames, FrameConsumer<Response>, StreamReport> making)
	{
		final InputFrames frames = new InputFrames(pictures, dimensions, picture -> requireRoom(picture, op));
		progress.total(pictures.size());
		try {
			final StreamReport report = making.apply(frames, (frame, response) -> {
				final InputFrames.Place place = frames.next();
				write(place, response);
				if (place.last()) progress.done(1);
			});
			progress.close();
			return MapFiles.summary(report.report(), report.rankings(), report.seconds()) + MatchCommand.frames(report, pictures) + ": " + output;
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
	private void write(final InputFrames.Place place, final Response response) throws IOException {
		if (place.index() == 0) {
			outputs = new Outputs();
			final String stem = place.name().replaceFirst("\\.[^.]*$", "");
			// a.png beside a.tif
			final String name = folder.resolve((names.add(stem) ? stem : place.name()) + ".tif").toString();
			final List<Path> places = new ArrayList<>();
			for (int t = 0; t < templates; t++) places.add(outputs.promise(MapFiles.name(name, t, templates), inputs));
			maps = new StreamedMaps(outputs, place.picture(), response, precision, coefficients, places);
		}
		maps.write(place.index(), response);
		if (!place.last()) return;
		maps.finish();
		maps.close();
		outputs.commit();
		outputs.close();
		outputs = null;
		done++;
	}

	@Override
	public void close() throws IOException {
		try {
			if (outputs != null && maps != null) maps.close();
		}
		finally {
			if (outputs != null) outputs.close();
			if (made && done == 0) Files.deleteIfExists(folder);
		}
	}
}
