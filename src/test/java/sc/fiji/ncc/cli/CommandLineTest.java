package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;

/** Every option, and what stands in the folder afterwards. Mistakes: {@link CommandLineMistakesTest}. */
class CommandLineTest extends InFolder {

	private byte[] pixels;

	@BeforeEach
	void images() {
		pixels = saveImages();
	}

	private static double value(final RandomAccessibleInterval<?> image, final long... at) {
		final RandomAccess<?> access = image.randomAccess();
		access.setPosition(at);
		return ((RealType<?>) access.get()).getRealDouble();
	}

	private NormalizedCrossCorrelation op() {
		return NormalizedCrossCorrelation.of(ImageFiles.read(path("template.tif")).pixels());
	}

	private void assertMap(final NormalizedCrossCorrelation expected, final String options) {
		succeeds(("correlate image.tif template.tif -o map.tif " + options).strip().split(" +"));
		final RandomAccessibleInterval<?> e = expected.correlate(ArrayImgs.unsignedBytes(pixels, 60, 50)).map(), m = map("map.tif");
		assertArrayEquals(e.dimensionsAsLongArray(), m.dimensionsAsLongArray());
		for (long y = 0; y < e.dimension(1); y++)
			for (long x = 0; x < e.dimension(0); x++) assertEquals(value(e, x, y), value(m, x, y), 2e-5, options);
	}

	/** A table is written on request only, as by register and motion. */
	@Test
	void matchesWithoutATable() {
		for (final String poses : new String[] { "", " --angles 0:10:10" }) {
			final String call = "match image.tif template.tif --min-score 0.99" + poses, nothing = "; wrote nothing: -o writes the table, --overlay a picture";
			assertTrue(succeeds((call + " --overlay o.png").split(" ")).strip().matches(".*the best 1.000; wrote .*o.png"));
			assertTrue(Files.exists(folder.resolve("o.png")));
			assertTrue(succeeds(call.split(" ")).strip().endsWith("the best 1.000" + nothing));
		}
	}

	@Test
	void everyOptionReachesTheOp() {
		assertMap(op(), "");
		assertEquals(1, value(map("map.tif"), 12, 20), 1e-5);
		assertEquals(1, value(map("map.tif"), 40, 5), 1e-5);
		assertMap(op().extent(Extent.SAME), "--extent same");
		assertMap(op().extent(Extent.FULL), "--extent FULL");
		assertMap(op().extent(Extent.SAME).undefined(Undefined.NAN), "--extent same --border undefined --undefined nan");
		assertTrue(Double.isNaN(value(map("map.tif"), 0, 0)));
		assertMap(op().extent(Extent.SAME), "--extent same --undefined 0");
		assertMap(op().extent(Extent.SAME).border(Border.MIRROR), "--extent same --border mirror");
		assertMap(op().extent(Extent.SAME).border(Border.constant(0)), "--extent same --border constant");
		assertMap(op().extent(Extent.SAME).border(Border.constant(125)), "--extent same --border constant:125");
		assertMap(op().extent(Extent.SAME).border(Border.OVERLAP), "--extent same --border overlap");
		assertMap(op().search(FinalInterval.createMinSize(5, 3, 20, 10)), "--search 5,3,20,10");
		assertMap(op().extent(Extent.FULL).search(FinalInterval.createMinSize(-5, -3, 20, 10)), "--extent full --search=-5,-3,20,10");
		assertMap(op().threads(1).backend("cpu").algorithm("cpu-direct"), "--threads 1 --backend cpu --algorithm cpu-direct");
		assertTrue(out.toString().contains("by cpu-direct "), out.toString());
		assertMap(op().memory(1_000_000).backend("cpu").algorithm("cpu-fourier"), "--memory 1 --backend cpu --algorithm cpu-fourier");
	}

