package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.store.DriftFile;

/** Calls that cannot be done: each is refused in one line before it computes, and leaves nothing. */
class RefusedCallsTest extends InFolder {

	private static boolean isRequired(final OptionSpec option) {
		return option.required() && !option.hidden();
	}

	/** Every option of every command with the value x, after all arguments that the command needs. */
	@Test
	void noOptionTakesAnXForANumber() throws IOException {
		saveImages();
		final CommandLine all = Main.commandLine("", new Terminal(new PrintStream(out), new PrintStream(err), false), null);
		int numbers = 0;
		for (final CommandLine command : all.getSubcommands().values()) for (final OptionSpec option : command.getCommandSpec().options()) {
			if (option.arity().max() == 0 || option.longestName().equals("--help")) continue;
			final String name = command.getCommandName(), x = option.longestName();
			final List<String> words = new ArrayList<>(List.of(name));
			// a name that does not exist ends a call whose option took the x
			command.getCommandSpec().positionalParameters().stream().filter(p -> p.arity().min() > 0)
				.forEach(p -> words.add(p.type().isEnum() ? "show" : path("absent.tif")));
			for (final OptionSpec other : command.getCommandSpec().options())
				if (isRequired(other) && other != option) words.addAll(List.of(other.longestName(), other.type() == String.class
					? path("o.tif") : name.equals("plan") ? "20x20" : "1,1,5,5"));
			words.addAll(List.of(x, "x"));
			if (name.equals("sample") || name.equals("wisdom") || name.equals("devices")) continue;
			final int code = run(words.toArray(String[]::new));
			final String message = err.toString().stripTrailing();
			assertTrue(code == 2 || code == 0 && option.type() == String.class, words + ": " + code + " " + message);
			assertFalse(message.contains("\n") || message.matches("(?i).*(exception|convert|java\\.).*"), words + ": " + message);
			if (option.type().isEnum()) assertTrue(message.matches(
				"ncc: 'x' is not a value of option '" + x + "': give .+ or [a-z0-9-]+ \\(ncc .*"), words + ": " + message);
			final boolean number = option.auxiliaryTypes()[0] != String.class && option.type() != String.class && !option.type().isEnum();
			if (!number) continue;
			assertTrue(message.contains(x) && message.contains("'x'"), words + ": " + message);
			numbers++;
		}
		assertTrue(numbers > 50, numbers + " options with numbers");
	}

	/** An empty text is no name of a file, and no other value. The message names its option. */
	@Test
	void noOptionTakesAnEmptyText() throws IOException {
		saveImages();
		final List<String> before = files();
		final CommandLine all = Main.commandLine("", new Terminal(new PrintStream(out), new PrintStream(err), false), null);
		int texts = 0;
		for (final CommandLine command : all.getSubcommands().values()) for (final OptionSpec option : command.getCommandSpec().options()) {
			if (option.type() != String.class && option.auxiliaryTypes()[0] != String.class) continue;
			for (final String empty : new String[] { "", " " }) {
				assertEquals(2, run(command.getCommandName(), option.longestName(), empty), option.longestName());
				final String message = err.toString().stripTrailing();
				assertTrue(message.matches("ncc: .*'" + option.longestName() + "'.*: '" + empty
					+ "' is empty: give a name or a value, or leave it out.*"), message);
			}
			texts++;
		}
		assertTrue(texts > 50, texts + " options with texts");
		assertEquals(before, files());
	}

