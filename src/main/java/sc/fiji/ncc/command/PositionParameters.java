package sc.fiji.ncc.command;

import java.util.List;
import java.util.Optional;

import net.imglib2.FinalInterval;
import net.imglib2.Interval;

import sc.fiji.ncc.command.program.Keys;
import sc.fiji.ncc.command.program.Selection;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.front.WrittenNumber;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.run.SlidingOp;

/**
 * The parameters that choose the positions of responses: extent, border, constant and search region, with their tooltips.
 *
 * @param extent {@code valid}, {@code same} or {@code full}
 * @param border {@code auto} for the default of the extent, or the kind of a border
 * @param constant the value of pixels beyond the image's border, with {@code border=constant}
 * @param search the search region: empty for everywhere, {@code selection}, or {@code x,y,w,h} or {@code x,y,z,w,h,d}
 */
record PositionParameters(String extent, String border, double constant, String search) {

	private static final String SELECTION = "selection";

	static final String EXTENT_LABEL = "Extent";
	static final String EXTENT =
		"Size of the result. valid: positions where the template lies inside the image; smaller than the image. same: the size of the image;"
		+ " each value lies at the template's centre. full: all positions where at least a third of the template overlaps the image; larger than the image.";
	static final String BORDER =
		"For the extents same and full: the values beyond the image's border. undefined: there is no response. mirror: the image is mirrored. edge: the edge pixel"
		+ " is repeated. constant: a fixed value. overlap: only the part of the template inside the image counts. Default: auto, which is undefined for same and overlap for full.";
	static final String CONSTANT = "The value of pixels beyond the image's border, with the border constant. Default: 0.";
	static final String SEARCH_LABEL = "Search region (x,y,w,h or selection)";
	static final String SEARCH = "Only these positions of the template's first pixel are searched: x,y,w,h in pixels, counted from 0 (x,y,z,w,h,d for a template"
		+ " with slices), or the word selection for the bounding box of the selection. Default: empty, the whole image.";

	/**
	 * Sets extent, border and search region.
	 *
	 * @param image size of the image along the templates' dimensions, in pixels
	 * @param templates size of each template, in pixels
	 * @param selection the selection in the image; empty if it is the template
	 * @return {@code op}
	 * @throws IllegalArgumentException if a parameter is not valid
	 */
	<O extends SlidingOp<O>> O set(final O op, final long[] image, final List<long[]> templates, final Optional<Selection> selection) {
		op.extent(extentValue());
		if (!border.equals(Keys.AUTO)) op.border(ChoiceText.border(border, constant));
		if (!search.isBlank()) op.search(region(image, templates, selection));
		return op;
	}

	/** A note if the border has no effect. It is no error, because dialogs and recorded macros give a border with every extent. */
	Optional<String> note() {
		if (border.equals(Keys.AUTO) || extentValue() != Extent.VALID) return Optional.empty();
		return Optional.of("border=" + border + " has no effect with extent=valid, which has no windows beyond the image's border. Give extent=same or extent=full, or border=auto.");
	}

	Extent extentValue() {
		return ChoiceText.of("extent", extent, Extent.values());
	}

	/** @return whether the search region is the selection */
	boolean isSelection() {
		return search.trim().equalsIgnoreCase(SELECTION);
	}

	private Interval region(final long[] image, final List<long[]> templates, final Optional<Selection> selection) {
		return isSelection() ? inside(selection.orElseThrow(() -> new IllegalArgumentException(
			"search=selection needs a selection in the image that is not the template. Draw one, or give the region as search=x,y,w,h.")),
			image, templates) : parse(search.trim(), image.length);
	}

	/** The part of the selection that holds a response of each template. */
	private Interval inside(final Selection s, final long[] image, final List<long[]> templates) {
		final int n = image.length;
		final long[] min = new long[n], max = new long[n];
		for (int d = 0; d < n; d++) {
			min[d] = d == 0 ? s.x() : d == 1 ? s.y() : Long.MIN_VALUE;
			max[d] = d == 0 ? s.x() + s.width() - 1L : d == 1 ? s.y() + s.height() - 1L : Long.MAX_VALUE;
			for (final long[] t : templates) {
				min[d] = Math.max(min[d], extentValue() == Extent.FULL ? 1 - t[d] : 0);
				max[d] = Math.min(max[d], extentValue() == Extent.VALID ? image[d] - t[d] : image[d] - 1);
			}
			if (min[d] > max[d]) throw new IllegalArgumentException("The selection, " + s + ", holds no response: with extent=" + extent
				+ " a response lies at the first pixel of a window. Enlarge the selection, or use extent=same.");
		}
		return new FinalInterval(min, max);
	}

	private static Interval parse(final String text, final int dimensions) {
		final String refusal = "search=" + text + " is not a region. Give " + (dimensions == 2 ? "x,y,w,h" : "x,y,z,w,h,d")
			+ " in whole pixels, or the word selection.";
		final WholeNumbers v = WrittenNumber.read(text, WholeNumbers::parse, refusal);
		if (v.count() != 2 * dimensions) throw new IllegalArgumentException(refusal);
		return v.box("search=", dimensions, "template");
	}
}
