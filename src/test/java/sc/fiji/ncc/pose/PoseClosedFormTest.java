package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.front.PoseText;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.result.Pose;

/** What every score of a pose depends on: the support, the smoothed and filled template, and the rotation, by closed forms. */
class PoseClosedFormTest {

	private static Template template(final double[] values, final double[] weights, final int channels, final long... size) {
		return new Template(Size.of(size), PixelType.F64, values, weights, channels);
	}

	private static double[] random(final int n) {
		return new Random(4).doubles(n).toArray();
	}

	/** Both radii of the ring grow with the scale. The radius of the disk of 21x25 is 10, that of 20x18 is 8.5. */
	@Test
	void aRingIsBetweenTwoRadiiThatScale() {
		for (final double scale : new double[] { 0.6, 1, 1.5 })
			for (final long[] size : new long[][] { { 21, 25 }, { 20, 18 } }) {
				final Template template = template(random((int) (size[0] * size[1])), null, 1, size);
				final PoseSet set = PoseSet.of(List.of(template), List.of(Pose.of(20, scale, false)), PoseSupport.RING, 0.47);
				final double outer = scale * (Math.min(size[0], size[1]) - 1) / 2.0, shift = size[0] % 2 == 1 ? 0 : 0.5;
				final Set<List<Double>> expected = new HashSet<>(), found = new HashSet<>();
				for (int y = -20; y < 20; y++) for (int x = -20; x < 20; x++) {
					final double r = Math.hypot(x + shift, y + shift);
					if (r >= 0.47 * outer && r <= outer + 1e-9) expected.add(List.of(x + shift, y + shift));
				}
				final SupportPixels support = set.families().get(0).support;
				for (final int pixel : support.pixels()) {
					final double[] offset = new double[2];
					support.offset(pixel, offset);
					found.add(List.of(offset[0], offset[1]));
				}
				assertEquals(expected, found, "scale " + scale + " of " + Arrays.toString(size));
			}
	}

	/** A Gaussian of variance v takes a wave of ω radians a pixel to the share exp(-v·ω²/2). */
	@Test
	void aTemplateThatIsMadeSmallerIsSmoothedByAGaussian() {
		final double[] omega = { 0.7, 0.4, 0.5 };
		for (final int n : new int[] { 2, 3 })
			for (final double scale : new double[] { 0.25, 0.4, 1, 2 }) {
				final int[] size = Arrays.copyOf(new int[] { 33, 31, 35 }, n);
				final double[] values = new double[Arrays.stream(size).reduce(1, (a, b) -> a * b)];
				final TemplateSpline spline;
				for (int i = 0; i < values.length; i++) {
					values[i] = 1;
					for (int d = 0, rest = i; d < n; rest /= size[d++]) values[i] *= Math.cos(omega[d] * (rest % size[d] - (size[d] - 1) / 2));
				}
				spline = new TemplateSpline(values, size, scale);
				final double variance = Math.max(0, (1 / (scale * scale) - 1) / 12);
				for (int x = -2; x <= 2; x++) {
					double expected = 1;
					final double[] at = new double[n];
					for (int d = 0; d < n; d++) {
						at[d] = d == 1 ? -x : x;
						expected *= Math.exp(-variance * omega[d] * omega[d] / 2) * Math.cos(omega[d] * at[d]);
					}
					assertEquals(expected, spline.at(at, null), scale == 0.4 ? 3e-3 : 1e-4, n + " dimensions, scale " + scale + ", at " + x);
				}
			}
	}