	@ParameterizedTest
	@ValueSource(strings = { "correlate image.tif template.tif -o ''", "correlate '' template.tif -o map.tif", "match image.tif '' -o m.csv",
		"convolve image.tif '' -o map.tif",
		"align '' --table d.csv", "align image.tif --table ''", "register image.tif '' --table d.csv", "track '' --roi 1,1,5,5 -o t.csv",
		"match image.tif template.tif --overlay '' -o m.csv" })
	void emptyNames(final String call) throws IOException {
		saveImages();
		final List<String> before = files();
		final String[] words = call.split(" ");
		for (int i = 0; i < words.length; i++) if (words[i].equals("''")) words[i] = "";
		assertEquals(2, run(words), call + ": " + err);
		assertTrue(err.toString().matches("ncc: .+\\R"), err.toString());
		assertEquals(before, files());
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void pipes() throws Exception {
		saveImages();
		assertEquals(0, new ProcessBuilder("mkfifo", path("p.tif"), path("k.txt"), path("r.txt")).start().waitFor());
		refuses("match p.tif template.tif -o m.csv", "p.tif is a pipe or a device");
		refuses("match image.tif p.tif -o m.csv", "p.tif is a pipe or a device");
		refuses("convolve image.tif k.txt -o map.tif", "k.txt is a pipe or a device");
		stack("s.tif", 30, 2, false, 0);
		refuses("align s.tif --apply ./p.tif -o map.tif", "p.tif");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "1,,2", "1 2,", ",1 2", "1 , , 2" })
	void numbersThatAreMissing(final String row) throws IOException {
		saveImages();
		Files.writeString(folder.resolve("k.txt"), "1 2 3\n" + row + "\n");
		refuses("convolve image.tif k.txt -o map.tif", "a number is missing at a comma", "row 2");
		Files.writeString(folder.resolve("k.txt"), "1, 2 ,3\n\n4 5 6\n");
		assertEquals(0, run("convolve", "image.tif", "k.txt", "-o", "map.tif"), err::toString);
	}

