package sc.fiji.ncc.cli.input;

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
import java.util.TreeMap;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.store.InputDataException;

/** The tags of one page of a TIFF or BigTIFF file. */
public final class TiffDirectory {

	public static final int WIDTH = 256, HEIGHT = 257, BITS = 258, COMPRESSION = 259, PHOTOMETRIC = 262, DESCRIPTION = 270, OFFSETS = 273,
		FILL_ORDER = 266, SAMPLES = 277, STRIP_ROWS = 278, BYTE_COUNTS = 279, X_RESOLUTION = 282, Y_RESOLUTION = 283, PLANAR = 284,
		RESOLUTION_UNIT = 296, PREDICTOR = 317,
		TILE_WIDTH = 322, TILE_HEIGHT = 323, TILE_OFFSETS = 324, TILE_BYTE_COUNTS = 325, FORMAT = 339;

	private static final int ASCII = 2, RATIONAL = 5;
	/** The bytes of a value, by the type number of the file format. */
	private static final int[] BYTES = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
	/** Limits that only damaged files exceed: the tags of a page, and the bytes of all tags as a multiple of the file's. */
	private static final int MOST_ENTRIES = 4096, MOST_TAGS = 16;

	private final Map<Integer, long[]> numbers = new HashMap<>();
	private final Map<Integer, Double> rationals = new HashMap<>();
	private String description;
	private final ByteOrder order;
	private final long begin;
	private long end, tagBytes;

	private TiffDirectory(final ByteOrder order, final long begin) {
		this.order = order;
		this.begin = begin;
	}

	/**
	 * Reads the tags of all pages.
	 *
	 * @throws IOException if the file ends too early, is not a TIFF file, or its pages contradict each other or lie in pixels
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
		final TreeMap<Long, TiffDirectory> places = new TreeMap<>();
		long tagBytes = 0;
		while (at != 0) {
			final TiffDirectory page = new TiffDirectory(order, at);
			if (places.put(at, page) != null) throw new InputDataException("its list of pages is circular: page " + (pages.size() + 1) + " lies at byte "
				+ at + ", as one before it");
			at = page.parse(file, at, big);
			tagBytes += page.tagBytes;
			if (tagBytes > MOST_TAGS * (file.size() + 1024)) throw new InputDataException("the tags of its " + pages.size() + " pages share bytes, and claim "
				+ tagBytes + " of them");
			pages.add(page);
		}
		if (pages.isEmpty()) throw new InputDataException("it contains no image");
		final int images = pages.get(0).contiguousImages();
		// a single page describes all images of an ImageJ stack without gaps
		if (images > 1 && pages.size() > 1 && images != pages.size())
			throw new InputDataException("its description states " + images + " images, and it has " + pages.size()
				+ " pages: open it in ImageJ, check it and save it again");
		for (final TiffDirectory page : pages) page.requirePixelsElsewhere(places, big ? 16 : 8, pages.size() > 1 ? 1 : images, file.size());
		return pages;
	}

	/** Refuses pixels that would be read from the header of the file or from tags. */
	private void requirePixelsElsewhere(final TreeMap<Long, TiffDirectory> pages, final int header, final int images, final long fileBytes)
		throws InputDataException {
		final boolean tiled = has(TILE_OFFSETS), raw = number(COMPRESSION, 1) == 1;
		final long[] offsets = numbers(tiled ? TILE_OFFSETS : OFFSETS), counts = numbers(tiled ? TILE_BYTE_COUNTS : BYTE_COUNTS);
		final double known = (double) number(WIDTH, 0) * number(HEIGHT, 0) * number(SAMPLES, 1) * number(BITS, 1) / 8 * images;
		for (int i = 0; i < offsets.length; i++) {
			final long from = offsets[i];
			// a single strip may have no length, or that of the first image
			final double stated = raw && offsets.length == 1 && !tiled ? known : i >= counts.length ? 0 : raw && !tiled ? Math.min(known, counts[i]) : counts[i];
			final long length = (long) Math.min(stated, fileBytes);
			if (from < header) throw new InputDataException("its pixels begin at byte " + from + ", in its header of " + header + " bytes");
			final Map.Entry<Long, TiffDirectory> before = pages.lowerEntry(from + Math.max(1, length));
			if (before != null && before.getValue().end > from) throw new InputDataException("its pixels from byte " + from + " to " + (from + length)
				+ " overlap its tags from byte " + before.getKey() + " to " + before.getValue().end + (images > 1 ? ": its description states " + images + " images" : ""));
		}
	}

	private long parse(final FileChannel file, final long at, final boolean big) throws IOException {
		final int countBytes = big ? 8 : 2, entryBytes = big ? 20 : 12, inline = big ? 8 : 4;
		final ByteBuffer count = read(file, at, countBytes, order);
		final long entries = big ? count.getLong(0) : count.getShort(0) & 0xffff;
		if (entries < 1 || entries > MOST_ENTRIES) throw new InputDataException("a page with " + entries + " tags");
		final ByteBuffer all = read(file, at + countBytes, (int) entries * entryBytes + inline, order);
		end = begin + countBytes + entries * entryBytes + inline;
		for (int i = 0; i < entries; i++) {
			final int e = i * entryBytes, tag = all.getShort(e) & 0xffff, type = all.getShort(e + 2) & 0xffff;
			final long n = big ? all.getLong(e + 4) : all.getInt(e + 4) & 0xffffffffL;
			final int size = type < BYTES.length ? BYTES[type] : 0;
			// skip unknown types and private blocks
			if (size == 0 || tag > 32767) continue;
			if (n < 0 || n > file.size() || n * size > Integer.MAX_VALUE - 8) throw new InputDataException("tag " + tag + " with " + n + " values");
			final int values = e + (big ? 12 : 8);
			final long where = big ? all.getLong(values) : all.getInt(values) & 0xffffffffL;
			final ByteBuffer data = n * size <= inline ? slice(all, values, (int) n * size) : read(file, where, (int) n * size, order);
			tagBytes += n * size;
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
