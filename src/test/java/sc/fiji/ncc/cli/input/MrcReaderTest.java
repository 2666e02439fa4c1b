package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.image.ImagePixels;

/** Headers are built here byte by byte, from the tables of MRC2014 and of IMOD. */
class MrcReaderTest extends ImageFileSamples {

	private static final int WIDTH = 3, HEIGHT = 2;
	private static final String SAMPLES = "-7, 0, 1, 2, 3, 120";

	/** A file of planes whose first pixels are -7, 0, 1, 2, 3, 120 and whose other pixels are the number of their plane. */
	private static ByteBuffer mrc(final int mode, final int planes, final ByteOrder order) {
		final int bytes = mode == 0 ? 1 : mode == 2 ? 4 : 2;
		final ByteBuffer b = ByteBuffer.allocate(1024 + WIDTH * HEIGHT * planes * bytes).order(order);
		b.putInt(WIDTH).putInt(HEIGHT).putInt(planes).putInt(mode);
		b.putInt(28, WIDTH).putInt(32, HEIGHT).putInt(36, planes);
		b.putInt(64, 1).putInt(68, 2).putInt(72, 3);
		b.putInt(88, 1);
		b.put(208, "MAP ".getBytes());
		b.put(212, (byte) (order == ByteOrder.LITTLE_ENDIAN ? 0x44 : 0x11));
		final int[] first = { -7, 0, 1, 2, 3, 120 };
		// half floats: a sign, 5 bits of exponent with bias 15, 10 bits of fraction
		final int[] halves = { 0xc700, 0, 0x3c00, 0x4000, 0x4200, 0x5780 };
		b.position(1024);
		for (int i = 0; i < WIDTH * HEIGHT * planes; i++) {
			final int value = i < 6 ? first[i] : i / 6;
			if (mode == 0) b.put((byte) value);
			else if (mode == 2) b.putFloat(value);
			else if (mode == 12) b.putShort((short) (i < 6 ? halves[i] : 0));
			else b.putShort((short) (mode == 6 && i == 0 ? 65529 : value));
		}
		return b;
	}

	private String file(final ByteBuffer mrc) throws IOException {
		return file("v.mrc", mrc.array());
	}

	private static String samples(final InputImage image) {
		final StringBuilder s = new StringBuilder();
		for (int y = 0; y < HEIGHT; y++) for (int x = 0; x < WIDTH; x++)
			s.append(s.length() == 0 ? "" : ", ").append((long) (image.axes().length() == 2 ? value(image, x, y) : value(image, x, y, 0)));
		return s.toString();
	}

	@ParameterizedTest
	@CsvSource({ "0,S8", "1,S16", "2,F32", "6,U16", "12,F32" })
	void everyModeInBothByteOrders(final int mode, final String type) throws IOException {
		for (final ByteOrder order : new ByteOrder[] { ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN }) {
			final InputImage image = ImageFiles.read(file(mrc(mode, 4, order)));
			assertEquals("xyz", image.axes());
			assertArrayEquals(new long[] { WIDTH, HEIGHT, 4 }, image.pixels().dimensionsAsLongArray());
			assertEquals(type, ImagePixels.type(image.pixels()).name());
			assertEquals(mode == 6 ? SAMPLES.replace("-7", "65529") : SAMPLES, samples(image));
			if (mode != 12) assertEquals(3, value(image, 2, 1, 3));
			final ByteBuffer unstamped = mrc(mode, 4, order).put(212, (byte) 0);
			assertEquals(samples(image), samples(ImageFiles.read(file(unstamped))), "without a machine stamp");
		}
	}

	@Test
	void bytesOfImodWithoutItsFlagAreUnsigned() throws IOException {
		final ByteBuffer b = mrc(0, 1, ByteOrder.LITTLE_ENDIAN).putInt(152, 1146047817);
		assertEquals(249, value(ImageFiles.read(file(b)), 0, 0));
		assertEquals(-7, value(ImageFiles.read(file(b.putInt(156, 1))), 0, 0));
	}

