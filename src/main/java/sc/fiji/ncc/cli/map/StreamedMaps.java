package sc.fiji.ncc.cli.map;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.MapStore;
import sc.fiji.ncc.result.Response;

/** The maps of the frames of one image, one TIFF or MRC file per template, written frame by frame. */
final class StreamedMaps implements AutoCloseable {

	private final long[] frames;
	private final MapsOnDisk maps;

	/**
	 * @param picture the image, spatial dimensions first
	 * @param first the response of the first frame
	 * @param precision the precision of the responses
	 * @param coefficients see {@link TiffWriter#TiffWriter}
	 * @param places the reserved files, one per template
	 */
	StreamedMaps(final Outputs outputs, final Picture picture, final Response first, final Precision precision, final boolean coefficients,
		final List<Path> places) throws IOException
	{
		final long[] image = picture.pixels().dimensionsAsLongArray();
		final int n = first.images().get(0).numDimensions();
		frames = Arrays.copyOfRange(image, n, image.length);
		final List<MapShape> shapes = new ArrayList<>();
		for (int t = 0; t < first.images().size(); t++) {
			final long[] size = image.clone();
			System.arraycopy(first.images().get(t).dimensionsAsLongArray(), 0, size, 0, n);
			shapes.add(new MapShape(size, Arrays.copyOf(first.origins().get(t), image.length)));
		}
		maps = MapsOnDisk.files(outputs, places, shapes, precision, coefficients, picture);
	}

	/**
	 * Writes the maps of a frame.
	 *
	 * @param frame the number of the frame, counted from 0 along the lowest dimension first
	 */
	void write(final long frame, final Response response) {
		final long[] position = new long[frames.length];
		if (frames.length > 0) IntervalIndexer.indexToPosition(frame, frames, position);
		final List<MapStore> stores = maps.stores();
		for (int t = 0; t < stores.size(); t++) MapsOnDisk.copy(response.images().get(t), stores.get(t), position);
	}

	/** Completes the temporary files. */
	void finish() throws IOException {
		maps.finish();
	}

	@Override
	public void close() throws IOException {
		maps.close();
	}
}
