package sc.fiji.ncc.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.support.Grouping;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates that one execution computes together: they have the same number of lags on the same pixels.
 *
 * @param indices the indices of the templates, ascending
 * @param templates the templates
 * @param layouts one per template
 */
public record TemplateBank(int[] indices, List<Template> templates, List<ResponseLayout> layouts) {

	/**
	 * Groups templates into banks.
	 *
	 * @param layouts one per template, for one image
	 */
	public static List<TemplateBank> of(final List<Template> templates, final List<ResponseLayout> layouts) {
		final Grouping.Alike compatible =
			(t, u) -> Weights.of(templates.get(t)) == Weights.of(templates.get(u)) && layouts.get(t).compatible(layouts.get(u));
		final List<TemplateBank> banks = new ArrayList<>();
		for (final int[] indices : Grouping.of(templates.size(), compatible))
			banks.add(new TemplateBank(indices, Arrays.stream(indices).mapToObj(templates::get).toList(), Arrays.stream(indices).mapToObj(layouts::get).toList()));
		return banks;
	}

	/** A layout with the number and place of the lags, which are the same for all templates. */
	public ResponseLayout lags() {
		return layouts.get(0);
	}

	/** Whether an execution gets image and templates with x and y swapped: see {@link Columns}. */
	public boolean turned() {
		return lags().turned();
	}

	/** The templates for an execution. */
	public List<Template> operands() {
		return turned() ? templates.stream().map(Columns::turned).toList() : templates;
	}

	/** The windows of the problem for the planner. */
	public Windows windows(final PixelType image, final Precision precision, final long frames, final BoxGrid boxes) {
		return lags().windows(image, templates.get(0).type(), templates.stream().map(Template::size).toList(), precision, frames, boxes);
	}

	/** The number of responses of all templates in one frame. */
	public long responses() {
		return lags().empty() ? 0 : Size.of(lags().lags).pixels() * indices.length;
	}

	/** The lags of a box of a {@link BoxGrid}, for an execution. */
	public LagBox lagBox(final long[][] box) {
		final long[][] origins = new long[indices.length][];
		for (int t = 0; t < origins.length; t++) {
			origins[t] = layouts.get(t).firstLagInPixels();
			for (int d = 0; d < origins[t].length; d++) origins[t][d] += box[0][d];
			if (turned()) origins[t] = Columns.turned(origins[t]);
		}
		final int[] size = Size.of(box[1]).toIntArray();
		return new LagBox(origins, turned() ? Columns.turned(size) : size);
	}

	/**
	 * The pixels of a frame for an execution, the same for all templates.
	 *
	 * @param index the index of the frame
	 */
	public ImagePixels pixels(final RandomAccessibleInterval<?> frame, final long index) {
		return turned() ? lags().turnedPixels(frame, index) : lags().pixels(frame, index);
	}
}