	/** 64 bits a pixel, which we read back and ImageJ says it does not. */
	@Test
	void doublePrecision() {
		succeeds("correlate", "image.tif", "template.tif", "-o", "map.tif", "--precision", "double", "--picture", "map.png");
		final RandomAccessibleInterval<?> e = op().precision(Precision.DOUBLE).correlate(ArrayImgs.unsignedBytes(pixels, 60, 50)).doubleMap(), m = map("map.tif");
		assertArrayEquals(e.dimensionsAsLongArray(), m.dimensionsAsLongArray());
		for (long y = 0; y < 44; y++)
			for (long x = 0; x < 52; x++) assertEquals(value(e, x, y), value(m, x, y), 2e-15);
		assertTrue(ij.IJ.openImage(path("map.tif")) == null);
		succeeds("match", "image.tif", "template.tif", "--max-matches", "10", "--min-score", "0.9", "-o", "m.csv", "--precision", "double");
		assertTrue(out.toString().contains("2 matches, the best 1.000"), out.toString());
	}

	/** ImageJ shows the coefficients of whole numbers by the calibration in the file. The picture is that of the coefficients. */
	@Test
	void quantizedMaps() throws IOException {
		moreTemplates();
		for (final String type : List.of("16-bit", "8-bit")) {
			succeeds("correlate", "image.tif", "template.tif", "small.tif", "-o", "map.tif", "--picture", "map.png", "--response-type", type, "--extent",
				"same", "--undefined", "nan");
			final double step = type.equals("8-bit") ? 1 / 127.0 : 1 / 32767.0;
			final List<Img<FloatType>> expected = NormalizedCrossCorrelation.of(List.of(ImageFiles.read(path("template.tif")).pixels(),
				ImageFiles.read(path("small.tif"))
				.pixels())).extent(Extent.SAME).undefined(Undefined.NAN).correlate(ArrayImgs.unsignedBytes(pixels, 60, 50)).maps();
			for (int t = 0; t < 2; t++) {
				final Img<FloatType> map = expected.get(t);
				final ij.ImagePlus image = ij.IJ.openImage(path("map-" + (t + 1) + ".tif"));
				assertEquals(type.equals("8-bit") ? 8 : 16, image.getBitDepth());
				assertTrue(image.getCalibration().calibrated());
				assertEquals("r", image.getCalibration().getValueUnit());
				assertEquals(-1, image.getCalibration().getCValue((int) image.getDisplayRangeMin()), 1e-6);
				assertEquals(1, image.getCalibration().getCValue((int) image.getDisplayRangeMax()), 1e-6);
				final ij.process.ImageProcessor gray = ij.IJ.openImage(path("map-" + (t + 1) + ".png")).getProcessor();
				for (int y = 0; y < 50; y++) for (int x = 0; x < 60; x++) {
					final double r = value(expected.get(t), x, y);
					if (Double.isNaN(r)) assertEquals(0, image.getProcessor().get(x, y));
					else assertEquals(r, image.getProcessor().getPixelValue(x, y), 0.51 * step + 1e-6);
					assertEquals(Double.isNaN(r) ? 0 : Math.max(0, 255 * r), gray.get(x, y), 0.51 + 128 * step);
				}
				// a threshold that leaves out the number 0 leaves out what is undefined
				ij.IJ.setThreshold(image, 1, type.equals("8-bit") ? 255 : 65535, "raw");
				final ij.measure.ResultsTable table = new ij.measure.ResultsTable();
				new ij.plugin.filter.Analyzer(image, ij.measure.Measurements.AREA | ij.measure.Measurements.MEAN | ij.measure.Measurements.LIMIT, table)
					.measure();
				final double[] defined = IntStream.range(0, 3000).mapToDouble(i -> value(map, i % 60, i / 60)).filter(r -> !Double.isNaN(r)).toArray();
				assertTrue(defined.length < 3000);
				assertEquals(defined.length, table.getValue("Area", 0));
				assertEquals(Arrays.stream(defined).average().orElseThrow(), table.getValue("Mean", 0), 0.51 * step + 1e-6);
			}
		}
		for (final String line : List.of("--best", "--precision double")) refuses("correlate image.tif template.tif -o m.tif --response-type 16-bit "
			+ line, "16-bit", "float");
		refuses("correlate image.tif template.tif -o m.mrc --response-type 8-bit", "an MRC file cannot say what the numbers of 8-bit responses stand for");
		refuses("correlate image.tif template.tif -o m.png --response-type 16-bit", "the format of the map",
			"give a name that ends in .tif, or in .zarr for a folder");
		refuses("correlate image.tif template.tif -o m.tif --response-type 32-bit", "give float, 16-bit or 8-bit");
	}

