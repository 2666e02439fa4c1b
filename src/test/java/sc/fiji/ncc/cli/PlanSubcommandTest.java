package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.imageio.ImageIO;

import ij.ImagePlus;
import ij.io.FileSaver;
import ij.process.ByteProcessor;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.drawing.PlannerMapDrawing;
import sc.fiji.ncc.front.PlanOperation;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.PlannerMap;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.ImageStore;
import sc.fiji.ncc.result.PosesFound;
import sc.fiji.ncc.planner.Wisdom;

/** {@code ncc plan}, {@code ncc wisdom}, and {@code --effort}. */
class PlanSubcommandTest {

	private static final String PROPERTY = "ncc.wisdom";

	@TempDir
	Path folder;
	private Path wisdom;
	private String before;
	private final ByteArrayOutputStream out = new ByteArrayOutputStream(), err = new ByteArrayOutputStream();

	@BeforeEach
	void ownWisdom() {
		before = System.getProperty(PROPERTY);
		wisdom = folder.resolve("wisdom.txt");
		System.setProperty(PROPERTY, wisdom.toString());
	}

	@AfterEach
	void restore() {
		PlanSubcommand.calibrationSeconds = CostCalibration.SECONDS;
		if (before == null) System.clearProperty(PROPERTY);
		else System.setProperty(PROPERTY, before);
	}

	private int run(final String words) {
		out.reset();
		err.reset();
		return Main.run(words.split(" "), new PrintStream(out, true), new PrintStream(err, true), false);
	}

	private String succeeds(final String words) {
		assertEquals(0, run(words), err::toString);
		assertEquals("", err.toString());
		return out.toString();
	}

	private void refuses(final String words, final String... says) throws IOException {
		assertEquals(2, run(words), words + ": " + err);
		final String message = err.toString().stripTrailing();
		assertFalse(message.isEmpty() || message.contains("\n"), message);
		for (final String s : says) assertTrue(message.contains(s), words + ": " + message);
		try (var files = Files.list(folder)) {
			assertEquals(0, files.count(), words);
		}
	}

	private void contains(final String text, final String... parts) {
		for (final String p : parts) assertTrue(text.contains(p), p + " is not in: " + text);
	}

