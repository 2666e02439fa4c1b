package sc.fiji.ncc.cli.input;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

import sc.fiji.ncc.store.InputDataException;

/** The checksums of a PNG file and the number of its colours, which ImageIO does not check. */
final class PngChunks {

	private static final long SIGNATURE = 0x89504E470D0A1A0AL;
	private static final int END = 0x49454E44, PALETTE = 0x504C5445;

	private PngChunks() {}

	/**
	 * @return the number of colours in its table, or the most without a table
	 * @throws IOException if the file is damaged, or ends before its last chunk
	 */
	static int requireIntact(final Path file) throws IOException {
		final CRC32 crc = new CRC32();
		int colours = ImageFiles.MOST_COLOURS;
		try (DataInputStream in = new DataInputStream(new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16), crc))) {
			if (in.readLong() != SIGNATURE) throw new InputDataException("its header is damaged");
			for (int type = 0; type != END;) {
				final int length = in.readInt();
				if (length < 0) throw new InputDataException("a chunk states a length of " + length + " bytes");
				crc.reset();
				type = in.readInt();
				if (type == PALETTE) colours = length / 3;
				for (int left = length, read; left > 0; left -= read) if ((read = in.skipBytes(left)) == 0) throw new EOFException("its pixels end too early");
				final int sum = (int) crc.getValue();
				if (in.readInt() != sum) throw new InputDataException("its checksum is wrong");
			}
		}
		return colours;
	}
}
