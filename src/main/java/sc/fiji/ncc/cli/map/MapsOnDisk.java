package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.NativeType;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.store.ZarrMap;

/** The maps of a command that are written while they are computed: Zarr folders, and TIFF and MRC files too large for memory. */
public final class MapsOnDisk implements AutoCloseable {

	/** Maps larger than the heap divided by this number are not kept in memory. */
	private static final int HEAP_DIVISOR = 4;

	private final List<ZarrMap> folders = new ArrayList<>();
	private final List<PlaneMap> files = new ArrayList<>();
	/** The extents of the image along the dimensions of its frames. */
	private long[] frames;

	private MapsOnDisk() {}

	/** Whether {@code times} times the size of these maps is too large for memory. */
	static boolean large(final List<MapShape> shapes, final PixelType type, final double times) {
		double bytes = 0;
		for (final MapShape s : shapes) bytes += MapWriter.bytes(s.size(), type, false);
		return times * bytes > Runtime.getRuntime().maxMemory() / (double) HEAP_DIVISOR;
	}

	/**
	 * The shape of a map that is not open yet, for the planner.
	 *
	 * @param size the size of the map, x first
	 * @param precision the precision of the responses
	 * @param responseType the type of the responses
	 * @param chunk the size of a chunk, x first
	 */
	record Planned(long[] size, Precision precision, ResponseType responseType, int[] chunk) implements MapStore {

		@Override
		public void write(final long[] min, final int[] extents, final Buffer responses) {
			throw new IllegalStateException("this map is not open");
		}
	}

	/** Opens Zarr folders, one per template, as {@link ZarrMap#ZarrMap} does. */
	static MapsOnDisk folders(final List<Path> places, final List<ZarrMap.Layout> layouts, final String identity) throws IOException {
		final MapsOnDisk maps = new MapsOnDisk();
		try {
			for (int t = 0; t < places.size(); t++) maps.folders.add(new ZarrMap(places.get(t), layouts.get(t), identity(identity, t)));
			return maps;
		}
		catch (final IOException | RuntimeException e) {
			maps.close();
			throw e;
		}
	}

	/** The identity of one of the maps of a run. */
	static String identity(final String run, final int template) {
		return run + "\ntemplate " + template;
	}

	/** Lets other processes write chunks of the Zarr folders. */
	void share() throws IOException {
		for (final ZarrMap m : folders) m.share();
	}

	/**
	 * Opens TIFF or MRC files, one per template.
	 *
	 * @param places the reserved files
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 */
	static MapsOnDisk files(final Outputs outputs, final List<Path> places, final List<MapShape> shapes, final PixelType type,
		final boolean coefficients, final InputImage image)
	{
		final MapsOnDisk maps = new MapsOnDisk();
		for (int t = 0; t < places.size(); t++) maps.files.add(file(places.get(t), outputs.channel(places.get(t)), shapes.get(t), type, coefficients, image));
		return maps;
	}

	/**
	 * Opens TIFF or MRC files, one per template, for maps that {@link #write} writes frame by frame.
	 *
	 * @param source the image, spatial dimensions first
	 * @param images the maps of the first frame, one per template
	 * @param origins their positions in the image
	 */
	static MapsOnDisk ofFrames(final Outputs outputs, final InputImage source, final List<? extends RandomAccessibleInterval<?>> images,
		final List<long[]> origins, final PixelType type, final boolean coefficients, final List<Path> places)
	{
		final long[] image = source.pixels().dimensionsAsLongArray();
		final int n = images.get(0).numDimensions();
		final List<MapShape> shapes = new ArrayList<>();
		for (int t = 0; t < images.size(); t++) {
			final long[] size = image.clone();
			System.arraycopy(images.get(t).dimensionsAsLongArray(), 0, size, 0, n);
			shapes.add(new MapShape(size, Arrays.copyOf(origins.get(t), image.length)));
		}
		final MapsOnDisk maps = files(outputs, places, shapes, type, coefficients, source);
		maps.frames = Arrays.copyOfRange(image, n, image.length);
		return maps;
	}

	/** Writes the maps of a frame. @param frame its number, counted from 0 along the lowest dimension first */
	void write(final long frame, final List<? extends RandomAccessibleInterval<?>> images) {
		final long[] position = new long[frames.length];
		if (frames.length > 0) IntervalIndexer.indexToPosition(frame, frames, position);
		for (int t = 0; t < files.size(); t++) copy(images.get(t), files.get(t), position);
	}

	private static PlaneMap file(final Path place, final FileChannel file, final MapShape shape, final PixelType type, final boolean coefficients,
		final InputImage image)
	{
		final String axes = image.axes();
		final long[] steps = new long[axes.length() - 2];
		long step = 1;
		// channels lie before slices in files
		for (final char axis : "czt".toCharArray()) {
			final int d = axes.indexOf(axis);
			if (d < 0) continue;
			steps[d - 2] = step;
			step *= shape.size()[d];
		}
		final Calibration calibration = MapWriter.cropped(image.calibration(), axes, shape.origin());
		return new PlaneMap(shape.size(), steps, MapWriter.file(place.toString(), shape.size(), axes, type, calibration, coefficients), file);
	}

	/** One store per template. */
	List<MapStore> stores() {
		final List<MapStore> stores = new ArrayList<>(folders);
		stores.addAll(files);
		return stores;
	}

	/** Writes a map from memory. @param frame the position of the map along the last dimensions of {@code to} */
	static void copy(final RandomAccessibleInterval<?> map, final MapStore to, final long[] frame) {
		final PrimitiveBlocks<?> blocks = blocks(map);
		final long[] size = map.dimensionsAsLongArray(), min = new long[size.length + frame.length];
		System.arraycopy(frame, 0, min, size.length, frame.length);
		final int[] chunk = to.chunk();
		while (true) {
			final int[] part = new int[min.length];
			Arrays.fill(part, 1);
			int n = 1;
			for (int d = 0; d < size.length; d++) n *= part[d] = (int) Math.min(chunk[d], size[d] - min[d]);
			final Buffer responses = to.responseType().allocate(to.precision(), n);
			blocks.copy(Arrays.copyOf(min, size.length), responses.array(), Arrays.copyOf(part, size.length));
			to.write(min, part, responses);
			int d = 0;
			while (d < size.length && (min[d] += chunk[d]) >= size[d]) min[d++] = 0;
			if (d == size.length) return;
		}
	}

	@SuppressWarnings("unchecked") // maps are of numbers
	private static <T extends NativeType<T>> PrimitiveBlocks<T> blocks(final RandomAccessibleInterval<?> map) {
		return PrimitiveBlocks.of((RandomAccessibleInterval<T>) map);
	}

	/** Completes all maps. Zarr folders move to their final names; other files stay temporary until {@link Outputs#commit}. */
	void finish() throws IOException {
		for (final ZarrMap m : folders) m.commit();
		for (final PlaneMap m : files) m.finish();
	}

	/** A message about the unfinished maps that a failed run leaves; empty if there are none. */
	String left() {
		final StringBuilder s = new StringBuilder();
		for (final ZarrMap m : folders)
			if (m.begun()) s.append(s.length() == 0 ? "" : ", ").append(m.unfinished());
		return s.length() == 0 ? "" : "the finished part is in " + s + "; the same command continues it";
	}

	/** Closes all maps, and deletes unfinished Zarr folders. */
	void discard() throws IOException {
		for (final ZarrMap m : folders) m.discard();
	}

	@Override
	public void close() throws IOException {
		for (final ZarrMap m : folders) m.close();
	}
}
