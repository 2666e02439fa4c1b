package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.Buffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.util.IntervalIndexer;
import net.imglib2.view.Views;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ShownRange;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.store.ZarrChunks;
import sc.fiji.ncc.store.ZarrMap;

/** Writes an image that is computed plane by plane, to a TIFF or MRC file or a Zarr folder, in its pixel type. */
public final class StackWriter {

	private final InputImage source;
	private final long[] origin;
	private final Monitor monitor;
	private final int threads;
	private boolean pyramid;
	private List<String> channels = List.of();

	/**
	 * @param source the image that the planes are made of; the axes and the calibration come from it
	 * @param origin the position of the first pixel in the source, one number per dimension
	 */
	public StackWriter(final InputImage source, final long[] origin, final int threads, final Monitor monitor) {
		this.source = source;
		this.origin = origin;
		this.threads = threads;
		this.monitor = monitor;
	}

	/** Whether the name is that of a file or folder that can be written. */
	public static boolean writes(final String name) {
		return PlaneFile.is(name) || ZarrImages.isZarr(name);
	}

	/** @throws IllegalArgumentException if the name, unless it is null, is not that of a file or folder that can be written. @param what begins the message */
	public static void requireName(final String what, final String name) {
		if (name != null && !writes(name)) throw new IllegalArgumentException(what + " is a TIFF or MRC file or a Zarr folder, not " + name
			+ ": give a name that ends in .tif, .mrc or .zarr");
	}

	/**
	 * Checks before anything is computed whether a file can hold an image.
	 *
	 * @param output the name of the file or folder; null for none
	 * @param like an image with the axes and the pixel type of the result
	 * @throws IllegalArgumentException if the format of the file cannot hold it
	 */
	public static void require(final String output, final InputImage like) {
		if (output != null && MrcWriter.isMrc(output))
			MapWriter.file(output, like.pixels().dimensionsAsLongArray(), like.axes(), ImagePixels.type(like.pixels()), Calibration.NONE, false);
	}

	/**
	 * Writes a file or a Zarr folder, by its name.
	 *
	 * @param place from {@link Outputs#promiseImage}
	 * @param identity as for {@link #zarr(RandomAccessibleInterval, Path, String)}; null if no later call continues it
	 */
	public void image(final RandomAccessibleInterval<?> pixels, final Outputs outputs, final Path place, final String identity) throws IOException {
		if (ZarrImages.isZarr(place.toString())) zarr(pixels, place, identity == null ? UUID.randomUUID().toString() : identity);
		else if (identity == null) file(pixels, outputs, place);
		else file(pixels, outputs, place, identity);
	}

	/** @param place the reserved file */
	public void file(final RandomAccessibleInterval<?> pixels, final Outputs outputs, final Path place) throws IOException {
		file(pixels, outputs, place, layout(pixels, place), 0, () -> {});
	}

	/**
	 * Writes a TIFF or MRC file. If it fails, the finished part stays, and a call with the same identity continues it.
	 *
	 * @param place the reserved file
	 * @param identity a text that is equal for equal images
	 */
	public void file(final RandomAccessibleInterval<?> pixels, final Outputs outputs, final Path place, final String identity) throws IOException {
		final PlaneFile layout = layout(pixels, place);
		final long finished = outputs.resume(place, identity + new String(layout.head(), StandardCharsets.ISO_8859_1), layout::finished);
		try {
			file(pixels, outputs, place, layout, finished, () -> outputs.keep(place));
		}
		catch (final IOException | RuntimeException e) {
			if (outputs.isKept(place)) throw unfinished(outputs.temporary(place), e);
			throw e;
		}
	}

	private static UnfinishedException unfinished(final Path part, final Exception cause) {
		return new UnfinishedException("the finished part is in " + part + "; the same command continues it", cause);
	}

	@SuppressWarnings("unchecked") // the pixels of images are real numbers
	private List<PlaneFile.Channel> channels(final RandomAccessibleInterval<?> pixels) {
		if (source.colour()) {
			final ShownRange all = new ShownRange(0, (1 << 8 * ImagePixels.type(pixels).bytes) - 1);
			return Stream.of("Red", "Green", "Blue").map(name -> new PlaneFile.Channel(name, all)).toList();
		}
		return IntStream.range(0, channels.size()).mapToObj(c -> new PlaneFile.Channel(channels.get(c), ShownRange.ofFirstPlane(
			(RandomAccessibleInterval<? extends RealType<?>>) Views.hyperSlice(pixels, source.axes().indexOf('c'), c)))).toList();
	}

	private PlaneFile layout(final RandomAccessibleInterval<?> pixels, final Path place) {
		return MapWriter.file(place.toString(), pixels.dimensionsAsLongArray(), source.axes(), ImagePixels.type(pixels),
			MapWriter.cropped(source.calibration(), source.axes(), origin), false).named(channels(pixels), source.colour());
	}

	/** @param each called when more of the file is finished */
	private void file(final RandomAccessibleInterval<?> pixels, final Outputs outputs, final Path place, final PlaneFile layout, final long finished,
		final Runnable each)
		throws IOException
	{
		DiskSpace.require(place.getFileName().toString(), place, layout.fileBytes() - finished, "");
		final long[] size = pixels.dimensionsAsLongArray();
		monitor.total(planes(size) * size[1]);
		try (Parallel parallel = new Parallel(threads); OutputStream out = outputs.open(place)) {
			layout.write(InputImage.fileOrder(pixels, source.axes()), out, finished, parallel, rows -> {
				each.run();
				if (monitor.canceled()) throw new CancellationException("interrupted");
				monitor.done(rows);
			});
		}
	}

