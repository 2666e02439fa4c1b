package sc.fiji.ncc.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.front.Calibration;

/** The axes, the order of planes and the pixel sizes of OME-TIFF files. */
class OmeTiffTest extends ImageFileSamples {

	private static final int W = 3, H = 2, C = 2, Z = 3, T = 4;

	/** Pages of one byte per pixel; each pixel of page i has the value i. The first page has the description. */
	private static byte[] tiff(final String description, final int pages) {
		final byte[] text = description.getBytes(StandardCharsets.UTF_8);
		final int entries = 8, directory = 2 + 12 * entries + 4, first = 8 + text.length + 1, pixels = first + pages * directory;
		final ByteBuffer b = ByteBuffer.allocate(pixels + pages * W * H).order(ByteOrder.LITTLE_ENDIAN);
		b.putShort((short) 0x4949).putShort((short) 42).putInt(first).put(text).put((byte) 0);
		for (int i = 0; i < pages; i++) {
			b.putShort((short) entries);
			final int[][] tags = { { 256, 4, 1, W }, { 257, 4, 1, H }, { 258, 4, 1, 8 }, { 259, 4, 1, 1 }, { 262, 4, 1, 1 },
				i == 0 ? new int[] { 270, 2, text.length + 1, 8 } : new int[] { 278, 4, 1, H }, { 273, 4, 1, pixels + i * W * H }, { 279, 4, 1, W * H } };
			for (final int[] t : tags) b.putShort((short) t[0]).putShort((short) t[1]).putInt(t[2]).putInt(t[3]);
			b.putInt(i + 1 < pages ? first + (i + 1) * directory : 0);
		}
		for (int i = 0; i < pages; i++) b.put(filled(i));
		return b.array();
	}

	private static byte[] filled(final int value) {
		final byte[] page = new byte[W * H];
		Arrays.fill(page, (byte) value);
		return page;
	}

	private static String xml(final String order, final String more, final String data) {
		return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\" UUID=\"urn:uuid:a\"><Image ID=\"Image:0\">"
			+ "<Pixels ID=\"Pixels:0\" DimensionOrder=\"" + order + "\" Type=\"uint8\" SizeX=\"" + W + "\" SizeY=\"" + H + "\" SizeC=\"" + C + "\" SizeZ=\"" + Z
			+ "\" SizeT=\"" + T + "\" " + more + ">" + data + "</Pixels></Image></OME>";
	}

	private String read(final String xml) throws IOException {
		return refusal(file("refused.ome.tif", tiff(xml, C * Z * T)));
	}

	/** Planes are found by their position, whatever their order in the file. */
	@ParameterizedTest
	@ValueSource(strings = { "XYCZT", "XYCTZ", "XYZCT", "XYZTC", "XYTCZ", "XYTZC" })
	void orderOfPlanes(final String order) throws IOException {
		for (final String data : new String[] { "", "<TiffData/>", "<TiffData IFD=\"0\" PlaneCount=\"24\"/>" }) {
			final InputImage image = ImageFiles.read(file("order.ome.tif", tiff(xml(order, "", data), C * Z * T)));
			assertEquals("xyczt", image.axes());
			assertEquals("3x2x2x3x4", image.size());
			for (int c = 0; c < C; c++)
				for (int z = 0; z < Z; z++)
					for (int t = 0; t < T; t++) {
						int page = 0;
						for (int a = 4; a >= 2; a--)
							page = order.charAt(a) == 'C' ? page * C + c : order.charAt(a) == 'Z' ? page * Z + z : page * T + t;
						assertEquals(page, value(image, 1, 1, c, z, t));
					}
		}
	}

	/** Each plane names its page, here in the reverse order; the file may be renamed. */
	@Test
	void pagesInAnyOrder() throws IOException {
		final StringBuilder data = new StringBuilder();
		for (int c = 0; c < C; c++)
			for (int z = 0; z < Z; z++)
				for (int t = 0; t < T; t++) data.append("<TiffData FirstC=\"" + c + "\" FirstZ=\"" + z + "\" FirstT=\"" + t + "\" IFD=\"" + (23 - (c * Z + z) * T - t)
					+ "\" PlaneCount=\"1\"><UUID FileName=\"before.ome.tif\">urn:uuid:a</UUID></TiffData>");
		final InputImage image = ImageFiles.read(file("renamed.ome.tif", tiff(xml("XYZCT", "", data.toString()), C * Z * T)));
		for (int c = 0; c < C; c++)
			for (int z = 0; z < Z; z++)
				for (int t = 0; t < T; t++) assertEquals(23 - (c * Z + z) * T - t, value(image, 0, 0, c, z, t));
	}

	/** Of a recording in several files, this one has its own planes: here one channel of each frame but the last. */
	@Test
	void oneFileOfSeveral() throws IOException {
		final StringBuilder data = new StringBuilder();
		for (int c = 0; c < C; c++)
			for (int t = 0; t < T - c; t++) data.append("<TiffData FirstC=\"" + c + "\" FirstT=\"" + t + "\" IFD=\"" + t * Z + "\" PlaneCount=\"" + Z
				+ "\"><UUID FileName=\"channel" + c + ".ome.tif\">urn:uuid:" + (char) ('b' - c) + "</UUID></TiffData>");
		final InputImage image = ImageFiles.read(file("any.ome.tif", tiff(xml("XYZCT", "", data.toString()), Z * (T - 1))));
		assertEquals("xyzt", image.axes());
		assertEquals("3x2x3x3", image.size());
		for (int z = 0; z < Z; z++)
			for (int t = 0; t < T - 1; t++) assertEquals(t * Z + z, value(image, 2, 1, z, t));
	}

