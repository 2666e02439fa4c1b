package sc.fiji.ncc.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputFrames;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.TrackTable;
import sc.fiji.ncc.drawing.Drawing;
import sc.fiji.ncc.drawing.MotionDrawing;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.option.Range;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.track.TrackMateFile;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/** {@code ncc track}: follows templates through the frames of a stack or folder. */
@Command(name = "track", description = {
	"Follows templates, cut out of one frame of STACK or from files of their own, through all frames. Writes their positions as a CSV table.",
	"template,frame,x,y,subpixel_x,subpixel_y,score,runner_up,lost,motion_x,motion_y,edge,template_name",
	"A folder of images is a time series, one frame per file, in the order of their names.",
	"In each frame a template is searched within --max-shift of its last position.",
	"template: number of the template, counted from 1 in the given order. frame: number of the time point, counted from 1. "
		+ "Slices are the frames of a stack without time points.",
	"x, y: first pixel of the window with the highest score, counted from 0. score: its correlation coefficient. runner_up: coefficient of the next "
	+ "highest peak within the "
		+ "maximum shift, NaN if there is none. subpixel_*: where the template's first pixel has moved, refined by a fitted quadratic.",
	"lost: 1 if the score is below --min-score, otherwise 0. A lost template is searched around its last position. motion_*: subpixel_* minus the position in the "
		+ "reference frame, in pixels. edge: 1 if the window lies at the edge of the search and the frame continues beyond it, otherwise 0. At such an edge the true "
		+ "position may be further away: enlarge --max-shift. template_name: the template's file, or roi and its numbers. Templates of three dimensions "
		+ "also have columns for z." })
final class TrackSubcommand extends Subcommand {

	@Parameters(index = "0", paramLabel = "STACK", description = {
		"The frames: a TIFF stack or hyperstack, or a Zarr folder. Or a folder of images of one size and type, one frame per file, in the order of their "
			+ "names. Numbers in names count as numbers. Formats: " + ImageFiles.KINDS + "." })
	private String stack;

	@Option(names = "--roi", paramLabel = "x,y,w,h|x,y,z,w,h,d",
		description = "A template: its first pixel in the reference frame, counted from 0, and its size, in pixels. Give one --roi per template, or --template.")
	private List<WholeNumbers> regions;

	@Option(names = "--template", arity = "1..*", paramLabel = "FILE", description = {
		"Templates from files, in place of --roi: one file for each object to follow. A folder stands for all its images. Write STACK before this option.",
		"Each object is followed from where its template has the highest score in the whole reference frame." })
	private List<String> templates;

	@Option(names = "--mask", paramLabel = "FILE", description = CommonOptions.MASK)
	private String mask;

	@Option(names = "--channels", paramLabel = "joint|N", defaultValue = "auto", description = {
		"The channels to follow the templates in. joint: all together give one coefficient. N: only this channel; the first channel is 1. "
			+ "Default: joint for RGB images, otherwise 1." })
	private ChannelChoice channels;

	@Option(names = "--slice", paramLabel = "N",
		description = "The slice to follow templates of two dimensions in, counted from 1. Required for a stack with slices and time points.")
	private Integer slice;

	@Option(names = "--max-shift", paramLabel = "N|dx,dy[,dz]", defaultValue = "10",
		description = "How many pixels a template may move from one frame to the next, in both directions. One number counts for each dimension. Default: 10,10.")
	private WholeNumbers maxShift;

	@Option(names = "--update", paramLabel = "fixed|previous|mean", defaultValue = "fixed", description = {
		"What a template becomes after each frame. fixed: it stays as it is in the reference frame.",
		"previous: the window that was found. mean: the running mean of these windows; see --weight. Default: fixed." })
	private Update.Kind update;

	@Option(names = "--weight", paramLabel = "W", description = "With --update mean: the weight of the newest window, above 0 and up to 1. Default: 0.1.")
	private Double weight;

