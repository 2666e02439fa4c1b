package sc.fiji.ncc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import picocli.CommandLine;

import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.fixture.EffectImages;

/**
 * Every option of every subcommand has an input on which it changes the result: a file, or what is printed, without its times. The options are
 * found by reflection, so a new one needs a row.
 */
class OptionEffectTest extends InFolder {

	/** A call, and options with their values that are added to it. After = the value replaces the one of the call. After ? the result stays. */
	private static final String CALLS = """
		correlate image.tif template.tif -o map.tif | --around 1 | --border mirror --extent same | --extent same
		correlate image.tif template.tif -o map.tif | --image-mask half.tif | --inside 5,5,40,40 | --mask mask.tif | --picture p.png
		correlate image.tif template.tif -o map.tif | --precision double | --search 5,5,20,20 | --undefined nan | --weights weights.tif | --explain
		correlate image.tif template.tif -o map.tif --extent same | --border mirror | --response-type 8-bit
		correlate image.tif template.tif -o map.tif --extent full | --min-overlap 0.9
		correlate image.tif other.tif template.tif -o map.tif | --best
		correlate image.tif other.tif template.tif --best -o map.tif | --which which.tif
		correlate image.tif -o map.tif --roi 12,20,9,8 | =--roi 30,30,9,7
		correlate nan.tif template.tif -o map.tif | --nan missing
		correlate two.tif template.tif -o map.tif | --channels 2
		correlate image.tif template.tif -o map.tif --explain | --algorithm cpu-fourier | --backend cuda
		correlate coins.png template.tif -o map.tif --explain | --memory 1 | --threads 1
		match image.tif template.tif -o m.csv | --border mirror --extent same | --false-alarms 100 | --min-score -0.2 | --explain
		match image.tif template.tif -o m.csv | --image-mask half.tif | --inside 5,5,40,40 | --max-matches 1 | --overlay o.png
		match image.tif template.tif -o m.csv | --quality | --refine | --search 5,5,20,20 | --total 1 | --mirrored
		match image.tif template.tif | --output m.csv
		match image.tif template.tif -o m.csv | --angles 0,90 | --scales 1,1.25
		match image.tif -o m.csv --roi 12,20,9,8 | =--roi 30,30,9,7
		match image.tif template.tif -o m.csv --min-score -1 --max-overlap 1 | --extent same | --undefined nan
		match image.tif template.tif -o m.csv --extent full --min-score 0.2 --max-overlap 1 | --min-overlap 0.9
		match image.tif template.tif -o m.csv --explain | --precision double
		match image.tif template.tif -o m.csv --min-score 0.1 | --max-overlap 0 | --mask mask.tif | --weights weights.tif
		match image.tif template.tif -o m.csv --false-alarms 100 | --plot-alarms p.png
		match image.tif template.tif larger.tif -o m.csv | --no-compete
		match nan.tif template.tif -o m.csv | --nan missing
		match two.tif template.tif -o m.csv | --channels 2
		match coins.png -o m.csv --roi 100,100,60,60 --explain | --algorithm cpu-fourier | --backend cuda | --memory 1
		match coins.png -o m.csv --roi 100,100,60,60 --explain | --threads 1
		match poses.tif pose.tif -o m.csv --angles 0:350:10 | --no-refine | --support ring | --mirrored | --scales 1,1.25
		match poses.tif pose.tif -o m.csv --angles 0:350:10 | --score-map s.tif | --pose-map p.tif | --pose-list p.csv
		match poses.tif pose.tif -o m.csv --angles 0:350:10 --explain | --algorithm cpu-every-pose | --effort measure
		track drift.tif --roi 12,12,12,10 -o t.csv | --image-mask hole.tif | --max-shift 1 | --plot p.png | --reference 5 | --refine | --explain
		track drift.tif --roi 12,12,12,10 -o t.csv | --trackmate ./t.xml | --update previous | --min-score 0.99
		track smooth.tif --roi 30,30,30,30 --max-shift 5 -o t.csv --algorithm cpu-fourier | --precision double
		track drift.tif --roi 12,12,12,10 -o t.csv | --roi 20,8,9,9
		track drift.tif -o t.csv --template objects.tif | =--template box.tif
		track drift.tif -o t.csv --template template.tif | --mask mask.tif
		track drift.tif --roi 12,12,12,10 -o t.csv --max-shift 2 | --no-follow
		track drift.tif --roi 12,12,12,10 -o t.csv --update mean | --weight 0.7
		track drift.tif --roi 12,12,12,10 -o t.csv --update previous | --anchor 1
		track drift.tif --roi 12,12,12,10 -o t.csv --image-mask hole.tif | --min-overlap 1
		track gaps.tif --roi 12,12,12,10 -o t.csv | --nan missing
		track colours.tif --roi 12,12,12,10 -o t.csv | --channels 2
		track volumes.tif --slice 1 --roi 12,12,12,10 -o t.csv | =--slice 2
		track drift.tif --roi 12,12,12,10 -o t.csv --explain | --algorithm cpu-direct-exact | --backend cuda
		track large.tif --roi 60,60,50,50 --max-shift 40 --algorithm cpu-fourier -o t.csv --explain | --memory 1 | --threads 1
		align drift.tif -o a.tif --table t.csv | --image-mask hole.tif | --inside 4,4,30,30 | --max-shift 2
		align drift.tif -o a.tif --table t.csv | --move-doubtful | --plot p.png | --reference first | --transforms ./d.json | --explain
		align drift.tif -o a.tif --table t.csv --move-doubtful | --border edge | --interpolation linear | --smoothing 2
		align drift.tif --table t.csv | --output a.tif
		align drift.tif -o a.tif --table t.csv --reference first | --piecewise 24
		align drift.tif -o a.tif | --table t.csv
		align drift.tif -o a.tif --table t.csv --reference first | --min-overlap 0.95
		align drift.tif -o a.tif | --apply ./shifts.json
		align colours.tif -o a.tif --table t.csv | --channels 2
		align volumes.tif -o a.tif --table t.csv | --dimensions 2 | --projections
		align volumes.tif -o a.tif --table t.csv --dimensions 2 | --slice 1
		align drift.tif -o a.tif --table t.csv --explain | --backend cuda | --algorithm cpu-frames | --threads 1 | ?--memory 2000 | --effort measure
		register fixed.tif moving.tif --table t.csv -o r.tif | --border edge | --fixed-mask hole.tif | --moving-mask hole.tif | --interpolation linear
		register fixed.tif moving.tif --table t.csv -o r.tif | --max-shift 1 | --min-overlap 0.95 | --peaks 3 | --transforms ./s.json | --explain
		register fixed.tif moving.tif -o r.tif | --table t.csv
		register fixed.tif moving.tif | --output r.tif
		register pair.tif pair2.tif --table t.csv | --channels 2
		register fixed.tif moving.tif -o r.tif --explain | --backend cuda | --algorithm cpu-frames | ?--threads 1 | ?--memory 2000 | --effort measure
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv -o m.tif | --stage-error 10 | --false-alarms 1e-100 | --rejection 1 | --order snake-rows
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv -o m.tif | --start top-right | --flat-field tiles | --blending max | --interpolation linear
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv -o m.tif | --outside 7 | --links l.csv | --registered r.txt | --graph g.png | =--overlap 15%
		stitch ./tiles --grid 4x3 --overlap 30 -o m.tif | --tiles t.csv
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv | --output m.tif
		stitch tiles/tile_1_1.tif tiles/tile_1_2.tif --tiles t.csv | --positions tiles/p.csv
		stitch tiles/tile_1_1.tif tiles/tile_1_2.tif --positions tiles/p.csv --tiles t.csv --flat-field tiles | --dark 50
		stitch tiles/tile_1_1.tif tiles/tile_1_2.tif --overlap 30 --grid 2x1 --tiles t.csv | =--grid 1x2
		stitch ./channels --grid 2x1 --overlap 40 --tiles t.csv | --channels 2
		stitch ./frames --grid 2x1 --overlap 40 --tiles t.csv | --frame 2
		stitch ./frames --grid 2x1 --overlap 40 --tiles t.csv --frame 2 | =--frame mean | =--frame each
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv --explain | --backend cuda | --threads 1 | --effort measure | --algorithm cpu-frames | ?--memory 2000
		stitch ./tiles --grid 4x3 --overlap 30 --tiles t.csv | --explain
		motion drift.tif --window 12 --passes 1 -o f.csv | --image-mask hole.tif | --max-shift 1 | --spacing 4 | --reference first | --no-refine
		motion drift.tif --window 12 --passes 1 -o f.csv | --min-score 0.95 | --min-ratio 5 | --max-residual 0.2 | --keep-rejected | --smoothing 1
		motion drift.tif --window 12 --passes 1 -o f.csv | --double-frames | --ensemble | --shape circle | --false-alarms 0.05
		motion drift.tif --window 12 --passes 1 -o f.csv | =--window 16 | =--passes 2 | --explain
		motion drift.tif --window 12 --passes 1 -o f.csv | --field ./f.tif | --derived ./m.tif | --quiver ./q.png | --vti ./v.vti | --openpiv ./o.txt | --piv ./p.txt
		motion drift.tif --window 12 --passes 1 | --output f.csv
		motion drift.tif --window 12 --passes 1 --piv ./p.txt | --frame 3
		motion drift.tif --window 12 --passes 1 -o f.csv --image-mask hole.tif | --min-overlap 1
		motion drift.tif --window 12 --passes 1 -o f.csv | --grid-mask hole.tif
		motion gaps.tif --window 12 --passes 1 -o f.csv | --nan missing
		motion colours.tif --window 12 --passes 1 -o f.csv | --channels 2
		motion drift.tif --window 12 --passes 1 -o f.csv --explain | --backend cuda | --algorithm cpu-window-templates | --threads 1 | --effort measure
		motion large.tif --window 100 --passes 1 --max-shift 40 --no-refine -o f.csv --explain | --memory 1
		convolve image.tif other.tif -o c.tif | --border mirror | --extent valid | --precision double | --search 5,5,20,20 | --sense correlation
		convolve image.tif other.tif -o c.tif | --explain
		convolve nan.tif other.tif -o c.tif | --undefined 0
		convolve image.tif other.tif -o c.tif --explain | --algorithm cpu-convolve-fourier | --backend cuda
		convolve coins.png other.tif -o c.tif --explain --algorithm cpu-convolve-fourier | --memory 1 | --threads 1
		plan --image 300x200 --template 20x20 | --extent full | --frames 9 | --operation convolve | --precision double | --template-type f32 | --type f32
		plan --image 300x200 --template 20x20 | --algorithm cpu-fourier | --backend cuda | --memory 1 | --threads 1
		plan --image 300x200 --template 20x20 | =--image 400x200 | =--template 30x30
		plan --operation convolve --image 300x200 --template 20x20 | --terms 1
		plan --operation rotate --image 300x200 --template 20x20 | --poses 9 | --frames 9
		plan --image 300x200 --template 20x20 | --response-type 8-bit
		plan --operation move --image 300x200 | --interpolation fourier | --frames 9 | --deformed
		correlate image.tif template.tif -o map.tif --explain --algorithm cpu-direct | --effort measure
		match image.tif template.tif -o m.csv --explain --algorithm cpu-direct | --effort measure
		track drift.tif --roi 12,12,12,10 -o t.csv --explain --algorithm cpu-direct | --effort measure
		convolve image.tif other.tif -o c.tif --explain --algorithm cpu-convolve-direct | --effort measure
		plan --image 300x200 --template 20x20 --algorithm cpu-direct | --effort measure
		plan | --map p.png
		sample s.png | --rotated
		sample s.tif | --vortex
		sample ./samples | --all | --tiles""";

