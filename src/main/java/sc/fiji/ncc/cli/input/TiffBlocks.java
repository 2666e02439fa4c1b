package sc.fiji.ncc.cli.input;

import static sc.fiji.ncc.cli.input.TiffDirectory.BITS;
import static sc.fiji.ncc.cli.input.TiffDirectory.BYTE_COUNTS;
import static sc.fiji.ncc.cli.input.TiffDirectory.COMPRESSION;
import static sc.fiji.ncc.cli.input.TiffDirectory.FILL_ORDER;
import static sc.fiji.ncc.cli.input.TiffDirectory.FORMAT;
import static sc.fiji.ncc.cli.input.TiffDirectory.HEIGHT;
import static sc.fiji.ncc.cli.input.TiffDirectory.OFFSETS;
import static sc.fiji.ncc.cli.input.TiffDirectory.PLANAR;
import static sc.fiji.ncc.cli.input.TiffDirectory.PREDICTOR;
import static sc.fiji.ncc.cli.input.TiffDirectory.SAMPLES;
import static sc.fiji.ncc.cli.input.TiffDirectory.STRIP_ROWS;
import static sc.fiji.ncc.cli.input.TiffDirectory.TILE_BYTE_COUNTS;
import static sc.fiji.ncc.cli.input.TiffDirectory.TILE_HEIGHT;
import static sc.fiji.ncc.cli.input.TiffDirectory.TILE_OFFSETS;
import static sc.fiji.ncc.cli.input.TiffDirectory.TILE_WIDTH;
import static sc.fiji.ncc.cli.input.TiffDirectory.WIDTH;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.RawPixels;

/**
 * Decodes the strips or tiles of a page of a TIFF file: uncompressed, PackBits, LZW or Deflate, with or without a predictor. A strip or tile that
 * does not have all its bytes is an error. Source: TIFF Revision 6.0, Adobe, 1992, sections 9, 13, 14 and 15; TIFF Technical Notes 2 and 3, Adobe,
 * 2002 and 2005.
 */
final class TiffBlocks {

	private static final int RAW = 1, LZW = 5, DEFLATE = 8, OLD_DEFLATE = 32946, PACK_BITS = 32773;
	private static final int LZW_CLEAR = 256, LZW_END = 257, LZW_MOST = 4096;
	/** The most bytes that a compressed byte stands for. LZW: an entry of 4096 bytes in 12 bits. */
	private static final int MOST_RATIO = 4096;

	private final FileChannel file;
	private final TiffDirectory page;
	private final boolean tiled;
	private final int width, height, bits, samples, blockWidth, blockHeight, across, down;
	private final long[] offsets, counts;

	private TiffBlocks(final FileChannel file, final TiffDirectory page) throws InputDataException {
		this.file = file;
		this.page = page;
		tiled = page.has(TILE_WIDTH);
		width = (int) page.number(WIDTH, 0);
		height = (int) page.number(HEIGHT, 0);
		bits = (int) page.number(BITS, 1);
		samples = page.number(PLANAR, 1) == 2 ? 1 : (int) page.number(SAMPLES, 1);
		blockWidth = tiled ? side(page.number(TILE_WIDTH, 0), Integer.MAX_VALUE) : width;
		blockHeight = tiled ? side(page.number(TILE_HEIGHT, 0), Integer.MAX_VALUE) : side(page.number(STRIP_ROWS, height), height);
		across = (width - 1) / blockWidth + 1;
		down = (height - 1) / blockHeight + 1;
		offsets = page.numbers(tiled ? TILE_OFFSETS : OFFSETS);
		counts = page.numbers(tiled ? TILE_BYTE_COUNTS : BYTE_COUNTS);
	}

	private static int side(final long pixels, final int most) throws InputDataException {
		if (pixels < 1) throw new InputDataException("its strips or tiles have " + pixels + " rows or columns");
		return (int) Math.min(pixels, most);
	}

	/** Whether this class decodes the compression of a page. */
	static boolean decodes(final TiffDirectory page) {
		final long compression = page.number(COMPRESSION, 1);
		return compression == RAW || compression == LZW || compression == DEFLATE || compression == OLD_DEFLATE || compression == PACK_BITS;
	}

	/**
	 * The type of the pixels of a page. Samples of less than 8 bits become bytes.
	 *
	 * @throws InputDataException if the samples are of an unsupported type
	 */
	static PixelType type(final TiffDirectory page) throws InputDataException {
		final long bits = page.number(BITS, 1), format = page.number(FORMAT, 1);
		for (final long b : page.numbers(BITS)) if (b != bits) throw new InputDataException("its samples have different numbers of bits, " + bits + " and " + b);
		final boolean signed = format == 2, real = format == 3;
		if (format < 1 || format > 4 || !(real ? bits == 32 || bits == 64 : bits == 8 || bits == 16 || bits == 32 || !signed
			&& (bits == 1 || bits == 2 || bits == 4)))
			throw new InputDataException("its pixels are " + bits + "-bit " + (real ? "floats" : signed ? "signed integers" : format == 1 || format == 4
			? "integers" : "numbers of format " + format)
				+ ": save them as integers of 8, 16 or 32 bits, or as floats of 32 or 64 bits");
		switch ((int) bits) {
			case 16: return signed ? PixelType.S16 : PixelType.U16;
			case 32: return real ? PixelType.F32 : signed ? PixelType.S32 : PixelType.U32;
			case 64: return PixelType.F64;
			default: return signed ? PixelType.S8 : PixelType.U8;
		}
	}