	/** All kinds of problems, with all of their algorithms. */
	@Test
	void rotatedTemplatesAndDrift() throws IOException {
		final String rotated = succeeds("plan --operation rotate --image 500x400 --template 51x51 --poses 72 --type u16 --backend cpu --threads 2");
		assertTrue(rotated.startsWith("best of [72 members of 1961 values in 51x51], U16 image 500x400, score from 0.7, 1 frame"), rotated);
		assertTrue(rotated.contains("cpu-every-pose") && rotated.contains("cpu-bounded") && rotated.contains("no basis bounds the members"), rotated);
		final String cubes = succeeds("plan --operation rotate --image 50x40x30 --template 9x9x9 --poses 5 --backend cpu --threads 2");
		assertTrue(cubes.startsWith("best of [5 members of 257 values in 9x9x9]"), cubes);
		final String drift = succeeds("plan --operation align --image 512x512 --frames 60 --type u16 --backend cpu --threads 2");
		assertTrue(drift.startsWith("shifts of 60 U16 frames of 512x512, 480 pairs, overlap at least 0.333"), drift);
		assertTrue(drift.contains("cpu-frames") && drift.contains("cpu-frames-binned"), drift);
		assertTrue(succeeds("plan --operation align --image 64x48x20").startsWith("shifts of 2 U8 frames of 64x48x20, 2 pairs"), out::toString);
		refuses("plan --operation align --image 64x48 --template 5x5",
			"--template needs --operation correlate, convolve, rotate, motion or deform, and the operation is align");
		assertTrue(succeeds("plan --operation move --image 64x48 --frames 9").startsWith("resampling of 9 U8 frames of 64x48, 4 neighbours"), out::toString);
		// planes of a volume move one by one, by Fourier transforms all together
		assertTrue(succeeds("plan --operation move --image 64x48x20 --interpolation lanczos")
			.startsWith("resampling of 20 U8 frames of 64x48x1, 6 neighbours"), out::toString);
		assertTrue(succeeds("plan --operation move --image 64x48x20 --interpolation fourier")
			.startsWith("resampling of 1 U8 frame of 64x48x20, all pixels"), out::toString);
		final String deformed = succeeds("plan --operation deform --image 256x200 --template 64x64 --frames 9 --backend cpu --threads 2");
		assertTrue(deformed.startsWith("deformations of 18 frames of 256x200 by windows of 64x64") && deformed.contains("cpu-deform"), deformed);
		refuses("plan --operation deform --image 64x48 --template 32x64", "the window of 32x64 is larger than the frame of 64x48");
		refuses("plan --operation deform --image 64x48 --template 32x32 --frames 1", "--frames 1: --operation deform needs at least 2");
		refuses("plan --operation move --image 64x48 --template 5x5", "leave --template out");
		refuses("plan --operation move --image 64x48 --interpolation integer", "computes nothing");
		assertTrue(succeeds("plan --operation move --image 64x48x20 --deformed")
			.startsWith("deformed resampling of 20 U8 frames of 64x48x1, 4 neighbours"), out::toString);
		refuses("plan --operation move --image 64x48 --deformed --interpolation fourier", "these frames are deformed: choose lanczos or cubic");
		refuses("plan --image 64x48 --template 5x5 --interpolation cubic", "needs --operation move");
		refuses("plan --operation align --image 64x48 --frames 1", "--frames 1: --operation align needs at least 2");
		refuses("plan --operation motion --image 64x48 --template 16x16 --frames 1", "--frames 1: --operation motion needs at least 2");
		refuses("plan --operation rotate --image 64x48x9 --template 5x5", "3 dimensions, the template 2");
		refuses("plan --operation rotate --image 64x48 --template 5x5 --precision double", "--precision needs --operation correlate or convolve");
		refuses("plan --operation rotate --map m.png", "correlate or convolve");
	}

