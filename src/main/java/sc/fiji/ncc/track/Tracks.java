package sc.fiji.ncc.track;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * Where templates were in each frame.
 *
 * @param points by frame, and those of one frame by template
 * @param report what became of the responses
 * @param rankings what computed them: a ranking for each set of templates that went through together
 * @param seconds what it took in all
 */
public record Tracks(List<TrackPoint> points, Report report, List<Ranking> rankings, double seconds) {

	public Tracks {
		final List<TrackPoint> sorted = new ArrayList<>(points);
		sorted.sort(Comparator.comparingLong(TrackPoint::frame).thenComparingInt(TrackPoint::template));
		points = List.copyOf(sorted);
		rankings = List.copyOf(rankings);
	}

	/** The same with points. */
	public Tracks with(final List<TrackPoint> others) {
		return new Tracks(others, report, rankings, seconds);
	}

	/** One template's way, by frame. */
	public List<TrackPoint> of(final int template) {
		return points.stream().filter(p -> p.template() == template).toList();
	}

	/** In how many frames a template lies at the edge of its search, so that its true place may be further away: a larger shift tells. */
	public long framesAtEdge() {
		return points.stream().filter(TrackPoint::edge).mapToLong(TrackPoint::frame).distinct().count();
	}

	/**
	 * How the picture as a whole has moved: in each frame the median motion of those templates that are not lost, along each dimension by itself. The
	 * median, because one template that was found elsewhere must not move it.
	 *
	 * @return by frame, in the order of the points; NaN where all are lost
	 */
	public List<double[]> drift() {
		final List<double[]> drift = new ArrayList<>();
		for (int i = 0; i < points.size();) {
			int end = i;
			while (end < points.size() && points.get(end).frame() == points.get(i).frame()) end++;
			final List<TrackPoint> frame = points.subList(i, end);
			final double[] moved = new double[frame.get(0).motion().length];
			for (int d = 0; d < moved.length; d++) {
				final int dimension = d;
				moved[d] = median(frame.stream().filter(p -> !p.lost()).mapToDouble(p -> p.motion()[dimension]).toArray());
			}
			drift.add(moved);
			i = end;
		}
		return drift;
	}

	private static double median(final double[] values) {
		Arrays.sort(values);
		final int n = values.length;
		return n == 0 ? Double.NaN : (values[(n - 1) / 2] + values[n / 2]) / 2;
	}
}