	@ParameterizedTest
	@CsvSource({ "3c00,1", "c000,-2", "7bff,65504", "0001,5.9604645e-8", "8001,-5.9604645e-8", "03ff,6.097555e-5", "0400,6.1035156e-5", "7c00,Infinity",
		"fc00,-Infinity",
		"7e01,NaN", "3555,0.33325195" })
	void halfFloats(final String bits, final float value) {
		assertEquals(value, MrcReader.half((short) Integer.parseInt(bits, 16)));
	}

	@Test
	void aNegativeZeroKeepsItsSign() {
		assertEquals(Float.NEGATIVE_INFINITY, 1 / MrcReader.half((short) 0x8000));
	}

	/** Space group and sampling decide what the sections are. */
	@ParameterizedTest
	@CsvSource({ "0,1,6,xyt,6,1", "0,6,6,xyz,6,1", "1,6,6,xyz,6,1", "1,1,6,xyz,6,1", "401,3,6,xyzt,3,2", "401,4,6,xyz,6,1", "401,0,6,xyz,6,1", "0,1,1,xy,1,1" })
	void sectionsAreSlicesOrFrames(final int group, final int sampling, final int planes, final String axes, final int third,
		final int fourth) throws IOException {
		final InputImage image = ImageFiles.read(file(mrc(1, planes, ByteOrder.LITTLE_ENDIAN).putInt(88, group).putInt(36, sampling)));
		assertEquals(axes, image.axes());
		if (axes.length() > 2) assertEquals(third, image.pixels().dimension(2));
		if (axes.length() > 3) {
			assertEquals(fourth, image.pixels().dimension(3));
			assertEquals(5, value(image, 0, 0, 2, 1));
		}
	}

	@Test
	void pixelSizesAndStart() throws IOException {
		final ByteBuffer b = mrc(2, 4, ByteOrder.LITTLE_ENDIAN).putFloat(40, 3 * 2.5f).putFloat(44, 2 * 2.5f).putFloat(48, 4 * 5f).putInt(16, -10).putInt(20,
			20).putInt(24, 30);
		final Calibration c = ImageFiles.read(file(b)).calibration();
		assertEquals("\u00c5", c.unit());
		assertEquals(2.5, c.pixelWidth());
		assertEquals(2.5, c.pixelHeight());
		assertEquals(5, c.pixelDepth());
		assertEquals(20 * 2.5, c.place(1, 0), "the first row lies 20 pixels after the origin");
		assertEquals(-10 * 2.5, c.place(0, 0));
		assertEquals(30 * 5, c.place(2, 0));
	}

	@ParameterizedTest
	@ValueSource(floats = { 0, -1, Float.NaN, Float.POSITIVE_INFINITY })
	void withoutACellThereIsNoUnit(final float cell) throws IOException {
		final Calibration c = ImageFiles.read(file(mrc(2, 4, ByteOrder.LITTLE_ENDIAN).putFloat(40, cell).putFloat(44, 5).putFloat(48, 5))).calibration();
		assertEquals("pixel 1.0 1.0 1.0", c.units(3) + " " + c.pixelWidth() + " " + c.pixelHeight() + " " + c.pixelDepth());
	}

	/** Without a length or samples along an axis, its pixels are as wide as those of the columns. */
	@ParameterizedTest
	@CsvSource({ "0,2", "-5,2", "NaN,2", "Infinity,2", "5,-2", "5,0" })
	void anAxisWithoutACellHasThePixelsOfTheColumns(final float cell, final int samples) throws IOException {
		final ByteBuffer b = mrc(2, 4, ByteOrder.LITTLE_ENDIAN).putFloat(40, 3 * 2.5f).putFloat(44, cell).putFloat(48, 4 * 5f).putInt(32, samples);
		final Calibration c = ImageFiles.read(file(b)).calibration();
		assertEquals("\u00c5 2.5 2.5 5.0", c.unit() + " " + c.pixelWidth() + " " + c.pixelHeight() + " " + c.pixelDepth());
	}

