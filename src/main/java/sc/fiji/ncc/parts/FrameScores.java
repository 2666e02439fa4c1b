package sc.fiji.ncc.parts;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.WindowScore;
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
	public double at(final int template, final long[] window) {
		if (scores[template] == null) prepare(template);
		final long[] p = new long[window.length];
		for (int d = 0; d < p.length; d++) p[d] = window[d] + shifts[template][d];
		return scores[template].at(p);
	}

	private void prepare(final int template) {
		final ResponseLayout layout = layouts.get(template);
		shifts[template] = layout.firstLagInPixels();
		for (int d = 0; d < layout.size.length; d++) shifts[template][d] -= layout.firstLag[d];
		scores[template] = new WindowScore(layout.pixels(frame, index), templates.get(template), layout.lags(Size.of(layout.size)));
	}
}
