package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.ImageStack;
import ij.io.FileSaver;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.cli.map.MapWriter;
import sc.fiji.ncc.cli.picture.Calibration;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.NccException;

/** Every option, every mistake, exit codes, and what stands in the folder afterwards. */
class CommandLineTest extends InFolder {

	private byte[] pixels;

	/** image.tif, 60x50, noise with the template pasted in a second time at (40, 5); template.tif, its 9x7 at (12, 20). */
	@BeforeEach
	void pictures() {
		pixels = new byte[3000];
		new Random(7).nextBytes(pixels);
		for (int y = 0; y < 7; y++) System.arraycopy(pixels, (20 + y) * 60 + 12, pixels, (5 + y) * 60 + 40, 9);
		final ByteProcessor image = new ByteProcessor(60, 50, pixels);
		save("image.tif", image);
		image.setRoi(12, 20, 9, 7);
		save("template.tif", image.crop());
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
		succeeds("match", "image.tif", "template.tif", "--max", "10", "--min-score", "0.9", "-o", "m.csv", "--precision", "double");
		assertTrue(out.toString().contains("2 matches, the best 1.000"), out.toString());
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
		succeeds("match", "image.tif", "small.tif", "template.tif", "--max", "9", "--min-score", "0.9", "-o", "m.csv", "--overlay", "m.png");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv")).stream().skip(1).map(r -> r.substring(r.indexOf(".tif,") + 5)).toList();
		assertEquals(List.of("0,1,40,5,0,1.0", "0,1,12,20,0,1.0", "0,0,3,40,0,1.0"),
			rows.stream().map(r -> r.substring(0, r.indexOf("1.0") + 3)).toList());
		// a template twice: the first one's matches put the others out, unless each is taken alone
		succeeds("match", "image.tif", "template.tif", "template.tif", "--max", "9", "--min-score", "0.9", "-o", "m.csv");
		assertEquals(3, Files.readAllLines(folder.resolve("m.csv")).size());
		succeeds("match", "image.tif", "template.tif", "template.tif", "--max", "9", "--min-score", "0.9", "-o", "m.csv", "--each");
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
		final Picture map = ImageFiles.read(path("map.tif"));
		assertEquals("xyczt", map.axes());
		assertArrayEquals(new long[] { 52, 44, 2, 3, 2 }, map.pixels().dimensionsAsLongArray());
		assertEquals(1, value(map.pixels(), 12, 20, 1, 0, 1), 1e-5);
		succeeds("match", "h.tif", "template.tif", "--max", "5", "--min-score", "0.9", "-o", "m.csv");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals(3, rows.size(), rows::toString);
		assertTrue(rows.get(1).startsWith(path("h.tif") + ",7,0,40,5,0,1.0,"), rows.get(1));
		assertTrue(rows.get(2).startsWith(path("h.tif") + ",7,0,12,20,0,1.0,"), rows.get(2));
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
		succeeds("correlate", "v.tif", "part.tif", "--search", "1,0,12,10,2,4", "-o", "map.tif", "--picture", "gray.tif");
		final Picture map = ImageFiles.read(path("map.tif"));
		assertEquals("xyczt", map.axes());
		assertArrayEquals(new long[] { 12, 10, 2, 4, 2 }, map.pixels().dimensionsAsLongArray());
		assertEquals(1, value(map.pixels(), 7, 7, 0, 1, 1), 1e-5);
		assertEquals(3, map.calibration().pixelDepth());
		assertEquals(-2, map.calibration().zOrigin());
		assertEquals(255, value(map("gray.tif"), 7, 7, 0, 1, 1));
		succeeds("match", "v.tif", "part.tif", "--max", "1", "--min-score", "0.95", "-o", "m.csv", "--overlay", "o.png");
		// of channels and frames: channel 0 of frame 1
		assertTrue(Files.readAllLines(folder.resolve("m.csv")).get(1).startsWith(path("v.tif") + ",2,0,8,7,3,1.0,"));
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
		succeeds("match", "image.tif", "template.tif", "--max", "10", "--min-score", "0.9", "-o", "m.csv", "--overlay", "o.png");
		final List<String> rows = Files.readAllLines(folder.resolve("m.csv"));
		assertEquals("image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,width,height,template_name,calibrated_x,calibrated_y,unit", rows.get(0));
		final String[] last = rows.get(1).split(",");
		assertEquals(List.of("9", "7", path("template.tif")), List.of(last).subList(10, 13));
		assertEquals(Double.parseDouble(last[7]) + 4.5, Double.parseDouble(last[13]));
		assertEquals(Double.parseDouble(last[8]) + 3.5, Double.parseDouble(last[14]));
		assertEquals("pixel", last[15]);
		assertEquals(3, rows.size());
		final String[] first = rows.get(1).split(",");
		assertEquals(List.of("0", "0", "40", "5", "0", "1.0"), List.of(first).subList(1, 7));
		assertEquals(40, Double.parseDouble(first[7]), 0.5);
		assertEquals(5, Double.parseDouble(first[8]), 0.5);
		assertEquals("0.0", first[9]);
		assertTrue(out.toString().contains("2 matches, the best 1.000"), out.toString());
		final BufferedImage overlay = ImageIO.read(new File(path("o.png")));
		final int times = overlay.getWidth() / 60;
		assertEquals(0xffffb000, overlay.getRGB(40 * times, (5 + 4) * times));
		succeeds("match", "image.tif", "template.tif", "--max", "1", "--min-score=-1", "-o", "m.csv");
		assertEquals(2, Files.readAllLines(folder.resolve("m.csv")).size());
		succeeds("match", "image.tif", "--roi", "30,30,8,8", "--max", "10", "--min-score", "0.99999", "-o", "m.csv");
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
	}

