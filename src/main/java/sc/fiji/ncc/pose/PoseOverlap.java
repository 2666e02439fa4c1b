package sc.fiji.ncc.pose;

import java.util.ArrayList;
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
	/** Twice the longest side of the boxes of all supports. */
	private final double cell;
	private final Map<List<Long>, List<Place>> accepted = new HashMap<>();
	/** The radii of the last two disks that were compared, and the distance below which they have too much in common. */
	private double lastSmall = -1, lastLarge = -1, lastDistance;

	/** An accepted support. */
	private record Place(double[] centre, double radius, double[][] corners) {}

	/**
	 * @param share the largest share that the supports of two matches may have in common
	 * @param pose the pose of the match at a position
	 */
	PoseOverlap(final PoseSet set, final double share, final ToIntFunction<long[]> pose) {
		this.set = set;
		this.share = share;
		this.pose = pose;
		double longest = 1;
		for (final PoseFamily f : set.families()) for (final int b : f.support.box()) longest = Math.max(longest, b);
		cell = 2 * longest;
	}

	private Place place(final long[] position) {
		final int[] size = set.size((int) position[0]);
		final double[] c = new double[position.length - 1];
		for (int d = 0; d < c.length; d++) c[d] = position[d + 1] + (size[d] - 1) / 2.0;
		final Pose p = set.poses().get(pose.applyAsInt(position));
		return new Place(c, p.scale() * PoseSet.radius(size), set.whole() ? corners(size, p, c) : null);
	}

	private List<Long> cell(final double[] centre) {
		final Long[] home = new Long[centre.length];
		for (int d = 0; d < home.length; d++) home[d] = (long) Math.floor(centre[d] / cell);
		return List.of(home);
	}

	@Override
	public boolean covers(final long[] position) {
		if (share == 1 || accepted.isEmpty()) return false;
		final Place place = place(position);
		final List<Long> home = cell(place.centre);
		int n = 1;
		for (int d = 0; d < home.size(); d++) n *= 3;
		for (int code = 0; code < n; code++) {
			final Long[] near = new Long[home.size()];
			for (int d = 0, rest = code; d < near.length; d++) {
				near[d] = home.get(d) + rest % 3 - 1;
				rest /= 3;
			}
			for (final Place other : accepted.getOrDefault(List.of(near), List.of())) if (tooNear(place, other)) return true;
		}
		return false;
	}

	@Override
	public void accept(final long[] position) {
		final Place place = place(position);
		accepted.computeIfAbsent(cell(place.centre), k -> new ArrayList<>()).add(place);
	}

	private boolean tooNear(final Place a, final Place b) {
		double squares = 0;
		for (int d = 0; d < a.centre.length; d++) squares += (a.centre[d] - b.centre[d]) * (a.centre[d] - b.centre[d]);
		if (set.whole()) return area(clipped(a.corners, b.corners)) > share * Math.min(area(a.corners), area(b.corners));
		final double limit = limit(a.centre.length, Math.min(a.radius, b.radius), Math.max(a.radius, b.radius));
		return squares < limit * limit;
	}

	/** The distance below which two disks or balls have more than the share in common. */
	private double limit(final int dimensions, final double small, final double large) {
		if (small == lastSmall && large == lastLarge) return lastDistance;
		double low = 0, high = small + large;
		for (double mid = high / 2; mid > low && mid < high; mid = (low + high) / 2) {
			if (balls(dimensions, small, large, mid) > share) low = mid;
			else high = mid;
		}
		lastSmall = small;
		lastLarge = large;
		lastDistance = high;
		return high;
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
