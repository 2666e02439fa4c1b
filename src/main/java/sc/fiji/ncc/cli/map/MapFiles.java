package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.SlidingOp;
import sc.fiji.ncc.cli.output.FrameTimes;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.ZarrPictures;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.store.ZarrMap;

/**
 * The maps that a command makes, one a template or kernel: files that are written when all is computed or, where they are large or of several frames, while
 * it is; or folders of Zarr's, in which a run that was ended goes on.
 */
public final class MapFiles {

	/** Maps of as many frames are about what a stream of them takes; where that is too much, parts of frames come one after the other. */
	private static final int AT_ONCE = 8;

	private final Terminal program;
	private final Outputs outputs;
	private final ProgressBar progress;
	private final String output, picture;
	private final List<String> names = new ArrayList<>();
	private final List<Path> places = new ArrayList<>(), pictures = new ArrayList<>();

	/**
	 * What makes them.
	 *
	 * @param op with all that was asked for
	 * @param image with the spatial dimensions first
	 * @param dimensions of the templates or kernels
	 * @param precision of the responses
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @param inMemory has the op make all maps
	 * @param parts has it write them to these places, part by part
	 * @param each has it make the maps of one frame after the other
	 * @param identity all that decides which responses come
	 * @param explain whether the methods are to be printed
	 */
	public record Making(SlidingOp<?> op, Picture image, int dimensions, Precision precision, boolean coefficients, Supplier<Response> inMemory,
		Function<List<MapStore>, StoredResponse> parts, Function<FrameConsumer<Response>, StreamReport> each, Identity identity, boolean explain) {}

	/** What runs have in common that give the same maps. */
	public interface Identity {

		/** @param rankings whose methods are taken */
		String of(List<Ranking> rankings) throws IOException;
	}

	/**
	 * Promises them, before the work begins.
	 *
	 * @param output name of the map, which is numbered if there are several
	 * @param picture name of the picture of it, likewise; null for none
	 * @param inputs files that must not be written to
	 * @throws IllegalArgumentException as {@link Outputs#promise} and {@link Outputs#promiseFolder}
	 */
	public MapFiles(final Terminal program, final Outputs outputs, final ProgressBar progress, final String output, final String picture, final int count,
		final List<String> inputs)
	{
		this.program = program;
		this.outputs = outputs;
		this.progress = progress;
		this.output = output;
		this.picture = picture;
		for (int t = 0; t < count; t++) {
			names.add(name(output, t, count));
			places.add(promise(outputs, names.get(t), picture, inputs));
			pictures.add(picture == null ? null : outputs.promise(name(picture, t, count), inputs));
		}
	}

	/** Promises a file or a folder of Zarr's, of which no picture is drawn. */
	public static Path promise(final Outputs outputs, final String name, final String picture, final List<String> inputs) {
		if (!ZarrPictures.isZarr(name)) return outputs.promise(name, inputs);
		if (picture != null) throw new IllegalArgumentException("the picture " + picture + " is drawn of a map in memory, and " + name
			+ " is written as it comes: leave --picture out, or write the map as .tif");
		return outputs.promiseFolder(name, inputs);
	}

	/** Makes and writes them all, and prints a line that says so. */
	public void make(final Making making) throws IOException {
		final List<MapShape> shapes = making.op.mapShapes(making.image.pixels());
		final List<MapWriter> writers = new ArrayList<>();
		for (final MapShape shape : shapes) writers.add(new MapWriter(shape.size(), making.image.axes(), output, picture, making.precision, making.coefficients));
		announce(making, shapes);
		final long frames = making.image.frames(making.dimensions);
		if (ZarrPictures.isZarr(output)) folders(making, shapes);
		else if (picture == null && frames > 1 && !MapsOnDisk.large(shapes, making.precision, (double) AT_ONCE / frames)) frames(making);
		else if (picture == null && MapsOnDisk.large(shapes, making.precision, 1)) files(making, shapes);
		else inMemory(making, writers);
	}

	/** Says how large outputs will be that are, and refuses what the disk cannot hold. */
	private void announce(final Making making, final List<MapShape> shapes) throws IOException {
		double bytes = 0;
		for (final MapShape s : shapes) bytes += ZarrPictures.isZarr(output) ? ZarrPictures.layout(making.image, making.dimensions, s, making.precision).bytes()
			: MapWriter.bytes(s.size(), making.precision, picture != null);
		final String said = DiskSpace.require(String.join(", ", names), places.get(0), bytes);
		if (making.explain || DiskSpace.large(bytes)) program.out().println(said);
	}

