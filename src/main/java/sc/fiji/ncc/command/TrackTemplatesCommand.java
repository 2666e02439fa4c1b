package sc.fiji.ncc.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;

import org.scijava.ItemIO;
import org.scijava.command.Command;
import org.scijava.plugin.Attr;
import org.scijava.plugin.Parameter;
import org.scijava.plugin.Plugin;
import org.scijava.widget.FileWidget;

import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.command.input.FrameSequence;
import sc.fiji.ncc.command.input.NamedTemplate;
import sc.fiji.ncc.command.input.TemplateRegions;
import sc.fiji.ncc.command.program.ChosenInput;
import sc.fiji.ncc.command.program.FrontEnd;
import sc.fiji.ncc.command.program.Groups;
import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.OutputFile;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.track.TrackPoint;
import sc.fiji.ncc.track.Tracks;
import sc.fiji.ncc.track.Update;

/**
 * Follows templates through the frames of a stack. Each template has a row in the results table and a box in each frame, and a line along its positions.
 * A plot shows the motion. In macros: {@code run("Track Templates...", "image=[a.tif] maxshift=9,9 update=mean");}
 */
@Plugin(type = Command.class, menuPath = "Plugins>NCC>Track Templates...", visible = false, headless = true)
public final class TrackTemplatesCommand extends MaskedCommand {

	private static final Pattern NUMBERED = Pattern.compile("template (\\d+)");

	@Parameter(label = "Image", persist = false,
		description = "A stack with 8, 16 or 32 bits per pixel, or of RGB images. Frames are time points, or slices if the stack has no time. A virtual stack is read frame by frame.")
	private ImageInput image;

	@Parameter(label = "Templates from", choices = { TemplateRegions.AUTO, TemplateRegions.MANAGER, TemplateRegions.OVERLAY, TemplateRegions.SELECTION },
		persist = false, attrs = @Attr(name = Keys.ONCE), description = "auto: the regions in the ROI Manager; if it is empty, the selection; if nothing is selected, or if the selection is a region of the overlay, the regions"
			+ " of the overlay. manager: the regions that are selected in the list of the ROI Manager, or all if none is selected. overlay, selection: only these."
			+ " A region that is not a rectangle is a mask.")
	private String templates = TemplateRegions.AUTO;

