package sc.fiji.ncc.cli.input;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.InputDataException;

/** Reads PNG files with 8 or 16 gray bits and without interlacing. ImageIO reads the others, but it takes about 0.1 s to start in a new process. */
final class PngReader {

	private static final int HEADER = 0x49484452, DATA = 0x49444154, END = 0x49454E44, TRANSPARENCY = 0x74524E53;

	/** The most bytes that a byte of Deflate stands for. */
	private static final int MOST_RATIO = 1032;

	private final DataInputStream in;
	private int width, height, bytes;

	private PngReader(final InputStream in) {
		this.in = new DataInputStream(in);
	}

	/**
	 * @param in the file, from its beginning; it stays open
	 * @param fileBytes the size of the file
	 * @return null if the file is another kind of PNG, or not a PNG
	 * @throws IOException if the file is damaged
	 */
	static InputImage read(final String name, final InputStream in, final long fileBytes) throws IOException {
		return new PngReader(in).read(name, fileBytes);
	}

	private InputImage read(final String name, final long fileBytes) throws IOException {
		if (in.readLong() != 0x89504E470D0A1A0AL) return null;
		if (in.readInt() != 13 || in.readInt() != HEADER) throw new InputDataException("its header is damaged");
		final byte[] header = chunk(13, HEADER);
		width = number(header, 0);
		height = number(header, 4);
		final boolean gray = (header[8] == 8 || header[8] == 16) && header[9] == 0 && header[10] == 0 && header[11] == 0 && header[12] == 0;
		if (!gray) return null;
		bytes = header[8] / 8;
		if (width < 1 || height < 1 || ((long) width * bytes + 1) * height > Integer.MAX_VALUE - 8)
			throw new InputDataException("a size of " + width + "x" + height + " pixels");
		// before memory is allocated for missing pixels
		if (((long) width * bytes + 1) * height / MOST_RATIO > fileBytes) throw new EOFException("it has " + fileBytes + " bytes, too few for " + width
			+ "x" + height + " pixels");
		final byte[] rows = inflate();
		if (rows == null) return null;
		unfilter(rows);
		return ImageFiles.inMemory(name, List.of(bytes == 1 ? narrow(rows) : wide(rows)), bytes == 1 ? PixelType.U8 : PixelType.U16,
			new long[] { width, height, 1, 1, 1 }, Calibration.NONE);
	}

	/** Reads the rest of a chunk, and checks it. */
	private byte[] chunk(final int length, final int type) throws IOException {
		if (length < 0) throw new InputDataException("a chunk states a length of " + length + " bytes");
		final byte[] data = in.readNBytes(length);
		if (data.length < length) throw new EOFException("its pixels end too early");
		final CRC32 crc = new CRC32();
		for (int shift = 24; shift >= 0; shift -= 8) crc.update(type >> shift);
		crc.update(data);
		if (in.readInt() != (int) crc.getValue()) throw new InputDataException("its checksum is wrong");
		return data;
	}

	private static int number(final byte[] a, final int o) {
		return (a[o] & 0xff) << 24 | (a[o + 1] & 0xff) << 16 | (a[o + 2] & 0xff) << 8 | a[o + 3] & 0xff;
	}

	/** The rows with their filters; null if a gray value means transparent, which is left to ImageIO. */
	private byte[] inflate() throws IOException {
		final byte[] rows = new byte[(width * bytes + 1) * height];
		final Inflater inflater = new Inflater();
		try {
			int n = 0;
			while (true) {
				final int length = in.readInt(), type = in.readInt();
				final byte[] data = chunk(length, type);
				if (type == TRANSPARENCY) return null;
				if (type == END) break;
				if (type != DATA) continue;
				inflater.setInput(data);
				for (int read; n < rows.length && (read = inflater.inflate(rows, n, rows.length - n)) > 0;) n += read;
			}
			if (n < rows.length) throw new EOFException("its pixels end too early");
			return rows;
		}
		catch (final DataFormatException e) {
			throw new InputDataException("its data are damaged", e);
		}
		finally {
			inflater.end();
		}
	}

	/** Undoes the filter of each row (PNG specification, section 9): from the pixel to the left, above, or both. */
	private void unfilter(final byte[] rows) throws IOException {
		final int stride = width * bytes + 1;
		for (int y = 0; y < height; y++) {
			final int o = y * stride + 1;
			final int filter = rows[o - 1];
			if (filter < 0 || filter > 4) throw new InputDataException("its data are damaged (filter " + filter + ")");
			for (int x = 0; x < stride - 1; x++) {
				final int left = x < bytes ? 0 : rows[o + x - bytes] & 0xff, above = y == 0 ? 0 : rows[o + x - stride] & 0xff;
				final int corner = x < bytes || y == 0 ? 0 : rows[o + x - stride - bytes] & 0xff;
				rows[o + x] += prediction(filter, left, above, corner);
			}
		}
	}

	private static int prediction(final int filter, final int left, final int above, final int corner) {
		switch (filter) {
			case 1: return left;
			case 2: return above;
			case 3: return left + above >> 1;
			case 4: {
				final int l = Math.abs(above - corner), a = Math.abs(left - corner), c = Math.abs(left + above - 2 * corner);
				return l <= a && l <= c ? left : a <= c ? above : corner;
			}
			default: return 0;
		}
	}

	private byte[] narrow(final byte[] rows) {
		final byte[] pixels = new byte[width * height];
		for (int y = 0; y < height; y++) System.arraycopy(rows, y * (width + 1) + 1, pixels, y * width, width);
		return pixels;
	}

	private short[] wide(final byte[] rows) {
		final short[] pixels = new short[width * height];
		for (int y = 0; y < height; y++)
			for (int x = 0, o = y * (2 * width + 1) + 1; x < width; x++, o += 2) pixels[y * width + x] = (short) (rows[o] << 8 | rows[o + 1] & 0xff);
		return pixels;
	}
}
