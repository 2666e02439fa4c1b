package sc.fiji.ncc.command.imagej;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.awt.Color;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.measure.Calibration;
import ij.process.LUT;

import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.MapDescription;
import sc.fiji.ncc.motion.FieldMap;
import sc.fiji.ncc.plan.ResponseType;

/** How a map is shown. Its calibration, also along z: a calibrated position in the map is the same position in the image. Its colours and ranges. */
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

	/** ImageJ shows the responses for which whole numbers stand, whatever the bits of the searched image are. */
	@Test
	void quantizedMapsHaveACalibration() {
		for (final ResponseType type : new ResponseType[] { ResponseType.BITS_16, ResponseType.BITS_8 }) {
			final Img<? extends RealType<?>> map = type == ResponseType.BITS_16 ? ArrayImgs.unsignedShorts(4, 3) : ArrayImgs.unsignedBytes(4, 3);
			map.getAt(2, 1).setReal(type.quantize(-0.75f));
			assertCalibrated(type, map, new ScriptImage(map, "xy", sc.fiji.ncc.front.Calibration.NONE));
			for (final int bits : new int[] { 8, 16, 32 }) assertCalibrated(type, map, new ImageJImage(IJ.createImage("image", 4, 3, 1, bits)));
		}
	}

	private static void assertCalibrated(final ResponseType type, final Img<? extends RealType<?>> map, final ImageInput source) {
		final ImagePlus shown = ImageJImage.of(map, new MapDescription("map", source, new long[2], new MapDescription.Shown(-1, 1, type), null, Map.of()));
		assertEquals(type == ResponseType.BITS_16 ? 16 : 8, shown.getBitDepth());
		assertEquals(-0.75, shown.getProcessor().getPixelValue(2, 1), 0.51 * type.scale());
		assertEquals(-1, shown.getCalibration().getCValue((int) shown.getDisplayRangeMin()), 1e-6);
		assertEquals(1, shown.getCalibration().getCValue((int) shown.getDisplayRangeMax()), 1e-6);
		assertEquals("r", shown.getCalibration().getValueUnit());
	}

	/** Without a range for all, ImageJ shows each channel from its smallest to its largest value. */
	@Test
	void eachChannelHasItsRange() {
		final Img<FloatType> maps = ArrayImgs.floats(4, 3, 9, 2);
		final List<String> names = FieldMap.of(3).stream().map(FieldMap::toString).toList();
		maps.getAt(1, 1, 0, 0).set(5);
		maps.getAt(1, 1, 2, 0).set(0.25f);
		final ImagePlus shown = ImageJImage.of(maps, new MapDescription("Maps", new ScriptImage(maps, "xyct", sc.fiji.ncc.front.Calibration.NONE),
			new long[4], new MapDescription.Shown(Double.NaN, Double.NaN, ResponseType.FLOAT, names), null, Map.of("NCC.channels", "speed")));
		assertEquals("9 1 2", shown.getNChannels() + " " + shown.getNSlices() + " " + shown.getNFrames());
		for (final double[] range : new double[][] { { 1, 5 }, { 3, 0.25 } }) {
			shown.setC((int) range[0]);
			assertEquals(0, shown.getDisplayRangeMin());
			assertEquals(range[1], shown.getDisplayRangeMax());
		}
		assertEquals("speed", shown.getProp("NCC.channels"));
		assertEquals(List.of("speed", "strain-yz", "speed", "divergence"),
			IntStream.of(1, 9, 10, 11).mapToObj(shown.getStack()::getSliceLabel).toList());
	}

	/** A stack of two channels and three frames that shows green and magenta in other ranges. */
	private static CompositeImage coloured() {
		final ImagePlus stack = IJ.createHyperStack("cells", 4, 3, 2, 1, 3, 16);
		final CompositeImage shown = new CompositeImage(stack, CompositeImage.COMPOSITE);
		shown.setChannelLut(LUT.createLutFromColor(Color.GREEN), 1);
		shown.setChannelLut(LUT.createLutFromColor(Color.MAGENTA), 2);
		for (int c = 1; c <= 2; c++) {
			shown.setC(c);
			shown.setDisplayRange(10 * c, 100 * c);
		}
		return shown;
	}

	/** A moved image, whose pixels are between 0 and 7. */
	private static ImagePlus moved(final ImageInput like, final long... size) {
		return moved(like, like, size);
	}

	private static ImagePlus moved(final ImageInput source, final ImageInput like, final long... size) {
		final Img<UnsignedShortType> pixels = ArrayImgs.unsignedShorts(size);
		pixels.firstElement().set(7);
		final double max = size.length > 3 ? Double.NaN : 7;
		return ImageJImage.of(pixels, new MapDescription("moved", source, new long[size.length],
			new MapDescription.Shown(max - max, max, ResponseType.FLOAT), like, Map.of()));
	}

	/** Such as Hounsfield units of a signed image, which ImageJ stores as numbers from 0 on. A registered image has the axes of the other image only. */
	@Test
	void aMovedImageHasTheCalibratedValuesOfTheImage() {
		final ImagePlus signed = IJ.createImage("signed", 4, 3, 1, 16), table = IJ.createImage("table", 4, 3, 1, 16),
			plain = IJ.createImage("plain", 4, 3, 1, 16);
		signed.getCalibration().setSigned16BitCalibration();
		final float[] values = new float[65536];
		values[7] = 0.7f;
		table.getCalibration().setCTable(values, "OD");
		assertEquals(7 - 32768, moved(new ImageJImage(signed), 4, 3).getProcessor().getPixelValue(0, 0));
		assertEquals(0.7f, moved(new ImageJImage(table), 4, 3).getProcessor().getPixelValue(0, 0));
		assertEquals(7, moved(new ImageJImage(signed), new ImageJImage(plain), 4, 3).getProcessor().getPixelValue(0, 0));
	}

	@Test
	void aMovedImageHasTheColoursAndTheRangesOfTheImage() {
		final CompositeImage image = coloured(), moved = (CompositeImage) moved(new ImageJImage(image), 4, 3, 2, 3);
		assertEquals(CompositeImage.COMPOSITE, moved.getMode());
		for (int c = 0; c < 2; c++) {
			final LUT lut = moved.getLuts()[c], expected = image.getLuts()[c];
			assertArrayEquals(expected.getBytes(), lut.getBytes());
			assertEquals(10 * (c + 1) + " " + 100 * (c + 1), Math.round(lut.min) + " " + Math.round(lut.max));
			moved.setPosition(c + 1, 1, 2);
			assertEquals(100 * (c + 1), moved.getDisplayRangeMax());
		}
	}

	@Test
	void anImageOfOneChannelKeepsItsColours() {
		final ImagePlus image = IJ.createImage("fire", "16-bit black", 4, 3, 3);
		image.getStack().setColorModel(LUT.createLutFromColor(Color.CYAN));
		image.getProcessor().setColorModel(LUT.createLutFromColor(Color.CYAN));
		image.setDisplayRange(20, 300);
		final ImagePlus moved = moved(new ImageJImage(image), 4, 3, 3);
		for (int frame = 1; frame <= 3; frame++) {
			moved.setSlice(frame);
			assertEquals("20.0 300.0", moved.getDisplayRangeMin() + " " + moved.getDisplayRangeMax());
			assertEquals(Color.CYAN, new Color(moved.getProcessor().getColorModel().getRGB(255)));
		}
	}

	/** The first tile gives the colours. Its range would be too small for brighter tiles. */
	@Test
	void aMosaicHasTheColoursOfItsTiles(@TempDir final Path folder) {
		final String file = folder.resolve("tile.tif").toString();
		IJ.saveAsTiff(coloured(), file);
		final CompositeImage mosaic = (CompositeImage) moved(new FolderImage(file), 4, 3, 2, 3);
		assertEquals(CompositeImage.COMPOSITE, mosaic.getMode());
		assertEquals(Color.MAGENTA, new Color(mosaic.getLuts()[1].getRGB(255)));
		assertEquals(7, mosaic.getLuts()[0].max);
	}

	@Test
	void framesAreNoSlices() {
		assertOrigin(10 + 3, 20 + 2, 30, origin(2, 1, 4, new long[] { 9, 8, 2, 4 }, -3, -2, -5, -7));
	}
}
