package sc.fiji.ncc.plan;

import java.nio.Buffer;

/**
 * The pixels of a picture beside which an execution keeps what templates share of it: see {@link Execution#keep}. Closing frees what is kept;
 * only while it is not in flight, and twice does nothing.
 */
public interface KeptPixels extends Pixels, AutoCloseable {

	/** How many bytes are kept beside the pixels; 0 once closed. */
	long bytes();

	@Override
	void close();

	/** Pixels beside which nothing is kept. */
	static KeptPixels nothing(final Pixels pixels) {
		return new KeptPixels() {

			@Override
			public PixelType type() {
				return pixels.type();
			}

			@Override
			public long[] size() {
				return pixels.size();
			}

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				pixels.read(min, size, to);
			}

			@Override
			public long bytes() {
				return 0;
			}

			@Override
			public void close() {}
		};
	}
}