	@Test
	void manual() {
		succeeds("--help");
		for (final String word : new String[] { "correlate", "match", "devices", "Exit codes" }) assertTrue(out.toString().contains(word), out.toString());
		final List<String> common = List.of("--roi", "--extent", "--border", "--undefined", "--mask", "--weights", "--precision", "--search", "--backend", "--algorithm", "--threads", "--memory", "--explain");
		succeeds("correlate", "--help");
		for (final String word : common) assertTrue(out.toString().contains(word), word);
		assertTrue(out.toString().contains("--picture"));
		succeeds("match", "--help");
		final List<String> all = new ArrayList<>(common);
		all.addAll(List.of("--max", "--min-score", "--overlay", "subpixel"));
		for (final String word : all) assertTrue(out.toString().contains(word), word);
		// what the help lists is what the reader says
		for (final String command : new String[] { "correlate", "match", "convolve", "track" }) {
			succeeds(command, "--help");
			assertTrue(out.toString().replaceAll("\\s+", " ").contains(ImageFiles.KINDS), command);
		}
		succeeds("--version");
		assertTrue(out.toString().startsWith("ncc "));
	}

	@Test
	void mistakesOnTheCommandLine() throws IOException {
		final String both = "correlate image.tif template.tif -o map.tif ";
		refuses("conjure", "conjure", "--help");
		refuses("correlate", "IMAGE");
		refuses("correlate image.tif template.tif", "--output");
		refuses("match image.tif template.tif --max 3", "--output");
		refuses("correlate image.tif -o map.tif", "no template", "--roi");
		refuses(both + "--roi 1,2,3,4", "two templates");
		refuses(both + "--what", "--what");
		refuses(both + "--extent most", "--extent", "most");
		refuses(both + "--border wall", "wall", "mirror");
		refuses(both + "--border constant:x", "constant:x", "finite");
		refuses(both + "--border constant:NaN", "finite");
		refuses(both + "--extent same --border constant:-12.5", "-12.5");
		refuses(both + "--border mirror:3", "only constant");
		refuses(both + "--undefined 1", "nan");
		refuses(both + "--search 1,2,3", "3 numbers");
		refuses(both + "--search 1,2,x,4", "'x'");
		refuses(both + "--search 1,2,3,99999999999", "99999999999");
		refuses(both + "--search 0,0,3,3,0,1", "x,y,w,h");
		refuses(both + "--search 0,0,0,3", "empty");
		refuses(both + "--search 50,0,10,10", "60x50", "9x7");
		refuses(both + "--threads 0", "--threads", "1 or more");
		refuses(both + "--threads -3", "--threads");
		refuses(both + "--threads two", "--threads", "two");
		refuses(both + "--memory 0", "--memory", "1 MB or more");
		refuses(both + "--backend abacus", "abacus", "cpu");
		refuses(both + "--algorithm cpu-magic", "cpu-magic", "cpu-direct");
		final String match = "match image.tif template.tif -o m.csv ";
		refuses(match + "--max 0 --min-score 0.5", "--max 0");
		refuses(match + "--max many --min-score 0.5", "many");
		refuses(match + "--max 3 --min-score 1.5", "1.5", "-1 to 1");
		refuses(match + "--max 3 --min-score NaN", "NaN");
		refuses(match + "--max 3 --min-score 0.5 --overlay o.tif", ".png");
	}

