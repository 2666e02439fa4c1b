package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.FrameConsumer;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StoredResponse;
import sc.fiji.ncc.result.StreamReport;
import sc.fiji.ncc.run.SlidingOp;
import sc.fiji.ncc.store.ZarrChunks;
import sc.fiji.ncc.store.ZarrMap;

/**
 * The maps that a command writes, one per template or kernel. Small maps are computed in memory and then written to TIFF or MRC files. Large maps and
 * maps of several frames are written while they are computed. A Zarr folder continues an interrupted run.
 */
public final class MapFiles {

	/** About as many frames are in memory at once in a stream. If their maps are too large, each frame is computed in parts instead. */
	private static final int STREAMED_FRAMES = 8;

	private final Terminal program;
	private final Outputs outputs;
	private final ProgressBar progress;
	private final String output, picture;
	private final List<String> names;
	private final List<Path> places = new ArrayList<>(), pictures = new ArrayList<>();

	/**
	 * How to compute the maps.
	 *
	 * @param op the op with all options
	 * @param image the image, spatial dimensions first
	 * @param dimensions the number of dimensions of the templates or kernels
	 * @param type the type of the pixels of the maps
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @param inMemory computes all maps in memory
	 * @param parts computes the maps part by part
	 * @param each computes the maps of one frame after the other
	 * @param identity a text that is equal for two runs if their maps are equal
	 * @param shared whether other processes write the chunks of Zarr folders
	 * @param explain whether to print the rankings of algorithms
	 */
	public record Making(SlidingOp<?> op, InputImage image, int dimensions, PixelType type, boolean coefficients, Supplier<Response> inMemory,
		Parts parts, Function<FrameConsumer<Response>, StreamReport> each, Identity identity, boolean shared, boolean explain) {}

	/**
	 * How to compute Zarr folders part by part.
	 *
	 * @param layouts one for each folder
	 * @param rankings the candidates for stores of these layouts
	 * @param shared whether other processes write chunks
	 * @param explain whether to print the rankings of algorithms
	 */
	public record Folders(List<ZarrMap.Layout> layouts, Function<List<MapStore>, List<Ranking>> rankings, Parts parts, Identity identity,
		boolean shared, boolean explain) {}

	/** Computes maps part by part. */
	public interface Parts {

		/**
		 * @param stores one for each map
		 * @param identity the text of {@link Identity}; empty if the stores do not need it
		 */
		StoredResponse into(List<MapStore> stores, String identity);
	}

	/** A text that is equal for two runs if their maps are equal. */
	public interface Identity {

		/** @param rankings the rankings with the chosen algorithms */
		String of(List<Ranking> rankings) throws IOException;
	}

	/**
	 * Checks and reserves the output files before anything is computed.
	 *
	 * @param names the names of the maps, see {@link #names}
	 * @param picture the name of the 8-bit picture of the map, numbered likewise; null for no picture
	 * @param inputs all input files; they must not be written to
	 * @throws IllegalArgumentException as {@link Outputs#promise} and {@link Outputs#promiseFolder}
	 */
	public MapFiles(final Terminal program, final Outputs outputs, final ProgressBar progress, final List<String> names, final String picture,
		final List<String> inputs)
	{
		this.program = program;
		this.outputs = outputs;
		this.progress = progress;
		this.names = names;
		this.picture = picture;
		output = names.get(0);
		for (int t = 0; t < names.size(); t++) {
			places.add(promise(outputs, names.get(t), picture, inputs));
			pictures.add(picture == null ? null : outputs.promise(name(picture, t, names.size()), inputs));
		}
	}

	/** The names of so many maps: {@code map-1.tif} and so on for several. */
	public static List<String> names(final String output, final int count) {
		return IntStream.range(0, count).mapToObj(t -> name(output, t, count)).toList();
	}

	/** Reserves a file or a Zarr folder. A Zarr folder has no 8-bit picture. */
	public static Path promise(final Outputs outputs, final String name, final String picture, final List<String> inputs) {
		if (picture != null && ZarrImages.isZarr(name)) throw new IllegalArgumentException("--picture " + picture + " needs a map in a file, and " + name
			+ " is a Zarr folder: leave --picture out, or write the map as .tif");
		return outputs.promiseImage(name, inputs);
	}

