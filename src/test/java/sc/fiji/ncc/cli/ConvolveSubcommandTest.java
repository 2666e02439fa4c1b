package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Random;

import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Sense;
import sc.fiji.ncc.plan.Precision;

/** {@code ncc convolve}, and what the planner says of convolutions. */
class ConvolveSubcommandTest extends InFolder {

	private static final float[] KERNEL = { 1, 2, 0, -1, 0.5f, 3 };

	private byte[] pixels;

	/** image.tif, 30x20, calibrated; kernel.tif and kernel.txt, 3x2. */
	@BeforeEach
	void images() throws IOException {
		pixels = new byte[600];
		new Random(7).nextBytes(pixels);
		final ImagePlus image = new ImagePlus("image", new ByteProcessor(30, 20, pixels));
		final Calibration calibration = new Calibration();
		calibration.pixelWidth = 0.5;
		calibration.setUnit("mm");
		image.setCalibration(calibration);
		save("image.tif", image);
		final ImageProcessor kernel = new FloatProcessor(3, 2, KERNEL.clone());
		save("kernel.tif", new ImagePlus("kernel", kernel));
		Files.writeString(folder.resolve("kernel.txt"), "1 2 0\n\n-1, 0.5, 3\n");
	}

	private Convolution op() {
		return Convolution.of(ArrayImgs.floats(KERNEL, 3, 2));
	}

	private void assertResult(final Convolution expected, final String options) {
		final String said = succeeds(("convolve image.tif kernel.tif -o out.tif " + options).strip().split(" "));
		assertTrue(said.contains("responses") && said.contains("out.tif"), said);
		final Img<FloatType> map = expected.convolve(ArrayImgs.unsignedBytes(pixels, 30, 20)).map();
		final RandomAccessibleInterval<?> written = map("out.tif");
		assertArrayEquals(map.dimensionsAsLongArray(), written.dimensionsAsLongArray(), options);
		assertArrayEquals(values(map), values(written), options);
	}

	@Test
	void writesWhatTheOpGives() throws IOException {
		assertResult(op(), "");
		assertResult(op().sense(Sense.CORRELATION), "--sense correlation");
		assertResult(op().extent(Extent.FULL), "--extent full");
		assertResult(op().extent(Extent.VALID), "--extent valid");
		assertResult(op().border(Border.MIRROR), "--border mirror");
		assertResult(op().border(Border.constant(9)), "--border constant:9 --threads 1");
		assertResult(op().border(Border.UNDEFINED), "--border undefined");
		assertResult(op().extent(Extent.VALID), "--extent valid --border mirror");
		assertTrue(out.toString().contains("Note: --border mirror has no effect with --extent valid"), out::toString);
		assertResult(op().search(net.imglib2.FinalInterval.createMinSize(2, 3, 10, 5)), "--search 2,3,10,5");
	}

	/** 64 bits a pixel, which we read back. */
	@Test
	void doublePrecision() {
		succeeds("convolve image.tif kernel.tif -o out.tif --precision double".split(" "));
		final Img<DoubleType> map = op().precision(Precision.DOUBLE).convolve(ArrayImgs.unsignedBytes(pixels, 30, 20)).doubleMap();
		final RandomAccessibleInterval<?> written = map("out.tif");
		assertTrue(written.getType() instanceof DoubleType);
		assertArrayEquals(values(map), values(written));
	}

	@Test
	void aKernelMayBeText() {
		succeeds("convolve image.tif kernel.txt -o text.tif".split(" "));
		succeeds("convolve image.tif kernel.tif -o from-image.tif".split(" "));
		assertArrayEquals(values(map("from-image.tif")), values(map("text.tif")));
	}

	@Test
	void calibrationIsKeptAndTheOriginMovesWithTheResult() {
		succeeds("convolve image.tif kernel.tif -o out.tif --extent full".split(" "));
		final Calibration c = new ImagePlus(path("out.tif")).getCalibration();
		assertEquals("mm", c.getUnit());
		assertEquals(0.5, c.pixelWidth, 1e-9);
		// the first value lies at the kernel's centre, (1, 1), before the image's first pixel
		assertArrayEquals(new double[] { 1, 1 }, new double[] { c.xOrigin, c.yOrigin });
	}

	@Test
	void imageJShowsAllValues() {
		succeeds("convolve image.tif kernel.tif -o out.tif".split(" "));
		final double[] v = values(map("out.tif"));
		final ImagePlus shown = new ImagePlus(path("out.tif"));
		assertEquals(Arrays.stream(v).min().orElseThrow(), shown.getDisplayRangeMin());
		assertEquals(Arrays.stream(v).max().orElseThrow(), shown.getDisplayRangeMax());
		assertTrue(shown.getDisplayRangeMax() > 1);
	}

	@Test
	void severalKernelsGiveNumberedResults() {
		final String said = succeeds("convolve image.tif kernel.tif kernel.txt -o out.tif --explain".split(" "));
		assertTrue(Files.exists(folder.resolve("out-1.tif")) && Files.exists(folder.resolve("out-2.tif")), said);
		assertTrue(said.contains("convolution of U8 image") && said.contains("cpu-convolve-direct"), said);
	}

