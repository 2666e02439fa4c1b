package sc.fiji.ncc.cli.input;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.InputDataException;

/** Reads PGM files (P2, P5) with up to 16 bits per pixel, and PBM files (P1, P4), in which black is 1. */
record PgmReader(InputStream in) {

	/** @throws IOException if the file is damaged */
	static InputImage read(final String name, final Path file) throws IOException {
		try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
			return new PgmReader(in).read(name, Files.size(file));
		}
	}

	private InputImage read(final String name, final long bytes) throws IOException {
		if (in.read() != 'P') throw new InputDataException("it is not a PGM file");
		final int kind = in.read() - '0';
		if (kind == 3 || kind == 6) throw ImageFiles.colour(name, "3 samples per pixel (PPM)");
		final boolean bits = kind == 1 || kind == 4, text = kind < 4;
		final int width = number("width", Integer.MAX_VALUE), height = number("height", Integer.MAX_VALUE);
		if (width < 1 || height < 1 || (long) width * height > Integer.MAX_VALUE - 8) throw new InputDataException("a size of " + width + "x" + height + " pixels");
		final int most = bits ? 1 : number("greatest value", 65535);
		final int n = width * height;
		// before memory is allocated for missing pixels
		final long least = text ? n : bits ? (width + 7L) / 8 * height : most < 256 ? n : 2L * n;
		if (least > bytes) throw new EOFException("it has " + bytes + " bytes, too few for " + width + "x" + height + " pixels");
		final byte[] narrow = most < 256 ? new byte[n] : null;
		final short[] wide = most < 256 ? null : new short[n];
		// the character after the last number of the header is already read: the pixels follow
		for (int i = 0, packed = 0; i < n; i++) {
			final int value;
			if (kind == 1) value = bit();
			else if (text) value = number("pixel " + i, most);
			else if (bits) {
				final int x = i % width;
				if (x % 8 == 0) packed = octet();
				value = packed >> 7 - x % 8 & 1;
			}
			else value = wide == null ? octet() : octet() << 8 | octet();
			if (value > most) throw new InputDataException("pixel " + i + " is " + value + ", above the greatest value " + most);
			if (wide == null) narrow[i] = (byte) value;
			else wide[i] = (short) value;
		}
		return ImageFiles.inMemory(name, List.of(wide == null ? narrow : wide), wide == null ? PixelType.U8 : PixelType.U16,
			new long[] { width, height, 1, 1, 1 }, Calibration.NONE);
	}

	private int octet() throws IOException {
		final int b = in.read();
		if (b < 0) throw new EOFException("its pixels end too early");
		return b;
	}

	/** The next byte outside comments. */
	private int beyondComments() throws IOException {
		int b = octet();
		if (b == '#') {
			while (b != '\n' && b != '\r') b = octet();
		}
		return b;
	}

	private int bit() throws IOException {
		int b = beyondComments();
		while (Character.isWhitespace(b)) b = beyondComments();
		if (b != '0' && b != '1') throw new InputDataException("'" + (char) b + "' among the pixels");
		return b - '0';
	}

	/** Reads a number and the character after it. */
	private int number(final String what, final int most) throws IOException {
		int b = beyondComments();
		while (Character.isWhitespace(b)) b = beyondComments();
		if (b < '0' || b > '9') throw new InputDataException("'" + (char) b + "' where its " + what + " should be");
		long n = 0;
		for (; b >= '0' && b <= '9'; b = in.read()) {
			n = 10 * n + b - '0';
			if (n > most) throw new InputDataException("its " + what + " is above " + most);
		}
		return (int) n;
	}
}
