package sc.fiji.ncc.cli;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.run.Parts;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.result.MapStore;

/** The frames of a corrected stack in a Zarr folder. Several processes write them, each frame in whole chunks. Several threads may use an object at once. */
public final class AlignedFrames implements Parts {

	private final StackWriter writer;
	private final ImagePixels pixels;
	private final int time;
	private final MapStore to;
	private final Monitor monitor;

	/**
	 * @param corrected the corrected stack, in the order of dimensions of the folder
	 * @param time the dimension of the frames
	 */
	AlignedFrames(final StackWriter writer, final RandomAccessibleInterval<?> corrected, final int time, final MapStore to, final Monitor monitor) {
		this.writer = writer;
		pixels = ImagePixels.of(corrected);
		this.time = time;
		this.to = to;
		this.monitor = monitor;
	}

	/** Writes the chunks of a frame that the folder does not have. */
	public void write(final long frame) {
		writer.planes(pixels, time, frame, to);
	}

	/** The number of frames. */
	@Override
	public long count() {
		return to.size()[time];
	}

	@Override
	public Monitor monitor() {
		return monitor;
	}

	@Override
	public String algorithms() {
		return "interpolation";
	}

	@Override
	public void close() {
		// it has no threads, and its memory is that of the planes in use
	}
}