	@Test
	void aRegionIsATemplate() {
		succeeds("correlate", "image.tif", "--roi", "12,20,9,7", "-o", "roi.tif");
		succeeds("correlate", "image.tif", "template.tif", "-o", "file.tif");
		assertEquals(1, value(map("roi.tif"), 12, 20), 1e-5);
		for (long x = 0; x < 52; x++) assertEquals(value(map("file.tif"), x, 10), value(map("roi.tif"), x, 10));
	}

	/** template.tif and a second one of its size, other.tif, from (30, 30); and small.tif, 5x5. */
	private void moreTemplates() {
		final ByteProcessor image = new ByteProcessor(60, 50, pixels);
		image.setRoi(30, 30, 9, 7);
		save("other.tif", image.crop());
		image.setRoi(3, 40, 5, 5);
		save("small.tif", image.crop());
	}

	@Test
	void severalTemplatesGiveAMapEach() throws IOException {
		moreTemplates();
		succeeds("correlate", "image.tif", "template.tif", "small.tif", "-o", "map.tif", "--picture", "map.png");
		assertEquals(1, value(map("map-1.tif"), 12, 20), 1e-5);
		assertEquals(1, value(map("map-2.tif"), 3, 40), 1e-5);
		assertEquals(56, map("map-2.tif").dimension(0));
		assertTrue(Files.exists(folder.resolve("map-1.png")) && Files.exists(folder.resolve("map-2.png")));
		assertFalse(Files.exists(folder.resolve("map.tif")));
		assertTrue(out.toString().contains("map-2.tif"), out.toString());
	}

	@Test
	void theBestOfSeveralTemplates() throws IOException {
		moreTemplates();
		succeeds("correlate", "image.tif", "template.tif", "other.tif", "--best", "-o", "best.tif", "--which", "which.tif");
		succeeds("correlate", "image.tif", "template.tif", "other.tif", "-o", "map.tif");
		assertEquals(1, value(map("which.tif"), 12, 20));
		assertEquals(2, value(map("which.tif"), 30, 30));
		for (long x = 0; x < 52; x++) {
			final double a = value(map("map-1.tif"), x, 9), b = value(map("map-2.tif"), x, 9);
			assertEquals(Math.max(a, b), value(map("best.tif"), x, 9));
			assertEquals(a >= b ? 1 : 2, value(map("which.tif"), x, 9));
		}
		succeeds("correlate", "image.tif", "template.tif", "small.tif", "--best", "-o", "best.tif", "--which", "which.tif", "--extent", "same");
		assertEquals(2, value(map("which.tif"), 5, 42));
		assertEquals(0, value(map("which.tif"), 0, 0));
		assertEquals(0, value(map("best.tif"), 0, 0));
		refuses("correlate image.tif template.tif small.tif --best -o new.tif", "9x7 and 5x5", "same");
		refuses("correlate image.tif template.tif other.tif -o new.tif --which w.tif", "--best");
		refuses("correlate image.tif template.tif other.tif -o new.tif --best --which w.png", "w.png", ".tif");
		refuses("correlate image.tif template.tif other.tif -o new.tif --best --which new.tif", "two outputs");
		refuses("correlate image.tif template.tif other.tif -o template.tif --best", "is the input");
		refuses("correlate image.tif template.tif absent.tif -o new.tif", "absent.tif");
		refuses("correlate image.tif template.tif image.tif other.tif --roi 1,2,3,4 -o new.tif", "two templates");
	}