	@Test
	void theTagEndsInABlankOrZero() throws IOException {
		assertEquals(SAMPLES, samples(ImageFiles.read(file(mrc(1, 1, ByteOrder.LITTLE_ENDIAN).put(211, (byte) 0)))));
		final byte[] other = mrc(1, 1, ByteOrder.LITTLE_ENDIAN).array();
		for (int i = 208; i < 212; i++) {
			final byte[] changed = other.clone();
			changed[i] = 'x';
			assertFalse(MrcReader.is(changed), "byte " + i);
		}
		assertFalse(MrcReader.is(Arrays.copyOf(other, 1023)));
	}

	@Test
	void theExtendedHeaderIsSkipped() throws IOException {
		final ByteBuffer b = mrc(1, 1, ByteOrder.BIG_ENDIAN).putInt(92, 160);
		final ByteBuffer longer = ByteBuffer.allocate(b.capacity() + 160);
		longer.put(b.array(), 0, 1024).position(1024 + 160);
		longer.put(b.array(), 1024, b.capacity() - 1024);
		assertEquals(SAMPLES, samples(ImageFiles.read(file(longer))));
	}

	/** 18761 columns are 0x4949: the first bytes of a TIFF file, too. */
	@Test
	void aWidthOfTiffsFirstBytes() throws IOException {
		final ByteBuffer b = ByteBuffer.allocate(1024 + 0x4949).order(ByteOrder.LITTLE_ENDIAN);
		b.put(mrc(0, 1, ByteOrder.LITTLE_ENDIAN).array(), 0, 1024).putInt(0, 0x4949).putInt(4, 1).put(1024 + 0x4948, (byte) 9);
		assertEquals(9, value(ImageFiles.read(file(b)), 0x4948, 0));
	}

	@Test
	void largeFilesStayOnTheDisk() throws IOException {
		final Path path = Path.of(file(mrc(12, 5, ByteOrder.LITTLE_ENDIAN)));
		final InputImage disk = MrcReader.read("v.mrc", path, 10);
		assertEquals(SAMPLES, samples(disk));
		final Path shorts = Path.of(file(mrc(1, 5, ByteOrder.BIG_ENDIAN)));
		assertEquals(4, value(MrcReader.read("v.mrc", shorts, 10), 2, 1, 4));
		assertEquals(1, value(MrcReader.read("v.mrc", shorts, 10), 0, 0, 1));
		// several bands of rows
		final ByteBuffer many = ByteBuffer.allocate(1024 + 4000 * 3000).order(ByteOrder.LITTLE_ENDIAN);
		many.put(mrc(0, 1, ByteOrder.LITTLE_ENDIAN).array(), 0, 1024).putInt(0, 4000).putInt(4, 1500).putInt(8, 2);
		many.put(1024 + 4000 * (1500 + 1499) + 7, (byte) 9);
		assertEquals(9, value(MrcReader.read("v.mrc", Path.of(file(many)), 10), 7, 1499, 1));
	}

	@Test
	void refusesWhatItCannotRead() throws IOException {
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(8, 5))).contains("too few for 3x2x5 pixels of 16 bits"));
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(0, Integer.MAX_VALUE).putInt(4, Integer.MAX_VALUE).putInt(8,
			Integer.MAX_VALUE))).contains("too few"));
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(4, 0))).contains("a size of 3x0x4 pixels"));
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(92, -4))).contains("extended header has -4 bytes"));
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(12, 4))).contains("its mode is 4 (complex numbers), and modes 0, 1, 2, 6 and 12 "
			+ "are supported"));
		assertTrue(refusal(file(mrc(1, 4, ByteOrder.LITTLE_ENDIAN).putInt(12, 101))).contains("its mode is 101, and"));
	}
}