	private void inMemory(final Making making, final List<MapWriter> writers) throws IOException {
		explain(making, () -> making.op.explainAll(making.image.pixels()));
		final Response response = making.inMemory.get();
		progress.close();
		final List<String> written = new ArrayList<>();
		for (int t = 0; t < names.size(); t++) {
			writers.get(t).write(response.images().get(t), response.origins().get(t), making.image.calibration(), outputs, places.get(t), pictures.get(t));
			written.add(names.get(t));
			if (picture != null) written.add(name(picture, t, names.size()));
		}
		outputs.commit();
		say(summary(response), written);
	}

	/** To folders of Zarr's, going on with what a run that was ended has left. */
	private void folders(final Making making, final List<MapShape> shapes) throws IOException {
		final RandomAccessibleInterval<?> image = making.image.pixels();
		final List<ZarrMap.Layout> layouts = shapes.stream().map(s -> ZarrPictures.layout(making.image, making.dimensions, s, making.precision)).toList();
		final List<Ranking> rankings =
			making.op.explainAll(image, layouts.stream().map(l -> new MapsOnDisk.Planned(l.size(), l.precision(), l.chunk())).toList());
		explain(making, () -> rankings);
		try (MapsOnDisk maps = MapsOnDisk.folders(places, layouts, making.identity.of(rankings))) {
			try {
				final StoredResponse response = making.parts.apply(maps.stores());
				progress.close();
				requireUnchanged(maps);
				maps.finish();
				say(summary(response), names);
			}
			catch (final IOException | RuntimeException e) {
				if (maps.left().isEmpty()) throw e;
				throw new UnfinishedException(maps.left(), e);
			}
		}
	}

	/** What comes of inputs that have changed is nothing to go on from. */
	private void requireUnchanged(final MapsOnDisk maps) throws IOException {
		try {
			outputs.requireUnchanged();
		}
		catch (final NccException e) {
			maps.discard();
			throw e;
		}
	}

	/** To TIFF files, while they are computed. */
	private void files(final Making making, final List<MapShape> shapes) throws IOException {
		final StoredResponse response;
		try (MapsOnDisk maps = MapsOnDisk.files(outputs, places, shapes, making.precision, making.coefficients, making.image)) {
			explain(making, () -> making.op.explainAll(making.image.pixels(), maps.stores()));
			response = making.parts.apply(maps.stores());
			progress.close();
			maps.finish();
		}
		outputs.commit();
		say(summary(response), names);
	}

	/** To TIFF files, frame by frame. */
	private void frames(final Making making) throws IOException {
		explain(making, () -> making.op.explainAll(making.image.pixels()));
		final StreamedMaps[] maps = new StreamedMaps[1];
		final StreamReport report;
		try {
			report = making.each.apply((frame, response) -> {
				if (frame == 0) maps[0] = new StreamedMaps(outputs, making.image, response, making.precision, making.coefficients, places);
				maps[0].write(frame, response);
			});
			progress.close();
			maps[0].finish();
		}
		finally {
			if (maps[0] != null) maps[0].close();
		}
		outputs.commit();
		say(summary(report.report(), report.rankings(), report.seconds()) + FrameTimes.text(report, null), names);
	}

	private void explain(final Making making, final Supplier<List<Ranking>> rankings) {
		if (!making.explain) return;
		for (final Ranking ranking : rankings.get()) program.out().println(ranking.explain());
	}

	private void say(final String summary, final List<String> written) {
		program.out().println(summary + ": " + String.join(", ", written));
	}

	/** {@code map-2.tif}, the second one's; {@code map.tif} if there is but one. */
	static String name(final String name, final int index, final int count) {
		if (count == 1) return name;
		final int dot = name.lastIndexOf('.');
		final int end = dot > Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) ? dot : name.length();
		return name.substring(0, end) + '-' + (index + 1) + name.substring(end);
	}

	private static String summary(final StoredResponse response) {
		final String s = summary(response.report(), response.rankings(), response.seconds());
		return response.before() == 0 ? s : s + ", " + response.before() + " were there before";
	}

	public static String summary(final Response response) {
		return summary(response.report(), response.rankings(), response.seconds());
	}

	/** One line: how many responses, and what became of them. */
	public static String summary(final Report report, final List<Ranking> rankings, final double seconds) {
		final String methods = rankings.stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and "));
		return String.format(Locale.ROOT, "%d responses (%d undefined) by %s in %.1f ms", report.responses(), report.undefined(), methods, 1e3 * seconds);
	}
}
