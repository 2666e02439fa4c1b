package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;

import org.scijava.ItemIO;
import org.scijava.ItemVisibility;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.Button;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * Follows templates through the frames of a stack: a row of the results table and a box for each in each frame, their ways, and a plot of their motion.
 * In macros: {@code run("Track Templates...", "image=[a.tif] shift=9,9 update=mean");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Track Templates...", headless = true)
public final class TrackTemplatesCommand extends NccCommand {

	private static final Pattern NUMBERED = Pattern.compile("template (\\d+)");

	@Parameter(visibility = ItemVisibility.MESSAGE, persist = false, required = false)
	private String searched = "";

	@Parameter(label = "Image", persist = false,
		description = "A stack of 8, 16 or 32 bits; not RGB. Its frames are time, or slices if there is no time. A virtual stack is read frame by frame.")
	private ImageInput image;

	@Parameter(label = "Templates from", choices = { TemplateRegions.AUTO, TemplateRegions.MANAGER, TemplateRegions.OVERLAY, TemplateRegions.SELECTION },
		persist = false, attrs = @Attr(name = Keys.ONCE), description = "auto: the regions in the ROI Manager; if there are none, the selection; if nothing is selected, or if the selection is one of them, the regions"
			+ " in the image's overlay. manager: those selected"
			+ " in the ROI Manager's list, all if none is. A region that is no rectangle is a mask.")
	private String templates = TemplateRegions.AUTO;

	@Parameter(label = "Regions (x,y,w,h; x,y,w,h) instead", persist = false, attrs = @Attr(name = Keys.ONCE), required = false,
		description = "Templates as numbers: their first pixels, counted from 0, and their sizes.")
	private String regions = "";

	@Parameter(label = "Weights (image title; empty: none)", persist = false, attrs = @Attr(name = Keys.ONCE), required = false,
		description = "How much each pixel of a template counts, as in Find Matches; all templates are then of one size. Empty: all count alike.")
	private String weights = "";

	@Parameter(label = "Reference frame (0: automatic)", min = "0", persist = false, attrs = @Attr(name = Keys.ONCE),
		description = "The frame that the templates are cut from. They are followed from there to the end, and back to the beginning.")
	private int reference = 0;

	@Parameter(label = "Channel (0: automatic)", min = "0", persist = false, attrs = @Attr(name = Keys.ONCE), description = "The channel that they are followed in.")
	private int channel = 0;

	@Parameter(label = "Slice (0: automatic)", min = "0", persist = false, attrs = @Attr(name = Keys.ONCE), description = "Of a stack with slices and frames, the slice that they are followed in.")
	private int slice = 0;

	@Parameter(label = "Shift between frames, maximum (pixels: x,y)", persist = false,
		description = "How far a template may move from one frame to the next, to either side; one number for both, or one along x and one along y.")
	private String shift = "10,10";

	@Parameter(label = "Follow the template with the search window", persist = false, description = "Otherwise each window stays about the place where its template began, and the shift counts from there.")
	private boolean follow = true;

	@Parameter(label = "Update", persist = false, choices = { "fixed", "previous", "mean" },
		description = "What a template becomes when it was found. fixed: it stays. previous: the window that was found. mean: the running mean of these.")
	private String update = "fixed";

	@Parameter(label = "Weight of the newest window (update: mean)", persist = false, min = "0", max = "1", stepSize = "0.05", description = "With update mean: above 0, and up to 1.")
	private double weight = Update.WEIGHT;

	@Parameter(label = "Anchor score (-1: off)", persist = false, min = "-1", max = "1", stepSize = "0.05",
		description = "With update previous or mean: where a template scores less, it is looked for as it began, too, and begins anew if that scores more.")
	private double anchor = -1;

	@Parameter(label = "Score minimum", persist = false, min = "-1", max = "1", stepSize = "0.05", description = "The correlation coefficient below which a template is lost.")
	private double score = 0.5;

	@Parameter(label = "Append to Results", persist = false, description = "Otherwise the results table begins anew.")
	private boolean append = false;

	@Parameter(label = "Plot the motion", persist = false, description = "Along x and y, in the image's unit, over time.")
	private boolean plot = true;

	@Parameter(label = "Rois to ROI Manager", persist = false, description = "Adds the box of each template in each frame to the ROI Manager, too. Without windows there is none.")
	private boolean rois = false;

	@Parameter(label = "Advanced...", callback = "advanced", persist = false, required = false, description = Computing.ADVANCED)
	private Button advanced;

	@Parameter(label = "Precision", persist = false, choices = { Computing.SINGLE, "double" }, description = "single: places between the pixels are fitted to coefficients within 1e-5."
		+ " double: to exact ones, which matters where a template is smooth. Pixels and scores are exact with both.")
	private String precision = Computing.SINGLE;

	@Parameter(label = "Backend", persist = false, choices = { Computing.AUTO, "cpu", "cuda" }, description = Computing.BACKEND)
	private String backend = Computing.AUTO;

	@Parameter(label = "Algorithm", persist = false, description = Computing.ALGORITHM, choices = { Computing.AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-partitioned", "cpu-direct-double", "cpu-fourier-double",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant", "cuda-handbook-texture" })
	private String algorithm = Computing.AUTO;

	@Parameter(label = "Effort", persist = false, choices = { "estimate", "measure" }, description = Computing.EFFORT)
	private String effort = "estimate";

	@Parameter(label = "Threads (0: all)", persist = false, min = "0", description = Computing.THREADS)
	private int threads = 0;

	@Parameter(label = "Help", callback = "help", persist = false, required = false)
	private Button help;

	/** By frame, and those of one frame by template; for scripts. */
	@Parameter(label = "Tracks", type = ItemIO.OUTPUT)
	private List<TrackPoint> tracks;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		final Optional<String> active = program.activeImage();
		if (active.isEmpty()) return image == null ? Optional.of(NO_IMAGE) : Optional.empty();
		final List<String> stacks = program.stacks();
		if (image == null && !stacks.isEmpty() || stacks.contains(active.get())) return Optional.empty();
		return Optional.of("Track Templates needs a stack: '" + active.get() + "' has one plane. " + (stacks.isEmpty() ? "Open a stack first."
			: "Activate one of the open stacks: " + String.join(", ", stacks) + "."));
	}

	@Override
	protected String section() {
		return "user-guide.md#track-templates";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireGray("image", image);
		final String name = image.name();
		final List<Region> marked = TemplateRegions.of(templates, regions, image);
		final FrameSequence tracked = FrameSequence.of(image.pixels(), name, image.axes(), marked, image.shown(), reference, channel, slice);
		final Tracks found = track(op(marked, tracked, program), marked, tracked, monitor);
		tracks = found.points();
		final FoundTracks shown = new FoundTracks(found, marked, tracked, name, image.space());
		program.show(shown.table(), append);
		program.mark(image, shown.boxes(), shown.ways(), rois);
		if (plot) program.show(shown.graph());
		final long lost = tracks.stream().filter(TrackPoint::lost).count();
		final long edge = found.framesAtEdge();
		final String warning = edge == 0 ? "" : "; in " + edge + " of " + tracks.size() / marked.size() + " frames the peak lies at the edge of the search: enlarge the shift";
		done(String.format(Locale.ROOT, "%d template%s in %d frames of %s, %s: %s, %.3g s%s", marked.size(), marked.size() == 1 ? "" : "s", tracks.size() / marked.size(),
			name, lost == 0 ? "never lost" : "lost " + lost + (lost == 1 ? " time" : " times"), Provenance.methods(found.rankings()), found.seconds(), warning));
	}

	private static Tracks track(final TemplateTracking op, final List<Region> marked, final FrameSequence tracked, final Monitor monitor) {
		try {
			return op.reference(tracked.reference()).monitor(monitor).track(tracked.frames());
		}
		catch (final IllegalArgumentException e) {
			// the op counts templates from 0, and people know them by name
			final Matcher which = NUMBERED.matcher(e.getMessage());
			throw which.lookingAt() ? new IllegalArgumentException("template '" + marked.get(Integer.parseInt(which.group(1))).name() + "'"
				+ e.getMessage().substring(which.end()), e) : e;
		}
	}

	private TemplateTracking op(final List<Region> marked, final FrameSequence tracked, final FrontEnd program) {
		final List<FinalInterval> places = new ArrayList<>();
		final List<RandomAccessibleInterval<?>> weighting = new ArrayList<>();
		final NamedTemplate by = weights.isBlank() ? null : weights(program);
		for (final Region region : marked) {
			final Selection s = region.area();
			places.add(FinalInterval.createMinSize(s.x(), s.y(), s.width(), s.height()));
			final NamedTemplate template = NamedTemplate.of(region, tracked.referenceFrame());
			weighting.add((by == null ? template : template.weighted(by)).weights());
		}
		return TemplateTracking.ofRegions(places).weights(weighting).compute(new Computing(precision, backend, algorithm, effort, threads).options()).maxShift(shifts())
			.update(policy()).minScore(score).follow(follow);
	}

	private NamedTemplate weights(final FrontEnd program) {
		final ImageInput image = program.image(weights.trim());
		requireGray("image of weights", image);
		return NamedTemplate.of(image);
	}

	private long[] shifts() {
		try {
			final long[] v = NumberParameters.parse(shift, "\\s*,\\s*");
			if (v.length > 2) throw new NumberFormatException(v.length + " numbers");
			for (final long pixels : v) if (pixels < 0) throw new NumberFormatException(pixels + " pixels");
			return new long[] { v[0], v[v.length - 1] };
		}
		catch (final NumberFormatException e) {
			throw new IllegalArgumentException("shift=" + shift + " is no shift: give whole pixels from 0 on, one number or x,y, as in 10,10.", e);
		}
	}

	private Update policy() {
		final Update.Kind kind = Choice.of("update", update, Update.Kind.values());
		if (kind == Update.Kind.FIXED) return Update.FIXED;
		return (kind == Update.Kind.MEAN ? Update.mean(weight) : Update.PREVIOUS).anchoredBelow(anchor);
	}
}
