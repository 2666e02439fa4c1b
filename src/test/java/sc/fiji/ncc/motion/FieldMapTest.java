package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Size;

/** Speed, divergence, vorticity and strains, against closed forms. */
class FieldMapTest {

	private static final WindowGrid PLANE = new WindowGrid(Size.of(70, 62), Size.of(16, 12), Size.of(9, 10)),
		VOLUME = new WindowGrid(Size.of(40, 44, 30), Size.of(10, 8, 6), Size.of(5, 7, 4));

	private static VectorField field(final WindowGrid grid, final UnaryOperator<double[]> motion) {
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < grid.windows(); i++) vectors.add(new MotionVector(grid.centre(i), motion.apply(grid.centre(i)), 0.9, 0.3,
			null, State.MEASURED));
		return new VectorField(grid, 0, 1, vectors, 0);
	}

	/** Motion that is linear in the position, with the given derivatives. */
	private static VectorField linear(final WindowGrid grid, final double[][] d) {
		return field(grid, at -> {
			final double[] u = new double[d.length];
			for (int i = 0; i < u.length; i++) {
				u[i] = i + 1;
				for (int j = 0; j < u.length; j++) u[i] += d[i][j] * at[j];
			}
			return u;
		});
	}

	private static void all(final double expected, final FieldMap map, final VectorField field) {
		for (final double v : map.of(field)) assertEquals(expected, v, 1e-12, map + " of " + field);
	}

	/** Differences are exact, at the border, too. */
	@Test
	void linearMotionHasTheSameDerivativesEverywhere() {
		final VectorField plane = linear(PLANE, new double[][] { { 0.03, -0.05 }, { 0.02, 0.07 } });
		all(0.1, FieldMap.DIVERGENCE, plane);
		all(0.07, FieldMap.VORTICITY, plane);
		all(0.03, FieldMap.STRAIN_XX, plane);
		all(0.07, FieldMap.STRAIN_YY, plane);
		all(-0.015, FieldMap.STRAIN_XY, plane);
		final VectorField volume = linear(VOLUME, new double[][] { { 0.01, 0.02, 0.03 }, { 0.05, 0.07, 0.11 }, { 0.13, 0.17, 0.19 } });
		all(0.27, FieldMap.DIVERGENCE, volume);
		all(Math.sqrt(0.03 * 0.03 + 0.06 * 0.06 + 0.1 * 0.1), FieldMap.VORTICITY, volume);
		all(0.19, FieldMap.STRAIN_ZZ, volume);
		all(0.035, FieldMap.STRAIN_XY, volume);
		all(0.08, FieldMap.STRAIN_XZ, volume);
		all(0.14, FieldMap.STRAIN_YZ, volume);
	}

	/** A rotation by a small angle has twice the angle as vorticity, turns x towards y, and has no strain. */
	@Test
	void aRotationHasNoStrain() {
		final VectorField turned = field(PLANE, at -> new double[] { -0.01 * (at[1] - 30), 0.01 * (at[0] - 35) });
		all(0.02, FieldMap.VORTICITY, turned);
		for (final FieldMap map : List.of(FieldMap.DIVERGENCE, FieldMap.STRAIN_XX, FieldMap.STRAIN_YY, FieldMap.STRAIN_XY)) all(0, map,
			turned);
		final double[] speed = FieldMap.SPEED.of(turned);
		for (int i = 0; i < speed.length; i++) assertEquals(0.01 * Math.hypot(PLANE.centre(i)[0] - 35, PLANE.centre(i)[1] - 30), speed[i],
			1e-12);
	}

	/** The difference of the neighbours on both sides, in a field that is not linear. */
	@Test
	void derivativesAreCentralDifferences() {
		final double[] found = FieldMap.STRAIN_XX.of(field(PLANE, at -> new double[] { at[0] * at[0], 0 }));
		// 2x inside; at the ends the mean of both windows
		for (int i = 0; i < found.length; i++) {
			final int x = i % 7;
			assertEquals(2 * PLANE.centre(i)[0] + (x == 0 ? 9 : x == 6 ? -9 : 0), found[i], 1e-10, "window " + i);
		}
	}

	/** Beside unknown motion the other side counts. Without a neighbour the derivative is unknown, but not the speed. */
	@Test
	void unknownMotion() {
		final VectorField all = linear(PLANE, new double[][] { { 0.03, 0 }, { 0, 0.07 } });
		final List<MotionVector> vectors = new ArrayList<>(all.vectors());
		// windows 1 and 7 are the neighbours of window 0; 17 and 19 those of 18, and 19 that of 20, along x
		for (final int i : new int[] { 1, 7, 17, 19 }) vectors.set(i, new MotionVector(PLANE.centre(i), new double[] { Double.NaN,
			Double.NaN }, Double.NaN, Double.NaN,
			null, State.MISSING));
		final VectorField holed = new VectorField(PLANE, 0, 1, vectors, 0);
		final double[] along = FieldMap.STRAIN_XX.of(holed), down = FieldMap.STRAIN_YY.of(holed), speed = FieldMap.SPEED.of(holed);
		for (int i = 0; i < along.length; i++) {
			final boolean missing = i == 1 || i == 7 || i == 17 || i == 19;
			assertEquals(missing, Double.isNaN(speed[i]), "speed of window " + i);
			assertEquals(missing || i == 0 || i == 18 || i == 20 ? Double.NaN : 0.03, along[i], 1e-12, "window " + i);
			assertEquals(missing || i == 0 ? Double.NaN : 0.07, down[i], 1e-12, "window " + i);
		}
	}

	@Test
	void theImageHasAChannelForEachMap() {
		final VectorField first = linear(PLANE, new double[][] { { 0.03, -0.05 }, { 0.02, 0.07 } }),
			second = field(PLANE, at -> new double[] { 3, 4 });
		final Img<FloatType> image = new MotionFields(List.of(first, second), Report.NONE, List.of(), 0).derived();
		assertArrayEquals(new long[] { 7, 6, 6, 2 }, image.dimensionsAsLongArray());
		final double[] expected = { 0, 0.1, 0.07, 0.03, 0.07, -0.015 };
		for (int m = 1; m < 6; m++) assertEquals(expected[m], image.getAt(3, 2, m, 0).getRealDouble(), 1e-7);
		assertEquals(FieldMap.SPEED.of(first)[17], image.getAt(3, 2, 0, 0).getRealDouble(), 1e-6);
		assertEquals(5, image.getAt(6, 5, 0, 1).getRealDouble());
		assertEquals("[speed, divergence, vorticity, strain-xx, strain-yy, strain-xy]", FieldMap.of(2).toString());
		assertEquals("[speed, divergence, vorticity, strain-xx, strain-yy, strain-xy, strain-zz, strain-xz, strain-yz]",
			FieldMap.of(3).toString());
		assertEquals("a field of 2 dimensions has no map strain-xz",
			assertThrows(IllegalArgumentException.class, () -> FieldMap.STRAIN_XZ.of(first)).getMessage());
	}
}
