package sc.fiji.ncc.cpu.deform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.deform.SumLayout;
import sc.fiji.ncc.plan.support.Parallel;

/** Sums of cells against sums over pixels in the order of {@link SumLayout}, and deformed frames of a plane of brightness, which stays one. */
class CellSumsTest {

	/** Extents, cuts along each dimension, and the share of missing pixels of the reference and of the other frame. */
	private record Case(int[] size, int[][] cuts, double missing, double missingOther) {

		int index(final int pixel, final int d) {
			return pixel / stride(d) % size[d];
		}

		private int stride(final int d) {
			int stride = 1;
			for (int e = 0; e < d; e++) stride *= size[e];
			return stride;
		}

		/** The cell of a pixel, -1 beyond the last one. */
		int cell(final int pixel) {
			int cell = 0;
			for (int d = size.length - 1; d >= 0; d--) {
				final int at = index(pixel, d), cells = cuts[d].length - 1;
				if (at >= cuts[d][cells]) return -1;
				cell *= cells;
				while (cuts[d][cell % cells + 1] <= at) cell++;
			}
			return cell;
		}

		int cells() {
			return Arrays.stream(cuts).mapToInt(c -> c.length - 1).reduce(1, (a, b) -> a * b);
		}

		/** Central differences over five pixels, or three beside the border; NaN at the border. */
		double difference(final float[] v, final int pixel, final int d) {
			final int at = index(pixel, d), end = size[d] - 1, stride = stride(d);
			if (at == 0 || at == end) return Double.NaN;
			final double near = (double) v[pixel + stride] - v[pixel - stride];
			if (at == 1 || at == end - 1) return near / 2;
			return (8 * near - ((double) v[pixel + 2 * stride] - v[pixel - 2 * stride])) / 12;
		}

		/** The terms of a pixel; null if it is missing. */
		double[] terms(final float[] reference, final float[] other, final int pixel, final boolean exact) {
			final int n = size.length;
			final SumLayout layout = new SumLayout(n);
			final double r = reference[pixel], f = other[pixel];
			final double[] g = IntStream.range(0, n).mapToDouble(d -> difference(reference, pixel, d)).toArray(),
				s = IntStream.range(0, n).mapToDouble(d -> exact ? difference(other, pixel, d) : 0).toArray();
			final double w = Arrays.stream(g).map(v -> v * v).sum();
			if (!Double.isFinite(r + f + w + Arrays.stream(s).sum())) return null;
			final double[] plain = { 1, r, f, r * r, f * f, r * f }, terms = new double[layout.count];
			for (int i = 0; i < plain.length; i++) {
				terms[i] = plain[i];
				terms[plain.length + i] = w * plain[i];
			}
			for (int d = 0; d < n; d++) {
				System.arraycopy(new double[] { g[d], g[d] * r, g[d] * f, s[d], s[d] * r }, 0, terms, layout.gradient(d), 5);
				for (int e = 0; e < n; e++) {
					terms[layout.gradients(d, e)] = g[d] * g[e];
					terms[layout.gradients(d, e) + 1] = g[d] * s[e];
				}
				terms[layout.places + d] = w * index(pixel, d);
			}
			return terms;
		}
	}

	private static Stream<Case> cases() {
		final int[] many = IntStream.rangeClosed(0, 22).map(i -> 17 * i).toArray(), few = { 0, 5, 14, 20 };
		return Stream.of(0., 0.002, 0.2).flatMap(missing -> Stream.of(0., 0.002, 1.).flatMap(other -> Stream.of(
			new Case(new int[] { 380, 23 }, new int[][] { many, few }, missing, other),
			new Case(new int[] { 21, 40 }, new int[][] { few, { 0, 1, 2, 3, 39, 40 } }, missing, other),
			new Case(new int[] { 6, 9 }, new int[][] { { 0, 1, 2, 3, 4, 5, 6 }, { 0, 2, 9 } }, missing, other),
			new Case(new int[] { 3, 70 }, new int[][] { { 0, 3 }, { 0, 70 } }, missing, other),
			new Case(new int[] { 22, 15, 17 }, new int[][] { few, { 0, 6, 14 }, { 0, 5, 16 } }, missing, other))));
	}

	private static float[] values(final Random random, final int pixels, final double missing) {
		final float[] values = new float[pixels];
		for (int i = 0; i < pixels; i++) values[i] = random.nextDouble() >= missing ? 3 + (float) random.nextGaussian()
			: random.nextBoolean() ? Float.NaN : Float.POSITIVE_INFINITY;
		return values;
	}

