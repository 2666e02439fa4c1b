package sc.fiji.ncc.cli.map;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.cli.input.TiffDirectory;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.ResponseType;

/**
 * Writes TIFF files of ImageJ: stacks and hyperstacks of 32-bit floats or 8- and 16-bit integers, with calibration. Also of 64-bit floats, which ImageJ itself does
 * not open. Planes are written one after another, without a second copy of the image. Above 4 GB the file is a BigTIFF file. Bio-Formats reads it in Fiji,
 * ImageJ 1.x does not.
 */
public final class TiffWriter extends PlaneFile {

	/** Offsets have 32 bits, in BigTIFF 64. */
	private static final long MOST_BYTES = 0xffffffffL;
	private static final int RATIONALS = 16, BYTE = 1, SHORT = 3, LONG = 4, ASCII = 2, RATIONAL = 5, LONG8 = 16;
	/** ImageJ's tags: the number of bytes of each item, and the items. The first item lists the others. */
	private static final int ITEM_BYTES = 50838, ITEMS = 50839;
	/** The values of the tag SampleFormat. */
	private static final int UNSIGNED = 1, SIGNED = 2, FLOATS = 3;

	private final String axes;
	private final Calibration calibration;
	private final boolean coefficients;
	private final List<Channel> channels;
	/** Whether the channels are red, green and blue. */
	private final boolean colours;
	private final byte[] description;
	/** ImageJ's items: the list, the label of each plane, the ranges of all channels. Empty if channels have no names. */
	private final List<byte[]> items;
	/** Whether the file is a BigTIFF file. */
	private final boolean big;

	/**
	 * A writer for images of any pixel type. ImageJ itself does not open 64-bit floats, and shows 32-bit integers as floats.
	 *
	 * @param size the extents along {@code axes}
	 * @param axes x, y, then any of c, z, t in this order
	 * @param calibration the calibration
	 * @param coefficients whether pixels are correlation coefficients, with a display range from -1 to 1; otherwise ImageJ shows each plane from its
	 *          smallest to its largest value. Integers are quantized responses: the calibration of the file says what they stand for
	 */
	public TiffWriter(final long[] size, final String axes, final PixelType type, final Calibration calibration, final boolean coefficients) {
		this(size, axes, type, calibration, coefficients, List.of(), false);
	}

	private TiffWriter(final long[] size, final String axes, final PixelType type, final Calibration calibration, final boolean coefficients,
		final List<Channel> channels, final boolean colours)
	{
		super(size, type, ByteOrder.BIG_ENDIAN);
		this.axes = axes;
		this.calibration = calibration;
		this.coefficients = coefficients;
		this.channels = channels;
		this.colours = colours;
		description = describe();
		items = items();
		big = planeBytes > (MOST_BYTES - headBytes(false)) / planes - entriesBytes(false);
	}

	/** ImageJ does not read BigTIFF files, so these have no names. */
	@Override
	TiffWriter named(final List<Channel> names, final boolean inColour) {
		final TiffWriter named = new TiffWriter(size, axes, type, calibration, coefficients, names, inColour);
		return named.big ? this : named;
	}

	private List<byte[]> items() {
		if (channels.isEmpty()) return List.of();
		final List<byte[]> all = new ArrayList<>();
		all.add(ByteBuffer.allocate(20).put("IJIJlabl".getBytes(StandardCharsets.US_ASCII)).putInt((int) planes)
			.put("rang".getBytes(StandardCharsets.US_ASCII)).putInt(1).array());
		for (long p = 0; p < planes; p++) all.add(channels.get((int) (p % channels.size())).name().getBytes(StandardCharsets.UTF_16BE));
		final ByteBuffer ranges = ByteBuffer.allocate(2 * Double.BYTES * channels.size());
		channels.forEach(c -> ranges.putDouble(c.range().min()).putDouble(c.range().max()));
		all.add(ranges.array());
		return all;
	}

	private byte[] describe() {
		final StringBuilder s = new StringBuilder("ImageJ=1.54p\n");
		if (planes > 1) s.append("images=").append(planes).append('\n');
		for (int d = 2; d < size.length; d++) {
			final char axis = axes.charAt(d);
			s.append(axis == 'c' ? "channels" : axis == 'z' ? "slices" : "frames").append('=').append(size[d]).append('\n');
		}
		if (size.length > 3 || axes.length() > 2 && axes.charAt(2) != 'z') s.append("hyperstack=true\n");
		if (!channels.isEmpty()) s.append("mode=").append(colours ? "composite" : "grayscale").append('\n');
		s.append(calibration.lines());
		if (coefficients && type.integer) {
			final ResponseType responses = ResponseType.of(type);
			// a straight line of two coefficients
			s.append("cf=0\nc0=").append(responses.offset()).append("\nc1=").append(responses.scale()).append("\nvunit=r\n");
			s.append("min=").append((double) responses.quantize(-1)).append("\nmax=").append((double) responses.quantize(1)).append('\n');
		}
		else if (coefficients) s.append("min=-1.0\nmax=1.0\n");
		return s.append('\0').toString().getBytes(StandardCharsets.US_ASCII);
	}

	private int entries(final boolean first) {
		return 10 + (first ? channels.isEmpty() ? 1 : 3 : 0) + (calibration.unit() == null ? 0 : 3);
	}