	/** Each image to one of its own, the frames of a stack, too; what is done before a mistake stays. */
	@Test
	void aFolderOfImages() throws IOException {
		Files.createDirectory(folder.resolve("in"));
		final ImageStack stack = new ImageStack(30, 20);
		for (int f = 0; f < 3; f++) stack.addSlice(new ByteProcessor(30, 20, Arrays.copyOfRange(pixels, 0, 600)));
		stack.getProcessor(2).invert();
		save("in/b10.tif", new ImagePlus("stack", stack));
		Files.copy(folder.resolve("image.tif"), folder.resolve("in/b9.tif"));
		Files.copy(folder.resolve("kernel.tif"), folder.resolve("in/kernel.tif"));
		final String said = succeeds("convolve", "./in", "in/kernel.tif", "-o", "./out", "--border", "mirror", "--explain");
		assertTrue(said.contains("4 frames of 2 files") && said.contains("cpu-convolve-direct"), said);
		final Convolution mirrored = op().border(Border.MIRROR);
		assertArrayEquals(values(mirrored.convolve(map("image.tif")).map()), values(map("out/b9.tif")));
		assertArrayEquals(values(mirrored.convolve(map("in/b10.tif")).map()), values(map("out/b10.tif")));
		assertEquals("mm", new ImagePlus(path("out/b9.tif")).getCalibration().getUnit());
		succeeds("convolve", "./in", "kernel.txt", "in/kernel.tif", "-o", "./out", "--precision", "double");
		assertArrayEquals(values(op().precision(Precision.DOUBLE).convolve(map("image.tif")).doubleMap()), values(map("out/b9-2.tif")));
		refuses("convolve ./in in/kernel.tif -o ./in", "among the images");
		refuses("convolve ./in in/kernel.tif -o ./map.zarr", "give a folder name");
		save("in/c.tif", new ColorProcessor(30, 20));
		assertEquals(2, run("convolve", "./in", "in/kernel.tif", "-o", "./new"));
		assertTrue(err.toString().contains("c.tif is a colour (RGB) image") && err.toString().contains("the maps of the first 2 files are complete"), err::toString);
		assertArrayEquals(values(op().convolve(map("image.tif")).map()), values(map("new/b9.tif")));
	}

	@Test
	void mistakesAreNamed() throws IOException {
		refuses("convolve image.tif -o out.tif", "KERNEL");
		refuses("convolve image.tif kernel.tif", "--output");
		refuses("convolve image.tif none.tif -o out.tif", "none.tif");
		refuses("convolve image.tif none.txt -o out.tif", "none.txt");
		refuses("convolve image.tif kernel.tif -o image.tif", "image.tif");
		refuses("convolve image.tif kernel.tif -o out.png", "out.png");
		refuses("convolve image.tif kernel.tif -o out.tif --search 1,2,3,4,5,6", "the kernel has 2 dimensions");
		refuses("convolve kernel.tif image.tif -o out.tif --extent valid", "the kernel of 30x20 is larger than the image of 3x2");
		Files.writeString(folder.resolve("ragged.txt"), "1 2\n3\n");
		refuses("convolve image.tif ragged.txt -o out.tif", "2 numbers in its first row and 1 in row 2");
		Files.writeString(folder.resolve("words.txt"), "1 two\n");
		refuses("convolve image.tif words.txt -o out.tif", "row 1", "'two' is not a number");
		Files.writeString(folder.resolve("empty.txt"), "\n");
		refuses("convolve image.tif empty.txt -o out.tif", "is empty");
		refuses("plan --image 30x20 --template 3x3 --terms 1", "--operation convolve");
	}

	@Test
	void thePlannerKnowsConvolutions() {
		final String general = succeeds("plan --backend cpu --operation convolve --image 2000x2000 --template 31x31 --type f32".split(" "));
		assertTrue(general.startsWith("convolution of F32 image 2000x2000"), general);
		assertTrue(general.contains("cpu-convolve-fourier") && general.contains("not a sum of a few products") && !general.contains("cpu-direct "), general);
		final String separable = succeeds("plan --backend cpu --operation convolve --image 2000x2000 --template 31x31 --type f32 --terms 1 --extent same".split(" "));
		assertTrue(separable.contains("separable") && separable.lines().skip(1).findFirst().orElse("").contains("cpu-convolve-separable"), separable);
		assertFalse(succeeds("plan --backend cpu --image 2000x2000 --template 31x31".split(" ")).contains("convolve"), "what does something else is no candidate");
	}

	@Test
	void thePlannersMapIsDrawnForConvolutions() throws IOException {
		succeeds("plan --map map.png --operation convolve".split(" "));
		assertTrue(Files.readString(folder.resolve("map.csv")).contains("cpu-convolve-direct"));
		assertTrue(Files.size(folder.resolve("map.png")) > 1000);
	}
}