	@Parameter(label = "Or regions as numbers (x,y,w,h; x,y,w,h)", persist = false,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.TEMPLATES) }, required = false,
		description = "First pixel, counted from 0, and size of each template in pixels. Default: empty, the regions above.")
	private String roi = "";

	@Parameter(label = "Or templates from other images", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.TEMPLATES) }, required = false,
		description = "Separated by semicolons: titles of open images, where * stands for any text; folders, for all images in them. Each image, or the "
		+ "selection in it, is a"
			+ " template. It is followed from where it has the highest score in the reference frame. Default: empty, the regions above.")
	private String template = "";

	@Parameter(label = "Reference frame (0: automatic)", min = "0", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "The frame that the templates are cut from, counted from 1. They are followed from there to the end, and from there back to the beginning."
			+ " 0: the frame of the regions, otherwise the frame that is shown.")
	private int reference = 0;

	@Parameter(label = "Channels (auto, joint, or a number)", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "joint: the channels together give one coefficient. A number: this channel, counted from 1."
			+ " Default: auto, joint for RGB images, otherwise the channel of the regions, or else the channel that is shown.")
	private String channels = AUTO;

	@Parameter(label = "Slice (0: automatic)", min = "0", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) }, 
		description = "The slice that is searched in a stack with slices and frames, counted from 1. 0: the slice of the regions, otherwise the slice that is shown.")
	private int slice = 0;

	@Parameter(label = "Slices of a template (1: planes)", min = "1", persist = false, attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.STACK) },
		description = "In a stack with slices and frames: above 1, a template is a region in so many slices around the slice above, and it is followed along x, y and z. Default: 1.")
	private int depth = 1;

	@Parameter(label = "Maximum shift between frames (pixels: x,y)", persist = false,
		description = "How many pixels a template can move from one frame to the next, in both directions: x,y, or x,y,z for templates of several slices."
			+ " One number counts for all. Default: 10.")
	private String maxshift = "10";

	@Parameter(label = "Search region follows the template", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = "On: the maximum shift counts from the last position. Off: it counts from the position in the reference frame. Default: on.")
	private boolean follow = true;

	@Parameter(label = "Template update", persist = false, choices = { "fixed", "previous", "mean" },
		description = "The template of the next frame. fixed: the same template. previous: the window that was found. mean: a running mean of the windows. Default: fixed.")
	private String update = "fixed";

	@Parameter(label = "Weight of the newest window (update: mean)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "0",
		max = "1", stepSize = "0.05",
		description = "Share of the newest window in the running mean, above 0 and up to 1. Default: 0.1.")
	private double weight = Update.WEIGHT;

	@Parameter(label = "Anchor score (-1: off)", persist = false, attrs = @Attr(name = Groups.MEASUREMENT), min = "-1", max = "1", stepSize = "0.05",
		description = "With update previous or mean: below this score, the original template is searched as well. If it scores higher, tracking continues with it. Default: -1, off.")
	private double anchor = -1;

	@Parameter(label = "Minimum score", persist = false, min = "-1", max = "1", stepSize = "0.05",
		description = "Below this correlation coefficient a template is lost. From -1 to 1. Default: 0.5.")
	private double minscore = 0.5;

	@Parameter(label = "Refine on the pixels", persist = false, attrs = @Attr(name = Groups.MEASUREMENT),
		description = REFINE)
	private boolean refine = false;

	@Parameter(label = "Append to the table", persist = false, attrs = @Attr(name = Groups.RESULTS),
		description = APPEND)
	private boolean append = false;

	@Parameter(label = "Plot the motion", persist = false, description = "Plots the motion along x and y over time, in the unit of the image. Default: on.")
	private boolean plot = true;

	@Parameter(label = "Add boxes to ROI Manager", persist = false, description = ROIS)
	private boolean addrois = false;

	@Parameter(label = "TrackMate file (empty: none)", persist = false, style = FileWidget.SAVE_STYLE,
		attrs = { @Attr(name = Keys.ONCE), @Attr(name = Groups.RESULTS) }, required = false,
		description = "An XML file for the tracks, which TrackMate opens. An existing file is replaced. Default: empty, no file.")
	private String trackmate = "";

	@Parameter(label = "Precision", persist = false, attrs = @Attr(name = Groups.COMPUTATION), choices = { SINGLE, "double" },
		description = "Positions between the pixels are fitted to correlation coefficients. single: with errors below about 1e-5."
		+ " double: exact, which matters for smooth templates. Pixel positions and scores are exact in both cases. Default: single.")
	private String precision = SINGLE;

	@Parameter(label = "Algorithm", persist = false, attrs = @Attr(name = Groups.COMPUTATION), description = ALGORITHM,
		choices = { AUTO, "cpu-direct-exact", "cpu-direct", "cpu-fourier", "cpu-fourier-whole", "cpu-fourier-partitioned",
		"cuda-small-shifts", "cuda-direct-exact", "cuda-direct", "cuda-fourier", "cuda-fourier-tiles", "cuda-handbook-constant", "cuda-handbook-texture" })
	private String algorithm = AUTO;

	/** Output for scripts: the track points, sorted by frame and then by template. */
	@Parameter(label = "Tracks", type = ItemIO.OUTPUT)
	private List<TrackPoint> tracks;

	@Override
	public Optional<String> missing(final FrontEnd program) {
		return missingStack(program, image, "Track Templates");
	}

	@Override
	public String proposed(final FrontEnd program, final String active) {
		return proposedStack(program, active);
	}

	@Override
	protected String section() {
		return "user-guide.md#track-templates";
	}

	@Override
	protected void execute(final FrontEnd program, final Monitor monitor) {
		requireImage("image", this.image);
		final ChannelChoice choice = ChannelChoice.of(channels);
		// a channel of a stack is a plane of it, so that rows and boxes have its number
		final int channel = this.image.axes().indexOf('c') < 0 ? 0 : choice.number();
		final ImageInput image = ChosenInput.of(this.image, channel > 0 ? ChannelChoice.EACH : choice);
		final String name = image.name();
		final List<NamedTemplate> others = templates(image, choice.of(this.image.isColor()), program);
		final List<Region> marked = others.isEmpty() ? TemplateRegions.of(templates, roi, image) : regions(others, image);
		final int slices = others.isEmpty() ? depth : slices(others);
		final FrameSequence tracked = FrameSequence.of(new FrameSequence.Source(image.pixels(), name, image.axes(), marked, image.shown()), reference,
			channel, slice, slices);
		final Path file = OutputFile.of("trackmate", trackmate, ".xml", "an XML");
		final Tracks found = track(op(marked, others, tracked, program), marked, tracked, monitor);
		tracks = found.points();
		final FoundTracks shown = new FoundTracks(found, marked, tracked, name, image.calibration());
		OutputFile.write(file, shown::writeTrackMate);
		program.show(shown.table(), append);
		program.mark(image, shown.boxes(), shown.lines(), addrois);
		if (plot) program.show(shown.graph());
		final long edge = found.framesAtEdge();
		if (edge > 0) note("in " + edge + " of " + tracks.size() / marked.size() + " frames of " + name
			+ " a match lies at the edge of the search. Increase the maximum shift.");
		done(String.format(Locale.ROOT, "%s, %.3g s", found.summary(marked.stream().map(Region::name).toList()), found.seconds()));
	}

	private static Tracks track(final TemplateTracking op, final List<Region> marked, final FrameSequence tracked, final Monitor monitor) {
		try {
			return op.reference(tracked.reference()).monitor(monitor).track(tracked.frames());
		}
		catch (final IllegalArgumentException e) {
			// users call templates by name
			final Matcher which = NUMBERED.matcher(e.getMessage());
			throw which.lookingAt() ? new IllegalArgumentException("template '" + marked.get(Integer.parseInt(which.group(1)) - 1).name() + "'"
				+ e.getMessage().substring(which.end()), e) : e;
		}
	}

	/** The templates from other images; empty for regions of the image. */
	private List<NamedTemplate> templates(final ImageInput image, final ChannelChoice choice, final FrontEnd program) {
		if (!template.isBlank() && !(roi.isBlank() && templates.equals(TemplateRegions.AUTO)))
			throw new IllegalArgumentException("Both template=" + template + " and " + (roi.isBlank() ? "templates=" + templates : "roi")
				+ " are given. Omit one of them.");
		final List<NamedTemplate> others = new ArrayList<>();
		for (final String part : template.split(";")) {
			if (part.isBlank()) continue;
			for (final ImageInput other : images(part.trim(), image.name(), program))
				others.add(named(ChosenInput.template(other, choice), image));
		}
		if (others.isEmpty() && !template.isBlank()) throw new IllegalArgumentException("template=" + template.trim()
			+ " names no image. Give titles of open images, separated by semicolons, or leave it out.");
		if (!others.isEmpty() && depth > 1) throw new IllegalArgumentException("Both template=" + template.trim() + " and depth=" + depth
			+ " are given. The images of the templates have their own slices. Omit depth.");
		return others;
	}

	/** The names and extents of templates from other images. They lie on no plane, so that their position is that of the reference frame. */
	private static List<Region> regions(final List<NamedTemplate> others, final ImageInput image) {
		final long[] allPlanes = new long[image.pixels().numDimensions() - 2];
		Arrays.fill(allPlanes, -1);
		return TemplateRegions.named(others.stream().map(t -> new Region(t.name(),
			new Selection(0, 0, (int) t.pixels().dimension(0), (int) t.pixels().dimension(1), null, allPlanes))).toList());
	}

	/** The number of slices that all templates have. */
	private static int slices(final List<NamedTemplate> others) {
		final long[] slices = others.stream().mapToLong(t -> t.pixels().numDimensions() < 3 ? 1 : t.pixels().dimension(2)).distinct().toArray();
		if (slices.length > 1) throw new IllegalArgumentException("The templates have " + slices[0] + " and " + slices[1]
			+ " slices. Follow templates with different numbers of slices one after the other.");
		return (int) slices[0];
	}

	private TemplateTracking op(final List<Region> marked, final List<NamedTemplate> others, final FrameSequence tracked, final FrontEnd program) {
		final List<FinalInterval> places = new ArrayList<>();
		final List<NamedTemplate> templates = new ArrayList<>(others);
		for (int t = 0; t < marked.size(); t++) {
			final Selection s = marked.get(t).area();
			places.add(tracked.depth() == 1 ? FinalInterval.createMinSize(s.x(), s.y(), s.width(), s.height())
				: FinalInterval.createMinSize(s.x(), s.y(), tracked.firstSlice(), s.width(), s.height(), tracked.depth()));
			if (others.isEmpty()) templates.add(NamedTemplate.of(marked.get(t), tracked.referenceFrame()));
		}
		final TemplateTracking op = others.isEmpty() ? TemplateTracking.ofRegions(places)
			: TemplateTracking.of(others.stream().<RandomAccessibleInterval<?>>map(NamedTemplate::pixels).toList());
		setMissing(op::minOverlap, op::nan, op::imageMask, null, 0, program);
		return op.weights(weights(templates, program)).compute(computing(precision, algorithm))
			.maxShift(WholeNumbers.lengths("maxshift=", maxshift, tracked.depth() == 1 ? 2 : 3, 0)).update(policy()).minScore(minscore).refine(refine)
			.follow(follow);
	}

	private Update policy() {
		final Update.Kind kind = ChoiceText.of("update", update, Update.Kind.values());
		if (kind == Update.Kind.FIXED) return Update.FIXED;
		return (kind == Update.Kind.MEAN ? Update.mean(weight) : Update.PREVIOUS).anchoredBelow(anchor);
	}
}