	private static long planes(final long[] size) {
		return LongStream.of(size).skip(2).reduce(1, Math::multiplyExact);
	}

	/** Writes the planes of an image to a Zarr folder. */
	public interface Planes {

		void write(MapStore to) throws IOException;
	}

	/**
	 * Writes a Zarr folder. If it fails, the finished part stays, and a call with the same identity continues it.
	 *
	 * @param identity a text that is equal for equal images
	 */
	public void zarr(final RandomAccessibleInterval<?> pixels, final Path place, final String identity) throws IOException {
		final ImagePixels read = ImagePixels.of(pixels);
		zarr(pixels, place, identity, false, to -> {
			final int rows = Math.toIntExact(rows(to));
			monitor.total(rows);
			try (Parallel parallel = new Parallel(threads)) {
				parallel.each(rows, i -> {
					row(read, i, to);
					monitor.done(1);
				});
			}
		});
	}

	/** The rows of chunks of a plane. */
	private static int rowsOfPlane(final MapStore to) {
		return Math.toIntExact((to.size()[1] + to.chunk()[1] - 1) / to.chunk()[1]);
	}

	/** The rows of chunks of all planes. */
	public static long rows(final MapStore to) {
		return planes(to.size()) * rowsOfPlane(to);
	}

	/** The same writer, which adds lower resolutions to Zarr folders. */
	public StackWriter withPyramid() {
		pyramid = true;
		return this;
	}

	/** The same writer, which gives channels names in TIFF files. */
	public StackWriter withChannels(final List<String> names) {
		channels = names;
		return this;
	}

	/**
	 * Writes a Zarr folder, as {@link #zarr(RandomAccessibleInterval, Path, String)}.
	 *
	 * @param shared whether other processes write chunks, by {@link #chunks}
	 * @param planes writes all planes
	 */
	public void zarr(final RandomAccessibleInterval<?> pixels, final Path place, final String identity, final boolean shared,
		final Planes planes) throws IOException {
		final ZarrMap.Layout layout = layout(pixels);
		DiskSpace.require(place.getFileName().toString(), place, layout.bytes(), "");
		try (ZarrMap to = new ZarrMap(place, layout, identity)) {
			try {
				if (shared) to.share();
				planes.write(to);
				if (pyramid) try (Parallel parallel = new Parallel(threads)) {
					to.pyramid(parallel);
				}
				to.commit();
			}
			catch (final IOException | RuntimeException e) {
				if (to.begun()) throw unfinished(to.unfinished(), e);
				throw e;
			}
		}
	}

	/** The chunks of a Zarr folder that another process has opened with the same identity. */
	public MapStore chunks(final RandomAccessibleInterval<?> pixels, final Path place, final String identity) throws IOException {
		return new ZarrChunks(place, layout(pixels), identity);
	}

	private ZarrMap.Layout layout(final RandomAccessibleInterval<?> pixels) {
		return ZarrImages.layout(source, 2, new MapShape(pixels.dimensionsAsLongArray(), origin), ImagePixels.type(pixels), false);
	}

	/**
	 * Writes the planes at one position along a dimension.
	 *
	 * @param dimension 2 or more
	 */
	public void planes(final ImagePixels from, final int dimension, final long position, final MapStore to) {
		final long[] size = to.size();
		long stride = 1;
		for (int d = 2; d < dimension; d++) stride *= size[d];
		final int planes = Math.toIntExact(planes(size));
		for (int p = 0; p < planes; p++) if (p / stride % size[dimension] == position)
			for (int row = 0; row < rowsOfPlane(to); row++) row(from, (long) p * rowsOfPlane(to) + row, to);
	}

	/**
	 * Writes the chunks in a row that the store does not have.
	 *
	 * @param index the number of the row among those of all planes
	 */
	public void row(final ImagePixels from, final long index, final MapStore to) {
		final int plane = (int) (index / rowsOfPlane(to)), row = (int) (index % rowsOfPlane(to));
		if (monitor.canceled()) throw new CancellationException("interrupted");
		final long[] size = to.size(), min = new long[size.length], beyond = new long[size.length - 2], extents = Arrays.copyOfRange(size, 2, size.length);
		final int[] chunk = to.chunk();
		if (beyond.length > 0) IntervalIndexer.indexToPosition(plane, extents, beyond);
		System.arraycopy(beyond, 0, min, 2, beyond.length);
		final int[] part = new int[size.length];
		Arrays.fill(part, 1);
		min[1] = (long) row * chunk[1];
		for (min[0] = 0; min[0] < size[0]; min[0] += chunk[0]) {
			if (to.has(min)) continue;
			for (int d = 0; d < 2; d++) part[d] = (int) Math.min(chunk[d], size[d] - min[d]);
			final Buffer buffer = from.type().allocate(part[0] * part[1]);
			from.read(min, part, buffer);
			to.write(min, part, buffer);
		}
	}
}