	@Test
	void matchesOfSeveralTemplates() throws IOException {
		moreTemplates();
		succeeds("match", "image.tif", "small.tif", "template.tif", "--max-matches", "9", "--min-score", "0.9", "-o", "m.csv", "--overlay", "m.png");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv")).stream().skip(1).map(r -> r.substring(r.indexOf(".tif,") + 5)).toList();
		assertEquals(List.of("1,2,40,5,0,1", "1,2,12,20,0,1", "1,1,3,40,0,1"),
			rows.stream().map(r -> r.substring(0, r.indexOf(",0,1,") + 4)).toList());
		// a template twice: the first one's matches put the others out, unless each is taken alone
		succeeds("match", "image.tif", "template.tif", "template.tif", "--max-matches", "9", "--min-score", "0.9", "-o", "m.csv");
		assertEquals(3, Files.readAllLines(folder.resolve("m.csv")).size());
		succeeds("match", "image.tif", "template.tif", "template.tif", "--max-matches", "9", "--min-score", "0.9", "-o", "m.csv", "--no-compete");
		assertEquals(5, Files.readAllLines(folder.resolve("m.csv")).size());
	}

	@Test
	void masks() {
		final ByteProcessor mask = new ByteProcessor(9, 7);
		for (int i = 0; i < 63; i += 2) mask.set(i, 255);
		save("mask.tif", mask);
		assertMap(op().mask(ImageFiles.read(path("mask.tif")).pixels()), "--mask mask.tif");
		final FloatProcessor weights = new FloatProcessor(9, 7);
		for (int i = 0; i < 63; i++) weights.setf(i, i % 5 / 3f);
		save("weights.tif", weights);
		assertMap(op().weights(ImageFiles.read(path("weights.tif")).pixels()), "--weights weights.tif");
	}

	@Test
	void calibrationMovesWithTheMap() {
		final ImagePlus imp = new ImagePlus("image", new ByteProcessor(60, 50, pixels));
		imp.getCalibration().pixelWidth = 0.5;
		imp.getCalibration().pixelHeight = 0.25;
		imp.getCalibration().setUnit("mm");
		imp.getCalibration().xOrigin = 4;
		save("image.tif", imp);
		succeeds("correlate", "image.tif", "template.tif", "--search", "10,3,20,10", "-o", "map.tif");
		final Calibration k = ImageFiles.read(path("map.tif")).calibration();
		assertEquals(new Calibration(0.5, 0.25, 1, "mm", null, null, 0, "sec", -6, -3, 0), k);
		succeeds("correlate", "image.tif", "template.tif", "--extent", "full", "-o", "map.tif");
		assertEquals(12, ImageFiles.read(path("map.tif")).calibration().xOrigin());
	}

	@Test
	void framesOfAHyperstack() throws IOException {
		final ImageStack stack = new ImageStack(60, 50);
		for (int i = 0; i < 12; i++) {
			final byte[] plane = new byte[3000];
			new Random(i).nextBytes(plane);
			// in plane 7, which is channel 1, slice 0, frame 1
			if (i == 7) System.arraycopy(pixels, 0, plane, 0, 3000);
			stack.addSlice(new ByteProcessor(60, 50, plane));
		}
		final ImagePlus imp = new ImagePlus("h", stack);
		imp.setDimensions(2, 3, 2);
		imp.setOpenAsHyperStack(true);
		save("h.tif", imp);
		succeeds("correlate", "h.tif", "template.tif", "-o", "map.tif");
		final InputImage map = ImageFiles.read(path("map.tif"));
		assertEquals("xyczt", map.axes());
		assertArrayEquals(new long[] { 52, 44, 2, 3, 2 }, map.pixels().dimensionsAsLongArray());
		assertEquals(1, value(map.pixels(), 12, 20, 1, 0, 1), 1e-5);
		succeeds("match", "h.tif", "template.tif", "--max-matches", "5", "--min-score", "0.9", "-o", "m.csv");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals(3, rows.size(), rows::toString);
		assertTrue(rows.get(1).startsWith(path("h.tif") + ",8,1,40,5,0,1,"), rows.get(1));
		assertTrue(rows.get(2).startsWith(path("h.tif") + ",8,1,12,20,0,1,"), rows.get(2));
	}

