package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;

import ij.IJ;
import ij.ImagePlus;
import ij.measure.Calibration;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.command.program.MapDescription;

/** The calibration of a map, also along z: a calibrated position in the map is the same position in the image. */
class MapOriginTest {

	@BeforeAll
	static void runsWithoutAScreen() {
		System.setProperty("java.awt.headless", "true");
	}

	/** The map's calibration for an image with these numbers of channels, slices and frames and the origin 10, 20, 30. */
	private Calibration origin(final int channels, final int slices, final int frames, final long[] size, final long... origin) {
		final ImagePlus image = IJ.createImage("origin of a map", "8-bit black", 9, 8, channels * slices * frames);
		image.setDimensions(channels, slices, frames);
		image.getCalibration().xOrigin = 10;
		image.getCalibration().yOrigin = 20;
		image.getCalibration().zOrigin = 30;
		image.getCalibration().pixelDepth = 2;
		final ImagePlus shown = ImageJImage.of(ArrayImgs.floats(size), new MapDescription("map", new ImageJImage(image), origin, -1, 1, Map.of()));
		assertEquals(10, image.getCalibration().xOrigin, "the image's own stays");
		assertEquals(30, image.getCalibration().zOrigin, "the image's own stays");
		assertEquals(channels > 1 ? size[2] : 1, shown.getNChannels());
		return shown.getCalibration();
	}

	private static void assertOrigin(final double x, final double y, final double z, final Calibration c) {
		assertEquals(x, c.xOrigin);
		assertEquals(y, c.yOrigin);
		assertEquals(z, c.zOrigin);
		assertEquals(2, c.pixelDepth);
	}

	@Test
	void ofAVolume() {
		assertOrigin(10 + 3, 20 + 2, 30 + 1, origin(1, 5, 1, new long[] { 9, 8, 5 }, -3, -2, -1));
	}

	@Test
	void ofAVolumeWhoseMapBeginsWithin() {
		assertOrigin(10 - 4, 20, 30 - 2, origin(1, 5, 1, new long[] { 5, 8, 3 }, 4, 0, 2));
	}

	@Test
	void ofSlicesBetweenChannelsAndFrames() {
		assertOrigin(10 + 3, 20 + 2, 30 + 1, origin(3, 5, 2, new long[] { 9, 8, 3, 5, 2 }, -3, -2, 0, -1, 0));
	}

	/** Without a range for all, ImageJ shows each channel from its smallest to its largest value. */
	@Test
	void eachChannelHasItsRange() {
		final Img<FloatType> maps = ArrayImgs.floats(4, 3, 9, 2);
		maps.getAt(1, 1, 0, 0).set(5);
		maps.getAt(1, 1, 2, 0).set(0.25f);
		final ImagePlus shown = ImageJImage.of(maps, new MapDescription("Maps", new ScriptImage(maps, "xyct", sc.fiji.ncc.front.Calibration.NONE),
			new long[4], Double.NaN,
			Double.NaN, Map.of("NCC.maps", "speed")));
		assertEquals("9 1 2", shown.getNChannels() + " " + shown.getNSlices() + " " + shown.getNFrames());
		for (final double[] range : new double[][] { { 1, 5 }, { 3, 0.25 } }) {
			shown.setC((int) range[0]);
			assertEquals(0, shown.getDisplayRangeMin());
			assertEquals(range[1], shown.getDisplayRangeMax());
		}
		assertEquals("speed", shown.getProp("NCC.maps"));
	}

	@Test
	void framesAreNoSlices() {
		assertOrigin(10 + 3, 20 + 2, 30, origin(2, 1, 4, new long[] { 9, 8, 2, 4 }, -3, -2, -5, -7));
	}
}
