package sc.fiji.ncc.cli;

import java.util.function.LongConsumer;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.run.Parts;

/** The parts of an image in a Zarr folder. Several processes write them, each part in whole chunks. Several threads may use an object at once. */
public final class WrittenParts implements Parts {

	private final long count;
	private final LongConsumer writer;
	private final Monitor monitor;

	/**
	 * @param count the number of parts
	 * @param writer writes the chunks of a part that the folder does not have
	 */
	WrittenParts(final long count, final LongConsumer writer, final Monitor monitor) {
		this.count = count;
		this.writer = writer;
		this.monitor = monitor;
	}

	/** Writes the chunks of a part that the folder does not have. */
	public void write(final long part) {
		writer.accept(part);
	}

	@Override
	public long count() {
		return count;
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
