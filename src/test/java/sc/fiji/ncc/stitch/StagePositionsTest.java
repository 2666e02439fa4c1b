package sc.fiji.ncc.stitch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import sc.fiji.ncc.stitch.StagePositions.Metadata;

/** Positions of the stage in OME-XML and in the origins of images. */
class StagePositionsTest {

	private static final String PIXELS = "PhysicalSizeX='0.5' PhysicalSizeXUnit='\u00b5m' PhysicalSizeY='250' PhysicalSizeYUnit='nm' PhysicalSizeZ='2'";

	private static String image(final String pixels, final String plane, final String more) {
		return "<Image ID='Image:0'><Pixels " + pixels + ">" + more + "<Plane TheC='0' TheT='0' TheZ='0' " + plane
			+ "/><Plane PositionX='9' PositionY='9'/></Pixels></Image>";
	}

	private static String ome(final String... images) {
		return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns='http://www.openmicroscopy.org/Schemas/OME/2016-06'>" + String.join("", images) + "</OME>";
	}

	private static Metadata tile(final String file, final String description, final double... origin) {
		return new Metadata(file, description, origin);
	}

	private static double[] position(final int dimensions, final String description) {
		return StagePositions.of(List.of(tile("a.tif", description, 1, 2, 3)), dimensions).of(List.of("folder/a.tif"), "m").get(0);
	}

	@Test
	void positionsAreThoseOfTheFirstPlaneInPixels() {
		final String plane = "PositionX='0.1' PositionXUnit='mm' PositionY='-30' PositionY_='' PositionZ='7' PositionZUnit='\u03bcm'";
		assertArrayEquals(new double[] { 200, -120, 3.5 }, position(3, ome(image(PIXELS, plane, ""))), 1e-9);
		assertArrayEquals(new double[] { 200, -120 }, position(2, "ImageDescription: " + ome(image(PIXELS, plane, "")) + "\nResolution: 1"), 1e-9);
		assertArrayEquals(new double[] { 12.5, 3 }, position(2, ome(image("", "PositionX='12.5' PositionXUnit='pixel' PositionY='3' PositionYUnit='pixel'", ""))), 0);
		assertArrayEquals(new double[] { 20, 40, 0 }, position(3, ome(image(PIXELS, "PositionX='10' PositionY='10'", ""))), 1e-9, "without a depth");
		assertArrayEquals(new double[] { 20, 40 }, position(2, ome(image(PIXELS, "PositionX='10' PositionY='10'", "")).replace("<", "<o:").replace("<o:/", "</o:")
			.replace("<o:?", "<?").replace("xmlns=", "xmlns:o=")), 1e-9, "with a prefix");
	}

	@Test
	void withoutOmeTheOriginCounts() {
		final PositionsFile found = StagePositions.of(List.of(tile("a", null, 0, 0, 0), tile("b", "ImageJ=1.54", -85.5, 3, 0)), 2);
		assertEquals(2, found.dimensions());
		assertArrayEquals(new double[] { 0, 0 }, found.of(List.of("a", "b"), "m").get(0));
		assertArrayEquals(new double[] { 85.5, -3 }, found.of(List.of("a", "b"), "m").get(1));
	}

	/** Files of one recording state all images; the place of each names its file. */
	@Test
	void ofSeveralImagesThatOfTheFileCounts() {
		final String xml = ome(image(PIXELS, "PositionX='1' PositionY='1'", "<TiffData><UUID FileName='a.tif'>u</UUID></TiffData>"),
			image(PIXELS, "PositionX='5' PositionY='6'", "<TiffData><UUID FileName='b.tif'>v</UUID></TiffData>"));
		final PositionsFile found = StagePositions.of(List.of(tile("x/a.tif", xml, 0, 0), tile("x/b.tif", xml, 0, 0)), 2);
		assertArrayEquals(new double[] { 10, 24 }, found.of(List.of("x/a.tif", "x/b.tif"), "m").get(1), 1e-9);
		refuses("the OME-XML of c.tif has 2 images, and none of them names this file", xml, "c.tif");
	}

	private static void refuses(final String message, final String description, final String file) {
		final String said = assertThrows(IllegalArgumentException.class, () -> StagePositions.of(List.of(tile(file, description, 0, 0)), 2)).getMessage();
		assertTrue(said.startsWith(message) && said.contains("give a ") && !said.contains("\n"), said);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = {
		"PhysicalSizeX='1' PhysicalSizeY='1', PositionX='1', has no PositionY",
		"PhysicalSizeX='1', PositionX='1' PositionY='2', has no PhysicalSizeY",
		"PhysicalSizeX='0' PhysicalSizeY='1', PositionX='1' PositionY='2', has PhysicalSizeX=0",
		"PhysicalSizeX='1' PhysicalSizeY='1', PositionX='far' PositionY='2', has PositionX=far",
		"PhysicalSizeX='1' PhysicalSizeY='1', PositionX='1' PositionXUnit='reference frame' PositionY='2', \"has PositionXUnit=reference frame, which is "
			+ "not a length\"" })
	void whatIsMissingIsSaid(final String pixels, final String plane, final String reason) {
		refuses("the OME-XML of a.tif " + reason, ome(image(pixels, plane, "")), "a.tif");
	}

	@Test
	void damagedTextsAndEqualPositionsAreRefused() {
		refuses("the OME-XML of a.tif is damaged", "<OME><Image></OME>", "a.tif");
		refuses("the OME-XML of a.tif is damaged", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///'>]><OME>&e;</OME>", "a.tif");
		refuses("the OME-XML of a.tif has no element Plane", ome("<Image><Pixels PhysicalSizeX='1'/></Image>"), "a.tif");
		final String said = assertThrows(IllegalArgumentException.class, () -> StagePositions.of(List.of(tile("a", null, 0, 0), tile("b", null, 0, 0)),
			2)).getMessage();
		assertEquals("the metadata of all tiles state the same position: give a grid, or a file of positions", said);
	}
}
