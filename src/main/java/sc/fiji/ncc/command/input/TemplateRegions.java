package sc.fiji.ncc.command.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.command.program.Region;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.front.WrittenNumber;

/** The regions of templates: marked in the image, or for tracking given as numbers. */
public final class TemplateRegions {

	public static final String AUTO = "auto", MANAGER = "manager", OVERLAY = "overlay", SELECTION = "selection";
	private static final String DRAW = "Draw a selection around the object. For several objects, add each selection to the ROI Manager (Edit > Selection > Add to Manager)"
		+ " or to the overlay (Image > Overlay > Add Selection...).";

	private static final String RUNS = "Boxes of earlier runs do not count. ";

	private TemplateRegions() {}

	/**
	 * @param from {@link #AUTO}, {@link #MANAGER}, {@link #OVERLAY} or {@link #SELECTION}
	 * @param list regions as numbers, {@code x,y,w,h; x,y,w,h} in pixels from 0; empty for marked regions
	 * @return at least one region; all names differ
	 * @throws IllegalArgumentException if there is no region, or a region is not an area inside the image
	 */
	public static List<Region> of(final String from, final String list, final ImageInput image) {
		final String source = ChoiceText.of("templates", from, AUTO, MANAGER, OVERLAY, SELECTION);
		if (!list.isBlank() && !source.equals(AUTO))
			throw new IllegalArgumentException("Both templates=" + source + " and roi are given. Omit one of them.");
		return named(list.isBlank() ? marked(source, image, " Or give numbers: roi=[x,y,w,h; x,y,w,h].") : listed(list, image.pixels(), image.name()));
	}

	/**
	 * @param from {@link #MANAGER} or {@link #OVERLAY}
	 * @return at least one region; all names differ
	 * @throws IllegalArgumentException if there is no region
	 */
	public static List<Region> marked(final String from, final ImageInput image) {
		return named(marked(from, image, ""));
	}

	/** @param otherwise what else to do if there is no region */
	private static List<Region> marked(final String source, final ImageInput image, final String otherwise) {
		final boolean any = source.equals(AUTO);
		List<Region> regions = List.of();
		if (any || source.equals(MANAGER)) regions = image.managed();
		if (regions.isEmpty() && source.equals(OVERLAY)) regions = image.overlay();
		if (regions.isEmpty() && any) regions = selectionOrOverlay(image);
		if (regions.isEmpty() && (any || source.equals(SELECTION))) regions = selected(image);
		if (!regions.isEmpty()) return regions;
		final String name = "'" + image.name() + "'";
		throw new IllegalArgumentException((source.equals(MANAGER) ? "The ROI Manager has no region. Without windows there is no ROI Manager. "
			: source.equals(OVERLAY) ? "The overlay of " + name + " has no region. " + RUNS : source.equals(SELECTION) ? "Nothing is selected in " + name + ". "
				: "No templates: the ROI Manager has no region, nothing is selected in " + name + ", and its overlay has no region. " + RUNS) + DRAW
				+ otherwise);
	}

	/** The selection. If it is one of the overlay's regions, or if no area is selected: all regions of the overlay. */
	private static List<Region> selectionOrOverlay(final ImageInput image) {
		final List<Region> overlay = image.overlay();
		if (!image.hasArea()) return overlay;
		final Selection selection = image.selection().orElseThrow();
		return overlay.stream().anyMatch(r -> r.area().isSameArea(selection)) ? overlay : selected(image);
	}

	private static List<Region> selected(final ImageInput image) {
		return image.selection().map(s -> List.of(new Region(SELECTION, s))).orElse(List.of());
	}

	private static List<Region> listed(final String list, final RandomAccessibleInterval<?> image, final String name) {
		final long[] allPlanes = new long[image.numDimensions() - 2];
		Arrays.fill(allPlanes, -1);
		final List<Region> regions = new ArrayList<>();
		for (final String part : list.split(";")) {
			if (part.isBlank()) continue;
			final String refusal = "roi: '" + part.trim() + "' is not a region. Give x,y,w,h in whole pixels; separate several regions by semicolons.";
			final long[] v = WrittenNumber.read(part, WholeNumbers::parse, refusal).values();
			if (v.length != 4) throw new IllegalArgumentException(refusal);
			for (int d = 0; d < 2; d++)
				if (v[d] < 0 || v[d + 2] < 1 || v[d] > image.dimension(d) - v[d + 2]) throw new IllegalArgumentException("roi: " + part.trim() + " is not inside '"
					+ name + "', which has " + image.dimension(0) + "x" + image.dimension(1) + " pixels. Positions count from 0.");
			regions.add(new Region("", new Selection((int) v[0], (int) v[1], (int) v[2], (int) v[3], null, allPlanes)));
		}
		if (regions.isEmpty()) throw new IllegalArgumentException("roi: the list is empty. Give x,y,w,h in whole pixels; separate several regions by semicolons.");
		return regions;
	}

	/** Gives each region a name of its own: a number if it has none, and an appended number if an earlier region has the same name. */
	public static List<Region> named(final List<Region> regions) {
		final Set<String> used = new HashSet<>();
		final List<Region> named = new ArrayList<>();
		for (int i = 0; i < regions.size(); i++) {
			final String first = regions.get(i).name().isBlank() ? String.valueOf(i + 1) : regions.get(i).name();
			String name = first;
			for (int n = 2; !used.add(name); n++) name = first + "-" + n;
			named.add(new Region(name, regions.get(i).area()));
		}
		return named;
	}
}
