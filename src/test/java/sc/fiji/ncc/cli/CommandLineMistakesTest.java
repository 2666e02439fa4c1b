package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

import sc.fiji.ncc.result.NccException;

/** Every mistake on the command line, exit codes, and what stands in the folder after a failure. */
class CommandLineMistakesTest extends InFolder {

	private byte[] pixels;

	@BeforeEach
	void images() {
		pixels = saveImages();
	}

	@Test
	void mistakesOnTheCommandLine() throws IOException {
		final String both = "correlate image.tif template.tif -o map.tif ";
		refuses("conjure", "conjure", "--help");
		refuses("correlate", "IMAGE");
		refuses("correlate image.tif template.tif", "--output");
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
		refuses(both + "--threads 0", "--threads", "at least 1");
		refuses(both + "--threads -3", "--threads");
		refuses(both + "--threads two", "--threads", "two");
		refuses(both + "--memory 0", "--memory (MB) 0", "at least 1");
		refuses(both + "--backend abacus", "abacus", "cpu");
		refuses(both + "--algorithm cpu-magic", "cpu-magic", "cpu-direct");
		final String match = "match image.tif template.tif -o m.csv ";
		refuses(match + "--max-matches 0 --min-score 0.5", "--max-matches 0");
		refuses(match + "--max-matches many --min-score 0.5", "many");
		refuses(match + "--max-matches 3 --min-score 1.5", "1.5", "-1 to 1");
		refuses(match + "--max-matches 3 --min-score NaN", "NaN");
		refuses(match + "--max-matches 3 --min-score 0.5 --overlay o.tif", ".png");
	}

	@Test
	void mistakesInImages() throws IOException {
		final String o = " -o map.tif";
		refuses("correlate template.tif image.tif" + o, "60x50", "9x7", "smaller template");
		refuses("correlate none.tif template.tif" + o, "none.tif");
		refuses("correlate image.tif none.tif" + o, "none.tif");
		refuses("correlate image.tif template.tif --mask none.tif" + o, "none.tif");
		Files.writeString(folder.resolve("text.txt"), "no image");
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
		refuses("correlate image.tif template.tif -o map.tif --precision triple", "triple", "give single or double");
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
		refuses("match image.tif template.tif --max-matches 1 --min-score 0 -o image.tif", "is the input");
		refuses("match image.tif template.tif --max-matches 1 --min-score 0 -o " + folder, "folder");
		refuses("match image.tif template.tif --max-matches 1 --min-score 0 -o found.png", "--output", "found.png: give a name that ends in .csv");
		refuses("match image.tif template.tif --angles 0,90 --min-score 0.7 -o found.png", "--output", "found.png: give a name that ends in .csv");
		refuses("match image.tif template.tif --min-score 0 -o m.csv --overlay m.jpg", "the overlay is a PNG file: give a name that ends in .png, not m.jpg");
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
			// inside the correlation: after a second of computation
			final Duration computed = computed(program).plusSeconds(1);
			while (program.isAlive() && computed(program).compareTo(computed) < 0) Thread.sleep(20);
			assertTrue(program.isAlive(), "it had ended before it could be interrupted");
			program.destroy();
			assertTrue(program.waitFor(120, TimeUnit.SECONDS));
			assertNotEquals(0, program.exitValue());
			assertEquals(before, files());
		}
		finally {
			program.destroyForcibly();
		}
	}

	/** The processor time; that of a process that has ended does not count. */
	private static Duration computed(final Process program) {
		return program.info().totalCpuDuration().orElse(Duration.ZERO);
	}

	@Test
	void aFailureLeavesWhatStoodThere() throws IOException {
		Files.writeString(folder.resolve("map.tif"), "before");
		assertEquals(2, run("correlate", "template.tif", "image.tif", "-o", "map.tif"));
		assertEquals("before", Files.readString(folder.resolve("map.tif")));
		assertTrue(files().stream().noneMatch(f -> f.endsWith(".part")));
	}
}