	/** A block without a number of planes has all planes from its first one on. */
	@Test
	void theRestOfTheRecording() throws IOException {
		final InputImage image = ImageFiles.read(file("rest.ome.tif", tiff(xml("XYCZT", "", "<TiffData FirstT=\"2\"/>"), C * Z * (T - 2))));
		assertEquals("3x2x2x3x2", image.size());
		for (int c = 0; c < C; c++) for (int z = 0; z < Z; z++) for (int t = 0; t < T - 2; t++) assertEquals((t * Z + z) * C + c, value(image, 1, 1, c, z, t));
	}

	/** All planes are in one file, whose name is no longer the one that several blocks state. */
	@Test
	void aFileThatWasRenamed() throws IOException {
		final StringBuilder data = new StringBuilder();
		for (int t = 0; t < T; t++) data.append("<TiffData FirstT=\"" + t + "\" IFD=\"" + t * C * Z + "\" PlaneCount=\"" + C * Z
			+ "\"><UUID FileName=\"old.ome.tif\">urn:uuid:b</UUID></TiffData>");
		assertEquals("3x2x2x3x4", ImageFiles.read(file("new.ome.tif", tiff(xml("XYCZT", "", data.toString()), C * Z * T))).size());
	}

	@Test
	void pixelSizes() throws IOException {
		final String sizes = "PhysicalSizeX=\"0.5\" PhysicalSizeY=\"0.25\" PhysicalSizeZ=\"2000\" PhysicalSizeZUnit=\"nm\" "
			+ "TimeIncrement=\"3\" TimeIncrementUnit=\"min\"";
		final Calibration c = ImageFiles.read(file("sizes.ome.tif", tiff(xml("XYCZT", sizes, ""), C * Z * T))).calibration();
		assertEquals(new Calibration(0.5, 0.25, 2000, "\u00b5m", null, "nm", 3, "min", 0, 0, 0), c);
		final Calibration interval = ImageFiles.read(file("interval.ome.tif", tiff(xml("XYCZT", "TimeIncrement=\"3\"", ""), C * Z * T))).calibration();
		assertEquals(new Calibration(1, 1, 1, null, null, null, 3, "sec", 0, 0, 0), interval);
		final Calibration square = ImageFiles.read(file("square.ome.tif", tiff(xml("XYCZT", "PhysicalSizeX=\"0.5\"", ""), C * Z * T))).calibration();
		assertEquals(new Calibration(0.5, 0.5, 1, "\u00b5m", null, null, 0, "sec", 0, 0, 0), square);
		assertEquals(Calibration.NONE, ImageFiles.read(file("none.ome.tif", tiff(xml("XYCZT", "", ""), C * Z * T))).calibration());
	}

	/** The description names another file that holds the XML: the pages are a stack, as before. */
	@Test
	void metadataInAnotherFile() throws IOException {
		final String xml = "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
			+ "<BinaryOnly MetadataFile=\"a.companion.ome\" UUID=\"urn:uuid:b\"/></OME>";
		assertEquals("3x2x6", ImageFiles.read(file("binary.ome.tif", tiff(xml, 6))).size());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
		"</Pixels>               |                       | its OME-XML is damaged",
		"</OME>                  |                       | its OME-XML is damaged",
		"SizeT=\"4\"             | SizeT=\"5\"           | its OME-XML states 2 channels of 3 slices in 5 frames, and it has 24 pages",
		"SizeT=\"4\"             | SizeT=\"0\"           | its OME-XML has SizeT=0",
		"SizeT=\"4\"             | SizeT=\"4000000000\"  | its OME-XML has SizeT=4000000000",
		"SizeT=\"4\"             | SizeT=\"2000000000\"  | its OME-XML states too many planes",
		"SizeZ=\"3\"             |                       | its OME-XML has no SizeZ",
		"SizeX=\"3\"             | SizeX=\"4\"           | its OME-XML states planes of 4x2 pixels, and its pages have 3x2",
		"DimensionOrder=\"XYZCT\"| DimensionOrder=\"XYC\"| its OME-XML has DimensionOrder=XYC",
		"></Pixels>              | PhysicalSizeX=\"x\"></Pixels>                                     | its OME-XML has PhysicalSizeX=x",
		"</Pixels>               | <TiffData IFD=\"20\" PlaneCount=\"5\"/></Pixels>                  | its OME-XML states 25 pages, and it has 24",
		"</Pixels>               | <TiffData IFD=\"-1\"/></Pixels>                                   | its OME-XML has IFD=-1",
		"</Pixels>               | <TiffData FirstC=\"2\"/></Pixels>                                 | its OME-XML has FirstC=2",
		"</Pixels>               | <TiffData PlaneCount=\"5\"/></Pixels>                             | and it has pages for 5 of 6 planes",
		"</OME>                  | "
			+ "<Image><Pixels DimensionOrder=\"XYZCT\" SizeX=\"3\" SizeY=\"2\" SizeC=\"2\" SizeZ=\"3\" SizeT=\"4\"/></Image></OME> | several images",
		"<Image ID=\"Image:0\">  | <Image ID=\"Image:0\"><!DOCTYPE x>                                | its OME-XML is damaged" })
	void contradictionsAreOneLine(final String part, final String by, final String reason) throws IOException {
		final String xml = xml("XYZCT", "", "");
		assertTrue(xml.contains(part), part);
		final String refused = read(xml.replace(part, by == null ? "" : by));
		assertTrue(refused.contains(reason), refused);
		assertFalse(refused.contains("\n"), refused);
	}
}
