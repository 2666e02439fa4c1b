package sc.fiji.ncc.cli.input;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.store.InputDataException;
import sc.fiji.ncc.store.RawPixels;

/**
 * Reads MRC files of electron microscopy: images, stacks of images (frames), volumes and stacks of volumes, with signed bytes, shorts, unsigned shorts, floats
 * or half floats (modes 0, 1, 6, 2, 12). Half floats become floats. x runs along the columns, y along the rows, z along the sections, in the order of the file,
 * whatever axes of the specimen they are. The unit is the angstrom. Source: Cheng et al., MRC2014: extensions to the MRC format header for electron
 * cryo-microscopy and tomography, Journal of Structural Biology 192 (2015), doi:10.1016/j.jsb.2015.04.002. IMOD's flag for unsigned bytes is read, too.
 */
public final class MrcReader {

	/** The bytes of the header, and the positions of its entries in bytes. */
	public static final int HEADER = 1024, MODE = 12, START = 16, SAMPLING = 28, CELL = 40, SPACE_GROUP = 88, EXTENDED = 92, IMOD_STAMP = 152,
		IMOD_FLAGS = 156, TAG = 208,
		MACHINE = 212;
	/** The modes: the types of the pixels. */
	public static final int BYTES = 0, SHORTS = 1, FLOATS = 2, UNSIGNED_SHORTS = 6, HALF_FLOATS = 12;
	/** The unit of lengths: the angstrom. */
	public static final String UNIT = "\u00c5";
	/** Values of the entry for the space group: images have 0. */
	public static final int VOLUME = 1, STACK_OF_VOLUMES = 401;

	private static final int IMOD = 1146047817, IMOD_SIGNED = 1, MOST_MODE = 127;
	/** A file of more bytes stays on the disk. */
	private static final long MOST_BYTES = 64 << 20;

	private final String name;
	private final ByteBuffer header;
	private final int mode;

	private MrcReader(final String name, final ByteBuffer header) {
		this.name = name;
		this.header = header;
		mode = header.getInt(MODE);
	}

	/** Whether a file with these first bytes is an MRC file. */
	static boolean is(final byte[] first) {
		return first.length >= HEADER && first[TAG] == 'M' && first[TAG + 1] == 'A' && first[TAG + 2] == 'P' && (first[TAG + 3] == ' ' || first[TAG + 3] == 0);
	}

	/** @throws IOException if the file is damaged or not supported; the message gives the reason */
	static InputImage read(final String name, final Path file) throws IOException {
		return read(name, file, MOST_BYTES);
	}

	/** @param mostBytes the largest file in memory */
	static InputImage read(final String name, final Path file, final long mostBytes) throws IOException {
		try (FileChannel channel = FileChannel.open(file)) {
			final ByteBuffer header = ByteBuffer.allocate(HEADER);
			TiffDirectory.fill(channel, 0, header, HEADER);
			return new MrcReader(name, header.order(order(header))).read(file, channel, mostBytes);
		}
	}

	/** The machine stamp is missing in some files: then the mode, a small number, decides. */
	private static ByteOrder order(final ByteBuffer header) {
		final byte machine = header.get(MACHINE);
		if (machine == 0x44) return ByteOrder.LITTLE_ENDIAN;
		if (machine == 0x11) return ByteOrder.BIG_ENDIAN;
		final int little = header.order(ByteOrder.LITTLE_ENDIAN).getInt(MODE), columns = header.getInt(0);
		return little >= 0 && little <= MOST_MODE && Integer.compareUnsigned(columns, Integer.reverseBytes(columns)) <= 0
			? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
	}

	private PixelType type() throws InputDataException {
		switch (mode) {
			case BYTES: return header.getInt(IMOD_STAMP) == IMOD && (header.getInt(IMOD_FLAGS) & IMOD_SIGNED) == 0 ? PixelType.U8 : PixelType.S8;
			case SHORTS: return PixelType.S16;
			case UNSIGNED_SHORTS: return PixelType.U16;
			case FLOATS: case HALF_FLOATS: return PixelType.F32;
			default: throw new InputDataException("its mode is " + mode + (mode == 3 || mode == 4 ? " (complex numbers)" : "")
				+ ", and modes 0, 1, 2, 6 and 12 are supported: save it as floats (mode 2)");
		}
	}