	/** A pixel without weight gets the mean of those with weight in its channel, whatever its value. */
	@Test
	void pixelsWithoutWeightHaveTheMeanOfTheOthers() {
		final int w = 9, h = 8, channels = 2;
		final double[] values = random(channels * w * h), weights = new double[w * h], filled = values.clone();
		for (int i = 0; i < weights.length; i++) weights[i] = i % w < 2 && i / w < 5 || i == 40 ? 0 : 1;
		for (int c = 0; c < channels; c++) {
			double sum = 0, count = 0;
			for (int i = 0; i < w * h; i++) if (weights[i] > 0) {
				values[c * w * h + i] += 3 + 5 * c;
				sum += values[c * w * h + i];
				count++;
			}
			for (int i = 0; i < w * h; i++) {
				filled[c * w * h + i] = weights[i] > 0 ? values[c * w * h + i] : sum / count;
				if (weights[i] == 0) values[c * w * h + i] = 1000;
			}
		}
		final Pose pose = Pose.of(33, 1.3, false);
		final PoseFamily family = PoseSet.of(List.of(template(values, weights, channels, w, h)), List.of(pose), PoseSupport.WHOLE, 0).families().get(0);
		final int n = family.support.pixels().length;
		final double a = Math.toRadians(33);
		final double[] expected = new double[channels * n];
		for (int c = 0; c < channels; c++) {
			final TemplateSpline spline = new TemplateSpline(Arrays.copyOfRange(filled, c * w * h, (c + 1) * w * h), new int[] { w, h }, 1);
			double mean = 0;
			for (int i = 0; i < n; i++) {
				final double[] u = new double[2];
				family.support.offset(family.support.pixels()[i], u);
				final double[] v = { (Math.cos(a) * u[0] - Math.sin(a) * u[1]) / 1.3, (Math.sin(a) * u[0] + Math.cos(a) * u[1]) / 1.3 };
				expected[c * n + i] = spline.at(v, null);
				mean += expected[c * n + i] / n;
			}
			for (int i = 0; i < n; i++) expected[c * n + i] -= mean;
		}
		final double norm = Math.sqrt(Arrays.stream(expected).map(v -> v * v).sum());
		for (int i = 0; i < expected.length; i++) assertEquals(expected[i] / norm, family.members.values()[0][i], 1e-6, "value " + i);
	}

	/** Turns of 90 degrees about the fixed axes z, then x, then z, composed by hand: about z, x goes to y and y to -x; about x, y goes to z and z to -y. */
	@Test
	void eulerAnglesTurnAboutZThenXThenZ() {
		final String[] angles = { "90 0 0", "90 90 0", "90 90 90", "0 90 90", "0 90 0" };
		// where x, y and z go
		final double[][][] to = { { { 0, 1, 0 }, { -1, 0, 0 }, { 0, 0, 1 } }, { { 0, 0, 1 }, { -1, 0, 0 }, { 0, -1, 0 } },
			{ { 0, 0, 1 }, { 0, -1, 0 }, { 1, 0, 0 } }, { { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }, { { 1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } } };
		for (int k = 0; k < angles.length; k++) {
			final Pose pose = Pose.of(PoseText.rotations("angles", List.of(angles[k])).get(0), 1, false);
			for (int axis = 0; axis < 3; axis++)
				for (int d = 0; d < 3; d++) assertEquals(to[k][axis][d], pose.toImage()[d][axis], 1e-12, angles[k] + ": axis " + axis + ", coordinate " + d);
			// a bright pixel of the template, two pixels from the centre along each axis, lies in the image where the axis points
			for (int axis = 0; axis < 3; axis++) {
				final double[] values = new double[729];
				final int[] at = { 4, 4, 4 };
				at[axis] += 2;
				values[(at[2] * 9 + at[1]) * 9 + at[0]] = 1;
				final PoseFamily family = PoseSet.of(List.of(template(values, null, 1, 9, 9, 9)), List.of(pose), PoseSupport.DISK, 0).families().get(0);
				int best = 0;
				for (int i = 0; i < family.members.length(); i++) if (family.members.values()[0][i] > family.members.values()[0][best]) best = i;
				final double[] offset = new double[3], expected = new double[3];
				family.support.offset(family.support.pixels()[best], offset);
				for (int d = 0; d < 3; d++) expected[d] = 2 * to[k][axis][d];
				assertArrayEquals(expected, offset, 1e-9, angles[k] + ": axis " + axis);
			}
		}
	}

	/** The angle of the whole rotation: two quarter turns about different axes are a third of a turn about a diagonal. */
	@Test
	void twoQuarterTurnsAreAThirdOfATurn() {
		final List<Double> found = new ArrayList<>();
		for (final double[] e : new double[][] { { 90, 90, 0 }, { 0, 90, 90 }, { 30, 0, 20 }, { 0, 75, 0 } })
			found.add(Pose.of(PoseGrid.euler(e[0], e[1], e[2]), 1, false).angle());
		assertArrayEquals(new double[] { 120, 120, 50, 75 }, found.stream().mapToDouble(Double::doubleValue).toArray(), 1e-9);
	}
}