	/** Computes and writes all maps, and prints a summary line. */
	public void make(final Making making) throws IOException {
		final List<MapShape> shapes = making.op.mapShapes(making.image.pixels());
		final List<MapWriter> writers = new ArrayList<>();
		for (final MapShape shape : shapes) writers.add(new MapWriter(shape.size(), making.image.axes(), output, picture, making.type, making.coefficients));
		announce(making, shapes);
		final long frames = making.image.frames(making.dimensions);
		if (ZarrImages.isZarr(output)) folders(folders(making, shapes));
		else if (picture == null && frames > 1 && !MapsOnDisk.large(shapes, making.type, (double) STREAMED_FRAMES / frames)) frames(making);
		else if (picture == null && MapsOnDisk.large(shapes, making.type, 1)) files(making, shapes);
		else inMemory(making, writers);
	}

	/** Computes and writes Zarr folders, and prints a summary line. */
	public void make(final Folders folders) throws IOException {
		announce(folders.layouts.stream().mapToDouble(ZarrMap.Layout::bytes).sum(), folders.explain);
		folders(folders);
	}

	private void announce(final Making making, final List<MapShape> shapes) throws IOException {
		double bytes = 0;
		for (final MapShape s : shapes) bytes += ZarrImages.isZarr(output) ? layout(making, s).bytes()
			: MapWriter.bytes(s.size(), making.type, picture != null);
		announce(bytes, making.explain);
	}

	/** Prints the size of large outputs. Refuses outputs that do not fit the disk. */
	private void announce(final double bytes, final boolean explain) throws IOException {
		final String size = DiskSpace.require(String.join(", ", names), places.get(0), bytes, DiskSpace.PART);
		if (explain || DiskSpace.large(bytes)) program.out().println(size);
	}

	private void inMemory(final Making making, final List<MapWriter> writers) throws IOException {
		final Response response = making.inMemory.get();
		progress.close();
		explain(making.explain, response.rankings());
		final List<String> written = new ArrayList<>();
		for (int t = 0; t < names.size(); t++) {
			writers.get(t).write(response.images().get(t), response.origins().get(t), making.image.calibration(), outputs, places.get(t), pictures.get(t));
			written.add(names.get(t));
			if (picture != null) written.add(name(picture, t, names.size()));
		}
		outputs.commit();
		summarise(summary(response), written);
	}

	private static Folders folders(final Making making, final List<MapShape> shapes) {
		return new Folders(layouts(making, shapes), stores -> making.op.explainAll(making.image.pixels(), stores), making.parts, making.identity,
			making.shared, making.explain);
	}

	/** Writes Zarr folders. Continues an interrupted run. */
	private void folders(final Folders folders) throws IOException {
		final String identity =
			folders.identity.of(folders.rankings.apply(folders.layouts.stream()
				.<MapStore> map(l -> new MapsOnDisk.Planned(l.size(), l.precision(), l.responseType(), l.chunk())).toList()));
		try (MapsOnDisk maps = MapsOnDisk.folders(places, folders.layouts, identity)) {
			try {
				if (folders.shared) maps.share();
				final StoredResponse response = folders.parts.into(maps.stores(), identity);
				progress.close();
				explain(folders.explain, response.rankings());
				requireUnchanged(maps);
				maps.finish();
				summarise(summary(response), names);
			}
			catch (final IOException | RuntimeException e) {
				if (maps.left().isEmpty()) throw e;
				throw new UnfinishedException(maps.left(), e);
			}
		}
	}

	private static List<ZarrMap.Layout> layouts(final Making making, final List<MapShape> shapes) {
		return shapes.stream().map(s -> layout(making, s)).toList();
	}

	private static ZarrMap.Layout layout(final Making making, final MapShape shape) {
		return ZarrImages.layout(making.image, making.dimensions, shape, making.type, making.coefficients && making.type.integer);
	}

	/**
	 * The Zarr folders that another process has opened, to write chunks of them.
	 *
	 * @param output the name of the map, as for the other process
	 * @param identity the text of {@link Identity} of the other process
	 * @throws IllegalArgumentException if the folders are not those of the other process
	 */
	public static List<MapStore> shared(final Making making, final String output, final int count, final String identity) throws IOException {
		return shared(layouts(making, making.op.mapShapes(making.image.pixels())), names(output, count), identity);
	}

