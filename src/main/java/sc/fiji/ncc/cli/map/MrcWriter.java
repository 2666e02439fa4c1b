package sc.fiji.ncc.cli.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;

import sc.fiji.ncc.cli.input.MrcReader;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/**
 * Writes MRC files: images, stacks of images, volumes and stacks of volumes, of floats, signed or unsigned shorts, or signed bytes. Unsigned bytes become
 * unsigned shorts, because the format has none. The header does not state the range of the pixels. Source: see {@link MrcReader}.
 */
final class MrcWriter extends PlaneFile {

	/** Angstroms in the units of calibrations. */
	private static final Map<String, Double> ANGSTROMS = Map.of(MrcReader.UNIT, 1.0, "A", 1.0, "angstrom", 1.0, "nm", 10.0, "\u00b5m", 1e4, "um", 1e4,
		"micron", 1e4, "mm", 1e7);
	private static final int VERSION = 20140, VERSION_AT = 108, STATISTICS = 76, ANGLES = 52, MAP_AXES = 64, DEVIATION = 216, LABELS = 220, LABEL = 224;

	private final String axes;
	private final Calibration calibration;

	/**
	 * @param axes xy, xyz, xyt or xyzt
	 * @throws IllegalArgumentException if the format cannot hold the image
	 */
	MrcWriter(final long[] size, final String axes, final PixelType type, final Calibration calibration) {
		super(size, stored(type), ByteOrder.LITTLE_ENDIAN);
		if (axes.indexOf('c') >= 0) throw new IllegalArgumentException("an MRC file has no channels, and the image has " + size[axes.indexOf('c')]
			+ ": give a name that ends in .tif or .zarr, or an image with one channel");
		if (planes > Integer.MAX_VALUE || Math.max(size[0], size[1]) > Integer.MAX_VALUE)
			throw new IllegalArgumentException("an image of " + Size.of(size) + " is too large for an MRC file: give a name that ends in .zarr");
		this.axes = axes;
		this.calibration = calibration;
	}

	/** Whether a name ends as that of an MRC file. */
	static boolean isMrc(final String name) {
		final String lower = name.toLowerCase(Locale.ROOT);
		return lower.endsWith(".mrc") || lower.endsWith(".mrcs");
	}

	private static PixelType stored(final PixelType type) {
		switch (type) {
			case U8: return PixelType.U16;
			case S8: case S16: case U16: case F32: return type;
			default: throw new IllegalArgumentException("an MRC file has no " + (type == PixelType.F64 ? "64-bit floats" : "32-bit integers")
				+ ": give a name that ends in .tif or .zarr" + (type == PixelType.F64 ? ", or leave --precision double out" : ""));
		}
	}

	private int mode() {
		switch (type) {
			case S8: return MrcReader.BYTES;
			case S16: return MrcReader.SHORTS;
			case U16: return MrcReader.UNSIGNED_SHORTS;
			default: return MrcReader.FLOATS;
		}
	}

	@Override
	@SuppressWarnings("unchecked") // the type is checked
	RandomAccessibleInterval<?> stored(final RandomAccessibleInterval<?> pixels) {
		return ImagePixels.type(pixels) == type ? pixels
			: Converters.convert((RandomAccessibleInterval<UnsignedByteType>) pixels, (from, to) -> to.set(from.get()), new UnsignedShortType());
	}

	@Override
	public long offset(final long plane) {
		return MrcReader.HEADER + plane * planeBytes;
	}

	@Override
	public byte[] head() {
		final ByteBuffer head = ByteBuffer.allocate(MrcReader.HEADER).order(order);
		final boolean volume = axes.startsWith("xyz");
		final int[] extents = { (int) size[0], (int) size[1], (int) planes }, samples = { extents[0], extents[1], volume ? (int) size[2] : 1 };
		final double[] origin = { calibration.xOrigin(), calibration.yOrigin(), volume ? calibration.zOrigin() : 0 };
		final String[] units = { calibration.unit(), calibration.yUnit(), calibration.zUnit() };
		for (int d = 0; d < 3; d++) {
			head.putInt(4 * d, extents[d]);
			head.putInt(MrcReader.START + 4 * d, (int) Math.round(-origin[d]));
			head.putInt(MrcReader.SAMPLING + 4 * d, samples[d]);
			final double angstroms = ANGSTROMS.getOrDefault(units[d] == null ? String.valueOf(units[0]) : units[d], 0.0);
			head.putFloat(MrcReader.CELL + 4 * d, (float) (samples[d] * calibration.size(d) * angstroms));
			head.putFloat(ANGLES + 4 * d, 90);
			head.putInt(MAP_AXES + 4 * d, d + 1);
		}
		head.putInt(MrcReader.MODE, mode());
		// a maximum below the minimum, a mean below both and a negative deviation: not known
		head.putFloat(STATISTICS, 0).putFloat(STATISTICS + 4, -1).putFloat(STATISTICS + 8, -2).putFloat(DEVIATION, -1);
		head.putInt(MrcReader.SPACE_GROUP, !volume ? 0 : axes.length() == 3 ? MrcReader.VOLUME : MrcReader.STACK_OF_VOLUMES);
		head.putInt(VERSION_AT, VERSION);
		head.put(MrcReader.TAG, "MAP ".getBytes(StandardCharsets.US_ASCII));
		head.put(MrcReader.MACHINE, (byte) 0x44).put(MrcReader.MACHINE + 1, (byte) 0x44);
		final byte[] label = String.format("%-80s", "NCC for Fiji").getBytes(StandardCharsets.US_ASCII);
		head.putInt(LABELS, 1).put(LABEL, label);
		return head.array();
	}
}