	@ParameterizedTest
	@MethodSource("cases")
	void sumsOfCellsAreThoseOfTheirPixels(final Case c) {
		final Random random = new Random(5);
		final int pixels = Arrays.stream(c.size).reduce(1, (a, b) -> a * b);
		final float[] fixed = values(random, pixels, c.missing);
		// slopes and weights that a quick step does not need
		final SumLayout layout = new SumLayout(c.size.length);
		final boolean[] unused = new boolean[layout.count];
		for (final int i : new int[] { SumLayout.F, SumLayout.FF, SumLayout.RF }) unused[SumLayout.PLAIN + i] = true;
		for (int d = 0; d < layout.n; d++) {
			unused[layout.gradient(d) + 3] = unused[layout.gradient(d) + 4] = true;
			for (int e = 0; e < layout.n; e++) unused[layout.gradients(d, e) + 1] = true;
		}
		try (Parallel parallel = new Parallel(2)) {
			final CellSums sums = new CellSums(c.size, c.cuts, parallel);
			for (final boolean several : new boolean[] { false, true }) {
				final CellSums.Reference reference = sums.reference(fixed, several);
				for (final boolean exact : new boolean[] { true, false }) {
					final float[] moving = values(random, pixels, c.missingOther);
					final double[][] expected = new double[c.cells()][layout.count], sizes = new double[c.cells()][layout.count],
						found = sums.sums(reference, moving, exact, null);
					for (int p = 0; p < pixels; p++) {
						final double[] terms = c.cell(p) < 0 ? null : c.terms(fixed, moving, p, exact);
						for (int i = 0; terms != null && i < terms.length; i++) {
							expected[c.cell(p)][i] += terms[i];
							sizes[c.cell(p)][i] += Math.abs(terms[i]);
						}
					}
					assertEquals(expected.length, found.length);
					for (int cell = 0; cell < found.length; cell++) for (int i = 0; i < layout.count; i++)
						if (exact || !unused[i]) assertEquals(expected[cell][i], found[cell][i], 1e-5 * sizes[cell][i], "cell " + cell + ", sum " + i
							+ (several ? ", kept" : "") + (exact ? ", exact" : ""));
				}
			}
		}
	}

	/** Means over boxes, splines and a linear motion keep a plane of brightness. Its cells have the sums of the deformed frame. */
	@Test
	void aPlaneOfBrightnessStaysOneAtAllLevels() {
		final Deformations problem = new Deformations(Size.of(200, 150), Size.of(64, 35), 2);
		final int width = 200, height = 150;
		final float[] plane = new float[width * height], other = new float[width * height];
		for (int i = 0; i < plane.length; i++) plane[i] = 0.1f * (i % width) - 0.2f * (i / width) + 3;
		final List<Level> levels = Level.of(problem);
		final int[] count = levels.get(0).count();
		final double[][] motion = new double[2][count[0] * count[1]];
		for (int i = 0; i < motion[0].length; i++) {
			motion[0][i] = 2.3 + 0.01 * 32 * (i % count[0]);
			motion[1][i] = -1.6 - 0.02 * 17 * (i / count[0]);
		}
		try (DeformedCells cells = new DeformedCells(problem, 2)) {
			for (final boolean coarse : new boolean[] { true, false, true }) {
				cells.frame(other.clone(), true);
				cells.deformed(0, motion);
				cells.frame(plane.clone(), coarse);
				for (int l = coarse ? 0 : levels.size() - 2; l < levels.size() - (coarse ? 0 : 1); l++) deformedPlane(cells, levels, l, motion);
			}
		}
	}

	private static void deformedPlane(final DeformedCells cells, final List<Level> levels, final int l, final double[][] motion) {
		final Level level = levels.get(l);
		final int[] box = level.box(), frame = level.frame();
		final float[] deformed = cells.deformed(l, motion);
		final int across = (int) level.area().get(0);
		assertEquals(level.area().pixels(), deformed.length);
		int inside = 0;
		for (int i = 0; i < deformed.length; i++) {
			// the centre of a box in pixels of the area, then of the frame
			final double x = (i % across + 0.5) * box[0] - 0.5, y = (i / across + 0.5) * box[1] - 0.5;
			final double atX = x - 32 + 2.3 + 0.01 * (x - 31.5), atY = y - 17 - 1.6 - 0.02 * (y - 17);
			final double boxX = (atX + 0.5) / box[0] - 0.5, boxY = (atY + 0.5) / box[1] - 0.5;
			if (boxX < -0.6 || boxY < -0.6 || boxX > frame[0] - 0.4 || boxY > frame[1] - 0.4) assertTrue(Float.isNaN(deformed[i]), "outside");
			// the mirrored ends of a spline bend the plane
			if (boxX < 6 || boxY < 6 || boxX > frame[0] - 7 || boxY > frame[1] - 7) continue;
			assertEquals(0.1 * atX - 0.2 * atY + 3, deformed[i], 2e-2 / box[0], "level " + l + " at " + x + ", " + y);
			inside++;
		}
		assertTrue(inside > 40, "pixels inside: " + inside);
		if (l == levels.size() - 1) return;
		final float[][] values = levels.stream().map(v -> {
			final float[] ones = new float[(int) v.area().pixels()];
			Arrays.fill(ones, 1);
			return ones;
		}).toArray(float[][]::new);
		final double[][] sums = cells.sums(l, new DeformReference(values, l > 0), motion, false);
		final Case c = new Case(level.area().toIntArray(), level.cuts(), 0, 0);
		final double[] expected = new double[c.cells()];
		for (int i = 0; i < deformed.length; i++) if (c.cell(i) >= 0 && c.terms(values[l], deformed, i, false) != null) expected[c.cell(i)] += deformed[i];
		for (int i = 0; i < expected.length; i++) assertEquals(expected[i], sums[i][SumLayout.F], 1e-2, "level " + l + ", cell " + i);
	}
}
