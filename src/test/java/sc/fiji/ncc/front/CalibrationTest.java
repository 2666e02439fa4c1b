package sc.fiji.ncc.front;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a TIFF file's resolution and ImageJ's description say together. */
class CalibrationTest {

	private static Calibration of(final String description, final double width, final double height, final String unit) {
		return Calibration.of(Calibration.description(description), width, height, unit);
	}

	/** A centimetre has 10,000 micrometres, however they are spelt; no other pair of units is converted. */
	@ParameterizedTest
	@CsvSource({ "um, cm, 10000", "\u00b5m, cm, 10000", "micron, cm, 10000", "cm, cm, 1", "mm, cm, 1", "nm, cm, 1", "um, inch, 1", "micron, inch, 1", "inch, inch, 1", "um,, 1" })
	void resolutionsPerCentimetreAreMicrometres(final String named, final String unit, final double factor) {
		final Calibration c = of("ImageJ=1.54p\nunit=" + named + "\n", 3e-5, 5e-5, unit);
		assertEquals(named, c.unit());
		assertEquals(3e-5 * factor, c.pixelWidth(), 1e-15);
		assertEquals(5e-5 * factor, c.pixelHeight(), 1e-15);
	}

	@Test
	void theUnitOfTheResolutionCountsWhereTheDescriptionHasNone() {
		final Calibration c = of("ImageJ=1.54p\nspacing=-2.5\n", 0.02, 0.03, "inch");
		assertEquals("inch", c.unit());
		assertEquals(0.02, c.pixelWidth());
		assertEquals(0.03, c.pixelHeight());
		assertEquals(2.5, c.pixelDepth(), "a distance is not negative");
	}

	@Test
	void withoutAUnitPixelsHaveSizeOne() {
		final Calibration c = of("ImageJ=1.54p\nspacing=2\nfinterval=0.5\nxorigin=3\nyorigin=4\nzorigin=5\n", 0.02, 0.03, null);
		assertNull(c.unit());
		assertEquals(1, c.pixelWidth());
		assertEquals(1, c.pixelHeight());
		assertEquals(2, c.pixelDepth());
		assertEquals(0.5, c.frameInterval());
		assertEquals(3, c.xOrigin());
		assertEquals(4, c.yOrigin());
		assertEquals(5, c.zOrigin());
		assertEquals(new Calibration(1, 1, 2, null, null, null, 0.5, "sec", 3 - 10, 4 - 20, 5 + 30), c.crop(10, 20, -30));
	}

	@Test
	void whatIsWrittenIsReadAgain() {
		final Calibration c = new Calibration(0.25, 0.5, 2, "\u00b5m", "mm", "nm", 1.5, "min", 7, -8, 9.5);
		final Properties lines = Calibration.description("ImageJ=1.54p\n" + c.lines());
		assertEquals(c, Calibration.of(lines, 0.25, 0.5, null));
	}

	@Test
	void anEnlargedImageShowsTheSamePlaces() {
		final Calibration image = Calibration.of(new double[] { 0.5, 0.25, 2 }, new double[] { 3, -4, 5 }, "mm", 1, "sec"), enlarged = image.enlarged(4);
		for (int d = 0; d < 3; d++) assertEquals(image.place(d, 7), enlarged.place(d, d < 2 ? 28 : 7), 1e-12);
	}

	/** A plane has no unit of z. */
	@Test
	void unitsOfEachDimension() {
		final Calibration depth = new Calibration(1, 1, 2, "um", null, "nm", 0, "sec", 0, 0, 0),
			width = new Calibration(1, 1, 2, "um", "mm", null, 0, "sec", 0, 0, 0);
		assertEquals(List.of("um", "um um nm", "um mm", "um mm um"), List.of(depth.units(2), depth.units(3), width.units(2), width.units(3)));
		assertEquals("pixel", Calibration.NONE.units(3));
	}
}