	/** The same for folders with these layouts and names. */
	public static List<MapStore> shared(final List<ZarrMap.Layout> layouts, final List<String> names, final String identity) throws IOException {
		final List<MapStore> stores = new ArrayList<>();
		for (int t = 0; t < names.size(); t++)
			stores.add(new ZarrChunks(Path.of(names.get(t)).toAbsolutePath().normalize(), layouts.get(t), MapsOnDisk.identity(identity, t)));
		return stores;
	}

	/** If an input has changed, removes the unfinished maps, so that no later run continues them. */
	private void requireUnchanged(final MapsOnDisk maps) throws IOException {
		try {
			outputs.requireUnchanged();
		}
		catch (final NccException e) {
			maps.discard();
			throw e;
		}
	}

	/** Writes files part by part. */
	private void files(final Making making, final List<MapShape> shapes) throws IOException {
		final StoredResponse response;
		try (MapsOnDisk maps = MapsOnDisk.files(outputs, places, shapes, making.type, making.coefficients, making.image)) {
			response = making.parts.into(maps.stores(), "");
			progress.close();
			explain(making.explain, response.rankings());
			maps.finish();
		}
		outputs.commit();
		summarise(summary(response), names);
	}

	/** Writes files frame by frame. */
	private void frames(final Making making) throws IOException {
		final MapsOnDisk[] maps = new MapsOnDisk[1];
		final StreamReport report = making.each.apply((frame, response) -> {
			if (frame == 0) maps[0] = MapsOnDisk.ofFrames(outputs, making.image, response.images(), response.origins(), making.type, making.coefficients,
				places);
			maps[0].write(frame, response.images());
		});
		progress.close();
		explain(making.explain, report.rankings());
		maps[0].finish();
		outputs.commit();
		summarise(summary(report, null), names);
	}

	private void explain(final boolean explain, final List<Ranking> rankings) {
		for (final Ranking ranking : rankings)
			if (explain) program.out().println(ranking.explain());
	}

	private void summarise(final String summary, final List<String> written) {
		program.out().println(summary + "; wrote " + String.join(", ", written));
	}

	/** {@code map-2.tif} for the second of several maps; {@code map.tif} for a single map. */
	static String name(final String name, final int index, final int count) {
		if (count == 1) return name;
		final int dot = name.lastIndexOf('.');
		final int end = dot > Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) ? dot : name.length();
		return name.substring(0, end) + '-' + (index + 1) + name.substring(end);
	}

	private static String summary(final StoredResponse response) {
		final String s = summary(response.report(), response.rankings(), response.seconds());
		return response.before() == 0 ? s : s + ", " + response.before() + " were complete before";
	}

	/**
	 * The same for a stream, with the number of frames and the time that each took.
	 *
	 * @param folder the images of a folder; null if there is no folder
	 */
	public static String summary(final StreamReport report, final List<String> folder) {
		final String s = summary(report.report(), report.rankings(), report.seconds());
		return report.frames() == 1 && folder == null ? s : String.format(Locale.ROOT,
			"%s, %d frames%s, %.2f ms each, %.1f ms from reading one to its result", s,
			report.frames(), folder == null ? "" : " of " + folder.size() + " files", 1e3 * report.seconds() / Math.max(1, report.frames()),
				1e3 * report.latency());
	}

	/** {@link #summary(Report, List, double)} of maps in memory. */
	public static String summary(final Response response) {
		return summary(response.report(), response.rankings(), response.seconds());
	}

	/** One line about a finished run: the number of responses, the algorithms and the time. */
	public static String summary(final Report report, final List<Ranking> rankings, final double seconds) {
		return summary(report, Ranking.methods(rankings), seconds);
	}

	/** The same. @param methods what computed, in words */
	public static String summary(final Report report, final String methods, final double seconds) {
		return String.format(Locale.ROOT, "%d response%s (%d undefined)%s in %.1f ms", report.responses(), report.responses() == 1 ? "" : "s",
			report.undefined(), methods.isEmpty() ? "" : " by " + methods, 1e3 * seconds);
	}
}
