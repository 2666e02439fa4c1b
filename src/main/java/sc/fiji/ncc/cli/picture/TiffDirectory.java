package sc.fiji.ncc.cli.picture;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import sc.fiji.ncc.store.InputDataException;

/** The tags of one page of a TIFF or BigTIFF file. */
public final class TiffDirectory {

	public static final int WIDTH = 256, HEIGHT = 257, BITS = 258, COMPRESSION = 259, PHOTOMETRIC = 262, DESCRIPTION = 270, OFFSETS = 273,
		SAMPLES = 277, BYTE_COUNTS = 279, X_RESOLUTION = 282, Y_RESOLUTION = 283, PLANAR = 284, RESOLUTION_UNIT = 296, TILE_WIDTH = 322, FORMAT = 339;

	private static final int ASCII = 2, RATIONAL = 5;
	/** The bytes of a value, by the type number of the file format. */
	private static final int[] BYTES = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
	/** Limits that only damaged files exceed. */
	private static final int MOST_ENTRIES = 4096, MOST_PAGES = 10_000_000;

	private final Map<Integer, long[]> numbers = new HashMap<>();
	private final Map<Integer, Double> rationals = new HashMap<>();
	private String description;
	private final ByteOrder order;

	private TiffDirectory(final ByteOrder order) {
		this.order = order;
	}

	/**
	 * Reads the tags of all pages.
	 *
	 * @throws IOException if the file ends too early or is not a TIFF file
	 */
	static List<TiffDirectory> all(final FileChannel file) throws IOException {
		final ByteBuffer head = read(file, 0, 16, ByteOrder.BIG_ENDIAN);
		final ByteOrder order = head.getShort(0) == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
		head.order(order);
		final int version = head.getShort(2);
		if (version != 42 && version != 43) throw new InputDataException("it is not a TIFF file (version " + version + ")");
		final boolean big = version == 43;
		final List<TiffDirectory> pages = new ArrayList<>();
		long at = big ? head.getLong(8) : head.getInt(4) & 0xffffffffL;
		while (at != 0) {
			if (pages.size() == MOST_PAGES) throw new InputDataException("its list of pages is circular");
			final TiffDirectory page = new TiffDirectory(order);
			at = page.parse(file, at, big);
			pages.add(page);
			// the first page of an ImageJ stack without gaps describes all images
			if (pages.size() == 1 && page.contiguousImages() > 1) break;
		}
		if (pages.isEmpty()) throw new InputDataException("it contains no image");
		return pages;
	}

	private long parse(final FileChannel file, final long at, final boolean big) throws IOException {
		final int countBytes = big ? 8 : 2, entryBytes = big ? 20 : 12, inline = big ? 8 : 4;
		final ByteBuffer count = read(file, at, countBytes, order);
		final long entries = big ? count.getLong(0) : count.getShort(0) & 0xffff;
		if (entries < 1 || entries > MOST_ENTRIES) throw new InputDataException("a page with " + entries + " tags");
		final ByteBuffer all = read(file, at + countBytes, (int) entries * entryBytes + inline, order);
		for (int i = 0; i < entries; i++) {
			final int e = i * entryBytes, tag = all.getShort(e) & 0xffff, type = all.getShort(e + 2) & 0xffff;
			final long n = big ? all.getLong(e + 4) : all.getInt(e + 4) & 0xffffffffL;
			final int size = type < BYTES.length ? BYTES[type] : 0;
			// skip unknown types and private blocks
			if (size == 0 || tag > 32767) continue;
			if (n < 0 || n > file.size()) throw new InputDataException("tag " + tag + " with " + n + " values");
			final int values = e + (big ? 12 : 8);
			final long where = big ? all.getLong(values) : all.getInt(values) & 0xffffffffL;
			final ByteBuffer data = n * size <= inline ? slice(all, values, (int) n * size) : read(file, where, (int) n * size, order);
			take(tag, type, size, (int) n, data);
		}
		return big ? all.getLong((int) entries * entryBytes) : all.getInt((int) entries * entryBytes) & 0xffffffffL;
	}

	private void take(final int tag, final int type, final int size, final int n, final ByteBuffer data) {
		if (tag == DESCRIPTION && type == ASCII) description = StandardCharsets.UTF_8.decode(data).toString();
		else if (type == RATIONAL && n > 0) rationals.put(tag, (data.getInt(0) & 0xffffffffL) / (double) (data.getInt(4) & 0xffffffffL));
		else if (type != ASCII && type != RATIONAL) {
			final long[] v = new long[n];
			for (int i = 0; i < n; i++)
				v[i] = size == 1 ? data.get(i) & 0xff : size == 2 ? data.getShort(2 * i) & 0xffff : size == 4 ? data.getInt(4 * i) & 0xffffffffL : data.getLong(8 * i);
			numbers.put(tag, v);
		}
	}

	private static ByteBuffer slice(final ByteBuffer from, final int at, final int length) {
		return from.slice(at, length).order(from.order());
	}

	private static ByteBuffer read(final FileChannel file, final long at, final int length, final ByteOrder order) throws IOException {
		if (length < 0 || at > file.size() - length) throw early(file, at + length);
		final ByteBuffer bytes = ByteBuffer.allocate(length).order(order);
		fill(file, at, bytes, length);
		return bytes.flip();
	}

	/**
	 * Fills a buffer from its position on.
	 *
	 * @throws EOFException if the file ends too early
	 */
	static void fill(final FileChannel file, final long at, final ByteBuffer to, final int length) throws IOException {
		final int end = to.position() + length, limit = to.limit();
		long from = at;
		to.limit(end);
		while (to.hasRemaining()) {
			final int n = from < 0 ? -1 : file.read(to, from);
			if (n < 0) throw early(file, at + length);
			from += n;
		}
		to.limit(limit);
	}

	private static EOFException early(final FileChannel file, final long wanted) throws IOException {
		return new EOFException("it ends at byte " + file.size() + ", before byte " + wanted);
	}

	ByteOrder order() {
		return order;
	}

	/** The image description; null if there is none. */
	String description() {
		return description;
	}

	boolean has(final int tag) {
		return numbers.containsKey(tag);
	}

	long[] numbers(final int tag) {
		return numbers.getOrDefault(tag, new long[0]);
	}

	long number(final int tag, final long otherwise) {
		final long[] v = numbers(tag);
		return v.length == 0 ? otherwise : v[0];
	}

	/** The size of a pixel in the resolution unit; 1 without resolution tags. */
	double pixelSize(final int tag) {
		final double perUnit = rationals.getOrDefault(tag, 0.0);
		return perUnit > 0 && perUnit < Double.POSITIVE_INFINITY ? 1 / perUnit : 1;
	}

	/** The number of images without gaps that the first page of an ImageJ stack describes; otherwise 1. */
	int contiguousImages() {
		if (number(COMPRESSION, 1) != 1) return 1;
		return (int) Math.max(1, Calibration.number(Calibration.description(description), "images", 1));
	}
}