	@Option(names = "--anchor", paramLabel = "S", description = {
		"With --update previous or mean: below this score the original template is searched as well. If its score is higher, the template starts again from there. "
			+ "Default: never." })
	private Double anchor;

	@Option(names = "--reference", paramLabel = "N", defaultValue = "1",
		description = "The frame that the templates are cut from, or in which they are searched first, counted from 1. They are followed from there to "
		+ "the end, and back to the beginning. Default: 1.")
	private long reference;

	@Option(names = "--min-score", paramLabel = "S", defaultValue = "0.5", description = "Below this score a template is lost, from -1 to 1. Default: 0.5.")
	private double minScore;

	@Option(names = "--no-follow", description = "The search regions stay around the positions in the reference frame. --max-shift counts from there.")
	private boolean fixedSearch;

	@Option(names = "--refine", description = {
		"Refine subpixel_* by least squares on the pixels, in place of the quadratic. The table then also has the columns sigma_* and correlation_*: the standard "
			+ "deviations of the position in pixels, and the correlations of its errors; NaN if the position is not determined." })
	private boolean refine;

	@Option(names = { "-o", "--output" }, required = true, paramLabel = "TRACKS.csv", description = "The table. An existing file is replaced.")
	private String output;

	@Option(names = "--plot", paramLabel = "P.png", description = "Also draw the motion of each template over the frames, in pixels from its position in the reference frame. Frames in which it is lost are left out.")
	private String plot;

	@Option(names = "--trackmate", paramLabel = "TRACKS.xml", description = {
		"Also write the tracks as a file that TrackMate opens: spots at the centres of the windows, with the score as quality. Frames in which a template is lost have no spot.",
		"The frames of STACK are the time points." })
	private String trackmate;

	@Option(names = "--precision", paramLabel = "single|double", defaultValue = "single", description = {
		"The precision of positions between the pixels. single: fitted to coefficients within 1e-5. double: fitted to exact coefficients, for smooth templates.",
		"The pixel of the highest score, and the score, are exact with both. Default: single." })
	private Precision precision;

	@Mixin
	private MissingOptions missing;

