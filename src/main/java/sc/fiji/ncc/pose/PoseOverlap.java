package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

import sc.fiji.ncc.peaks.Covering;
import sc.fiji.ncc.result.Pose;

/**
 * Suppression by the overlap of supports: as a share of the smaller one. A ring counts as its disk. A whole template is a rotated rectangle. A position is the
 * index of the template, followed by the first pixel of its box.
 */
final class PoseOverlap implements Covering {

	private static final double PI = Math.PI;

	private final PoseSet set;
	private final double share;
	private final ToIntFunction<long[]> pose;
	/** Twice the reach of the largest support. */
	private final double cell;
	private final Map<List<Long>, List<long[]>> accepted = new HashMap<>();

	/**
	 * @param share the largest share that the supports of two matches may have in common
	 * @param pose the pose of the match at a position
	 */
	PoseOverlap(final PoseSet set, final double share, final ToIntFunction<long[]> pose) {
		this.set = set;
		this.share = share;
		this.pose = pose;
		double reach = 1;
		for (final PoseFamily f : set.families()) for (final int b : f.support.box()) reach = Math.max(reach, b);
		cell = 2 * reach;
	}

	private double[] centre(final long[] position) {
		final double[] c = new double[position.length - 1];
		for (int d = 0; d < c.length; d++) c[d] = position[d + 1] + (set.size((int) position[0])[d] - 1) / 2.0;
		return c;
	}

	private List<Long> cell(final double[] centre) {
		return Arrays.stream(centre).mapToObj(c -> (long) Math.floor(c / cell)).toList();
	}

	@Override
	public boolean covers(final long[] position) {
		if (share == 1 || accepted.isEmpty()) return false;
		final double[] c = centre(position);
		final List<Long> home = cell(c);
		int n = 1;
		for (int d = 0; d < c.length; d++) n *= 3;
		for (int code = 0; code < n; code++) {
			final Long[] near = new Long[c.length];
			for (int d = 0, rest = code; d < near.length; d++) {
				near[d] = home.get(d) + rest % 3 - 1;
				rest /= 3;
			}
			for (final long[] other : accepted.getOrDefault(List.of(near), List.of())) if (common(position, c, other) > share) return true;
		}
		return false;
	}

	@Override
	public void accept(final long[] position) {
		accepted.computeIfAbsent(cell(centre(position)), k -> new ArrayList<>()).add(position);
	}

	/** The share of the smaller of two supports that lies in the other. */
	private double common(final long[] position, final double[] centre, final long[] other) {
		final double[] b = centre(other);
		double distance = 0;
		for (int d = 0; d < b.length; d++) distance += (centre[d] - b[d]) * (centre[d] - b[d]);
		final Pose p = set.poses().get(pose.applyAsInt(position)), q = set.poses().get(pose.applyAsInt(other));
		final int[] s = set.size((int) position[0]), t = set.size((int) other[0]);
		if (!set.whole()) return balls(b.length, p.scale() * PoseSet.radius(s), q.scale() * PoseSet.radius(t), Math.sqrt(distance));
		final double[][] first = corners(s, p, centre), second = corners(t, q, b);
		return area(clipped(first, second)) / Math.min(area(first), area(second));
	}

	/** The share of the smaller of two disks or balls that they have in common. */
	static double balls(final int dimensions, final double r, final double s, final double distance) {
		final double small = Math.min(r, s), large = Math.max(r, s), d = distance;
		if (d >= r + s) return 0;
		if (d <= large - small) return 1;
		if (dimensions == 3) {
			final double lens = PI * (r + s - d) * (r + s - d) * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) / (12 * d);
			return lens / (4 * PI / 3 * small * small * small);
		}
		final double a = Math.acos((d * d + r * r - s * s) / (2 * d * r)), b = Math.acos((d * d + s * s - r * r) / (2 * d * s));
		final double triangles = 0.5 * Math.sqrt(Math.max(0, (r + s - d) * (d + r - s) * (d - r + s) * (d + r + s)));
		return (r * r * a + s * s * b - triangles) / (PI * small * small);
	}

	private static double[][] corners(final int[] size, final Pose pose, final double[] centre) {
		final double[][] m = pose.toImage();
		final double[][] corners = new double[4][];
		for (int i = 0; i < 4; i++) {
			// in the order around the box
			final double x = (i == 0 || i == 3 ? -0.5 : 0.5) * size[0], y = (i < 2 ? -0.5 : 0.5) * size[1];
			corners[i] = new double[] { centre[0] + m[0][0] * x + m[0][1] * y, centre[1] + m[1][0] * x + m[1][1] * y };
		}
		// a mirrored box has its corners in the other order
		if (signed(corners) < 0) {
			final double[] c = corners[1];
			corners[1] = corners[3];
			corners[3] = c;
		}
		return corners;
	}

	private static double signed(final double[][] polygon) {
		double a = 0;
		for (int i = 0; i < polygon.length; i++) {
			final double[] p = polygon[i], q = polygon[(i + 1) % polygon.length];
			a += p[0] * q[1] - q[0] * p[1];
		}
		return a / 2;
	}

	private static double area(final double[][] polygon) {
		return Math.abs(signed(polygon));
	}

	/** The part of a convex polygon inside another one. I. E. Sutherland, G. W. Hodgman, Reentrant polygon clipping (1974), DOI 10.1145/360767.360802. */
	private static double[][] clipped(final double[][] polygon, final double[][] by) {
		List<double[]> left = List.of(polygon);
		for (int e = 0; e < by.length; e++) {
			final double[] a = by[e], b = by[(e + 1) % by.length];
			final List<double[]> inside = new ArrayList<>();
			for (int i = 0; i < left.size(); i++) {
				final double[] p = left.get(i), q = left.get((i + 1) % left.size());
				final double sp = side(a, b, p), sq = side(a, b, q);
				if (sp >= 0) inside.add(p);
				if (sp > 0 && sq < 0 || sp < 0 && sq > 0) {
					final double t = sp / (sp - sq);
					inside.add(new double[] { p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]) });
				}
			}
			left = inside;
		}
		return left.toArray(new double[0][]);
	}

	private static double side(final double[] a, final double[] b, final double[] p) {
		return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
	}
}
