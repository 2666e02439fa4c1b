package sc.fiji.ncc.pose;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

import sc.fiji.ncc.peaks.Covering;
import sc.fiji.ncc.result.Pose;

/**
 * Suppression by the overlap of supports: as a share of the smaller one. A ring counts as its disk. A whole template is a rotated
 * rectangle; in three dimensions
 * a rotated box, whose common part is counted at the points of a lattice: 0.03 of the box is the largest error. A position is the
 * index of the template, followed by the first pixel of its box.
 */
final class PoseOverlap implements Covering {

	private static final double PI = Math.PI;
	/** The corners of a rotated box lie at most this far outside the box of its pixels, on both sides together. */
	private static final double MARGIN = 4;
	/** The number of points of the lattice along each side of a box. */
	private static final int LATTICE = 32;

	private final PoseSet set;
	private final double share;
	private final ToIntFunction<long[]> pose;
	/** The side of a cell of positions: supports in cells that are not neighbours have nothing in common. */
	private final double cell;
	private final Map<List<Long>, List<Place>> accepted = new HashMap<>();
	/** The radii of the last two disks that were compared, and the distance below which they have too much in common. */
	private double lastSmall = -1, lastLarge = -1, lastDistance;

	/**
	 * A support.
	 *
	 * @param box that of a whole template; null for disks and balls
	 */
	private record Place(double[] centre, double radius, Box box) {}

	/** @param corners in two dimensions; null in three */
	private record Box(int[] size, Pose pose, double[][] corners) {

		/** Half the length of its diagonal: it lies in a ball of this radius. */
		double radius() {
			double squares = 0;
			for (final int n : size) squares += n * n;
			return pose.scale() * Math.sqrt(squares) / 2;
		}

		double volume() {
			double v = 1;
			for (final int n : size) v *= pose.scale() * n;
			return v;
		}
	}

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
		cell = longest + MARGIN;
	}

	private Place place(final long[] position) {
		final int[] size = set.size((int) position[0]);
		final double[] c = new double[position.length - 1];
		for (int d = 0; d < c.length; d++) c[d] = position[d + 1] + (size[d] - 1) / 2.0;
		final Pose p = set.poses().get(pose.applyAsInt(position));
		return new Place(c, p.scale() * PoseSet.radius(size), set.whole() ? new Box(size, p, c.length == 2 ? corners(size, p, c) : null) : null);
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
		// most that cover a position are near: its own cell comes first
		for (final Place other : accepted.getOrDefault(home, List.of())) if (tooNear(place, other)) return true;
		for (int code = 0; code < n; code++) {
			if (code == n / 2) continue;
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
		if (set.whole()) return Math.sqrt(squares) < a.box.radius() + b.box.radius() && common(a, b) > share;
		final double limit = limit(a.centre.length, Math.min(a.radius, b.radius), Math.max(a.radius, b.radius));
		return squares < limit * limit;
	}

	/** The share of the smaller of two whole templates that they have in common. */
	private static double common(final Place a, final Place b) {
		if (a.box.volume() > b.box.volume()) return common(b, a);
		if (a.box.corners != null) return area(clipped(a.box.corners, b.box.corners)) / a.box.volume();
		final double[][] out = a.box.pose.toImage(), in = b.box.pose.toTemplate();
		final int n = a.centre.length;
		final double[] at = new double[n], image = new double[n];
		int inside = 0, points = 1;
		for (int d = 0; d < n; d++) points *= LATTICE;
		for (int p = 0; p < points; p++) {
			for (int d = 0, rest = p; d < n; d++, rest /= LATTICE) at[d] = ((rest % LATTICE + 0.5) / LATTICE - 0.5) * a.box.size[d];
			for (int i = 0; i < n; i++) {
				image[i] = a.centre[i] - b.centre[i];
				for (int j = 0; j < n; j++) image[i] += out[i][j] * at[j];
			}
			boolean within = true;
			for (int i = 0; i < n && within; i++) {
				double v = 0;
				for (int j = 0; j < n; j++) v += in[i][j] * image[j];
				within = Math.abs(v) <= b.box.size[i] / 2.0;
			}
			if (within) inside++;
		}
		return (double) inside / points;
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