	/** Also with its default value: what the user gives has an effect, or a line says that it has none. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "correlate|--poses 360,--interpolation cubic,--terms 0,--deformed",
		"convolve|--poses 9,--interpolation linear,--response-type float",
		"rotate|--interpolation cubic,--terms 1,--template-type u8,--extent valid,--precision single,--map m.png",
		"align|--template 9x9,--poses 9,--interpolation cubic,--terms 1,--template-type u8,--extent same,--precision double,--map m.png",
		"move|--template 9x9,--poses 9,--terms 1,--template-type u8,--extent full,--precision single,--response-type 8-bit,--map m.png",
		"motion|--poses 9,--interpolation cubic,--terms 1,--template-type u8,--extent valid,--precision double,--map m.png" })
	void optionsOfOtherOperationsAreRefused(final String operation, final String options) throws IOException {
		final boolean template = !operation.equals("align") && !operation.equals("move");
		final String problem = "plan --operation " + operation + " --image 64x48" + (template ? " --template 9x7" : "");
		succeeds(problem);
		for (final String option : options.split(",")) {
			final String name = option.split(" ")[0];
			refuses(problem + " " + option, name + " needs --operation ", "and the operation is " + operation + ": leave " + name + " out");
		}
	}

	@Test
	void plansBySizeAlone() {
		contains(succeeds("plan --image 2000x1500 --template 32x20"), "U8 image 2000x1500, template U8 [32x20], 1969x1481 lags, 1 frame",
			"cpu-direct-exact", "cpu-fourier", "selected");
		contains(succeeds("plan --image 64x50x40 --template 9x8x7 --type F32 --template-type u8 --frames 5"),
			"F32 image 64x50x40, template U8 [9x8x7], 56x43x34 lags, 5 frames", "exact sums support 8- and 16-bit pixels");
		contains(succeeds("plan --image 2000x1500 --template 32x20 --precision double"), "in double precision U8 image 2000x1500", "cpu-direct-exact",
			"cpu-direct  ", "cpu-fourier  ", "selected");
		contains(succeeds("plan --image 64x50x40 --template 9x8 --frames 2 --type s16"), "S16 image 64x50, template S16 [9x8], 56x43 lags, 80 frames");
		contains(succeeds("plan --image 64x50 --template 9x8 --extent same"), "56x43 lags");
		contains(succeeds("plan --image 64x50 --template 9x8 --extent full"), "72x57 lags that overlap by 0.33");
		contains(succeeds("plan --image 64x50 --template 9x8 --algorithm cpu-direct --backend cpu --threads 1"), "selected: the only one that applies",
			"another algorithm is selected");
		assertFalse(Files.exists(wisdom), "an estimate measures nothing");
	}

	@Test
	void typesOfResponsesChangeTheProblemTheTimesAndTheMap() throws IOException {
		final String problem = "plan --image 2000x1500x4 --template 32x20 --backend cpu --threads 1", size = "map of 1969x1481x4 pixels with ";
		contains(succeeds(problem + " --precision double"), size + "64 bits: 93.3 MB");
		contains(succeeds(problem), size + "32 bits: 46.7 MB");
		contains(succeeds(problem + " --response-type 16-bit"), "4 frames, 16-bit responses", size + "16 bits: 23.3 MB");
		contains(succeeds(problem + " --response-type 8-bit"), "4 frames, 8-bit responses", size + "8 bits: 11.7 MB");
		contains(succeeds(problem + " --frames 3 --extent same"), "3 maps of 2000x1500x4 pixels with 32 bits: 144.0 MB");
		contains(succeeds("plan --image 30x20 --template 5x3 --extent full --operation convolve"), "map of 34x22 pixels");
		assertFalse(succeeds("plan --operation align --image 64x48").contains("map of"));
		final String one = "plan --image 2000x1500 --template 8x8 --backend cpu --threads 1";
		final List<String> floats = predicted(succeeds(one)), bytes = predicted(succeeds(one + " --response-type 8-bit"));
		for (int i = 0; i < floats.size(); i++) {
			final String[] f = floats.get(i).split(" "), b = bytes.get(i).split(" ");
			assertTrue(f[0].equals(b[0]) && Double.parseDouble(f[1]) > Double.parseDouble(b[1]), floats + " and " + bytes);
		}
		refuses(problem + " --response-type 8-bit --precision double", "8-bit responses are computed in single precision, not in double");
	}

	/** What is planned without an image is what is asked with it. */
	@Test
	void asksWhatTheOpAsks() {
		final byte[] noise = new byte[40 * 30 * 3];
		new Random(1).nextBytes(noise);
		final float[] template = { 1, 2, 3, 4, 5, 6 };
		for (final Extent extent : Extent.values())
			assertEquals(NormalizedCrossCorrelation.of(ArrayImgs.floats(template, 3, 2)).extent(extent).explain(ArrayImgs.unsignedBytes(noise, 40, 30, 3)).problem(),
				NormalizedCrossCorrelation.problem(PixelType.U8, Size.of(40, 30, 3), PixelType.F32, Size.of(3, 2), extent, 1));
		// more lags than one box has
		final var huge = NormalizedCrossCorrelation.problem(PixelType.U8, Size.of(20_000, 20_000), PixelType.U8, Size.of(32, 32), Extent.VALID, 1);
		assertTrue(huge.frames() > 1 && huge.lags().count().pixels() <= 1L << 26, huge::toString);
	}

