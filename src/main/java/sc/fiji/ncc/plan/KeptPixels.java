package sc.fiji.ncc.plan;

import java.nio.Buffer;
import java.util.List;

/**
 * The pixels of an image together with data that its templates share: see {@link Execution#keep}. Closing releases the data. Close it only when
 * no submission uses it. A second close does nothing.
 */
public interface KeptPixels extends Pixels, AutoCloseable {

	/** The pixels without the data. */
	Pixels pixels();

	/** The size in bytes of the kept data, without the pixels; 0 after closing. */
	long bytes();

	@Override
	void close();

	@Override
	default PixelType type() {
		return pixels().type();
	}

	@Override
	default long[] size() {
		return pixels().size();
	}

	@Override
	default Pixels mask() {
		return pixels().mask();
	}

	@Override
	default boolean readsRowsFast() {
		return pixels().readsRowsFast();
	}

	@Override
	default void read(final long[] min, final int[] size, final Buffer to) {
		pixels().read(min, size, to);
	}

	@Override
	default List<? extends Pixels> channels() {
		return pixels().channels();
	}

	/** Pixels without kept data. */
	static KeptPixels nothing(final Pixels pixels) {
		return new Forwarded(pixels, pixels.mask());
	}

	/** Pixels of one channel whose mask does not matter. */
	static Pixels unmasked(final Pixels pixels) {
		return pixels.mask() == null ? pixels : new Forwarded(pixels, null);
	}

	/** The pixels of another source. */
	record Forwarded(Pixels pixels, Pixels mask) implements KeptPixels {

		@Override
		public List<? extends Pixels> channels() {
			return pixels.channels().size() == 1 ? List.of(this) : pixels.channels();
		}

		@Override
		public long bytes() {
			return 0;
		}

		@Override
		public void close() {}
	}
}
