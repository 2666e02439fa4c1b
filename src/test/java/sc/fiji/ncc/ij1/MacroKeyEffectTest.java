package sc.fiji.ncc.ij1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.fixture.EffectImages;
import sc.fiji.ncc.fixture.Settings;

/**
 * Every macro key of every command has an input on which it changes what the macro leaves: images, overlays, rows and files. The keys are found by
 * reflection, so a new one needs a row.
 */
class MacroKeyEffectTest {

	/**
	 * The label of a command, the keys of a run, and keys that are added to them, a run each. After = the value replaces the one before. After ! the
	 * command refuses the value, and names the key.
	 */
	private static final String RUNS = """
		Normalized Cross-Correlation | image=image.tif template=template.tif | =image=two.tif | =template=other.tif | imagemask=half.tif | extent=same
		Normalized Cross-Correlation | image=image.tif template=template.tif | search=5,5,20,20 | undefined=nan | weights=weights.tif | responsetype=8-bit
		Normalized Cross-Correlation | image=image.tif template=template.tif | !backend=gpu | !effort=x | !threads=-1 | !memory=-1
		Normalized Cross-Correlation | image=image.tif template=template.tif algorithm=cpu-direct | =algorithm=cpu-fourier
		Normalized Cross-Correlation | image=image.tif template=template.tif algorithm=cpu-fourier | precision=double
		Normalized Cross-Correlation | image=image.tif template=template.tif extent=same | border=mirror
		Normalized Cross-Correlation | image=image.tif template=template.tif extent=same border=constant | constant=200
		Normalized Cross-Correlation | image=image.tif template=template.tif extent=full | minoverlap=0.9
		Normalized Cross-Correlation | image=nan.tif template=template.tif | nan=missing
		Normalized Cross-Correlation | image=two.tif template=template.tif | channels=2
		Find Matches | image=image.tif template=template.tif | =image=drift.tif | =template=other.tif | imagemask=half.tif | minscore=0.2 | falsealarms=100
		Find Matches | image=image.tif template=template.tif | templates=other.tif | maxmatches=1 | total=1 | subpixel=false | refine=true | quality=true
		Find Matches | image=image.tif template=template.tif | search=5,5,20,20 | append=true
		Find Matches | image=image.tif template=template.tif | !algorithm=x | !backend=gpu | !effort=x | !threads=-1 | !memory=-1 | !precision=x
		Find Matches | image=image.tif template=template.tif falsealarms=100 | plotalarms=true
		Find Matches | image=image.tif template=template.tif refine=true | ellipses=true
		Find Matches | image=image.tif template=template.tif minscore=0.1 | maxoverlap=0 | weights=weights.tif
		Find Matches | image=image.tif template=template.tif templates=larger.tif | compete=false
		Find Matches | image=image.tif template=template.tif minscore=-1 maxoverlap=1 | extent=same
		Find Matches | image=image.tif template=template.tif minscore=0.2 maxoverlap=1 extent=same | border=mirror
		Find Matches | image=image.tif template=template.tif minscore=0.2 maxoverlap=1 extent=same border=constant | constant=200
		Find Matches | image=image.tif template=template.tif minscore=0.2 maxoverlap=1 extent=full | minoverlap=0.9
		Find Matches | image=nan.tif template=template.tif minscore=0.3 | nan=missing
		Find Matches | image=two.tif template=template.tif | channels=2
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0:350:10 | =image=image.tif | =template=template.tif | =angles=0,90 | mirrored=true
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0:350:10 | scales=1,1.25 | support=ring | minscore=0.3 | falsealarms=0.1
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0:350:10 | !imagemask=blind.tif | maxmatches=1 | refine=false | append=true
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0:350:10 | inside=0,0,60,60 | maps=true | !weights=heavy.tif
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0:350:10 | !algorithm=x | !backend=gpu | !effort=x | !threads=-1 | !memory=-1
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0,90 minscore=0.1 | maxoverlap=0 | templates=template.tif
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0,90 templates=poses2.tif minscore=0.3 | compete=false
		Find Rotated Matches | image=nan.tif template=template.tif angles=0,90 minscore=0.5 | !nan=missing
		Find Rotated Matches | image=poses.tif template=pose.tif angles=0,90 | !minoverlap=1
		Find Rotated Matches | image=two.tif template=template.tif angles=0,90 | channels=2
		Track Templates | image=drift.tif roi=12,12,12,10 | =image=gaps.tif | =roi=20,8,9,9 | imagemask=hole.tif | maxshift=1 | plot=false | reference=5
		Track Templates | image=drift.tif roi=12,12,12,10 | refine=true | append=true | trackmate=OUT/t.xml | update=previous
		Track Templates | image=drift.tif roi=12,12,12,10 | minscore=0.99 | !precision=x | weights=box.tif | !templates=overlay
		Track Templates | image=drift.tif roi=12,12,12,10 | !algorithm=x | !backend=gpu | !effort=x | !threads=-1 | !memory=-1
		Track Templates | image=drift.tif template=objects.tif | =template=box.tif
		Track Templates | image=drift.tif roi=12,12,12,10 maxshift=2 | follow=false
		Track Templates | image=drift.tif roi=12,12,12,10 update=mean | weight=0.7
		Track Templates | image=drift.tif roi=12,12,12,10 update=previous | anchor=1
		Track Templates | image=drift.tif roi=12,12,12,10 imagemask=hole.tif | minoverlap=1
		Track Templates | image=gaps.tif roi=12,12,12,10 | nan=missing
		Track Templates | image=colours.tif roi=12,12,12,10 | channels=2
		Track Templates | image=volumes.tif roi=10,10,9,9 depth=3 maxshift=2,2,1 | slice=3 | =depth=5
		Convolve Image | image=image.tif kernel=other.tif | =image=two.tif | =kernel=template.tif | border=mirror | extent=valid
		Convolve Image | image=image.tif kernel=other.tif | sense=correlation | !backend=gpu | !effort=x | !threads=-1
		Convolve Image | image=image.tif kernel=other.tif | !memory=-1
		Convolve Image | image=image.tif kernel=other.tif algorithm=cpu-convolve-direct | =algorithm=cpu-convolve-fourier
		Convolve Image | image=image.tif kernel=other.tif border=constant | constant=200
		Convolve Image | image=gaps.tif kernel=weights.tif | precision=double
		Convolve Image | image=nan.tif kernel=other.tif | undefined=0
		Correct Drift | image=drift.tif | =image=colours.tif | reference=first | maxshift=2 | inside=4,4,30,30 | movedoubtful=true
		Correct Drift | image=drift.tif movedoubtful=true | smoothing=2
		Correct Drift | image=drift.tif movedoubtful=true | interpolation=linear | border=edge | constant=200 | show=true
		Correct Drift | image=drift.tif | transforms=OUT/d.json | append=true | plot=false
		Correct Drift | image=drift.tif | !backend=gpu | !threads=-1 | !algorithm=cpu-direct | !effort=x | !memory=-1
		Correct Drift | image=drift.tif reference=frame frame=1 | =frame=5
		Correct Drift | image=drift.tif reference=first | minoverlap=0.95
		Correct Drift | image=drift.tif show=true | view=kymograph
		Correct Drift | image=colours.tif | channels=2
		Correct Drift | image=volumes.tif | dimensions=2 | projections=true
		Correct Drift | image=volumes.tif dimensions=2 | slice=1
		Correct Motion | image=drift.tif piecewise=24 | =image=colours.tif | reference=first | maxshift=2 | inside=4,4,30,30
		Correct Motion | image=drift.tif piecewise=24 reference=first | interpolation=linear | border=edge | constant=200 | show=true
		Correct Motion | image=drift.tif piecewise=24 | transforms=OUT/d.json | append=true | plot=false
		Correct Motion | image=drift.tif piecewise=24 | !backend=gpu | !threads=-1 | !algorithm=cpu-direct | !effort=x | !memory=-1
		Correct Motion | image=drift.tif piecewise=24 reference=frame frame=1 | =frame=5
		Correct Motion | image=drift.tif piecewise=24 reference=first | minoverlap=0.95 | =piecewise=16
		Correct Motion | image=drift.tif piecewise=24 show=true | view=kymograph
		Correct Motion | image=colours.tif piecewise=16 | channels=2
		Correct Motion | image=volumes.tif piecewise=8 | dimensions=2
		Correct Motion | image=volumes.tif piecewise=8 dimensions=2 | slice=1
		Apply Drift | image=drift.tif transforms=FOLDER/shifts.json | =image=gaps.tif | =transforms=FOLDER/half.json | border=edge | constant=200
		Apply Drift | image=drift.tif transforms=FOLDER/half.json | interpolation=linear | !backend=gpu | !effort=x | !threads=-1 | !memory=-1
		Register Images | fixed=fixed.tif moving=moving.tif | =fixed=hole.tif | =moving=hole.tif | maxshift=1 | minoverlap=0.95 | fixedmask=hole.tif
		Register Images | fixed=fixed.tif moving=moving.tif | movingmask=hole.tif | peaks=3 | interpolation=linear | border=edge | constant=200
		Register Images | fixed=fixed.tif moving=moving.tif | append=true | !backend=gpu | !algorithm=cpu-direct | !effort=x | !threads=-1 | !memory=-1
		Register Images | fixed=pair.tif moving=pair2.tif | channels=2
		Stitch Tiles | folder=FOLDER/tiles grid=4x3 overlap=30 | =grid=3x4 | =overlap=15% | order=snake-rows | start=top-right | stageerror=3
		Stitch Tiles | folder=FOLDER/tiles grid=4x3 overlap=30 | blending=max | interpolation=linear | outside=7 | fuse=false | graph=false | links=true | append=true
		Stitch Tiles | folder=FOLDER/tiles grid=4x3 overlap=30 | falsealarms=1e-100 | rejection=1 | flatfield=tiles | registered=OUT/r.txt
		Stitch Tiles | folder=FOLDER/tiles grid=4x3 overlap=30 | !backend=gpu | !algorithm=cpu-direct | !effort=x | !threads=-1 | !memory=-1
		Stitch Tiles | folder=FOLDER/tiles grid=4x3 overlap=30 flatfield=tiles | dark=50
		Stitch Tiles | folder=FOLDER/tiles overlap=30 pattern=tile_{y}_{x}.tif | =pattern=tile_{x}_{y}.tif | !positions=FOLDER/tiles/p.csv
		Stitch Tiles | folder=FOLDER/channels grid=2x1 overlap=40 | channels=2 | =folder=FOLDER/frames
		Stitch Tiles | folder=FOLDER/frames grid=2x1 overlap=40 | !frame=3 | frame=2 | frame=mean | frame=each
		Motion Field | image=drift.tif window=12 passes=1 | =image=gaps.tif | =window=16 | =passes=2 | spacing=4 | maxshift=1 | quiver=false | reference=first
		Motion Field | image=drift.tif window=12 passes=1 | refine=false | minscore=0.95 | minratio=5 | maxresidual=0.2 | keeprejected=true | smoothing=1
		Motion Field | image=drift.tif window=12 passes=1 | imagemask=hole.tif | append=true | !backend=gpu | !algorithm=cpu-frames | !effort=x | !threads=-1 | !memory=-1
		Motion Field | image=drift.tif window=12 passes=1 imagemask=hole.tif | minoverlap=1
		Motion Field | image=drift.tif window=12 passes=1 | gridmask=hole.tif
		Motion Field | image=drift.tif window=12 passes=1 | derived=true | doubleframes=true | ensemble=true | shape=circle | falsealarms=0.05
		Motion Field | image=colours.tif window=12 passes=1 | channels=2
		Motion Field | image=fixed.tif after=moving.tif window=12 passes=1 | =after=hole.tif
		Plan | image=300x200 template=20x20 | =image=400x200 | =template=30x30 | extent=full | frames=9 | operation=convolve | precision=double | type=f32
		Plan | image=300x200 template=20x20 | responsetype=16-bit
		Plan | image=300x200 template=20x20 operation=rotate | poses=10
		Plan | image=300x200 operation=move | interpolation=fourier | deformed=true
		Plan | image=300x200 template=20x20 | algorithm=cpu-fourier | !backend=gpu | !effort=x | !threads=-1 | !memory=-1""";

