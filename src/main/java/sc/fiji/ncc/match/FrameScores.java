package sc.fiji.ncc.match;

import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.numeric.WindowScore;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** Exact scores, computed from the pixels of a frame. Only one thread may use an object. */
public final class FrameScores implements ExactScores {

	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final RandomAccessibleInterval<?> frame;
	private final long index;
	private final WindowScore[] scores;
	/** For each template the shift from a window's first pixel in the frame to the coordinates of the pixels for the scores. */
	private final long[][] shifts;
	/** The window that replaces the template, and its scores; null if it cannot. */
	private long[] reference;
	private int referenceOf;
	private WindowScore referenceScores;

	/**
	 * @param layouts one for each template
	 * @param index the index of the frame, from 0
	 */
	public FrameScores(final List<Template> templates, final List<ResponseLayout> layouts, final RandomAccessibleInterval<?> frame, final long index) {
		this.index = index;
		this.templates = templates;
		this.layouts = layouts;
		this.frame = frame;
		scores = new WindowScore[templates.size()];
		shifts = new long[templates.size()][];
	}

	@Override
	public double at(final int template, final long[] other, final long[] window) {
		if (scores[template] == null) prepare(template);
		if (other == null) return scores[template].at(inPixels(template, window));
		if (referenceOf != template || !Arrays.equals(reference, other)) {
			reference = other.clone();
			referenceOf = template;
			referenceScores = scores(template, other);
		}
		return referenceScores == null ? Double.NaN : referenceScores.at(inPixels(template, window));
	}

	private long[] inPixels(final int template, final long[] window) {
		final long[] p = new long[window.length];
		for (int d = 0; d < p.length; d++) p[d] = window[d] + shifts[template][d];
		return p;
	}

	/** The scores of a window; null if it does not lie inside the image, or has no contrast. */
	private WindowScore scores(final int t, final long[] first) {
		final ImagePixels pixels = layouts.get(t).pixels(frame, index);
		final Template template = templates.get(t);
		final long[] at = inPixels(t, first), size = pixels.size();
		for (int d = 0; d < at.length; d++) if (at[d] < 0 || at[d] + template.size().toArray()[d] > size[d]) return null;
		final double[] values = scores[t].window(at);
		for (int i = 0; i < values.length; i++) {
			// a pixel of weight 0 can have any value, also NaN
			if (!(template.weight(i) > 0)) values[i] = 0;
			if (!Double.isFinite(values[i])) return null;
		}
		// missing pixels have those of the template
		final Template cut = template.with(TemplateReader.common(template.type(), pixels.type()), values);
		return cut.hasContrast() ? score(t, pixels, cut) : null;
	}

	private WindowScore score(final int t, final ImagePixels pixels, final Template template) {
		return new WindowScore(pixels, template, layouts.get(t).lags(Size.of(layouts.get(t).size)));
	}

	private void prepare(final int template) {
		final ResponseLayout layout = layouts.get(template);
		shifts[template] = layout.firstLagInPixels();
		for (int d = 0; d < layout.size.length; d++) shifts[template][d] -= layout.firstLag[d];
		scores[template] = score(template, layout.pixels(frame, index), templates.get(template));
	}
}
