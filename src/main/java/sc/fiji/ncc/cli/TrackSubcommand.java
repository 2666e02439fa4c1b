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
import java.util.stream.Collectors;

import net.imglib2.FinalInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.output.TrackTable;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputFrames;
import sc.fiji.ncc.cli.picture.Picture;
import sc.fiji.ncc.cli.picture.WholeNumbers;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MotionDrawing;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.Frames;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/** {@code ncc track}: templates through the frames of a stack. */
@Command(name = "track", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Follows templates, which are parts of one frame of STACK, through all of its frames, and writes where they are as a table of comma-separated values:",
	"template,frame,x,y,subpixel_x,subpixel_y,score,second,lost,motion_x,motion_y,edge",
	"Or through the pictures of a folder, a time series in the order of their names.",
	"In each frame a template is looked for within --shift of where it was last. template counts the regions from 0 in the order given, frame the planes (with "
		+ "regions of three dimensions: the volumes) from 0 in the file's order, channels first, then slices, then frames.",
	"x, y is the first pixel of the window that is most like the template, counted from 0, and score its correlation coefficient; second is that of the next "
		+ "highest peak within the shift, NaN if there is none. subpixel_* is where the region's first pixel has moved, refined by a fitted quadratic. lost is 1 "
		+ "where the score is below --least-score, else 0; a lost template is looked for about its last place. motion_* is subpixel_* less where the region began, in pixels. edge is 1 where the window lies at the "
		+ "edge of the search and the frame goes on beyond it, else 0: the true place may be further away, so enlarge --shift. Regions of three dimensions have "
		+ "columns for z, too." })
final class TrackSubcommand implements Callable<Integer> {

	private final Terminal program;

	@Parameters(index = "0", paramLabel = "STACK", description = {
		"The frames: a TIFF stack or hyperstack, or a Zarr folder; or a folder of pictures of one size and type, each of which is a frame, in the order of their "
			+ "names, numbers in them counted as such. Input formats: " + ImageFiles.KINDS + "." })
	private String stack;

	@Option(names = "--roi", required = true, paramLabel = "x,y,w,h|x,y,z,w,h,d", converter = WholeNumbers.Converter.class,
		description = "A template: its first pixel in the reference frame, counted from 0, and its size, in pixels. Give one --roi for each template.")
	private List<WholeNumbers> regions;

	@Option(names = "--shift", required = true, paramLabel = "dx,dy[,dz]", converter = WholeNumbers.PerDimension.class,
		description = "How many pixels a template may move from one frame to the next, in both directions.")
	private WholeNumbers shift;

	@Option(names = "--update", paramLabel = "fixed|previous|mean", defaultValue = "fixed", description = {
		"What a template becomes when it was found. fixed (unless said): it stays what it is in the reference frame.",
		"previous: the window that was found. mean: the running mean of these; see --weight." })
	private Update.Kind update;

	@Option(names = "--weight", paramLabel = "W", description = "With --update mean, how much the newest window counts, above 0 and up to 1. Unless said: 0.1.")
	private Double weight;

	@Option(names = "--anchor", paramLabel = "S", description = {
		"With --update previous or mean: where a changed template scores less than S, it is looked for as it was in the reference frame, too, and if that scores more, "
			+ "begins anew from there. Unless said: never." })
	private Double anchor;

	@Option(names = "--reference", paramLabel = "N", defaultValue = "0",
		description = "The frame that the templates are parts of, counted from 0. They are followed from there to the end, and back to the beginning. Unless said: 0.")
	private long reference;

	@Option(names = "--least-score", paramLabel = "S", defaultValue = "0.5", description = "The score below which a template is lost, from -1 to 1. Unless said: 0.5.")
	private double least;