	/**
	 * Decodes a page.
	 *
	 * @return a plane of each sample, as primitive arrays of the type of {@link #type}
	 * @throws IOException if the page is damaged or not supported
	 */
	static List<Object> planes(final FileChannel file, final TiffDirectory page) throws IOException {
		final PixelType type = type(page);
		final TiffBlocks blocks = new TiffBlocks(file, page);
		final long bytes = (long) blocks.width * blocks.height * type.bytes;
		if (bytes * blocks.samples > Integer.MAX_VALUE - 8) throw new InputDataException("it is compressed or tiled, and a plane of "
			+ blocks.width + "x" + blocks.height
			+ " pixels is too large for that: save it without compression in strips, or as OME-Zarr");
		final int parts = (int) page.number(SAMPLES, 1) / blocks.samples;
		if (blocks.offsets.length < (long) parts * blocks.across * blocks.down || blocks.counts.length < blocks.offsets.length)
			throw new InputDataException("it has " + Math.min(blocks.offsets.length, blocks.counts.length) + " strips or tiles, and "
				+ (long) parts * blocks.across * blocks.down + " should be");
		// before memory is allocated for missing pixels
		if (bytes * blocks.samples * blocks.bits / (8 * type.bytes) / MOST_RATIO > file.size())
			throw new EOFException("it has " + file.size() + " bytes, too few for " + blocks.width + "x" + blocks.height + " pixels");
		final List<Object> planes = new ArrayList<>();
		for (int part = 0; part < parts; part++) {
			final byte[] all = new byte[(int) bytes * blocks.samples];
			for (int y = 0; y < blocks.down; y++) for (int x = 0; x < blocks.across; x++) blocks.copy((part * blocks.down + y) * blocks.across + x, x, y, all, type);
			for (int s = 0; s < blocks.samples; s++)
				planes.add(RawPixels.array(ByteBuffer.wrap(every(all, blocks.samples, s, type.bytes)).order(page.order()), type, blocks.width * blocks.height));
		}
		return planes;
	}

	/** The bytes of one sample out of several. */
	private static byte[] every(final byte[] all, final int samples, final int sample, final int bytes) {
		if (samples == 1) return all;
		final byte[] one = new byte[all.length / samples];
		for (int i = 0; i < one.length; i += bytes) System.arraycopy(all, i * samples + sample * bytes, one, i, bytes);
		return one;
	}

	private void copy(final int index, final int x, final int y, final byte[] to, final PixelType type) throws IOException {
		final int rows = tiled ? blockHeight : Math.min(blockHeight, height - y * blockHeight);
		final long stride = ((long) blockWidth * samples * bits + 7) / 8;
		if (stride * rows / MOST_RATIO > file.size()) throw new EOFException("it has " + file.size() + " bytes, too few for a strip or tile of "
			+ blockWidth + "x" + rows + " pixels");
		if (stride * rows > Integer.MAX_VALUE - 8) throw new InputDataException("a strip or tile of " + blockWidth + "x" + rows + " pixels is above 2 GB");
		final byte[] block = block(index, (int) (stride * rows));
		final int n = Math.min(blockWidth, width - x * blockWidth) * samples, shown = Math.min(rows, height - y * blockHeight);
		unpredict(block, (int) stride, shown);
		for (int row = 0; row < shown; row++) {
			final int from = (int) (row * stride), at = (((y * blockHeight + row) * width + x * blockWidth) * samples) * type.bytes;
			if (bits >= 8) System.arraycopy(block, from, to, at, n * type.bytes);
			else for (int i = 0; i < n; i++) to[at + i] = (byte) (block[from + i * bits / 8] >> 8 - bits - i * bits % 8 & (1 << bits) - 1);
		}
	}

	/** The decoded bytes of a strip or tile. */
	private byte[] block(final int index, final int size) throws IOException {
		final long stated = counts[index], compression = page.number(COMPRESSION, 1);
		final long length = compression == RAW ? Math.min(stated, size) : stated;
		if (length > file.size()) throw new EOFException("it ends at byte " + file.size() + ", before byte " + (offsets[index] + length));
		final ByteBuffer read = ByteBuffer.allocate((int) Math.min(length, Integer.MAX_VALUE - 8));
		TiffDirectory.fill(file, offsets[index], read, read.capacity());
		final byte[] raw = read.array();
		if (page.number(FILL_ORDER, 1) == 2) for (int i = 0; i < raw.length; i++) raw[i] = (byte) (Integer.reverse(raw[i]) >>> 24);
		if (compression == RAW && raw.length == size) return raw;
		final byte[] block = new byte[size];
		final int n = compression == RAW ? raw.length : compression == LZW ? lzw(raw, block) : compression == PACK_BITS ? packBits(raw, block) : inflate(raw, block);
		if (n < size) throw new EOFException("its strip or tile " + index + " holds " + n + " bytes of " + size);
		return block;
	}