	@Test
	void mistakesInPictures() throws IOException {
		final String o = " -o map.tif";
		refuses("correlate template.tif image.tif" + o, "60x50", "9x7", "smaller template");
		refuses("correlate none.tif template.tif" + o, "none.tif");
		refuses("correlate image.tif none.tif" + o, "none.tif");
		refuses("correlate image.tif template.tif --mask none.tif" + o, "none.tif");
		Files.writeString(folder.resolve("text.txt"), "no picture");
		refuses("correlate text.txt template.tif" + o, "text.txt", "TIFF");
		save("rgb.tif", new ColorProcessor(60, 50));
		refuses("correlate rgb.tif template.tif" + o, "RGB", "8-bit");
		refuses("correlate image.tif rgb.tif" + o, "RGB", "8-bit");
		save("flat.tif", new ByteProcessor(5, 5));
		refuses("correlate image.tif flat.tif" + o, "5x5", "flat");
		final FloatProcessor nan = new FloatProcessor(5, 5, new float[25]);
		nan.setf(7, Float.NaN);
		nan.setf(3, 1);
		save("nan.tif", nan);
		refuses("correlate image.tif nan.tif" + o, "5x5", "NaN", "mask");
		refuses("correlate image.tif --roi 55,45,9,7" + o, "60x50", "55,45,9,7");
		refuses("correlate image.tif --roi 0,0,0,7" + o, "0,0,0,7");
		refuses("correlate image.tif --roi 0,0,0,7,7,7" + o, "60x50", "single plane");
		final ImageStack stack = new ImageStack(5, 5);
		for (int i = 0; i < 4; i++) stack.addSlice(new ByteProcessor(5, 5));
		save("stack.tif", new ImagePlus("s", stack));
		refuses("correlate image.tif stack.tif" + o, "60x50", "single plane");
		final ImagePlus hyper = new ImagePlus("h", stack);
		hyper.setDimensions(2, 2, 1);
		save("hyper.tif", hyper);
		refuses("correlate image.tif hyper.tif" + o, "5x5x2x2", "two or three dimensions");
		final ImagePlus channels = new ImagePlus("c", stack);
		channels.setDimensions(4, 1, 1);
		save("channels.tif", channels);
		final ImagePlus slices = new ImagePlus("s", stack);
		slices.setDimensions(1, 4, 1);
		save("slices.tif", slices);
		refuses("correlate slices.tif channels.tif" + o, "5x5x4", "channels");
	}

	@Test
	void mistakesInPrecision() throws IOException {
		refuses("correlate image.tif template.tif -o map.tif --precision triple", "triple", "SINGLE", "DOUBLE");
		refuses("correlate image.tif template.tif -o map.tif --precision double --algorithm cpu-fourier-partitioned", "cpu-fourier-partitioned", "single precision, not double");
	}

	@Test
	void mistakesInMasks() throws IOException {
		final String with = "correlate image.tif template.tif -o map.tif --mask ";
		save("zero.tif", new ByteProcessor(9, 7));
		refuses(with + "zero.tif", "9x7", "zero everywhere");
		save("shape.tif", new ByteProcessor(7, 9));
		refuses(with + "shape.tif", "7x9", "9x7");
		final FloatProcessor negative = new FloatProcessor(9, 7);
		negative.setf(4, -1);
		negative.setf(5, 1);
		save("negative.tif", negative);
		refuses(with + "negative.tif", "9x7", "negative");
		refuses("correlate image.tif template.tif -o map.tif --weights negative.tif", "9x7", "negative");
		refuses("correlate image.tif template.tif -o map.tif --weights zero.tif", "9x7", "zero everywhere");
		refuses("correlate image.tif template.tif -o map.tif --weights zero.tif --mask zero.tif", "--mask", "--weights", "one of them");
		refuses("correlate image.tif template.tif -o zero.tif --weights zero.tif", "is the input");
	}