	/** What needs a display, runs long, or removes what was measured. */
	private static final Set<String> ELSEWHERE = Set.of("Plan map", "Plan clear", "Find Matches addrois", "Find Rotated Matches addrois",
		"Track Templates addrois");

	/** Pixels, overlays, rows and properties, without times. Of the images that the macro opens, overlays only: that another image is open is no effect. */
	private static final String STATE = """
		function state() {
			titles = getList('image.titles');
			for (k = 0; k < titles.length; k++) {
				selectImage(titles[k]);
				input = indexOf('INPUTS', ' ' + titles[k] + ' ') >= 0;
				if (input && Overlay.size > 0) print('overlay', Overlay.size);
				sum = 0;
				for (p = 1; p <= nSlices && !input; p++) {
					setSlice(p);
					getStatistics(area, mean, min, max, std);
					sum = sum + p * (mean + 3 * std);
					makeRectangle(0, 0, getWidth() / 3, getHeight() / 2);
					getStatistics(area, mean, min, max, std);
					sum = sum + p * (mean + 3 * std);
					run('Select None');
				}
				if (!input) print(titles[k], getWidth(), getHeight(), nSlices, bitDepth(), d2s(sum, 9), Overlay.size, METHOD);
			}
			headings = split(String.getResultsHeadings, '\\t');
			for (r = 0; r < nResults; r++) {
				row = '';
				for (c = 0; c < headings.length; c++) row = row + getResultString(headings[c], r) + ' ';
				print(row);
			}
			files = getFileList(folder);
			for (k = 0; k < files.length; k++) print('file', files[k]);
			print('end of state');
		}
		""";