	/** @return the number of decoded bytes */
	private static int packBits(final byte[] from, final byte[] to) {
		int at = 0;
		for (int i = 0; i < from.length - 1 && at < to.length;) {
			final int n = from[i++];
			if (n >= 0) {
				final int copied = Math.min(n + 1, Math.min(from.length - i, to.length - at));
				System.arraycopy(from, i, to, at, copied);
				i += n + 1;
				at += copied;
			}
			// -128 stands for nothing
			else if (n != -128) {
				for (int k = 0; k < 1 - n && at < to.length; k++) to[at++] = from[i];
				i++;
			}
		}
		return at;
	}

	private static int inflate(final byte[] from, final byte[] to) throws InputDataException {
		final Inflater inflater = new Inflater();
		try {
			inflater.setInput(from);
			int n = 0;
			for (int read; n < to.length && (read = inflater.inflate(to, n, to.length - n)) > 0;) n += read;
			return n;
		}
		catch (final DataFormatException e) {
			throw new InputDataException("its data are damaged", e);
		}
		finally {
			inflater.end();
		}
	}

	/** Each entry of the table is a piece of what is already decoded: where it begins, and its length. */
	private static int lzw(final byte[] from, final byte[] to) throws InputDataException {
		final int[] starts = new int[LZW_MOST], lengths = new int[LZW_MOST];
		int next = LZW_END + 1, codeBits = 9, previous = -1, at = 0;
		for (long bit = 0; bit + codeBits <= 8L * from.length && at < to.length;) {
			int code = 0;
			for (int k = 0; k < codeBits; k++, bit++) code = code << 1 | from[(int) (bit >> 3)] >> 7 - (bit & 7) & 1;
			if (code == LZW_END) break;
			if (code == LZW_CLEAR) {
				next = LZW_END + 1;
				codeBits = 9;
				previous = -1;
				continue;
			}
			if (code > next || code == next && previous < 0 || previous < 0 && code > LZW_END) throw new InputDataException("its data are damaged (LZW code "
				+ code + " of " + next + ")");
			// the entry after the previous code: its bytes, and the first of this one
			if (previous >= 0 && next < LZW_MOST) {
				starts[next] = at - length(previous, lengths);
				lengths[next++] = length(previous, lengths) + 1;
			}
			final int begin = at, n = Math.min(length(code, lengths), to.length - at);
			if (code < LZW_CLEAR) to[at++] = (byte) code;
			// byte by byte: a new entry may reach into what it makes
			else for (int i = 0; i < n; i++) to[at++] = to[starts[code] + i];
			if (begin == at) break;
			previous = code;
			if (next + 1 >= 1 << codeBits && codeBits < 12) codeBits++;
		}
		return at;
	}

	private static int length(final int code, final int[] lengths) {
		return code < LZW_CLEAR ? 1 : lengths[code];
	}

	private void unpredict(final byte[] block, final int stride, final int rows) throws InputDataException {
		final long predictor = page.number(PREDICTOR, 1);
		if (page.number(COMPRESSION, 1) == RAW || predictor == 1 || page.number(COMPRESSION, 1) == PACK_BITS) return;
		if (predictor != 2 && predictor != 3 || bits < 8 || predictor == 3 && page.number(FORMAT, 1) != 3)
			throw new InputDataException("it has the predictor " + predictor + " for samples of " + bits + " bits, which is not supported: save it without");
		final int bytes = bits / 8;
		for (int row = 0; row < rows; row++) {
			if (predictor == 3) unpredictFloats(block, row * stride, stride, bytes);
			else add(ByteBuffer.wrap(block, row * stride, stride).slice().order(page.order()), bytes);
		}
	}

	/** Adds to each sample that of the pixel before it. */
	private void add(final ByteBuffer row, final int bytes) {
		for (int i = samples * bytes; i + bytes <= row.capacity(); i += bytes) {
			final int before = i - samples * bytes;
			switch (bytes) {
				case 1: row.put(i, (byte) (row.get(i) + row.get(before))); break;
				case 2: row.putShort(i, (short) (row.getShort(i) + row.getShort(before))); break;
				case 4: row.putInt(i, row.getInt(i) + row.getInt(before)); break;
				default: row.putLong(i, row.getLong(i) + row.getLong(before));
			}
		}
	}

	/** The differences are of bytes, the highest bytes of all floats first. */
	private void unpredictFloats(final byte[] block, final int from, final int stride, final int bytes) {
		for (int i = samples; i < stride; i++) block[from + i] += block[from + i - samples];
		final byte[] apart = Arrays.copyOfRange(block, from, from + stride);
		final int n = stride / bytes;
		final boolean little = page.order() == ByteOrder.LITTLE_ENDIAN;
		for (int i = 0; i < n; i++) for (int b = 0; b < bytes; b++) block[from + i * bytes + (little ? bytes - 1 - b : b)] = apart[b * n + i];
	}
}