	private InputImage read(final Path file, final FileChannel channel, final long mostBytes) throws IOException {
		final PixelType type = type();
		final int width = header.getInt(0), height = header.getInt(4), planes = header.getInt(8), pixelBytes = mode == HALF_FLOATS ? 2 : type.bytes;
		if (width < 1 || height < 1 || planes < 1) throw new InputDataException("a size of " + width + "x" + height + "x" + planes + " pixels");
		final int extended = header.getInt(EXTENDED);
		if (extended < 0) throw new InputDataException("its extended header has " + extended + " bytes");
		final long begin = HEADER + (long) extended;
		// in doubles, because the product of a damaged header can be too large
		if ((double) width * height * planes * pixelBytes > channel.size() - begin)
			throw new EOFException("it has " + channel.size() + " bytes, too few for " + width + "x" + height + "x" + planes + " pixels of " + 8 * pixelBytes + " bits");
		final long[] size = { width, height, 1, planes, 1 };
		frames(size);
		final long rowBytes = (long) width * pixelBytes;
		if (rowBytes * height > Integer.MAX_VALUE - 8 || rowBytes * height * planes > mostBytes) {
			// stays open until the program ends
			final FileChannel open = FileChannel.open(file);
			return ImageFiles.onDisk(name, type, size, calibration(), (plane, y, rows) -> rows(open, begin + (plane * height + y) * rowBytes, rows * width, type));
		}
		final List<Object> all = new ArrayList<>();
		for (long p = 0; p < planes; p++) all.add(rows(channel, begin + p * height * rowBytes, width * height, type));
		return ImageFiles.inMemory(name, all, type, size, calibration());
	}

	/** Sections are slices, unless the header says that they are images, or volumes one after the other. */
	private void frames(final long[] size) {
		final int group = header.getInt(SPACE_GROUP), sampling = header.getInt(SAMPLING + 8);
		final long slices = group == 0 && sampling == 1 ? 1 : group >= STACK_OF_VOLUMES && sampling > 0 && size[3] % sampling == 0 ? sampling : size[3];
		size[4] = size[3] / slices;
		size[3] = slices;
	}

	private Calibration calibration() {
		final double[] pixel = new double[3];
		for (int d = 0; d < 3; d++) {
			final double length = header.getFloat(CELL + 4 * d);
			final int samples = header.getInt(SAMPLING + 4 * d);
			pixel[d] = length > 0 && samples > 0 && length / samples < Double.POSITIVE_INFINITY ? length / samples : d == 0 ? 0 : pixel[0];
		}
		return new Calibration(pixel[0] > 0 ? pixel[0] : 1, pixel[0] > 0 ? pixel[1] : 1, pixel[0] > 0 ? pixel[2] : 1, pixel[0] > 0 ? UNIT : null, null, null,
			0, "sec",
			-header.getInt(START), -header.getInt(START + 4), -header.getInt(START + 8));
	}

	private Object rows(final FileChannel file, final long at, final int pixels, final PixelType type) throws IOException {
		final ByteBuffer bytes = ByteBuffer.allocate(pixels * (mode == HALF_FLOATS ? 2 : type.bytes)).order(header.order());
		TiffDirectory.fill(file, at, bytes, bytes.capacity());
		bytes.flip();
		if (mode != HALF_FLOATS) return RawPixels.array(bytes, type, pixels);
		final float[] v = new float[pixels];
		for (int i = 0; i < pixels; i++) v[i] = half(bytes.getShort(2 * i));
		return v;
	}

	/** The value of a half float of IEEE 754: a sign, 5 bits of exponent, 10 bits of fraction. */
	static float half(final short bits) {
		final int sign = (bits & 0x8000) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
		if (exponent == 0) return Math.copySign(fraction * 0x1p-24f, Float.intBitsToFloat(sign | 0x3f800000));
		return Float.intBitsToFloat(sign | (exponent == 0x1f ? 0xff : exponent + 112) << 23 | fraction << 13);
	}
}
