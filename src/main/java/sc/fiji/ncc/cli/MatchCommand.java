package sc.fiji.ncc.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Match;
import sc.fiji.ncc.TemplateMatching;

/** {@code ncc match}: a picture and a template to the places where it occurs. */
@Command(name = "match", mixinStandardHelpOptions = true, versionProvider = Main.Version.class, description = {
	"Finds the places where a template, or any of several, occurs in IMAGE and writes them as a table of comma-separated values, best first:",
	"image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z",
	"x, y, z is the window's first pixel, counted from 0; subpixel_* is the same, refined by a fitted quadratic; score is the correlation coefficient. "
		+ "frame counts the planes (for a template of three dimensions: the volumes) from 0 in the file's order, channels first, then slices, then frames. "
		+ "template counts the templates from 0 in the order given. Of matches that overlap, the best stands, of whichever template it is, unless --each." })
final class MatchCommand implements Callable<Integer> {

	private final Main program;

	@Mixin
	private CommonOptions common;

	@Option(names = "--max", required = true, paramLabel = "N", description = "The most matches to give in each frame, of all templates together.")
	private int most;

	@Option(names = "--min-score", required = true, paramLabel = "S", description = "The least score of a match, from -1 to 1.")
	private double least;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "M.csv", description = "Where the table goes. What stands there is replaced.")
	private String output;

	@Option(names = "--overlay", paramLabel = "P.png", description = {
		"Write a picture of the matches, too: IMAGE in gray, its values stretched to black and white, with a box and its score around each match.",
		"Of a stack it is the plane of the best match; of a template of three dimensions, the one through that match's middle." })
	private String overlay;

	@Option(names = "--each", description = "Find the matches of each template alone: --max counts them for each, and matches of different templates may overlap.")
	private boolean each;

	MatchCommand(final Main program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		common.check();
		if (most < 1) throw new IllegalArgumentException("--max " + most + ": give 1 or more");
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("--min-score " + least + ": give a number from -1 to 1");
		if (overlay != null && !overlay.toLowerCase(Locale.ROOT).endsWith(".png"))
			throw new IllegalArgumentException("the overlay " + overlay + " would be a PNG file: let its name end in .png");
		try (Outputs outputs = new Outputs(); Progress progress = program.progress(outputs::canceled)) {
			final Path table = outputs.promise(output, common.files());
			final Path drawn = overlay == null ? null : outputs.promise(overlay, common.files());
			final CommonOptions.Inputs inputs = common.read(progress, program.out());
			final TemplateMatching.Result result = TemplateMatching.with(inputs.correlation()).maxMatches(most).minScore(least).templatesCompete(!each)
				.find(inputs.image().pixels());
			progress.close();
			try (Writer to = new BufferedWriter(new OutputStreamWriter(outputs.open(table), StandardCharsets.UTF_8))) {
				MatchTable.write(inputs.image().name(), result.matches(), inputs.frames(), to);
			}
			if (drawn != null) {
				try (OutputStream to = outputs.open(drawn)) {
					draw(inputs, result.matches(), to);
				}
			}
			outputs.commit();
			final List<Match> m = result.matches();
			program.out().println(MapFiles.summary(result.report(), result.rankings(), result.seconds()) + "; " + m.size() + (m.size() == 1 ? " match" : " matches")
				+ (m.isEmpty() ? "" : ", the best " + String.format(Locale.ROOT, "%.3f", m.get(0).score())) + ": " + output + (overlay == null ? "" : ", " + overlay));
		}
		return 0;
	}

	private static void draw(final CommonOptions.Inputs inputs, final List<Match> matches, final OutputStream to) throws IOException {
		final MatchDrawing drawing = new MatchDrawing(inputs.image(),
			inputs.templates().stream().map(RandomAccessibleInterval::dimensionsAsLongArray).toList());
		Drawing.png(drawing.draw(matches, inputs.frames()), to);
	}
}
