package sc.fiji.ncc.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.util.IntervalIndexer;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.option.Extent;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.result.MapShape;
import sc.fiji.ncc.result.Match;

/**
 * Prints the coefficients around the best place of each template, as N. Wilt's program does (The CUDA Handbook, chapter 15).
 *
 * @param radius how many responses are printed on each side of the best one
 */
record PeakNeighbourhood(CommonOptions common, CommonOptions.Inputs inputs, int radius, Monitor monitor) {

	void print(final PrintStream to) {
		for (int t = 0; t < inputs.templates().size(); t++) {
			final RandomAccessibleInterval<?> template = inputs.templates().get(t);
			final NormalizedCrossCorrelation op = common.correlation(List.of(template), inputs.image(), monitor);
			final List<Match> best = TemplateMatching.with(op).maxMatches(1).minScore(-1).find(inputs.image().pixels()).matches();
			if (best.isEmpty()) to.println(common.templateNames().get(t) + ": no coefficient is defined");
			else print(common.templateNames().get(t), op, template, best.get(0), to);
		}
	}

	private void print(final String name, final NormalizedCrossCorrelation op, final RandomAccessibleInterval<?> template, final Match best,
		final PrintStream to) {
		final InputImage image = inputs.image();
		final int n = inputs.dimensions();
		final long[] frames = new long[image.pixels().numDimensions() - n];
		for (int d = 0; d < frames.length; d++) frames[d] = image.pixels().dimension(n + d);
		final long index = frames.length == 0 ? 0 : IntervalIndexer.positionToIndex(best.frame(), frames);
		final RandomAccessibleInterval<?> frame = image.frame(index, n);
		final MapShape map = op.mapShapes(frame).get(0);
		final long[] at = best.position().clone(), min = new long[n], max = new long[n];
		for (int d = 0; d < n; d++) {
			if (common.extent == Extent.SAME) at[d] += template.dimension(d) / 2;
			final int within = d < 2 ? radius : 0;
			min[d] = Math.max(map.origin()[d], at[d] - within);
			max[d] = Math.min(map.origin()[d] + map.size()[d] - 1, at[d] + within);
		}
		final Img<DoubleType> near = op.inside(null).search(new FinalInterval(min, max)).undefined(Undefined.NAN).precision(Precision.DOUBLE)
			.correlate(frame).doubleMaps().get(0);
		to.printf(Locale.ROOT, "%s: %.6f at %d,%d%s%s%n", name, best.score(), at[0], at[1], n > 2 ? "," + at[2] : "", image.frames(n) > 1
			? " of frame " + (index + 1) : "");
		final StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%8s", ""));
		for (long x = min[0]; x <= max[0]; x++) head.append(String.format(Locale.ROOT, "%10d", x));
		to.println(head);
		final long[] place = new long[n];
		for (long y = min[1]; y <= max[1]; y++) {
			final StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%8d", y));
			for (long x = min[0]; x <= max[0]; x++) {
				place[0] = x - min[0];
				place[1] = y - min[1];
				final double r = near.getAt(place).get();
				row.append(Double.isNaN(r) ? String.format(Locale.ROOT, "%10s", "-") : String.format(Locale.ROOT, "%10.6f", r));
			}
			to.println(row);
		}
	}
}