	@Test
	void mistakesInOutputs() throws IOException {
		refuses("correlate image.tif template.tif -o image.tif", "is the input");
		refuses("correlate image.tif template.tif -o template.tif", "is the input");
		save("mask.tif", new ByteProcessor(9, 7));
		refuses("correlate image.tif template.tif --mask mask.tif -o mask.tif", "is the input");
		refuses("correlate image.tif template.tif -o map.tif --picture map.tif", "two outputs");
		refuses("correlate image.tif template.tif -o none/map.tif", "no folder");
		refuses("correlate image.tif template.tif -o map.png", ".tif");
		refuses("correlate image.tif template.tif -o map.tif --picture map.txt", ".png");
		refuses("match image.tif template.tif --max 1 --min-score 0 -o image.tif", "is the input");
		refuses("match image.tif template.tif --max 1 --min-score 0 -o " + folder, "folder");
		final ImageStack stack = new ImageStack(60, 50);
		for (int i = 0; i < 3; i++) stack.addSlice(new ByteProcessor(60, 50, pixels));
		save("stack.tif", new ImagePlus("s", stack));
		refuses("correlate stack.tif template.tif -o map.tif --picture map.png", "52x44x3", "one plane");
	}

	/** What the machine does wrong ends with 1 and its reason. */
	@Test
	void failuresOfTheMachine() {
		final PrintStream to = new PrintStream(err, true);
		assertEquals(1, Main.failure(to, new NccException("every candidate failed", null)));
		assertEquals("ncc: every candidate failed", err.toString().strip());
		err.reset();
		assertEquals(1, Main.failure(to, new IOException("No space left on device")));
		assertTrue(err.toString().contains("No space left on device") && err.toString().strip().lines().count() == 1, err.toString());
		err.reset();
		assertEquals(1, Main.failure(to, new CancellationException("canceled")));
		assertTrue(err.toString().contains("cancelled"), err.toString());
		err.reset();
		assertEquals(1, Main.failure(to, new IllegalStateException("a bug")));
		assertTrue(err.toString().contains("a bug") && err.toString().contains("at sc.fiji.ncc"), err.toString());
		err.reset();
		assertEquals(2, Main.failure(to, new IllegalArgumentException("two\nlines")));
		assertEquals("ncc: two; lines", err.toString().strip());
	}

	/** Interrupted in the middle of its work, the program leaves nothing half made. */
	@Test
	@DisabledOnOs(OS.WINDOWS)
	void interrupted() throws IOException, InterruptedException {
		final float[] noise = new float[2000 * 1500];
		final Random random = new Random(5);
		for (int i = 0; i < noise.length; i++) noise[i] = random.nextFloat();
		save("large.tif", new FloatProcessor(2000, 1500, noise));
		final List<String> before = files();
		final Process program = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", System.getProperty("java.class.path"),
			Main.class.getName(), "correlate", path("large.tif"), "--roi", "100,100,700,500", "--algorithm", "cpu-direct", "-o", path("map.tif"))
			.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
		try {
			while (program.isAlive() && files().equals(before)) Thread.sleep(20);
			// inside the correlation
			Thread.sleep(1000);
			assertTrue(program.isAlive(), "it had ended before it could be interrupted");
			program.destroy();
			assertTrue(program.waitFor(60, TimeUnit.SECONDS));
			assertNotEquals(0, program.exitValue());
			assertEquals(before, files());
		}
		finally {
			program.destroyForcibly();
		}
	}

	@Test
	void aFailureLeavesWhatStoodThere() throws IOException {
		Files.writeString(folder.resolve("map.tif"), "before");
		assertEquals(2, run("correlate", "template.tif", "image.tif", "-o", "map.tif"));
		assertEquals("before", Files.readString(folder.resolve("map.tif")));
		assertTrue(files().stream().noneMatch(f -> f.endsWith(".part")));
	}
}
