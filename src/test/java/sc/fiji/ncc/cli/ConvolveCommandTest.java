package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import ij.ImagePlus;
import ij.io.FileSaver;
import ij.measure.Calibration;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.Border;
import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.Extent;
import sc.fiji.ncc.Sense;
import sc.fiji.ncc.plan.Precision;

/** {@code ncc convolve}, and what the planner says of convolutions. */
class ConvolveCommandTest {

	private static final float[] KERNEL = { 1, 2, 0, -1, 0.5f, 3 };

	@TempDir
	Path folder;
	private final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();
	private byte[] pixels;

	/** image.tif, 30x20, calibrated; kernel.tif and kernel.txt, 3x2. */
	@BeforeEach
	void pictures() throws IOException {
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

	private String path(final String name) {
		return folder.resolve(name).toString();
	}

	private void save(final String name, final ImagePlus picture) {
		assertTrue(new FileSaver(picture).saveAsTiff(path(name)));
	}

	private int run(final String words) {
		out.reset();
		err.reset();
		final String[] arguments = Arrays.stream(words.split(" ")).map(w -> w.matches("[\\w-]+\\.(tif|png|txt)") ? path(w) : w).toArray(String[]::new);
		return Main.run(arguments, new PrintStream(out, true), new PrintStream(err, true), false);
	}

	private String succeeds(final String words) {
		assertEquals(0, run(words), err::toString);
		assertEquals("", err.toString());
		return out.toString();
	}

	/** One line that holds this, exit code 2, and no file that was not there before. */
	private void refuses(final String words, final String says) throws IOException {
		final List<String> before = files();
		assertEquals(2, run(words), words + ": " + err);
		final String message = err.toString().stripTrailing();
		assertFalse(message.isEmpty() || message.contains("\n"), message);
		assertTrue(message.contains(says), words + ": " + message);
		assertEquals(before, files(), words);
	}

	private List<String> files() throws IOException {
		try (Stream<Path> all = Files.walk(folder)) {
			return all.map(Path::toString).sorted().toList();
		}
	}

	private static double[] values(final RandomAccessibleInterval<?> image) {
		@SuppressWarnings({ "unchecked", "rawtypes" })
		final RandomAccessibleInterval<? extends RealType<?>> real = (RandomAccessibleInterval) image;
		final double[] values = new double[(int) Views.iterable(real).size()];
		int i = 0;
		for (final RealType<?> v : Views.flatIterable(real)) values[i++] = v.getRealDouble();
		return values;
	}

	private Convolution op() {
		return Convolution.of(ArrayImgs.floats(KERNEL, 3, 2));
	}

	private void assertResult(final Convolution expected, final String options) {
		final String said = succeeds(("convolve image.tif kernel.tif -o out.tif " + options).strip());
		assertTrue(said.contains("responses") && said.contains("out.tif"), said);
		final Img<FloatType> map = expected.convolve(ArrayImgs.unsignedBytes(pixels, 30, 20)).map();
		final RandomAccessibleInterval<?> written = ImageFiles.read(path("out.tif")).pixels();
		assertArrayEquals(map.dimensionsAsLongArray(), written.dimensionsAsLongArray(), options);
		assertArrayEquals(values(map), values(written), options);
	}

	@Test
	void writesWhatTheOpGives() {
		assertResult(op(), "");
		assertResult(op().sense(Sense.CORRELATION), "--sense correlation");
		assertResult(op().extent(Extent.FULL), "--extent full");
		assertResult(op().extent(Extent.VALID), "--extent valid");
		assertResult(op().border(Border.MIRROR), "--border mirror");
		assertResult(op().border(Border.constant(9)), "--border constant:9 --threads 1");
		assertResult(op().border(Border.UNDEFINED), "--border undefined");
		assertResult(op().search(net.imglib2.FinalInterval.createMinSize(2, 3, 10, 5)), "--search 2,3,10,5");
	}

	/** 64 bits a pixel, which we read back. */
	@Test
	void doublePrecision() {
		succeeds("convolve image.tif kernel.tif -o out.tif --precision double");
		final Img<DoubleType> map = op().precision(Precision.DOUBLE).convolve(ArrayImgs.unsignedBytes(pixels, 30, 20)).doubleMap();
		final RandomAccessibleInterval<?> written = ImageFiles.read(path("out.tif")).pixels();
		assertTrue(written.getType() instanceof DoubleType);
		assertArrayEquals(values(map), values(written));
	}

	@Test
	void aKernelMayBeText() {
		succeeds("convolve image.tif kernel.txt -o text.tif");
		succeeds("convolve image.tif kernel.tif -o picture.tif");
		assertArrayEquals(values(ImageFiles.read(path("picture.tif")).pixels()), values(ImageFiles.read(path("text.tif")).pixels()));
	}

	@Test
	void calibrationIsKeptAndTheOriginMovesWithTheResult() {
		succeeds("convolve image.tif kernel.tif -o out.tif --extent full");
		final Calibration c = new ImagePlus(path("out.tif")).getCalibration();
		assertEquals("mm", c.getUnit());
		assertEquals(0.5, c.pixelWidth, 1e-9);
		// the first value lies at the kernel's centre, (1, 1), before the picture's first pixel
		assertArrayEquals(new double[] { 1, 1 }, new double[] { c.xOrigin, c.yOrigin });
	}

	@Test
	void severalKernelsGiveNumberedResults() {
		final String said = succeeds("convolve image.tif kernel.tif kernel.txt -o out.tif --explain");
		assertTrue(Files.exists(folder.resolve("out-1.tif")) && Files.exists(folder.resolve("out-2.tif")), said);
		assertTrue(said.contains("convolution of U8 image") && said.contains("cpu-convolve-direct"), said);
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
		refuses("convolve image.tif words.txt -o out.tif", "'two' in row 1");
		Files.writeString(folder.resolve("empty.txt"), "\n");
		refuses("convolve image.tif empty.txt -o out.tif", "is empty");
		refuses("plan --image 30x20 --template 3x3 --terms 1", "--operation convolve");
	}

	@Test
	void thePlannerKnowsConvolutions() {
		final String general = succeeds("plan --operation convolve --image 2000x2000 --template 31x31 --type f32");
		assertTrue(general.startsWith("convolution of F32 image 2000x2000"), general);
		assertTrue(general.contains("cpu-convolve-fourier") && general.contains("no sum of a few products") && !general.contains("cpu-direct "), general);
		final String separable = succeeds("plan --operation convolve --image 2000x2000 --template 31x31 --type f32 --terms 1 --extent same");
		assertTrue(separable.contains("separable") && separable.lines().skip(1).findFirst().orElse("").contains("cpu-convolve-separable"), separable);
		assertFalse(succeeds("plan --image 2000x2000 --template 31x31").contains("convolve"), "what does something else is no candidate");
	}

	@Test
	void thePlannersMapIsDrawnForConvolutions() throws IOException {
		succeeds("plan --map map.png --operation convolve");
		assertTrue(Files.readString(folder.resolve("map.csv")).contains("cpu-convolve-direct"));
		assertTrue(Files.size(folder.resolve("map.png")) > 1000);
	}
}
