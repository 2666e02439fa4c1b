package sc.fiji.ncc.pose;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.function.Predicate;

import sc.fiji.ncc.bounded.MemberWindow;
import sc.fiji.ncc.numeric.VectorProducts;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseMatch;

/**
 * Refines position, rotation and scale of a match together: Gauss-Newton on the least squares {@code Σ(f − a − b·t)²} ({@link SecantSteps}), whose
 * minimum over a and b is the maximum of the correlation coefficient. Each channel has its own a, and all have one b. The window f stays as it is.
 * The template t is sampled from its spline, with the spline's own derivatives. The pixels are those whose place in the template lies in the
 * support, and inside the template by a margin. They are chosen for the pose that was found, and again for the refined pose, because pixels far
 * from the centre say most about angle and scale. Angle and scale are refined only if several were searched. The refined pose lies within one
 * pixel, and two steps of the angles and scales, of the pose that was found: its support is not that of its neighbours, so the best pose of the
 * search is not always the nearest one. The score of the refined pose is that over the pixels of the search: the support of the pose that was
 * found. If it is lower there, the pose that was found remains.
 */
final class PoseRefinement {

	private static final int STEPS = 30, HALVINGS = 6;
	/** The margins of the two passes, in pixels of the template, and the lengths of the steps that end them. */
	private static final double[] MARGINS = { 1, 0.25 }, CONVERGED = { 1e-3, 1e-7 };
	/** The number of steps by which a pose may move. */
	private static final double MAX_STEPS = 2;
	/** The rounding of the scores of the search. */
	private static final double ROUNDING = 1e-9;

	private final PoseSet set;
	private final boolean turns, scales;
	/** How far the rotation, in degrees, and the logarithm of the scale may move. */
	private final double[] farthest;

	PoseRefinement(final PoseSet set) {
		this.set = set;
		farthest = Arrays.stream(set.step()).map(step -> MAX_STEPS * step).toArray();
		final Pose p = set.poses().get(0);
		turns = set.poses().stream().anyMatch(q -> q.angle() != p.angle());
		scales = set.poses().stream().anyMatch(q -> q.scale() != p.scale());
	}

	/** @param family the family of the pose that was found */
	PoseMatch of(final PoseMatch match, final PoseFamily family, final Pixels pixels) {
		return new One(match, family, pixels).refined();
	}

	/** The refinement of one match. */
	private final class One {

		private final PoseMatch match;
		private final PoseFamily family;
		private final Pixels pixels;
		private final TemplateSpline[] splines;
		private final int n, parameters, channels;
		/** The offsets of the pixels from the template's centre at the position that was found, pixel by pixel. */
		private double[] offsets;
		/** Channel after channel, as all arrays below. */
		private double[] f;
		private double[][] j;
		private double[] t;

		One(final PoseMatch match, final PoseFamily family, final Pixels pixels) {
			this.match = match;
			this.family = family;
			this.pixels = pixels;
			splines = family.splines.stream().map(TemplateSpline::copy).toArray(TemplateSpline[]::new);
			channels = splines.length;
			n = match.position().length;
			parameters = n + (turns ? n == 2 ? 1 : 3 : 0) + (scales ? 1 : 0);
		}