	/** The results of the calls without further options. Several rows have the same call. */
	private static final Map<String, Map<String, String>> BASES = new HashMap<>();

	@TempDir
	static Path images;
	private String wisdom;

	@BeforeEach
	void keepWisdomHere() {
		wisdom = System.getProperty("ncc.wisdom");
		System.setProperty("ncc.wisdom", path("wisdom.txt"));
	}

	@AfterEach
	void restoreWisdom() {
		if (wisdom == null) System.clearProperty("ncc.wisdom");
		else System.setProperty("ncc.wisdom", wisdom);
	}

	/** What a call printed and wrote, without its times. */
	private Map<String, String> result(final String... words) throws IOException {
		final Set<String> before = new TreeSet<>(files());
		if (run(words) != 0) return Map.of("error", err.toString());
		final Map<String, String> result = new TreeMap<>();
		result.put("", out.toString().replace(folder.toString(), "").replaceAll("[0-9.,E-]+ (ms|s|times)\\b|predicted [0-9.]+( \\+ start [0-9.]+)?", "T")
			.replaceAll(" by cpu-[a-z-]+ in ", " in "));
		for (final String name : files()) if (!before.contains(name)) {
			final Path file = Path.of(name);
			if (Files.isRegularFile(file)) result.put(folder.relativize(file).toString(), Arrays.hashCode(Files.readAllBytes(file)) + "");
		}
		try (Stream<Path> all = Files.walk(folder)) {
			for (final Path p : all.sorted(Comparator.reverseOrder()).toList()) if (!before.contains(p.toString())) Files.delete(p);
		}
		return result;
	}