	/** The bytes of the tags of a page. */
	private long entriesBytes(final boolean big, final boolean first) {
		return (big ? 8 : 2) + (big ? 20L : 12L) * entries(first) + (big ? 8 : 4);
	}

	private long entriesBytes(final boolean big) {
		return entriesBytes(big, false);
	}

	/** The bytes before the first plane: the header, the tags of the first page and their values. */
	private long headBytes(final boolean big) {
		return headerBytes(big) + entriesBytes(big, true) + description.length + RATIONALS + Integer.BYTES * items.size() + itemBytes();
	}

	private long itemBytes() {
		return items.stream().mapToLong(i -> i.length).sum();
	}

	private static int headerBytes(final boolean big) {
		return big ? 16 : 8;
	}

	@Override
	public long offset(final long plane) {
		return headBytes(big) + plane * planeBytes;
	}

	@Override
	public long fileBytes() {
		return offset(planes) + (planes - 1) * entriesBytes(big);
	}

	@Override
	public byte[] head() {
		final ByteBuffer head = ByteBuffer.allocate((int) headBytes(big));
		head.putShort((short) 0x4d4d).putShort((short) (big ? 43 : 42));
		if (big) head.putShort((short) 8).putShort((short) 0).putLong(headerBytes(true));
		else head.putInt(headerBytes(false));
		page(head, 0);
		return head.array();
	}

	/** The tags of a plane other than the first. */
	@Override
	byte[] page(final long plane) {
		final ByteBuffer page = ByteBuffer.allocate((int) entriesBytes(big));
		page(page, plane);
		return page.array();
	}

	private void page(final ByteBuffer to, final long plane) {
		final boolean first = plane == 0;
		final long described = headerBytes(big) + entriesBytes(big, true), rationals = described + description.length,
			counts = rationals + RATIONALS;
		if (big) to.putLong(entries(first));
		else to.putShort((short) entries(first));
		entry(to, 254, LONG, 1, 0);
		entry(to, TiffDirectory.WIDTH, LONG, 1, size[0]);
		entry(to, TiffDirectory.HEIGHT, LONG, 1, size[1]);
		entry(to, TiffDirectory.BITS, SHORT, 1, 8 * type.bytes);
		entry(to, TiffDirectory.COMPRESSION, SHORT, 1, 1);
		entry(to, TiffDirectory.PHOTOMETRIC, SHORT, 1, 1);
		if (first) entry(to, TiffDirectory.DESCRIPTION, ASCII, description.length, described);
		entry(to, TiffDirectory.OFFSETS, big ? LONG8 : LONG, 1, offset(plane));
		entry(to, 278, LONG, 1, size[1]);
		entry(to, TiffDirectory.BYTE_COUNTS, big ? LONG8 : LONG, 1, planeBytes);
		if (calibration.unit() != null) {
			entry(to, TiffDirectory.X_RESOLUTION, RATIONAL, 1, rationals);
			entry(to, TiffDirectory.Y_RESOLUTION, RATIONAL, 1, rationals + 8);
			entry(to, TiffDirectory.RESOLUTION_UNIT, SHORT, 1, "inch".equals(calibration.unit()) ? 2 : "cm".equals(calibration.unit()) ? 3 : 1);
		}
		entry(to, TiffDirectory.FORMAT, SHORT, 1, !type.integer ? FLOATS : type.min < 0 ? SIGNED : UNSIGNED);
		if (first && !items.isEmpty()) {
			entry(to, ITEM_BYTES, LONG, items.size(), counts);
			entry(to, ITEMS, BYTE, itemBytes(), counts + Integer.BYTES * items.size());
		}
		final long next = plane + 1 == planes ? 0 : offset(planes) + plane * entriesBytes(big);
		if (big) to.putLong(next);
		else to.putInt((int) next);
		if (first) {
			to.put(description);
			perUnit(to, calibration.pixelWidth());
			perUnit(to, calibration.pixelHeight());
			items.forEach(i -> to.putInt(i.length));
			items.forEach(to::put);
		}
	}

	private void entry(final ByteBuffer to, final int tag, final int type, final long count, final long value) {
		to.putShort((short) tag).putShort((short) type);
		final int end = to.position() + (big ? 16 : 8);
		if (big) to.putLong(count);
		else to.putInt((int) count);
		// a value shorter than its field begins at the start of the field
		if (type == SHORT) to.putShort((short) value);
		else if (big && type != LONG) to.putLong(value);
		else to.putInt((int) value);
		to.position(end);
	}

	/** Pixels per unit as a fraction, which is exact for sizes with few digits. */
	private static void perUnit(final ByteBuffer to, final double pixelSize) {
		final BigDecimal decimal = BigDecimal.valueOf(pixelSize).stripTrailingZeros();
		final int places = Math.max(0, decimal.scale());
		final BigDecimal whole = decimal.movePointRight(places);
		if (places < 10 && whole.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
			to.putInt((int) Math.pow(10, places)).putInt(whole.intValueExact());
			return;
		}
		final double largest = Integer.MAX_VALUE;
		if (pixelSize < 1) to.putInt((int) largest).putInt((int) Math.max(1, Math.round(largest * pixelSize)));
		else to.putInt((int) Math.max(1, Math.round(largest / pixelSize))).putInt((int) largest);
	}
}