	/** The parts into which a large map is cut follow the problem. */
	@Test
	void statesTheProblemOfALargeMap() {
		for (final String[] asked : new String[][] {
			{ "--image 2000x2000x100 --template 32x32x16", "U8 image 2000x2000x100, template U8 [32x32x16], 1969x1969x85 lags, 1 frame in 5 parts of up "
				+ "to 1969x1969x17 lags" },
			{ "--image 20000x20000 --template 32x32 --frames 2 --response-type 8-bit",
				"U8 image 20000x20000, template U8 [32x32], 19969x19969 lags, 2 frames, each in 6 parts of up to 19969x3360 lags, 8-bit responses" },
			{ "--image 20000x20000 --template 1x32 --precision double",
				"in double precision U8 image 20000x20000, template U8 [1x32], 20000x19969 lags, 1 frame in 6 parts of up to 20000x3355 lags" },
			{ "--image 20000x20000 --template 32x32 --operation convolve",
				"convolution of U8 image 20000x20000, kernel U8 [32x32], 19969x19969 lags, 1 frame in 6 parts of up to 19969x3360 lags" } })
			assertEquals(asked[1], succeeds("plan --backend cpu " + asked[0]).lines().findFirst().orElseThrow());
	}

	@Test
	void unseenProblemsAreMeasured() {
		for (final String problem : List.of("--image 2000x2000 --template 32x32", "--image 300x300x300 --template 20x20x20 --type f32 --threads 1",
			"--image 4096x4096 --template 256x256 --frames 50")) {
			// a machine that is busy with other things may come to the end of none in time
			final String said = succeeds("plan --effort measure " + problem);
			assertTrue(said.contains("selected: shortest measured time") ? said.contains("measured ") : said.contains("exceeded the time limit when it was measured"), said);
		}
	}

	@Test
	void whatWasMeasuredIsShownAndForgotten() throws IOException {
		contains(succeeds("wisdom show"), "no measurements", wisdom.toString());
		succeeds("plan --image 60x50 --template 5x5 --effort measure --threads 1 --algorithm cpu-direct");
		succeeds("plan --image 60x50 --template 5x5 --effort measure --threads 2 --algorithm cpu-direct");
		contains(succeeds("wisdom show"), "2 measurements in " + wisdom, "U8 image 60x50, template U8 [5x5], 56x46 lags, 1 frame (cpu: ", "1 thread,", "2 threads,",
			"  cpu-direct ", " ms");
		// with the digits that the plan shows
		final String plan = succeeds("plan --image 60x50 --template 5x5 --threads 2");
		final Matcher measured = Pattern.compile("measured ([0-9.]+),").matcher(plan);
		assertTrue(measured.find(), plan);
		contains(succeeds("wisdom show"), " " + measured.group(1) + " ms");
		contains(succeeds("wisdom clear"), "deleted 2 measurements");
		assertFalse(Files.exists(wisdom));
		contains(succeeds("wisdom SHOW"), "no measurements");
		assertFalse(succeeds("plan --image 60x50 --template 5x5 --threads 2").contains("measured"));
		contains(succeeds("wisdom clear"), "deleted 0 measurements");
	}

	@Test
	void theNumberOfFrames() {
		for (final PlanOperation operation : PlanOperation.values()) {
			final long least = operation == PlanOperation.ALIGN || operation == PlanOperation.MOTION || operation == PlanOperation.DEFORM ? 2 : 1;
			assertEquals(least, operation.frames(null, "--", " "));
			for (final long given : new long[] { least, 9 }) assertEquals(given, operation.frames(given, "--", " "));
			assertEquals("--frames " + (least - 1) + ": --operation " + operation + " needs at least " + least,
				Assertions.assertThrows(IllegalArgumentException.class, () -> operation.frames(least - 1, "--", " ")).getMessage());
		}
	}

	/** In MB of a million bytes; without the option, the heap of a process. */
	@Test
	void theWorkingMemory() {
		final PlanningOptions options = new PlanningOptions();
		options.processes(3, 12_345);
		assertEquals(12_345, options.memory());
		assertEquals(3, options.threads());
		options.memory = 7;
		options.threads = 2;
		assertEquals(7_000_000, options.memory());
		assertEquals(2, options.threads());
	}