	@TempDir
	Path folder;

	private String macro(final String name, final String label, final String keys) throws IOException {
		final Path out = Files.createDirectories(folder.resolve("out of " + name));
		final StringBuilder macro = new StringBuilder(STATE.replace("folder", "'" + out + "/'")
			// the choice among algorithms is no result
			.replace("METHOD", keys.contains("algorithm=") ? "Property.get('NCC.method')" : "''"));
		final Matcher names = Pattern.compile("\\w+\\.tif").matcher(keys);
		final Set<String> open = new TreeSet<>();
		while (names.find()) if (open.add(names.group())) macro.append("open('" + folder.resolve("images") + "/" + names.group() + "');\n");
		macro.replace(0, macro.length(), macro.toString().replace("INPUTS", " " + String.join(" ", open) + " "));
		final String run = "run('" + label + "...', '" + keys.replace("FOLDER", folder.resolve("images").toString())
			.replaceFirst("OUT(\\S+)", "[" + out + "$1]") + "');\n";
		return macro.append(keys.contains("append=") ? run : "").append(run).append("state();\n").toString();
	}

	/** What a macro printed, without times and the names of its images: another image of another name is no effect. */
	private static String printed(final ImageJProcess.Outcome outcome) {
		return outcome.printed().replaceAll("\\w+\\.tif", "image").replaceAll("[0-9.]+ (ms|s|times)\\b|predicted [0-9.]+( \\+ start [0-9.]+)?", "T");
	}

