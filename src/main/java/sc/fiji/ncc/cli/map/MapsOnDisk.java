package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.type.NativeType;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.picture.Calibration;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.ZarrPictures;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.store.ZarrMap;

/** The maps of a command that go to the disk while they are computed: folders of Zarr's, or TIFF files too large for memory. */
public final class MapsOnDisk implements AutoCloseable {

	/** Maps of more than this share of the heap are written as they come. */
	private static final int SHARE_OF_HEAP = 4;

	private final List<ZarrMap> folders = new ArrayList<>();
	private final List<TiffMap> files = new ArrayList<>();

	private MapsOnDisk() {}

	/** Whether so many times these maps should not be kept in memory. */
	static boolean large(final List<MapShape> shapes, final Precision precision, final double times) {
		double bytes = 0;
		for (final MapShape s : shapes) bytes += Arrays.stream(s.size()).asDoubleStream().reduce(precision.bytes, (a, b) -> a * b);
		return times * bytes > Runtime.getRuntime().maxMemory() / (double) SHARE_OF_HEAP;
	}

	/**
	 * What takes nothing, and says how the work will be cut.
	 *
	 * @param size of the map
	 * @param precision of it
	 * @param chunk of it
	 */
	record Planned(long[] size, Precision precision, int[] chunk) implements MapStore {

		@Override
		public void write(final long[] min, final int[] extents, final Buffer responses) {
			throw new IllegalStateException("this map is only planned");
		}
	}

	/** As {@link ZarrMap#ZarrMap}, one a template. */
	static MapsOnDisk folders(final List<Path> places, final List<ZarrMap.Layout> layouts, final String identity) throws IOException {
		final MapsOnDisk maps = new MapsOnDisk();
		try {
			for (int t = 0; t < places.size(); t++) maps.folders.add(new ZarrMap(places.get(t), layouts.get(t), identity + "\ntemplate " + t));
			return maps;
		}
		catch (final IOException | RuntimeException e) {
			maps.close();
			throw e;
		}
	}

	/**
	 * @param places as promised
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 */
	static MapsOnDisk files(final Outputs outputs, final List<Path> places, final List<MapShape> shapes, final Precision precision,
		final boolean coefficients, final Picture image) throws IOException
	{
		final MapsOnDisk maps = new MapsOnDisk();
		try {
			for (int t = 0; t < places.size(); t++) maps.files.add(file(outputs.temporary(places.get(t)), shapes.get(t), precision, coefficients, image));
			return maps;
		}
		catch (final IOException | RuntimeException e) {
			maps.close();
			throw e;
		}
	}

	private static TiffMap file(final Path file, final MapShape shape, final Precision precision, final boolean coefficients, final Picture image)
		throws IOException
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
		return new TiffMap(shape.size(), precision, steps, MapWriter.tiff(shape.size(), axes, precision.bytes, calibration, coefficients), file);
	}

	/** One a template. */
	List<MapStore> stores() {
		final List<MapStore> stores = new ArrayList<>(folders);
		stores.addAll(files);
		return stores;
	}

	/** Writes a map that is in memory. */
	public static void copy(final RandomAccessibleInterval<?> map, final MapStore to) {
		copy(map, to, new long[0]);
	}

	/** @param frame where the map stands along the last dimensions of {@code to} */
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
			final Buffer responses = to.precision().allocate(n);
			blocks.copy(Arrays.copyOf(min, size.length), responses.array(), Arrays.copyOf(part, size.length));
			to.write(min, part, responses);
			int d = 0;
			while (d < size.length && (min[d] += chunk[d]) >= size[d]) min[d++] = 0;
			if (d == size.length) return;
		}
	}

	@SuppressWarnings("unchecked") // maps are of floats or doubles
	private static <T extends NativeType<T>> PrimitiveBlocks<T> blocks(final RandomAccessibleInterval<?> map) {
		return PrimitiveBlocks.of((RandomAccessibleInterval<T>) map);
	}

	/** Makes all of them whole; folders come to their places, files are made whole where they are. */
	void finish() throws IOException {
		for (final ZarrMap m : folders) m.commit();
		for (final TiffMap m : files) m.finish();
	}

	/** What a run that ends now leaves, for people; empty if nothing. */
	String left() {
		final StringBuilder s = new StringBuilder();
		for (final ZarrMap m : folders)
			if (m.begun()) s.append(s.length() == 0 ? "" : ", ").append(m.unfinished());
		return s.length() == 0 ? "" : "what is done lies in " + s + ", and the same command goes on from there";
	}

	/** Removes folders that are not whole, too. */
	void discard() throws IOException {
		for (final ZarrMap m : folders) m.discard();
	}

	@Override
	public void close() throws IOException {
		for (final ZarrMap m : folders) m.close();
		for (final TiffMap m : files) m.close();
	}
}