		/**
		 * Chooses the pixels of a pose, and reads them.
		 *
		 * @param margin how far inside the template their places must lie
		 * @return false if they have no contrast
		 */
		private boolean select(final Pose pose, final double[] shift, final double margin) {
			final int[] size = set.size(family.template);
			final double[][] image = pose.toImage(), m = pose.toTemplate();
			final long[] extents = pixels.size(), min = new long[n];
			final int[] box = new int[n];
			int count = 1;
			for (int d = 0; d < n; d++) {
				double half = 0;
				for (int c = 0; c < n; c++) half += Math.abs(image[d][c]) * (size[c] - 1) / 2.0;
				final double centre = match.position()[d] + shift[d] + (size[d] - 1) / 2.0;
				min[d] = Math.max(0, (long) Math.ceil(centre - half - 1e-9));
				box[d] = (int) (Math.min(extents[d] - 1, (long) Math.floor(centre + half + 1e-9)) - min[d] + 1);
				if (box[d] < 1) return false;
				count *= box[d];
			}
			final double[] places = new double[count * n], u = new double[n], v = new double[n];
			final int[] chosen = new int[count];
			final Predicate<double[]> support = set.support(family.template);
			int k = 0;
			for (int i = 0; i < count; i++) {
				for (int d = 0, rest = i; d < n; d++) {
					u[d] = min[d] + rest % box[d] - match.position()[d] - (size[d] - 1) / 2.0;
					rest /= box[d];
				}
				boolean inside = true;
				for (int r = 0; r < n; r++) {
					v[r] = 0;
					for (int c = 0; c < n; c++) v[r] += m[r][c] * (u[c] - shift[c]);
					inside &= Math.abs(v[r]) <= (size[r] - 1) / 2.0 - margin;
				}
				if (margin > 0 && !inside || !support.test(v)) continue;
				System.arraycopy(u, 0, places, k * n, n);
				chosen[k++] = i;
			}
			offsets = Arrays.copyOf(places, k * n);
			f = new double[channels * k];
			final Buffer buffer = pixels.type().allocate(count);
			for (int c = 0; c < channels; c++) {
				pixels.channels().get(c).read(min, box, buffer);
				for (int i = 0; i < k; i++) f[c * k + i] = Buffers.value(buffer, pixels.type().min == 0, chosen[i]);
			}
			t = new double[channels * k];
			j = new double[parameters][channels * k];
			return k >= SupportPixels.MIN_PIXELS && MemberWindow.normalise(f, channels) > 0;
		}

		PoseMatch refined() {
			double[] shift = new double[n];
			Pose pose = match.gridPose();
			final SecantSteps steps = new SecantSteps(parameters);
			for (int pass = 0; pass < MARGINS.length; pass++) {
				final boolean selected = select(pose, shift, MARGINS[pass]) && f.length >= 4 * parameters;
				// without pixels of its own, the second pass converges on those of the first one
				if (!selected && (pass == 0 || !select(match.gridPose(), new double[n], MARGINS[0]))) break;
				double score = sample(pose, shift, true), length = Double.POSITIVE_INFINITY;
				steps.restart();
				for (int step = 0; step < STEPS && length >= CONVERGED[pass]; step++) {
					final double[] change = steps.next(normal());
					if (change == null) break;
					boolean better = false;
					for (int h = 0; h < HALVINGS && !better; h++) {
						if (h > 0) for (int i = 0; i < parameters; i++) change[i] /= 2;
						final double[] moved = shift.clone();
						for (int d = 0; d < n; d++) moved[d] += change[d];
						final Pose turned = moved(pose, change);
						if (turned == null || far(moved)) continue;
						final double now = sample(turned, moved, true);
						if (!(now > score)) continue;
						better = true;
						score = now;
						shift = moved;
						pose = turned;
						length = Arrays.stream(change).map(Math::abs).max().orElse(0);
					}
					if (!better && !steps.forget()) break;
					if (!better) sample(pose, shift, true);
				}
			}
			// the pixels of the search, because the minimum score was tested with them
			final double score = select(match.gridPose(), new double[n], 0) ? sample(pose, shift, false) : Double.NaN;
			if (!(score >= match.gridScore() - ROUNDING)) return match;
			final double[] subpixel = match.subpixel().clone();
			for (int d = 0; d < n; d++) subpixel[d] += shift[d];
			final PoseErrors errors = errors(pose, shift);
			return match.refined(pose, subpixel, Math.max(match.gridScore(), Math.min(1, score)), errors.position(), errors.angle(), errors.scale());
		}

		private PoseErrors errors(final Pose pose, final double[] shift) {
			if (!select(pose, shift, MARGINS[MARGINS.length - 1]) || f.length < 4 * parameters) return PoseErrors.NONE;
			sample(pose, shift, true);
			// also makes the columns orthogonal to t
			return SecantSteps.solved(normal()) == null ? PoseErrors.NONE : PoseErrors.of(offsets, n, f, t, j, parameters - n - (scales ? 1 : 0));
		}

		private boolean far(final double[] shift) {
			for (final double s : shift) if (Math.abs(s) > 1) return true;
			return false;
		}

