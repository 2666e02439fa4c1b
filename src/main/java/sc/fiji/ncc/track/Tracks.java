package sc.fiji.ncc.track;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The positions of templates in all frames.
 *
 * @param points ordered by frame, then by template
 * @param report the counts of the computed lags
 * @param rankings the candidates of each group of templates computed together
 * @param seconds the elapsed time, without the time of measuring candidates
 */
public record Tracks(List<TrackPoint> points, Report report, List<Ranking> rankings, double seconds) {

	/** The most templates that a message names. */
	private static final int NAMED = 5;

	public Tracks {
		Given.nonNull(points, "list of points");
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
		final List<TrackPoint> sorted = new ArrayList<>(points);
		sorted.sort(Comparator.comparingLong(TrackPoint::frame).thenComparingInt(TrackPoint::template));
		points = List.copyOf(sorted);
		rankings = List.copyOf(rankings);
	}

	/** The same tracks with other points. */
	public Tracks with(final List<TrackPoint> others) {
		return new Tracks(others, report, rankings, seconds);
	}

	/** The points of one template, ordered by frame. */
	public List<TrackPoint> of(final int template) {
		return points.stream().filter(p -> p.template() == template).toList();
	}

	/**
	 * Such as {@code 2 templates in 60 frames, lost 3 times: roi 5 20 9 9 in 3 frames}, for messages. At most five templates are named.
	 *
	 * @param names one for each template
	 */
	public String summary(final List<String> names) {
		Given.list(names, "name of a template");
		final long templates = points.stream().mapToInt(TrackPoint::template).distinct().count(),
			frames = points.stream().mapToLong(TrackPoint::frame).distinct().count();
		final long lost = points.stream().filter(TrackPoint::lost).count();
		return templates + (templates == 1 ? " template in " : " templates in ") + frames + (frames == 1 ? " frame, " : " frames, ")
			+ (lost == 0 ? "never lost" : "lost " + lost + (lost == 1 ? " time" : " times") + (templates == 1 ? "" : ": " + lost(names)));
	}

	/** The templates that are lost, with the number of frames of each. */
	private String lost(final List<String> names) {
		final Map<Integer, Long> frames = points.stream().filter(TrackPoint::lost)
			.collect(Collectors.groupingBy(TrackPoint::template, TreeMap::new, Collectors.counting()));
		return frames.entrySet().stream().limit(NAMED).map(e -> names.get(e.getKey()) + " in " + e.getValue() + (e.getValue() == 1 ? " frame" : " frames"))
			.collect(Collectors.joining(", ")) + (frames.size() > NAMED ? " and " + (frames.size() - NAMED) + " more" : "");
	}

	/** The number of frames in which a template is at the edge of its search. Its true position can lie beyond: track again with a larger shift. */
	public long framesAtEdge() {
		return points.stream().filter(TrackPoint::edge).mapToLong(TrackPoint::frame).distinct().count();
	}

	/**
	 * The motion of the image as a whole: in each frame the median motion of the templates that are not lost, separately along each dimension. The median is
	 * robust against single templates with a wrong position.
	 *
	 * @return one motion per frame, in the order of the points, in pixels; NaN if all templates are lost
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

	@Override
	public String toString() {
		return Components.text(this);
	}
}
