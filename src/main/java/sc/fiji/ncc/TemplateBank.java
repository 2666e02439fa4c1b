package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates that go through one execution together: they have lags of one shape on the same pixels.
 *
 * @param indices of the templates, ascending
 * @param arrangements one a template
 */
record TemplateBank(int[] indices, List<Template> templates, List<Arrangement> arrangements) {

	/** @param arrangements one a template, over one image */
	static List<TemplateBank> of(final List<Template> templates, final List<Arrangement> arrangements) {
		final List<TemplateBank> banks = new ArrayList<>();
		final boolean[] taken = new boolean[templates.size()];
		for (int t = 0; t < taken.length; t++) {
			if (taken[t]) continue;
			final int[] indices = new int[taken.length];
			final List<Template> some = new ArrayList<>();
			final List<Arrangement> theirs = new ArrayList<>();
			for (int u = t; u < taken.length; u++) {
				if (taken[u] || Weights.of(templates.get(u)) != Weights.of(templates.get(t)) || !arrangements.get(t).together(arrangements.get(u))) continue;
				taken[u] = true;
				indices[some.size()] = u;
				some.add(templates.get(u));
				theirs.add(arrangements.get(u));
			}
			banks.add(new TemplateBank(Arrays.copyOf(indices, some.size()), some, theirs));
		}
		return banks;
	}

	/** That of the lags, which is the same for all. */
	Arrangement lags() {
		return arrangements.get(0);
	}

	Problem problem(final PixelType image, final long frames, final BoxGrid boxes) {
		return lags().problem(image, templates.get(0).type(), templates.stream().map(Template::size).toList(),
			Weights.of(templates.get(0)), frames, boxes);
	}

	/** Over all templates of one frame. */
	long responses() {
		return lags().empty() ? 0 : Size.of(lags().lags).pixels() * indices.length;
	}

	/** The lags of a box of a {@link BoxGrid}. */
	LagBox lagBox(final long[][] box) {
		final long[][] origins = new long[indices.length][];
		for (int t = 0; t < origins.length; t++) {
			origins[t] = arrangements.get(t).firstLagInPixels();
			for (int d = 0; d < origins[t].length; d++) origins[t][d] += box[0][d];
		}
		return new LagBox(origins, Size.of(box[1]).toIntArray());
	}

	/** The pixels of a frame, the same for all. */
	ImagePixels pixels(final RandomAccessibleInterval<?> frame) {
		return lags().pixels(frame);
	}
}