		/** The pose after a change; null if it is too far from the pose that was found. */
		private Pose moved(final Pose pose, final double[] change) {
			final double scale = scales ? pose.scale() * Math.exp(change[parameters - 1]) : pose.scale();
			final Pose grid = match.gridPose();
			if (Math.abs(Math.log(scale / grid.scale())) > farthest[1]) return null;
			if (!turns) return new Pose(pose.angle(), scale, pose.mirrored(), pose.rotation());
			if (n == 2) {
				final double angle = pose.angle() + Math.toDegrees(change[2]);
				return Math.abs(angle - grid.angle()) > farthest[0] ? null : Pose.of(angle, scale, pose.mirrored());
			}
			final double[] w = { change[3], change[4], change[5] };
			final double angle = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), s = angle == 0 ? 0.5 : Math.sin(angle / 2) / angle;
			final Pose turned = Pose.of(product(new double[] { Math.cos(angle / 2), s * w[0], s * w[1], s * w[2] }, pose.rotation()), scale, pose.mirrored());
			double cos = 0;
			for (int i = 0; i < 4; i++) cos += turned.rotation()[i] * grid.rotation()[i];
			return Math.toDegrees(2 * Math.acos(Math.min(1, Math.abs(cos)))) > farthest[0] ? null : turned;
		}

		/** Samples the template, and its derivatives if wanted. Returns the correlation coefficient. */
		private double sample(final Pose pose, final double[] shift, final boolean derivatives) {
			final double[][] m = pose.toTemplate();
			final double[] u = new double[n], v = new double[n], g = derivatives ? new double[n] : null, along = new double[n];
			final int count = t.length / channels;
			for (int i = 0; i < count; i++) {
				for (int d = 0; d < n; d++) u[d] = offsets[i * n + d] - shift[d];
				for (int r = 0; r < n; r++) {
					v[r] = 0;
					for (int c = 0; c < n; c++) v[r] += m[r][c] * u[c];
				}
				for (int c = 0; c < channels; c++) {
					t[c * count + i] = splines[c].at(v, g);
					if (derivatives) derivatives(c * count + i, m, u, g, along);
				}
			}
			MemberWindow.centre(t, channels);
			return VectorProducts.dot(f, t) / Math.sqrt(VectorProducts.dot(t, t) * VectorProducts.dot(f, f));
		}

		/** The derivatives of a value by the parameters. */
		private void derivatives(final int i, final double[][] m, final double[] u, final double[] gradient, final double[] along) {
			// the gradient in the image's axes
			for (int c = 0; c < n; c++) {
				along[c] = 0;
				for (int r = 0; r < n; r++) along[c] += gradient[r] * m[r][c];
				j[c][i] = -along[c];
			}
			if (turns && n == 2) j[2][i] = along[1] * u[0] - along[0] * u[1];
			if (turns && n == 3) {
				j[3][i] = -(along[2] * u[1] - along[1] * u[2]);
				j[4][i] = -(along[0] * u[2] - along[2] * u[0]);
				j[5][i] = -(along[1] * u[0] - along[0] * u[1]);
			}
			if (scales) {
				double radial = 0;
				for (int c = 0; c < n; c++) radial += along[c] * u[c];
				j[parameters - 1][i] = -radial;
			}
		}

		/** The normal equations of a step: a row for each parameter, with the right side at its end. Makes the columns orthogonal to t. */
		private double[][] normal() {
			final double energy = VectorProducts.dot(t, t), b = VectorProducts.dot(f, t) / energy;
			final double[][] a = new double[parameters][parameters + 1];
			for (int r = 0; r < parameters; r++) {
				MemberWindow.centre(j[r], channels);
				final double part = VectorProducts.dot(j[r], t) / energy;
				for (int i = 0; i < t.length; i++) j[r][i] -= part * t[i];
				for (int c = 0; c <= r; c++) a[r][c] = a[c][r] = VectorProducts.dot(j[r], j[c]);
				// the part of f along t is orthogonal to the columns
				a[r][parameters] = VectorProducts.dot(j[r], f) / b;
			}
			return a;
		}
	}

	/** The rotation q followed by p. */
	static double[] product(final double[] p, final double[] q) {
		return new double[] { p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
			p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0] };
	}
}