	/** Two processes, because most of a macro runs in one thread. A run and the same run once more are in the same process. */
	private Map<String, ImageJProcess.Outcome> outcomes(final Map<String, String> macros) throws IOException {
		final Map<String, String> first = new LinkedHashMap<>(), second = new LinkedHashMap<>();
		macros.forEach((name, macro) -> (2 * first.size() < macros.size() ? first : second).put(name, macro));
		final CompletableFuture<Map<String, ImageJProcess.Outcome>> other = new ImageJProcess(folder.resolve("ImageJ")).run(first);
		final Map<String, ImageJProcess.Outcome> outcomes = new HashMap<>(new ImageJProcess(folder.resolve("second ImageJ")).run(second).join());
		outcomes.putAll(other.join());
		return outcomes;
	}

	@Test
	void everyKeyChangesTheResultOfSomeInput() throws Exception {
		final Path images = Files.createDirectories(folder.resolve("images"));
		EffectImages.save(images);
		// Plan comes last: its times do not change when methods have started
		final Map<String, String> macros = new LinkedHashMap<>(), bases = new TreeMap<>();
		final Map<String, String> calls = new TreeMap<>();
		final Set<String> tried = new TreeSet<>(ELSEWHERE);
		for (final String row : RUNS.lines().toList()) {
			final String[] cells = row.split(" \\| ");
			final String base = "base" + bases.computeIfAbsent(cells[0] + cells[1], k -> String.valueOf(bases.size()));
			for (final String name : new String[] { base, "once more, " + base })
				if (!macros.containsKey(name)) macros.put(name, macro(name, cells[0], cells[1]));
			for (final String cell : Arrays.asList(cells).subList(2, cells.length)) {
				final String added = cell.replaceFirst("^[=!]", ""), key = added.substring(0, added.indexOf('='));
				final String keys = cell.startsWith("=") ? cells[1].replaceFirst("\\b" + key + "=\\S+", Matcher.quoteReplacement(added)) : cells[1] + " " + added;
				final String name = "key" + calls.size();
				macros.put(name, macro(name, cells[0], keys));
				calls.put(name, base + " " + (cell.startsWith("!") ? key : "") + "|" + cells[0] + " " + keys);
				tried.add(cells[0] + " " + key);
			}
		}
		final Map<String, ImageJProcess.Outcome> outcomes = outcomes(macros);
		final List<String> wrong = new ArrayList<>();
		calls.forEach((name, call) -> {
			final String base = call.substring(0, call.indexOf(' ')), refused = call.substring(call.indexOf(' ') + 1, call.indexOf('|'));
			final String before = printed(outcomes.get(base)), after = printed(outcomes.get(name));
			if (!before.equals(printed(outcomes.get("once more, " + base)))) wrong.add("not the same twice: " + call);
			if (!before.contains("end of state")) wrong.add(call + ": " + before);
			else if (refused.isEmpty() ? before.equals(after) || !after.contains("end of state") : after.contains("end of state") || !after.contains(refused))
				wrong.add(call + ": " + after);
		});
		assertEquals("", String.join("\n", wrong));
		assertEquals(List.copyOf(Settings.parameters().keySet()), List.copyOf(tried));
	}
}
