package sc.fiji.ncc;

import java.util.List;

import net.imglib2.RandomAccessibleInterval;

/** Finds the places where a template occurs. */
public final class TemplateMatching {
	public static TemplateMatching with(final NormalizedCrossCorrelation correlation) { throw new UnsupportedOperationException(); }
	public TemplateMatching maxMatches(final int most) { return this; }
	public TemplateMatching minScore(final double least) { return this; }
	/** greatest share of a window that another match of a better score may cover; default 0.5 */
	public TemplateMatching overlap(final double share) { return this; }
	public Result find(final RandomAccessibleInterval<?> image) { throw new UnsupportedOperationException(); }
	/** matches best first, and the response they were found in */
	public record Result(List<Match> matches, Response response) {}
}
