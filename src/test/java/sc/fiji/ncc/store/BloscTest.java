package sc.fiji.ncc.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chunks that are put together by hand, as Blosc's description of its format says. */
class BloscTest {

	private static final int HEADER = 16, LZ4 = 1 << 5;
	private static final String DAMAGED = "it is cut off or damaged";

	private static ByteBuffer header(final int flags, final int elementBytes, final int size, final int blockSize, final int stored) {
		return ByteBuffer.allocate(stored).order(ByteOrder.LITTLE_ENDIAN).put(new byte[] { 2, 1, (byte) flags, (byte) elementBytes })
			.putInt(size).putInt(blockSize)
			.putInt(stored);
	}

	private static byte[] noise(final int size) {
		final byte[] bytes = new byte[size];
		new Random(1).nextBytes(bytes);
		return bytes;
	}

	/**
	 * A whole block has a stream for each byte of an element, if elements have up to 16 bytes and a block has at least 128 of them; the rest has one
	 * stream.
	 */
	@ParameterizedTest
	@CsvSource({ "2, 512, 768, 2, 1", "2, 256, 256, 2, 0", "2, 254, 254, 1, 0", "16, 2048, 2048, 16, 0", "17, 2176, 2176, 1, 0",
		"1, 512, 1000, 1, 1" })
	void streamsOfABlock(final int elementBytes, final int blockSize, final int size, final int streams,
		final int restStreams) throws IOException {
		final int rest = size % blockSize, blocks = size / blockSize;
		final ByteBuffer chunk = header(LZ4, elementBytes, size, blockSize, HEADER + 4 * (blocks + restStreams) + size
			+ 4 * (blocks * streams + restStreams));
		final byte[] bytes = noise(size);
		final int first = HEADER + 4 * (blocks + restStreams);
		for (int b = 0; b < blocks; b++) chunk.putInt(first + b * (blockSize + 4 * streams));
		if (rest > 0) chunk.putInt(first + blocks * (blockSize + 4 * streams));
		for (int b = 0; b < blocks; b++) for (int s = 0; s < streams; s++) stream(chunk, bytes, b * blockSize + s * (blockSize / streams),
			blockSize / streams);
		if (rest > 0) stream(chunk, bytes, blocks * blockSize, rest);
		assertEquals(0, chunk.remaining());
		assertArrayEquals(bytes, Blosc.decode(chunk.array(), size));
	}

	/** A stream that is as long as its bytes is a copy of them. */
	private static void stream(final ByteBuffer chunk, final byte[] bytes, final int from, final int n) {
		chunk.putInt(n).put(bytes, from, n);
	}

	@Test
	void aCopyIsNotLongerThanAllowed() throws IOException {
		final byte[] bytes = noise(100), chunk = header(2, 1, 100, 100, HEADER + 100).put(bytes).array();
		assertArrayEquals(bytes, Blosc.decode(chunk, 100));
		assertEquals(DAMAGED, assertThrows(InputDataException.class, () -> Blosc.decode(chunk, 99)).getMessage());
		assertEquals(DAMAGED, assertThrows(InputDataException.class, () -> Blosc.decode(Arrays.copyOf(chunk, HEADER + 99), 100))
			.getMessage());
	}

	/** A token of LZ4 that stands for ten bytes, which follow it. */
	@Test
	void aStreamHasAllBytesOfItsBlock() throws IOException {
		final byte[] ten = noise(10);
		for (final int size : new int[] { 10, 20 }) {
			final byte[] chunk = header(LZ4, 1, size, size, HEADER + 4 + 4 + 11).putInt(HEADER + 4).putInt(11).put((byte) 0xa0).put(ten)
				.array();
			if (size == 10) assertArrayEquals(ten, Blosc.decode(chunk, size));
			else assertEquals("it is damaged (10 bytes of 20)", assertThrows(InputDataException.class, () -> Blosc.decode(chunk, size))
				.getMessage());
		}
	}

	/** Shuffled bits of eight elements of two bytes; what is left is copied. */
	@Test
	void shuffledBits() throws IOException {
		final byte[] bytes = noise(16 + 3), shuffled = Arrays.copyOf(new byte[16], 19);
		for (int bit = 0; bit < 16; bit++) for (int e = 0; e < 8; e++) shuffled[bit] |= (byte) ((bytes[2 * e
			+ bit / 8] >> bit % 8 & 1) << e);
		System.arraycopy(bytes, 16, shuffled, 16, 3);
		assertArrayEquals(bytes, Blosc.decode(header(LZ4 | 4, 2, 19, 19, HEADER + 8 + 19).putInt(HEADER + 4).putInt(19).put(shuffled)
			.array(), 19));
		assertArrayEquals(new byte[] { 7 },
			Blosc.decode(header(LZ4 | 4, 2, 1, 1, HEADER + 8 + 1).putInt(HEADER + 4).putInt(1).put((byte) 7).array(), 1));
	}
}