	@Test
	void aCalibrationInWords() {
		final SortedMap<String, Wisdom.Constant> constants = new TreeMap<>(Map.of("point", new Wisdom.Constant(2.25e-9, 3.51e-9), "start",
			new Wisdom.Constant(0.00234, 0.00123)));
		assertEquals(List.of("cpu, a CPU: 12 runs; median error of the estimates: 80% before, 5% after", "  point                   3.51 ns instead of 2.25 ns",
			"  start                   1.23 ms instead of 2.34 ms"),
			PlanSubcommand.lines(new CostCalibration(new Device("cpu", "a CPU", 1, 1), constants, 12, 0.8, 0.05)));
	}

	@Test
	void calibrates() throws IOException {
		// enough for a run of each algorithm; CostCalibrationTest checks what a calibration finds
		PlanSubcommand.calibrationSeconds = 2;
		final String problem = "plan --image 512x512 --template 12x12 --threads 1", before = succeeds(problem);
		contains(succeeds("plan --calibrate --threads 1"), "cpu, ", "1 thread,", "runs; median error of the estimates: ", "direct-tap ", "fourier-point-level ", "instead of",
			wisdom.toString());
		contains(succeeds("wisdom show"), "calibrated (cpu: ", "1 thread,", "direct-tap 0.");
		final String after = succeeds(problem);
		assertNotEquals(predicted(before), predicted(after), "estimates use what was measured");
		contains(succeeds("wisdom clear"), "deleted 0 measurements and the calibration");
		assertFalse(Files.exists(wisdom));
		assertEquals(predicted(before), predicted(succeeds(problem)));
	}

	/** The times in a ranking without starts, which only the first run in a process has, in the order of the methods' names. */
	private static List<String> predicted(final String ranking) {
		return ranking.lines().filter(l -> l.contains("predicted ")).map(l -> l.replaceAll(" +(cpu-\\S+) .*?predicted ([0-9.]+).*", "$1 $2")).sorted().toList();
	}

	@Test
	void correlateAndMatchMeasureToo() {
		final byte[] pixels = new byte[3000];
		new Random(7).nextBytes(pixels);
		final String image = folder.resolve("image.tif").toString();
		assertTrue(new FileSaver(new ImagePlus("i", new ByteProcessor(60, 50, pixels))).saveAsTiff(image));
		contains(succeeds("correlate " + image + " --roi 3,4,9,7 --effort measure --explain -o " + folder.resolve("map.tif")), "measured ");
		contains(succeeds("wisdom show"), "U8 image 60x50, template U8 [9x7], 52x44 lags, 1 frame");
		succeeds("wisdom clear");
		contains(succeeds("match " + image + " --roi 3,4,9,7 --max-matches 1 --min-score 0.5 --effort MEASURE -o " + folder.resolve("m.csv")), "1 match");
		contains(succeeds("wisdom show"), "template U8 [9x7]");
	}