	@Mixin
	private PlanningOptions.OfRun planning;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		if (InputFrames.folder(stack)) for (final String file : new String[] { output, plot, trackmate }) InputFrames.requireElsewhere(stack, file);
		final List<String> others = new ArrayList<>(templates == null ? List.of() : templates);
		if (missing.mask != null) others.add(missing.mask);
		if (mask != null) others.add(mask);
		final List<String> frameFiles = InputFrames.folder(stack) ? InputFrames.files(stack, others) : List.of(stack), inputs = new ArrayList<>(frameFiles);
		inputs.addAll(others);
		outputs.watch(inputs);
		final Path table = outputs.promise(output, inputs);
		Outputs.requireEnding("--output", output, ".csv");
		final Path drawn = outputs.promise(plot, inputs);
		final Path spots = outputs.promise("--trackmate", trackmate, inputs, ".xml");
		final boolean inFolder = InputFrames.folder(stack);
		final InputImage first = templates == null && inFolder ? null : ImageFiles.read(frameFiles.get(0));
		final List<Template> followed = templates == null ? regions.stream().map(r -> new Template(CommonOptions.name(r), null, r.region("--roi "))).toList()
			: templates(first);
		final int dimensions = followed.get(0).place.numDimensions();
		final FolderTracking folder = inFolder ? new FolderTracking(frameFiles, dimensions, this::timePoints, progress) : null;
		final InputImage image = folder == null ? timePoints(first, dimensions) : folder.reference(reference - 1);
		final long frames = folder == null ? image.frames(dimensions) : folder.count();
		if (frames == 1) throw new IllegalArgumentException(stack + " has one frame" + (dimensions > 2 ? " of "
			+ dimensions + " dimensions, as the templates have" : "") + ", so there is nothing to follow: give a stack, or a folder of several images"
			+ (first == null || first.axes().indexOf('c') < 0 ? "" : ". Its channels are not frames; in ImageJ: Image > Properties... makes them frames"));
		final Tracks tracks = folder == null ? op(image, followed, dimensions, null).reference(reference - 1).monitor(progress).track(image.pixels())
			: folder.track(starts -> op(image, followed, dimensions, starts).monitor(progress.cancelOnly()), reference - 1);
		progress.close();
		planning.explain(tracks.rankings(), program.out());
		final List<String> names = followed.stream().map(Template::name).toList();
		outputs.text(table, to -> TrackTable.write(tracks.points(), names, dimensions, refine, to));
		outputs.bytes(drawn, to -> Drawing.png(new MotionDrawing(tracks.points()).draw(), to));
		outputs.text(spots, to -> TrackMateFile.write(tracks.points(), names, followed.stream().map(t -> t.place.dimensionsAsLongArray()).toList(),
			described(image, followed.size(), dimensions, tracks), to));
		outputs.commit();
		program.out().println(summary(tracks, names) + Outputs.wrote(output, plot, trackmate));
	}

	/**
	 * @param pixels null for a region of the reference frame
	 * @param place the region; of a file only its size
	 */
	private record Template(String name, RandomAccessibleInterval<?> pixels, Interval place) {}

	/** @param image the stack, or the first file of the folder */
	private List<Template> templates(final InputImage image) {
		final ChannelChoice choice = channels.ofFrames(image.colour(), image.axes());
		final InputImage chosen = image.of(choice);
		final List<Template> read = new ArrayList<>();
		for (final String file : templates) {
			final RandomAccessibleInterval<?> pixels = CommonOptions.spatial(ImageFiles.read(file).template(choice), chosen, "template");
			read.add(new Template(file, pixels, pixels));
		}
		return read;
	}

	/** The image with the chosen channels and slice, of which each frame is a time point. */
	private InputImage timePoints(final InputImage image, final int dimensions) {
		final InputImage chosen = image.of(channels.ofFrames(image.colour(), image.axes()));
		final String axes = chosen.axes();
		if (dimensions == 3 && slice != null)
			throw new IllegalArgumentException("--slice " + slice + " needs templates of two dimensions: leave --slice out, or give regions x,y,w,h");
		if (dimensions == 3) return chosen.spatialFirst(3);
		final boolean several = axes.indexOf('z') >= 0 && (axes.indexOf('t') >= 0 || InputFrames.folder(stack));
		if (several && slice == null) throw new IllegalArgumentException(image.name() + " (" + image.axes() + ") has slices in each time point: give the slice "
			+ "to follow the templates in with --slice, or templates of three dimensions");
		if (!several && slice != null) throw new IllegalArgumentException("--slice " + slice + ": " + image.name() + " (" + image.axes()
			+ ") has " + (axes.indexOf('z') < 0 ? "no slices" : "no time points, so its slices are the frames") + ": leave --slice out");
		return several ? chosen.slice(slice) : chosen;
	}

	/** Of a mask with all channels and slices those that are followed. */
	private InputImage part(final InputImage mask, final boolean colour) {
		final InputImage chosen = mask.channel(channels.ofFrames(colour, mask.axes()).number());
		return slice == null || chosen.axes().indexOf('z') < 0 ? chosen : chosen.slice(slice);
	}

	/** The stack as TrackMate opens it. A folder of images has no name there, because TrackMate opens single files. */
	private TrackMateFile.Image described(final InputImage image, final int count, final int dimensions, final Tracks tracks) {
		final Path file = InputFrames.folder(stack) ? null : ImageFiles.path(stack).toAbsolutePath();
		final Calibration c = image.calibration();
		final boolean timed = c.frameInterval() > 0;
		return new TrackMateFile.Image(file == null ? "" : file.getParent().toString(), file == null ? "" : file.getFileName().toString(),
			Arrays.copyOf(image.pixels().dimensionsAsLongArray(), dimensions), slice == null ? 0 : slice - 1, tracks.points().size() / count,
			c.sizes(3), c.units(1), timed ? c.frameInterval() : 1,
			timed ? c.timeUnit() : "frame");
	}

	@Override
	void check() {
		missing.check();
		planning.check();
		if (channels == ChannelChoice.EACH)
			throw new IllegalArgumentException("--channels each: channels are not frames; give joint for all channels together, or the number of one");
		if (slice != null && slice < 1) throw new IllegalArgumentException("--slice " + slice + ": give the number of a slice, counted from 1");
		if (reference < 1) throw new IllegalArgumentException("--reference " + reference + ": give the number of a frame, counted from 1");
		if (weight != null && update != Update.Kind.MEAN)
			throw new IllegalArgumentException("--weight " + weight + " needs --update mean: give it, or leave --weight out");
		if (anchor != null && update == Update.Kind.FIXED)
			throw new IllegalArgumentException("--anchor " + anchor + " needs --update previous or mean: give one of them, or leave --anchor out");
		Range.SCORE.of("--min-score ", minScore);
		Outputs.requirePng("plot", plot);
		if (regions == null && templates == null)
			throw new IllegalArgumentException("no template: cut one out of the reference frame with --roi x,y,w,h, or give files with --template");
		if (regions != null && templates != null)
			throw new IllegalArgumentException("two kinds of templates, --roi " + regions.get(0) + " and --template " + templates.get(0) + ": give one of them");
		if (templates != null) {
			templates = CommonOptions.expanded(templates);
			if (mask == null) CommonOptions.noteTransparency(program, templates);
		}
		else for (final WholeNumbers r : regions)
			if (r.count() != regions.get(0).count()) throw new IllegalArgumentException("--roi " + regions.get(0) + " and --roi " + r
				+ " have different numbers of dimensions: give regions of planes only, or of volumes only");
	}

	/** @param starts the positions of templates from files in the reference frame; null if they are searched there */
	private TemplateTracking op(final InputImage image, final List<Template> followed, final int dimensions, final List<long[]> starts) {
		// refuses regions outside the image
		if (templates == null) regions.forEach(image::cut);
		Update policy = update == Update.Kind.FIXED ? Update.FIXED : update == Update.Kind.PREVIOUS ? Update.PREVIOUS
			: weight == null ? Update.MEAN : Update.mean(weight);
		if (anchor != null) policy = policy.anchoredBelow(anchor);
		final List<RandomAccessibleInterval<?>> pixels = new ArrayList<>();
		for (final Template t : followed) pixels.add(t.pixels);
		final TemplateTracking op = (templates == null ? TemplateTracking.ofRegions(followed.stream().map(Template::place).toList())
			: starts == null ? TemplateTracking.of(pixels) : TemplateTracking.of(pixels, starts))
			.masks(Collections.singletonList(mask == null ? null : CommonOptions.spatial(ImageFiles.read(mask).gray(), image, "mask")))
			.maxShift(maxShift.lengths("--max-shift ", dimensions, 0)).update(policy).minScore(minScore).follow(!fixedSearch).refine(refine)
			.compute(planning.options(precision));
		missing.set(op::minOverlap, op::nan, op::imageMask, image, dimensions, m -> part(m, image.colour()));
		return op;
	}

	private static String summary(final Tracks tracks, final List<String> names) {
		final long edge = tracks.framesAtEdge();
		return String.format(Locale.ROOT, "%s, by %s in %.1f ms%s", tracks.summary(names), Ranking.methods(tracks.rankings()), 1e3 * tracks.seconds(),
			edge == 0 ? ""
			: "; in " + edge + " of " + tracks.of(0).size() + " frames the peak lies at the edge of the search: enlarge --max-shift");
	}
}
