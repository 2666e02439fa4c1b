package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cli.map.MapFiles;
import sc.fiji.ncc.cli.output.FrameTimes;
import sc.fiji.ncc.cli.output.MatchTable;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputFrames;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MatchDrawing;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.result.Match;
import sc.fiji.ncc.result.StreamReport;

/** {@code ncc match}: a picture and a template to the places where it occurs. */
@Command(name = "match", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Finds the places where a template, or any of several, occurs in IMAGE and writes them as a table of comma-separated values, frame by frame, the best of each first:",
	"image,frame,template,x,y,z,score,subpixel_x,subpixel_y,subpixel_z,width,height,template_name,calibrated_x,calibrated_y,unit",
	"x, y, z is the window's first pixel, counted from 0; subpixel_* is the same, refined by a fitted quadratic; score is the correlation coefficient. "
		+ "frame counts the planes (for a template of three dimensions: the volumes) from 0 in the file's order, channels first, then slices, then frames. "
		+ "template counts the templates from 0 in the order given. Of matches that overlap, the best stands, of whichever template it is, unless --each.",
	"width and height are the window's size, template_name is the template's file, or roi and its numbers. calibrated_* is the refined middle of the window in the image's "
		+ "unit, from its origin; without a calibration the unit is pixel. Templates of three dimensions have depth after height and calibrated_z after calibrated_y." })
public final class MatchSubcommand implements Callable<Integer> {

	private final Terminal program;

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

	MatchSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		common.check();
		if (most < 1) throw new IllegalArgumentException("--max " + most + ": give 1 or more");
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("--min-score " + least + ": give a number from -1 to 1");
		if (overlay != null && !overlay.toLowerCase(Locale.ROOT).endsWith(".png"))
			throw new IllegalArgumentException("the overlay " + overlay + " would be a PNG file: let its name end in .png");
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			final List<String> folder = common.folder(output, overlay);
			outputs.watch(folder == null ? common.files() : common.files().subList(1, common.files().size()));
			final Path table = outputs.promise(output, common.files());
			final Path drawn = overlay == null ? null : outputs.promise(overlay, common.files());
			final Picture first = ImageFiles.read(folder == null ? common.image : folder.get(0));
			final CommonOptions.Inputs inputs = common.read(first, folder == null ? progress : progress.cancelOnly());
			final Found found = new Found(inputs, folder, common.templateNames());
			final TemplateMatching matching = TemplateMatching.with(inputs.correlation()).maxMatches(most).minScore(least).templatesCompete(!each);
			common.explain(() -> folder == null ? matching.explainAll(inputs.image().pixels()) : matching.explainEach(inputs.firstFrame(), -1), program.out());
			if (folder != null) progress.total(folder.size());
			final StreamReport report;
			try (OutputStream to = outputs.open(table)) {
				to.write(found.table.head().getBytes(StandardCharsets.UTF_8));
				report = matching.findEach(found.frames(), (index, result) -> found.take(index, result.matches(), progress, to));
			}
			catch (final RuntimeException e) {
				if (found.frames == 0) throw e;
				throw new UnfinishedException("the matches of the first " + found.frames + (found.frames == 1 ? " frame lie in " : " frames lie in ")
					+ outputs.leave(table), e);
			}
			progress.close();
			if (found.files != null) found.files.requireUnchanged();
			if (drawn != null) {
				try (OutputStream to = outputs.open(drawn)) {
					found.draw(to);
				}
			}
			outputs.commit();
			program.out().println(MapFiles.summary(report.report(), report.rankings(), report.seconds()) + FrameTimes.text(report, folder) + "; " + found.matches
				+ (found.matches == 1 ? " match" : " matches") + (found.matches == 0 ? "" : ", the best " + String.format(Locale.ROOT, "%.3f", found.best()))
				+ ": " + output + (overlay == null ? "" : ", " + overlay));
		}
		return 0;
	}

	/** What has come so far. */
	private static final class Found {

		private final CommonOptions.Inputs inputs;
		/** Null if there is but one picture. */
		private final InputFrames files;
		private final MatchTable table;
		private long frames, matches;
		/** Those of the frame with the best one, and which it is; of the first frame if there is none. */
		private List<Match> best = List.of();
		private InputFrames.Place where;

		Found(final CommonOptions.Inputs inputs, final List<String> folder, final List<String> templateNames) {
			this.inputs = inputs;
			table = new MatchTable(templateNames, inputs.templates().stream().map(RandomAccessibleInterval::dimensionsAsLongArray).toList());
			files = folder == null ? null : new InputFrames(folder, inputs.dimensions());
		}

		Iterable<? extends RandomAccessibleInterval<?>> frames() {
			return files == null ? Frames.of(inputs.image().pixels(), inputs.dimensions()) : files;
		}

		void take(final long index, final List<Match> some, final ProgressBar progress, final OutputStream to) throws IOException {
			final InputFrames.Place place =
				files == null ? new InputFrames.Place(inputs.image(), inputs.image().name(), index, inputs.frameCount()) : files.next();
			// at once: a frame's rows come whole or not at all
			if (!some.isEmpty()) to.write(table.rows(place.name(), place.index(), place.picture().calibration(), some).getBytes(StandardCharsets.UTF_8));
			frames++;
			matches += some.size();
			if (where == null || !some.isEmpty() && (best.isEmpty() || some.get(0).score() > best.get(0).score())) {
				best = some;
				where = place;
			}
			if (files != null && place.last()) progress.done(1);
		}

		double best() {
			return best.get(0).score();
		}

		void draw(final OutputStream to) throws IOException {
			final MatchDrawing drawing = new MatchDrawing(frame -> where.picture().frame(frame, inputs.templates().get(0).numDimensions()), inputs.templates().stream().map(RandomAccessibleInterval::dimensionsAsLongArray).toList());
			Drawing.png(drawing.draw(best, where.index()), to);
		}
	}
}