	@Test
	void volumes() throws IOException {
		final Random random = new Random(3);
		final ImageStack stack = new ImageStack(20, 18), part = new ImageStack(5, 4);
		for (int i = 0; i < 2 * 9 * 2; i++) {
			final ByteProcessor plane = new ByteProcessor(20, 18);
			for (int k = 0; k < 360; k++) plane.set(k, random.nextInt(256));
			stack.addSlice(plane);
			final int c = i % 2, z = i / 2 % 9, t = i / 18;
			if (c == 0 && t == 1 && z >= 3 && z < 6) {
				plane.setRoi(8, 7, 5, 4);
				part.addSlice(plane.crop());
			}
		}
		final ImagePlus imp = new ImagePlus("v", stack);
		imp.setDimensions(2, 9, 2);
		imp.setOpenAsHyperStack(true);
		imp.getCalibration().pixelDepth = 3;
		imp.getCalibration().setUnit("nm");
		save("v.tif", imp);
		save("part.tif", new ImagePlus("p", part));
		succeeds("correlate", "v.tif", "part.tif", "--search", "1,0,2,12,10,4", "-o", "map.tif", "--picture", "gray.tif");
		final InputImage map = ImageFiles.read(path("map.tif"));
		assertEquals("xyczt", map.axes());
		assertArrayEquals(new long[] { 12, 10, 2, 4, 2 }, map.pixels().dimensionsAsLongArray());
		assertEquals(1, value(map.pixels(), 7, 7, 0, 1, 1), 1e-5);
		assertEquals(3, map.calibration().pixelDepth());
		assertEquals(-2, map.calibration().zOrigin());
		assertEquals(255, value(map("gray.tif"), 7, 7, 0, 1, 1));
		succeeds("match", "v.tif", "part.tif", "--max-matches", "1", "--min-score", "0.95", "-o", "m.csv", "--overlay", "o.png");
		// of channels and frames: channel 0 of frame 1
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).get(1).startsWith(path("v.tif") + ",3,1,8,7,3,1,"));
		assertEquals(8 * 20, ImageIO.read(new File(path("o.png"))).getWidth());
		succeeds("correlate", "v.tif", "--roi", "8,7,3,5,4,3", "-o", "map.tif");
		assertEquals(1, value(map("map.tif"), 8, 7, 0, 3, 0), 1e-5);
	}

	@Test
	void pictureOfTheMap() throws IOException {
		succeeds("correlate", "image.tif", "template.tif", "-o", "map.tif", "--picture", "map.png");
		final BufferedImage gray = ImageIO.read(new File(path("map.png")));
		assertEquals(52, gray.getWidth());
		assertEquals(1, gray.getRaster().getNumBands());
		for (int y = 0; y < 44; y++)
			for (int x = 0; x < 52; x++) assertEquals(MapWriter.gray((float) value(map("map.tif"), x, y)), gray.getRaster().getSample(x, y, 0));
		assertEquals(255, gray.getRaster().getSample(40, 5, 0));
	}

	@Test
	void matches() throws IOException {
		succeeds("match", "image.tif", "template.tif", "--max-matches", "10", "--min-score", "0.9", "-o", "m.csv", "--overlay", "o.png");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals("image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,width,height,template_name,calibrated_x,calibrated_y,unit", rows.get(0));
		final String[] last = rows.get(1).split(",");
		assertEquals(List.of("9", "7", path("template.tif")), List.of(last).subList(10, 13));
		assertEquals(Double.parseDouble(last[7]) + 4.5, Double.parseDouble(last[13]));
		assertEquals(Double.parseDouble(last[8]) + 3.5, Double.parseDouble(last[14]));
		assertEquals("pixel", last[15]);
		assertEquals(3, rows.size());
		final String[] first = rows.get(1).split(",");
		assertEquals(List.of("1", "1", "40", "5", "0", "1"), List.of(first).subList(1, 7));
		assertEquals(40, Double.parseDouble(first[7]), 0.5);
		assertEquals(5, Double.parseDouble(first[8]), 0.5);
		assertEquals("0", first[9]);
		assertTrue(out.toString().contains("2 matches, the best 1.000"), out.toString());
		final BufferedImage overlay = ImageIO.read(new File(path("o.png")));
		final int times = overlay.getWidth() / 60;
		assertEquals(0xffffb000, overlay.getRGB(40 * times, (5 + 4) * times));
		succeeds("match", "image.tif", "template.tif", "--max-matches", "1", "--min-score=-1", "-o", "m.csv");
		assertEquals(2, Files.readAllLines(folder.resolve("m.csv")).size());
		succeeds("match", "image.tif", "--roi", "30,30,8,8", "--max-matches", "10", "--min-score", "0.99999", "-o", "m.csv");
		assertEquals(2, Files.readAllLines(folder.resolve("m.csv")).size());
	}

	@Test
	void otherFormats() throws IOException {
		new FileSaver(new ImagePlus("i", new ByteProcessor(60, 50, pixels))).saveAsPng(path("image.png"));
		new FileSaver(new ImagePlus("i", new ByteProcessor(60, 50, pixels))).saveAsPgm(path("image.pgm"));
		for (final String image : new String[] { "image.png", "image.pgm" }) {
			succeeds("correlate", image, "template.tif", "-o", "map.tif");
			assertEquals(1, value(map("map.tif"), 12, 20), 1e-5);
		}
		assertTrue(files().stream().noneMatch(f -> f.endsWith(".part")));
	}

	@Test
	void explanationAndDevices() {
		succeeds("correlate", "image.tif", "template.tif", "-o", "map.tif", "--explain");
		assertTrue(out.toString().contains("template U8 [9x7]") && out.toString().contains("selected"), out.toString());
		succeeds("devices");
		assertTrue(out.toString().startsWith("cpu"), out.toString());
		assertTrue(out.toString().contains("cpu-direct"), out.toString());
		assertTrue(out.toString().contains("cpu-frames-binned, cpu-frames"), out.toString());
	}

	@Test
	void manual() {
		succeeds("--help");
		for (final String word : new String[] { "correlate", "match", "devices", "Exit codes" }) assertTrue(out.toString().contains(word), out.toString());
		final List<String> common = List.of("--roi", "--extent", "--border", "--undefined", "--mask", "--weights", "--image-mask", "--nan", "--min-overlap", "--precision", "--search", "--backend", "--algorithm", "--threads", "--memory", "--explain");
		final String commands = out.toString();
		assertFalse(commands.replace("Commands:", "").lines().anyMatch(line -> line.endsWith(":")), "sentences end: " + commands);
		succeeds("help");
		assertEquals(commands, out.toString());
		succeeds("help", "correlate");
		final String help = out.toString();
		succeeds("correlate", "--help");
		assertEquals(out.toString(), help);
		for (final String word : common) assertTrue(out.toString().contains(word), word);
		assertTrue(out.toString().contains("--picture"));
		succeeds("match", "--help");
		final List<String> all = new ArrayList<>(common);
		all.addAll(List.of("--max-matches", "--min-score", "--overlay", "subpixel"));
		for (final String word : all) assertTrue(out.toString().contains(word), word);
		// what the help lists is what the reader says
		for (final String command : new String[] { "correlate", "match", "convolve", "track" }) {
			succeeds(command, "--help");
			assertTrue(out.toString().replaceAll("\\s+", " ").contains(ImageFiles.KINDS), command);
		}
		// picocli formats descriptions, where % is doubled, and no labels
		for (final String command : Main.COMMANDS) {
			succeeds(command, "--help");
			assertFalse(out.toString().contains("%%") || out.toString().contains("${"), out.toString());
		}
		succeeds("--version");
		assertTrue(out.toString().startsWith("ncc "));
	}
}
