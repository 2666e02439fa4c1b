package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;

/** The maps of the frames of one image, one TIFF or MRC file per template, written frame by frame. */
final class StreamedMaps {

	private final long[] frames;
	private final MapsOnDisk maps;

	/**
	 * @param source the image, spatial dimensions first
	 * @param images the maps of the first frame, one per template
	 * @param origins their positions in the image
	 * @param type the type of the pixels of the maps
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @param places the reserved files, one per template
	 */
	StreamedMaps(final Outputs outputs, final InputImage source, final List<? extends RandomAccessibleInterval<?>> images, final List<long[]> origins,
		final PixelType type, final boolean coefficients,
		final List<Path> places)
	{
		final long[] image = source.pixels().dimensionsAsLongArray();
		final int n = images.get(0).numDimensions();
		frames = Arrays.copyOfRange(image, n, image.length);
		final List<MapShape> shapes = new ArrayList<>();
		for (int t = 0; t < images.size(); t++) {
			final long[] size = image.clone();
			System.arraycopy(images.get(t).dimensionsAsLongArray(), 0, size, 0, n);
			shapes.add(new MapShape(size, Arrays.copyOf(origins.get(t), image.length)));
		}
		maps = MapsOnDisk.files(outputs, places, shapes, type, coefficients, source);
	}

	/**
	 * Writes the maps of a frame.
	 *
	 * @param frame the number of the frame, counted from 0 along the lowest dimension first
	 */
	void write(final long frame, final List<? extends RandomAccessibleInterval<?>> images) {
		final long[] position = new long[frames.length];
		if (frames.length > 0) IntervalIndexer.indexToPosition(frame, frames, position);
		final List<MapStore> stores = maps.stores();
		for (int t = 0; t < stores.size(); t++) MapsOnDisk.copy(images.get(t), stores.get(t), position);
	}

	/** Completes the temporary files. */
	void finish() throws IOException {
		maps.finish();
	}
}
