package sc.fiji.ncc.match;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

import sc.fiji.ncc.image.PositionFit;
import sc.fiji.ncc.layout.ResponseLayout;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Match;

/** Refines the positions of the matches of one frame by least squares on its pixels. Only one thread may use an object. */
public final class FrameRefinement {

	private final List<Template> templates;
	private final List<ResponseLayout> layouts;
	private final RandomAccessibleInterval<?> frame;
	private final long index;
	private final PositionFit[] fits;

	/**
	 * @param layouts one for each template
	 * @param index the index of the frame, from 0
	 */
	public FrameRefinement(final List<Template> templates, final List<ResponseLayout> layouts, final RandomAccessibleInterval<?> frame, final long index) {
		this.templates = templates;
		this.layouts = layouts;
		this.frame = frame;
		this.index = index;
		fits = new PositionFit[templates.size()];
	}

	/** The match with its refined position and the covariance; the match itself if the position is not determined. */
	public Match refined(final Match match) {
		final int t = match.template(), n = match.position().length;
		final ResponseLayout layout = layouts.get(t);
		if (fits[t] == null) fits[t] = new PositionFit(layout.pixels(frame, index), templates.get(t));
		final long[] first = layout.firstLagInPixels();
		final double[] offset = new double[n];
		for (int d = 0; d < n; d++) {
			first[d] += match.position()[d] - layout.firstLag[d];
			offset[d] = match.subpixel()[d] - match.position()[d];
		}
		final PositionFit.Fitted fitted = fits[t].at(first, offset);
		if (fitted == null) return match;
		final double[] subpixel = new double[n];
		for (int d = 0; d < n; d++) subpixel[d] = match.position()[d] + fitted.offset()[d];
		return match.refined(subpixel, fitted.covariance());
	}
}
