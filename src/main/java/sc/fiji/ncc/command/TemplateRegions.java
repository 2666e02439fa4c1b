package sc.fiji.ncc.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import net.imglib2.img.Img;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.Choice;
import sc.fiji.ncc.front.WholeNumbers;

/** The regions of an image that are templates, and their names: those that people have marked, or those of a list of numbers. */
final class TemplateRegions {

	static final String AUTO = "auto", MANAGER = "manager", OVERLAY = "overlay", SELECTION = "selection";
	private static final String DRAW = "Draw a selection around what to follow; for several templates, add each to the ROI Manager (Edit > Selection > Add to Manager)"
		+ " or to the overlay (Image > Overlay > Add Selection...). Or give them as numbers: regions=[x,y,w,h; x,y,w,h].";

	private TemplateRegions() {}

	/**
	 * @param from where they are marked: one of the words above
	 * @param list {@code x,y,w,h; x,y,w,h}; empty for those that are marked
	 * @return at least one; each with a name of its own
	 * @throws IllegalArgumentException if there is none, or one is no area inside the image
	 */
	static List<Region> of(final String from, final String list, final ImageInput image) {
		final String source = Choice.of("templates", from, AUTO, MANAGER, OVERLAY, SELECTION);
		if (!list.isBlank() && !source.equals(AUTO))
			throw new IllegalArgumentException("Both templates=" + source + " and regions are given: leave one of them out.");
		return named(list.isBlank() ? marked(source, image) : listed(list, image.pixels(), image.name()));
	}

	private static List<Region> marked(final String source, final ImageInput image) {
		final boolean any = source.equals(AUTO);
		List<Region> regions = List.of();
		if (any || source.equals(MANAGER)) regions = image.managed();
		if (regions.isEmpty() && source.equals(OVERLAY)) regions = image.overlay();
		if (regions.isEmpty() && any) regions = liveOrOverlay(image);
		if (regions.isEmpty() && (any || source.equals(SELECTION))) regions = selected(image);
		if (!regions.isEmpty()) return regions;
		final String name = "'" + image.name() + "'";
		throw new IllegalArgumentException((source.equals(MANAGER) ? "The ROI Manager has no region, or is not there, as it is without windows. "
			: source.equals(OVERLAY) ? "No region lies over " + name + ". " : source.equals(SELECTION) ? "Nothing is selected in " + name + ". "
				: "There is nothing to track: the ROI Manager has no region, nothing is selected in " + name + ", and no region lies over it. ") + DRAW);
	}

	/** The live selection, unless it is one of the regions over the image: then all of these are meant. Those regions, too, if no area is selected. */
	private static List<Region> liveOrOverlay(final ImageInput image) {
		final List<Region> over = image.overlay();
		if (!image.hasArea()) return over;
		final Selection live = image.selection().orElseThrow();
		return over.stream().anyMatch(r -> r.area().isSameArea(live)) ? over : selected(image);
	}

	private static List<Region> selected(final ImageInput image) {
		return image.selection().map(s -> List.of(new Region(SELECTION, s))).orElse(List.of());
	}

	private static List<Region> listed(final String list, final Img<?> image, final String name) {
		final long[] anywhere = new long[image.numDimensions() - 2];
		Arrays.fill(anywhere, -1);
		final List<Region> regions = new ArrayList<>();
		for (final String part : list.split(";")) {
			if (part.isBlank()) continue;
			final long[] v;
			try {
				v = WholeNumbers.parse(part).values();
				if (v.length != 4) throw new NumberFormatException(v.length + " numbers");
			}
			catch (final NumberFormatException e) {
				throw new IllegalArgumentException("regions: '" + part.trim() + "' is no region. Give x,y,w,h in whole pixels, several separated by semicolons.", e);
			}
			for (int d = 0; d < 2; d++)
				if (v[d] < 0 || v[d + 2] < 1 || v[d] > image.dimension(d) - v[d + 2]) throw new IllegalArgumentException("regions: " + part.trim() + " is not inside '"
					+ name + "', which has " + image.dimension(0) + "x" + image.dimension(1) + " pixels, counted from 0.");
			regions.add(new Region("", new Selection((int) v[0], (int) v[1], (int) v[2], (int) v[3], null, anywhere)));
		}
		if (regions.isEmpty()) throw new IllegalArgumentException("regions: the list is empty. Give x,y,w,h in whole pixels, several separated by semicolons.");
		return regions;
	}

	/** Those without a name are numbered; of several with one name the later ones are, too. */
	private static List<Region> named(final List<Region> regions) {
		final Set<String> taken = new HashSet<>();
		final List<Region> named = new ArrayList<>();
		for (int i = 0; i < regions.size(); i++) {
			final String own = regions.get(i).name().isBlank() ? String.valueOf(i + 1) : regions.get(i).name();
			String name = own;
			for (int n = 2; !taken.add(name); n++) name = own + "-" + n;
			named.add(new Region(name, regions.get(i).area()));
		}
		return named;
	}
}