	@Test
	void convolutionsBeyondTheRange() throws IOException {
		saveImages();
		Files.writeString(folder.resolve("k.txt"), "1e37 1e37\n");
		refuses("convolve image.tif k.txt -o map.tif", "2.0E37", "255", "--precision double");
		assertEquals(0, run("convolve", "image.tif", "k.txt", "--precision", "double", "-o", "map.tif"), err::toString);
		final FloatProcessor floats = new FloatProcessor(20, 20);
		floats.setf(3, 4, 1e20f);
		save("f.tif", floats);
		Files.writeString(folder.resolve("k.txt"), "1e19 1e19\n");
		refuses("convolve f.tif k.txt -o map.tif", "2.0E19", "1.0000000200408773E20");
		assertEquals(0, run("convolve", "image.tif", "k.txt", "-o", "map.tif"), err::toString);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "--false-alarms 1e300; from 1e-12 to 1e9", "--false-alarms 1e-300; from 1e-12 to 1e9",
		"--scales 1e9; at scale 1.0E9",
		"--scales 1:1e9:2; at scale", "--scales 1:3000:1.0001; GB", "--angles 0:359:0.01 --scales 1:2:1.001; poses" })
	void numbersThatAreTooLarge(final String options, final String says) throws IOException {
		saveImages();
		refuses("match image.tif template.tif " + options + " -o m.csv", says);
	}

	private static final String SHIFTS = "{\"format\": \"ncc-drift\", \"version\": 1, \"frame_size\": [30, 20], \"reference\": \"multi\", \"frames\": "
		+ "[{\"frame\": 1, \"shift\": [0, 0], \"state\": \"ok\"}, "
		+ "{\"frame\": %s, \"shift\": [%s, 0], \"state\": \"ok\"}]}";

	private void stack(final String name, final int width, final int frames, final boolean floats, final int move) {
		final ImageStack stack = new ImageStack(width, 20);
		final int across = width + frames * move;
		final FloatProcessor field = new FloatProcessor(across, 20, new Random(31).doubles(20L * across, 0, 250).toArray());
		if (across > 3) field.filter(ImageProcessor.BLUR_MORE);
		for (int t = 0; t < frames; t++) {
			final FloatProcessor frame = new FloatProcessor(width, 20);
			for (int i = 0; i < 20 * width; i++) frame.setf(i, field.getf(i % width + move * t, i / width));
			stack.addSlice(floats ? frame : frame.convertToByteProcessor(false));
		}
		final ImagePlus image = new ImagePlus(name, stack);
		image.setDimensions(1, 1, frames);
		save(name, image);
	}

	@Test
	void shiftsBeyondTheFrame() throws IOException {
		stack("s.tif", 30, 2, false, 0);
		for (final String interpolation : new String[] { "integer", "cubic", "fourier" }) {
			Files.writeString(folder.resolve("d.json"), String.format(SHIFTS, "2", "1e9"));
			refuses("align s.tif --apply ./d.json --interpolation " + interpolation + " -o map.tif", "frame 2", "1.0E9", "union");
			refuses("align s.tif --apply ./d.json --border union --interpolation " + interpolation + " -o map.tif", "1000000030", "union");
			Files.writeString(folder.resolve("d.json"), String.format(SHIFTS, "2", "1e12"));
			refuses("align s.tif --apply ./d.json --border union --interpolation " + interpolation + " -o map.tif", "pixels along dimension 0", "union");
			refuses("align s.tif --apply ./d.json --border crop --interpolation " + interpolation + " -o map.tif", "no region in common");
		}
		Files.writeString(folder.resolve("d.json"), String.format(SHIFTS, "1.5", "1"));
		refuses("align s.tif --apply ./d.json -o map.tif", "'frame' is 1.5, not a whole number");
		Files.writeString(folder.resolve("d.json"), String.format(SHIFTS, "2", "29"));
		assertEquals(0, run("align", "s.tif", "--apply", "./d.json", "-o", "map.tif"), err::toString);
	}

	/** What can be known before the measurement is refused before it. */
	@Test
	void bordersThatDoNotFit() throws IOException {
		stack("s.tif", 30, 3, false, 0);
		refuses("align s.tif --border nan -o ./map.zarr", "cannot be NaN");
		refuses("align s.tif --border nan -o map.tif", "cannot be NaN");
		Files.createDirectory(folder.resolve("frames"));
		for (int t = 0; t < 3; t++) save("frames/" + t + ".tif", new ByteProcessor(30, 20));
		refuses("align ./frames --border nan -o ./moved", "cannot be NaN");
		Files.writeString(folder.resolve("file"), "x");
		refuses("align ./frames -o ./file", "file");
	}

	/** What a run has measured before it failed is not measured again, also for a file or a folder of images. */
	@ParameterizedTest
	@CsvSource({ "s.tif, map.tif", "./in, ./new/out" })
	void shiftsAreMeasuredOnce(final String input, final String output) throws IOException {
		stack("s.tif", 30, 4, false, 12);
		final ImageStack frames = IJ.openImage(path("s.tif")).getStack();
		Files.createDirectory(folder.resolve("in"));
		for (int t = 0; t < 4; t++) save("in/t" + t + ".tif", frames.getProcessor(t + 1).duplicate());
		assertEquals(2, run("align", input, "--move-doubtful", "--border", "crop", "-o", output));
		assertTrue(err.toString().contains(".drift.part keeps the shifts"), err.toString());
		final Path kept;
		try (Stream<Path> all = Files.walk(folder)) {
			kept = all.filter(f -> f.getFileName().toString().matches("(map\\.tif|out)\\.[0-9a-f]+\\.drift\\.part")).findFirst().orElseThrow();
		}
		final Drift measured = DriftFile.read(kept);
		Files.writeString(kept, DriftFile.text(new Drift(new long[] { 30, 20 }, measured.reference(),
			measured.frames().stream().map(f -> f.with(new double[] { f.frame(), 0 })).toList())));
		assertEquals(0, run("align", input, "--move-doubtful", "--border", "union", "-o", output), err::toString);
		assertTrue(out.toString().contains("4 frames, largest shift 3.00, 0.00 pixels"), out.toString());
		assertFalse(Files.exists(kept));
	}

	/** Only the measured shifts show that frames have no region in common. They are kept. */
	@Test
	void shiftsAreKeptWhereCropLeavesNoRegion() throws IOException {
		stack("s.tif", 30, 4, false, 12);
		assertEquals(2, run("align", "s.tif", "--move-doubtful", "--border", "crop", "--transforms", "./d.json", "-o", "map.tif"), out::toString);
		assertTrue(err.toString().matches("ncc: the frames have no region in common.* wrote .*d\\.json: give --apply .*\\R"), err.toString());
		assertFalse(Files.exists(folder.resolve("map.tif")));
		assertEquals(0, run("align", "s.tif", "--apply", "./d.json", "--border", "union", "-o", "map.tif"), err::toString);
		assertEquals(2, run("align", "s.tif", "--move-doubtful", "--border", "crop", "-o", "./map.zarr"));
		assertTrue(err.toString().contains(".drift.part keeps the shifts"), err.toString());
		assertEquals(0, run("align", "s.tif", "--move-doubtful", "--border", "union", "-o", "./map.zarr"), err::toString);
		try (Stream<Path> all = Files.list(folder)) {
			assertEquals(List.of(), all.filter(f -> f.toString().endsWith(".part")).toList());
		}
		// a frame that has left the image
		assertEquals(0, run("align", "s.tif", "--move-doubtful", "-o", "map.tif"), err::toString);
		assertTrue(out.toString().contains("no pixels of frame 4 are in the output"), out::toString);
	}

	/** All frames of noise are doubtful, so none has neighbours to follow. */
	@Test
	void noiseIsNotMoved() throws IOException {
		for (int t = 0; t < 4; t++) {
			final byte[] pixels = new byte[40 * 40];
			new Random(t).nextBytes(pixels);
			save("noise" + t + ".tif", new ByteProcessor(40, 40, pixels));
		}
		Files.createDirectory(folder.resolve("noise"));
		for (int t = 0; t < 4; t++) Files.move(folder.resolve("noise" + t + ".tif"), folder.resolve("noise/" + t + ".tif"));
		assertEquals(0, run("align", "./noise", "--table", "./d.csv"), err::toString);
		assertTrue(out.toString().contains("; frames to check: 1 to 4 (doubtful); 4 of 4 frames are doubtful")
			&& out.toString().contains(": none is moved; --move-doubtful moves"), out::toString);
		assertEquals(0, run("align", "./noise", "--piecewise", "36", "--table", "./d.csv"), err::toString);
		assertTrue(out.toString().contains(": none is moved; larger windows or another --reference can help; --move"), out::toString);
	}

	/** A shift that leaves no pixel is refused with sizes as in all other messages. */
	@Test
	void aShiftOutOfTheFrameIsRefused() throws IOException {
		stack("s.tif", 30, 2, false, 0);
		Files.writeString(folder.resolve("d.json"), String.format(SHIFTS, "2", "30"));
		refuses("align s.tif --apply ./d.json -o map.tif", "the shift of frame 2 is 30.0, 0.0 pixels, and frames have 30x20 pixels");
	}

	/** The advice names an option that helps: the maximum shift only if it was given. */
	@Test
	void peaksAtTheEndOfTheSearch() {
		stack("s.tif", 30, 2, false, 25);
		assertEquals(0, run("align", "s.tif", "--table", "d.csv"), err::toString);
		assertTrue(!out.toString().contains("--max-shift"), out::toString);
		assertEquals(0, run("align", "s.tif", "--max-shift", "3", "--table", "d.csv"), err::toString);
		assertTrue(!out.toString().contains("--min-overlap"), out::toString);
	}

	/** Frames of one column have no gradient along x. */
	@Test
	void framesOfOneColumn() {
		for (final boolean floats : new boolean[] { false, true }) {
			stack("s.tif", 1, 4, floats, 0);
			assertEquals(0, run("align", "s.tif", "--table", "d.csv"), err::toString);
			assertTrue(out.toString().startsWith("4 frames, largest shift 0.00, 0.00 pixels"), out::toString);
		}
	}

	@Test
	void alarmsOfFramesOfDifferentSizes() throws IOException {
		saveImages();
		Files.createDirectory(folder.resolve("frames"));
		final byte[] pixels = new byte[300 * 250];
		new Random(1).nextBytes(pixels);
		save("frames/a.tif", new ByteProcessor(300, 250, pixels));
		save("frames/b.tif", new ByteProcessor(60, 70, Arrays.copyOf(pixels, 4200)));
		assertEquals(2, run("match", "./frames", "template.tif", "--plot-alarms", "a.png", "-o", "m.csv"), err::toString);
		assertTrue(err.toString().contains("--plot-alarms needs frames of one size"), err::toString);
	}

	/** A killed process leaves temporary files. The next run that succeeds removes them, and keeps those that another run uses. */
	@Test
	void temporaryFilesOfKilledProcesses() throws Exception {
		saveImages();
		final Path left = folder.resolve(".m.csv.1a2b3c.part"), other = folder.resolve(".m.csv.part"), others = folder.resolve(".n.csv.1a2b3c.part");
		for (final Path p : new Path[] { left, other, others }) Files.writeString(p, "x");
		try (Outputs running = new Outputs()) {
			final Path used = running.temporary(running.promise(path("m.csv"), List.of()));
			assertEquals(0, run("match", "image.tif", "template.tif", "-o", "m.csv"), err::toString);
			assertTrue(Files.exists(used) && Files.exists(other) && Files.exists(others) && Files.exists(folder.resolve("m.csv")));
			assertFalse(Files.exists(left));
		}
	}

	/** The file and the cause, also for writers that hide the cause. */
	@Test
	@EnabledOnOs(OS.LINUX)
	void aFullDisk() throws IOException, ReflectiveOperationException {
		saveImages();
		try (Outputs outputs = new Outputs()) {
			final Path place = outputs.promise(path("o.png"), List.of()), temporary = outputs.temporary(place);
			final Field locks = Outputs.class.getDeclaredField("locks");
			locks.setAccessible(true);
			@SuppressWarnings("unchecked")
			final Map<Path, FileChannel> channels = (Map<Path, FileChannel>) locks.get(outputs);
			channels.put(temporary, FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)).close();
			final IOException full = assertThrows(IOException.class, () -> {
				try (OutputStream to = outputs.open(place)) {
					Drawing.png(new BufferedImage(200, 200, BufferedImage.TYPE_INT_RGB), to);
				}
			});
			assertEquals(1, Main.failure(new PrintStream(err, true), full));
			assertTrue(err.toString().matches("(?s).*o\\.png: No space left on device\\s*"), err::toString);
		}
	}

	/** The ending of a name says what a file is. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "motion s.tif --window 8 --output f.txt | --output | .csv",
		"motion s.tif --window 8 --field f.png | --field | .tif or .tiff",
		"motion s.tif --window 8 --derived f.csv | --derived | .tif or .tiff",
		"motion s.tif --window 8 --quiver q.tif | --quiver | .png", "motion s.tif --window 8 --vti v.txt | --vti | .vti",
		"motion s.tif --window 8 --openpiv o.csv | --openpiv | .txt", "motion s.tif --window 8 --piv p.csv | --piv | .txt",
		"register image.tif image.tif --table t.txt | --table | .csv", "register image.tif image.tif --transforms s.txt | --transforms | .json",
		"align s.tif -o map.csv | map.csv | .tif, .mrc or .zarr", "register image.tif image.tif -o r.png | r.png | .tif, .mrc or .zarr" })
	void namesWithOtherEndings(final String call, final String name, final String ending) throws IOException {
		refuses(call, name, "give a name that ends in " + ending);
	}

	/** Every subcommand checks its numbers before it reads an image. */
	@ParameterizedTest
	@ValueSource(strings = { "correlate none.tif none.tif -o map.tif", "match none.tif none.tif -o m.csv", "track none.tif --roi 1,2,3,4 -o t.csv",
		"align none.tif -o map.tif",
		"register none.tif none.tif -o map.tif", "convolve none.tif none.tif -o map.tif", "motion none.tif --window 8 -o f.csv",
			"stitch none.tif none2.tif --tiles t.csv" })
	void numbersComeBeforeImages(final String call) throws IOException {
		refuses(call + " --threads 0", "--threads 0");
		refuses(call + " --memory 0", "--memory (MB) 0");
		refuses(call + " --backend x --effort some", "some");
	}
}