	/** What was measured before a run is no part of its time. */
	@Test
	void timesOfRunsAreWithoutMeasuring() throws IOException {
		final byte[] pixels = new byte[3000], small = new byte[35];
		new Random(7).nextBytes(pixels);
		new Random(8).nextBytes(small);
		final var image = ArrayImgs.unsignedBytes(pixels, 60, 50);
		final var template = ArrayImgs.unsignedBytes(small, 7, 5);
		final var ncc = NormalizedCrossCorrelation.of(template).backend("cpu").algorithm("cpu-direct").effort(Effort.MEASURE, 0.2);
		withoutMeasuring(() -> {
			final var found = ncc.correlate(image);
			return new Timed(found.seconds(), List.of(found.ranking()));
		});
		withoutMeasuring(() -> {
			final var found = ncc.best(image);
			return new Timed(found.seconds(), found.rankings());
		});
		withoutMeasuring(() -> {
			final var found = ncc.correlateEach(List.of(image), (index, response) -> {});
			return new Timed(found.seconds(), found.rankings());
		});
		withoutMeasuring(() -> {
			final var found = TemplateMatching.with(ncc).minScore(0.9).find(image);
			return new Timed(found.seconds(), found.rankings());
		});
		withoutMeasuring(() -> {
			final var found = PoseSearch.of(template).angles(-10, 10).backend("cpu").effort(Effort.MEASURE, 0.2).find(image);
			return new Timed(found.seconds(), found.plan().ranking().stream().toList());
		});
		withoutMeasuring(() -> {
			final List<PosesFound> found = new ArrayList<>();
			PoseSearch.of(template).angles(-10, 10).backend("cpu").effort(Effort.MEASURE, 0.2).findEach(List.of(image), (index, each) -> found.add(each));
			return new Timed(found.get(0).seconds(), found.get(0).plan().ranking().stream().toList());
		});
		withoutMeasuring(() -> {
			final var found = MotionField.ofWindows(16, 16).passes(2).backend("cpu").effort(Effort.MEASURE, 0.2).measure(image, image);
			return new Timed(found.seconds(), found.rankings());
		});
		withoutMeasuring(() -> {
			// the time of a problem that was measured before is kept
			final var other = NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(small, 5, 7)).backend("cpu").algorithm("cpu-direct")
				.effort(Effort.MEASURE, 0.2);
			final var found = other.bestInto(image, new ImageStore(ArrayImgs.floats(56, 44)), null);
			return new Timed(found.seconds(), found.rankings());
		});
		withoutMeasuring(() -> {
			final var other = NormalizedCrossCorrelation.of(ArrayImgs.unsignedBytes(small, 5, 7)).backend("cpu")
				.effort(Effort.MEASURE, 0.2);
			final var found = other.correlateInto(image, new ImageStore(ArrayImgs.floats(56, 44)));
			return new Timed(found.seconds(), found.rankings());
		});
	}

	private record Timed(double seconds, List<Ranking> rankings) {}

	private void withoutMeasuring(final Supplier<Timed> run) throws IOException {
		Files.deleteIfExists(wisdom);
		final long start = System.nanoTime();
		final Timed timed = run.get();
		final double elapsed = 1e-9 * (System.nanoTime() - start), measuring = Ranking.measuringSeconds(timed.rankings);
		assertTrue(measuring > 0 && timed.seconds > 0, measuring + " s of measuring, " + timed.seconds + " s");
		assertTrue(timed.seconds + measuring <= elapsed, timed.seconds + " s contain " + measuring + " s of measuring, of " + elapsed);
	}

	@Test
	void mapOfEstimates() throws IOException {
		contains(succeeds("plan --map " + folder.resolve("map.png") + " --frames 50 --threads 2"), "the fastest for", "wrote ");
		final List<String> rows = Files.readAllLines(folder.resolve("map.csv"));
		assertEquals("image,template,algorithm,predicted_s,measured_s", rows.get(0));
		assertTrue(rows.size() > 5000, rows.size() + " rows");
		for (final String row : rows.subList(1, rows.size())) {
			final String[] f = row.split(",", -1);
			assertEquals(5, f.length, row);
			assertTrue(Long.parseLong(f[0]) >= Long.parseLong(f[1]) && Double.parseDouble(f[3]) > 0 && f[4].isEmpty(), row);
		}
		assertTrue(rows.stream().anyMatch(r -> r.startsWith("32,2,")) && rows.stream().anyMatch(r -> r.startsWith("4096,256,")));
		assertFalse(Files.exists(wisdom));
	}

	/** Each cell has its winner's colour, each winner its swatch; where the template does not fit it is white. */
	@Test
	void pictureOfAMap() throws IOException {
		final Planner planner = new Planner(List.of(new CpuBackend(2)));
		final PlannerMap map = PlannerMap.of(PlannerMap.POWERS_OF_TWO, (i, t) -> planner.rank(
			NormalizedCrossCorrelation.problem(PixelType.U8, Size.of(i, i), PixelType.U8, Size.of(t, t), Extent.VALID, 1), java.util.Optional.empty(),
			java.util.Optional.empty()), Monitor.NONE);
		assertArrayEquals(new long[] { 32, 64, 128, 256, 512, 1024, 2048, 4096 }, map.images());
		assertArrayEquals(new long[] { 2, 4, 8, 16, 32, 64, 128, 256 }, map.templates());
		assertTrue(map.winners().size() > 1, "a map of one method shows nothing");
		final PlannerMapDrawing drawing = new PlannerMapDrawing(map);
		final BufferedImage picture = drawing.draw("a title, 1 thread");
		int white = 0;
		for (int i = 0; i < 8; i++)
			for (int t = 0; t < 8; t++) {
				final double[] middle = drawing.middle(i, t);
				// beside the number
				final int colour = picture.getRGB((int) middle[0] - 30, (int) middle[1] - 25);
				if (map.templates()[t] > map.images()[i]) {
					assertEquals(0xffffffff, colour);
					assertTrue(map.fastest(i, t).isEmpty());
					white++;
				}
				else assertEquals(drawing.colour(map.fastest(i, t).orElseThrow().name()).getRGB(), colour);
			}
		assertEquals(6, white);
		assertEquals(List.of("cpu-direct", "cpu-direct-exact", "cpu-fourier", "cpu-fourier-partitioned", "cpu-fourier-whole"), map.methods());
		final int right = (int) drawing.middle(7, 0)[0] + 40;
		for (final String method : map.methods()) {
			int swatch = 0;
			for (int y = 0; y < picture.getHeight(); y++)
				for (int x = right; x < picture.getWidth(); x++) if (picture.getRGB(x, y) == drawing.colour(method).getRGB()) swatch++;
			assertEquals(map.winners().containsKey(method), swatch > 100, method + " in the legend");
			for (final String other : map.methods())
				if (!other.equals(method)) assertNotEquals(drawing.colour(method), drawing.colour(other));
		}
		final StringWriter table = new StringWriter();
		map.write(table);
		final List<String> rows = table.toString().lines().toList();
		assertEquals(58, rows.stream().skip(1).map(r -> r.replaceAll("^(\\d+,\\d+),.*", "$1")).distinct().count());
		assertTrue(rows.get(1).startsWith("32,2," + map.fastest(0, 0).orElseThrow().name()), rows.get(1));
	}

	@Test
	void sidesRiseInEqualRatios() {
		assertArrayEquals(new long[] { 2, 3, 4, 6, 8 }, PlannerMap.sides(2, 8, 2));
		final long[] fine = PlannerMap.sides(2, 256, 8);
		for (int i = 1; i < fine.length; i++) assertTrue(fine[i] > fine[i - 1]);
		assertEquals(256, fine[fine.length - 1]);
	}

	@Test
	void mapIsCanceledBetweenSizes() {
		final List<Long> asked = new ArrayList<>();
		Assertions.assertThrows(CancellationException.class, () -> PlannerMap.of(1, (i, t) -> {
			asked.add(t);
			return new Ranking(NormalizedCrossCorrelation.problem(PixelType.U8, Size.of(i, i), PixelType.U8, Size.of(t, t), Extent.VALID, 1), List.of());
		}, new Monitor() {

			@Override
			public boolean canceled() {
				return asked.size() == 2;
			}
		}));
		assertEquals(List.of(2L, 4L), asked);
	}

	/** As an interruption of the program sets it. */
	@Test
	void aMeasurementIsCanceled() throws IOException {
		final PrintStream to = new PrintStream(out, true);
		final CommandLine line = Main.commandLine("plan", new Terminal(to, to, false), null);
		line.parseArgs("plan", "--image", "64x64", "--template", "8x8", "--threads", "1", "--effort", "measure");
		final PlanSubcommand plan = line.getSubcommands().get("plan").getCommand();
		try (Outputs outputs = new Outputs(); ProgressBar progress = new ProgressBar(to, false, () -> true, System::nanoTime)) {
			Assertions.assertThrows(CancellationException.class, () -> plan.run(outputs, progress));
		}
		assertEquals("", out.toString());
		assertFalse(Files.exists(wisdom));
	}

	@Test
	void mapHasTheTimesThatWereMeasured() throws IOException {
		// measuring all sizes takes minutes: here the map finds the times of one
		succeeds("plan --threads 1 --image 64x64 --template 8x8 --effort measure");
		contains(succeeds("plan --threads 1 --map " + folder.resolve("map.png")), "the cost models' choice takes");
		final List<String> measured = Files.readAllLines(folder.resolve("map.csv")).stream().skip(1).filter(r -> !r.endsWith(",")).toList();
		assertTrue(!measured.isEmpty() && measured.stream().allMatch(r -> r.startsWith("64,8,") && Double.parseDouble(r.split(",")[4]) > 0), measured::toString);
		assertTrue(ImageIO.read(folder.resolve("map.png").toFile()).getWidth() > 600);
	}

	@Test
	void mistakes() throws IOException {
		refuses("plan", "--image", "--template", "--map");
		refuses("plan --image 20x20", "no size of the template: give --template too, as in --template 32x32");
		refuses("plan --template 20x20", "no size of the image: give --image too, as in --image 2000x2000");
		refuses("plan --operation align", "no size: give --image, as in --image 2000x2000");
		assertFalse(err.toString().contains("--template") || err.toString().contains("--map"), err.toString());
		refuses("plan --image 2000,2000 --template 3x3", "'2000,2000' is not a whole number: give whole numbers with an x between them, as in 2000x1500");
		refuses("plan --operation convolve --image 20x20 --template 3x3 --terms 0", "--terms 0: give 1 or more, or leave it out");
		refuses("plan --image 20x20 --template 3x3 --algorithm cpu-windows", "solves other problems: choose auto or one of cpu-direct-exact, cpu-direct, ");
		refuses("plan --image 20x20 --template 30x30", "30x30", "20x20", "smaller template");
		refuses("plan --image 20x20 --template 3x3x3", "3x3x3", "20x20");
		refuses("plan --image 20x20x20x20 --template 3x3x3x3", "3x3x3x3", "two or three");
		refuses("plan --image 20 --template 3x3", "'20'", "2000x1500");
		refuses("plan --image 20xy --template 3x3", "'y'");
		refuses("plan --image 20x0 --template 3x3", "no pixels");
		refuses("plan --image 20x99999999999 --template 3x3", "99999999999");
		refuses("plan --image 20x20 --template 3x3 --type u12", "u12", "--type");
		refuses("plan --image 20x20 --template 3x3 --template-type f16", "f16");
		refuses("plan --image 20x20 --template 3x3 --frames 0", "--frames 0");
		refuses("plan --image 20x20 --template 3x3 --threads 0", "--threads 0");
		refuses("plan --image 20x20 --template 3x3 --effort guess", "guess", "--effort");
		refuses("plan --image 20x20 --template 3x3 --backend abacus", "abacus");
		refuses("plan --image 20x20 --template 3x3 --algorithm cpu-magic", "cpu-magic", "cpu-direct");
		refuses("plan --image 20x20 --template 3x3 --type f32 --algorithm cpu-direct-exact", "no algorithm applies: cpu-direct-exact (", "); choose another algorithm, or auto");
		refuses("plan --map " + folder.resolve("m.png") + " --image 20x20", "--map", "--image");
		refuses("plan --calibrate --image 20x20", "--calibrate", "--image");
		refuses("plan --calibrate --threads 1 --type u16 --effort measure", "--calibrate holds for all problems: leave --type, --effort out");
		refuses("plan --map " + folder.resolve("m.tif"), ".png");
		refuses("plan --map " + folder.resolve("none/m.png"), "no folder");
		refuses("wisdom", "show|clear");
		refuses("wisdom forget", "forget");
		refuses("wisdom show clear", "clear");
	}

	@Test
	void manual() {
		contains(succeeds("--help"), "plan", "wisdom");
		contains(succeeds("plan --help"), "--image", "--template", "--template-type", "--map", "--type", "--frames", "--extent", "--effort", "--threads", "--backend",
			"--algorithm", "OUT.csv", "--calibrate");
		contains(succeeds("wisdom --help"), "show", "clear", "wisdom.txt");
		contains(succeeds("correlate --help"), "--effort");
		contains(succeeds("match --help"), "--effort");
	}
}