	static List<String> calls() {
		return CALLS.lines().toList();
	}

	/** The option that a cell adds, or replaces. */
	private static String option(final String cell) {
		return cell.replaceFirst("^[=?]", "");
	}

	@BeforeAll
	static void saveImagesOnce() throws IOException {
		EffectImages.save(images);
	}

	@BeforeEach
	void linkImages() throws IOException {
		try (Stream<Path> all = Files.walk(images)) {
			for (final Path p : all.skip(1).toList()) {
				final Path here = folder.resolve(images.relativize(p));
				if (Files.isDirectory(p)) Files.createDirectory(here);
				else Files.copy(p, here);
			}
		}
		assertEquals(0, run("sample", "coins.png"));
	}

	/** The result of a call without further options, which is the same twice. */
	private Map<String, String> base(final String call) throws IOException {
		final String[] words = call.split(" ");
		// the first run of a process can choose another algorithm, because it also starts it
		if (call.contains("--explain")) result(words);
		else if (BASES.containsKey(call)) return BASES.get(call);
		final Map<String, String> base = result(words);
		assertEquals(base, result(words), call);
		BASES.put(call, base);
		return base;
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyOptionChangesTheResultOfItsCall(final String row) throws IOException {
		final String[] cells = row.split(" \\| ");
		final boolean plan = cells[0].equals("plan");
		final Map<String, String> base = plan ? Map.of() : base(cells[0]);
		for (final String cell : List.of(cells).subList(1, cells.length)) {
			final String option = option(cell), name = option.split(" ")[0];
			final String call = cell.startsWith("=") ? cells[0].replaceFirst(name + " \\S+", option) : cells[0] + " " + option;
			final Map<String, String> result = result(call.split(" "));
			// without a GPU --backend cuda is refused, and that is its effect
			if (!name.equals("--backend")) assertFalse(result.containsKey("error"), call + ": " + result);
			assertEquals(cell.startsWith("?"), result.equals(base), call);
		}
	}

	@Test
	void everyOptionHasACall() {
		// takes some seconds, see PlanSubcommandTest
		final Set<String> tried = new TreeSet<>(Set.of("plan --calibrate"));
		for (final String row : calls()) {
			final String[] cells = row.split(" \\| ");
			for (final String cell : List.of(cells).subList(1, cells.length)) tried.add(cells[0].split(" ")[0] + " " + option(cell).split(" ")[0]);
		}
		assertEquals(options(), tried);
	}

	private static Set<String> options() {
		final PrintStream none = new PrintStream(PrintStream.nullOutputStream());
		return Main.commandLine("", new Terminal(none, none, false), null).getSubcommands().values().stream().map(CommandLine::getCommandSpec)
			.flatMap(c -> c.options().stream().filter(o -> !o.usageHelp() && !o.versionHelp() && !o.hidden() && !o.required())
				.map(o -> c.name() + " " + o.longestName()))
			.collect(Collectors.toCollection(TreeSet::new));
	}
}