	@Option(names = "--stay", description = "Search windows stay where the templates began, and do not follow them: --shift then counts from there.")
	private boolean stay;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "TRACKS.csv", description = "Where the table goes. What stands there is replaced.")
	private String output;

	@Option(names = "--plot", paramLabel = "P.png", description = "Draw the motion of each template over the frames, too, in pixels from where it began; points where it is lost are left out.")
	private String plot;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"How exactly places between the pixels are fitted. single (unless said): to coefficients within 1e-5. double: to exact ones, which matters where a template is smooth.",
		"Which pixel a template is found at, and its score, are exact in either." })
	private Precision precision;

	@Mixin
	private PlanningOptions planning;

	@Option(names = "--explain", description = "Print which methods there are for this problem, what each is expected to take, and why it is taken or not.")
	private boolean explain;

	TrackSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		check();
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			if (InputFrames.folder(stack)) for (final String file : new String[] { output, plot }) InputFrames.requireElsewhere(stack, file);
			outputs.watch(InputFrames.folder(stack) ? InputFrames.files(stack, List.of()) : List.of(stack));
			final Path table = outputs.promise(output, List.of(stack));
			final Path drawn = plot == null ? null : outputs.promise(plot, List.of(stack));
			final int dimensions = regions.get(0).count() / 2;
			final FolderTracking folder =
				InputFrames.folder(stack) ? new FolderTracking(InputFrames.files(stack, List.of()), dimensions, progress) : null;
			final Picture picture = folder == null ? ImageFiles.read(stack).spatialFirst(dimensions) : folder.reference(reference);
			final TemplateTracking op = op(picture, dimensions);
			if (folder == null) op.reference(reference).monitor(progress);
			else op.monitor(progress.cancelOnly());
			if (explain) for (final Ranking r : folder == null ? op.explain(picture.pixels()) : op.explainEach(Frames.of(picture.pixels(), dimensions).get(0))) program.out().println(r.explain());
			final Tracks tracks = folder == null ? op.track(picture.pixels()) : folder.track(op, reference);
			progress.close();
			try (Writer to = new BufferedWriter(new OutputStreamWriter(outputs.open(table), StandardCharsets.UTF_8))) {
				TrackTable.write(tracks.points(), dimensions, to);
			}
			if (drawn != null) {
				try (OutputStream to = outputs.open(drawn)) {
					Drawing.png(new MotionDrawing(tracks.points()).draw(), to);
				}
			}
			outputs.commit();
			program.out().println(summary(tracks) + ": " + output + (plot == null ? "" : ", " + plot));
		}
		return 0;
	}

	private void check() {
		planning.check();
		if (weight != null && update != Update.Kind.MEAN)
			throw new IllegalArgumentException("--weight " + weight + " is that of a running mean: give --update mean, too, or leave it out");
		if (anchor != null && update == Update.Kind.FIXED)
			throw new IllegalArgumentException("--anchor " + anchor + " is for templates that change: give --update previous or mean, too, or leave it out");
		if (!(least >= -1 && least <= 1)) throw new IllegalArgumentException("--least-score " + least + ": give a number from -1 to 1");
		if (plot != null && !plot.toLowerCase(Locale.ROOT).endsWith(".png"))
			throw new IllegalArgumentException("the plot " + plot + " would be a PNG file: let its name end in .png");
		for (final WholeNumbers r : regions)
			if (r.count() != regions.get(0).count()) throw new IllegalArgumentException("--roi " + regions.get(0) + " and --roi " + r
				+ " differ in their number of dimensions: give regions of a plane or of a volume");
		if (2 * shift.count() != regions.get(0).count()) throw new IllegalArgumentException("--shift " + shift + " has " + shift.count() + " numbers, and --roi "
			+ regions.get(0) + " has " + regions.get(0).count() / 2 + " dimensions: give " + (regions.get(0).count() == 4 ? "dx,dy" : "dx,dy,dz"));
		for (final long s : shift.values())
			if (s < 0) throw new IllegalArgumentException("--shift " + shift + ": give pixels from 0 on");
	}

	private TemplateTracking op(final Picture picture, final int dimensions) {
		// says what is wrong with a region
		regions.forEach(picture::cut);
		Update policy = update == Update.Kind.FIXED ? Update.FIXED : update == Update.Kind.PREVIOUS ? Update.PREVIOUS
			: weight == null ? Update.MEAN : Update.mean(weight);
		if (anchor != null) policy = policy.anchoredBelow(anchor);
		return TemplateTracking.ofRegions(regions.stream().map(r -> region(r, dimensions)).toList()).maxShift(shift.values()).update(policy).minScore(least)
			.follow(!stay).compute(planning.options(precision));
	}

	private static FinalInterval region(final WholeNumbers box, final int dimensions) {
		final long[] min = new long[dimensions], max = new long[dimensions];
		for (int d = 0; d < dimensions; d++) {
			min[d] = box.values()[d];
			max[d] = min[d] + box.values()[dimensions + d] - 1;
		}
		return new FinalInterval(min, max);
	}

	private String summary(final Tracks tracks) {
		final List<TrackPoint> points = tracks.points();
		final long frames = points.size() / regions.size(), lost = points.stream().filter(TrackPoint::lost).count();
		final String methods = tracks.rankings().stream().map(r -> r.best().map(c -> c.name()).orElse("?")).distinct().collect(Collectors.joining(" and "));
		final long edge = tracks.framesAtEdge();
		final String warning = edge == 0 ? "" : String.format(Locale.ROOT, "; in %d of %d frames the peak lies at the edge of the search: enlarge --shift", edge, frames);
		return String.format(Locale.ROOT, "%d %s in %d %s, %s, by %s in %.1f ms%s", regions.size(), regions.size() == 1 ? "template" : "templates", frames,
			frames == 1 ? "frame" : "frames", lost == 0 ? "never lost" : "lost " + lost + " times", methods, 1e3 * tracks.seconds(), warning);
	}
}
