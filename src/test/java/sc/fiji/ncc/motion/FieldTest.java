package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.image.DeformedFrame;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.support.Parallel;

/** The parts of a measurement of motion: grids, dense fields, deformed frames, validation, smoothing, files. */
class FieldTest {

	private static final WindowGrid GRID = new WindowGrid(Size.of(70, 62), Size.of(16, 12), Size.of(9, 10));

	private static VectorField field(final double... u) {
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < GRID.windows(); i++) vectors.add(new MotionVector(GRID.centre(i), new double[] { u[0], u[1] }, 0.9, 0.3,
			new double[][] { { 0.01, 0 }, { 0, 0.04 } }, State.MEASURED));
		return new VectorField(GRID, 0, 1, vectors, 0);
	}

	@Test
	void windowsLieInsideTheFrame() {
		assertArrayEquals(new int[] { 7, 6 }, GRID.count());
		assertArrayEquals(new double[] { 7.5, 5.5 }, GRID.centre(0));
		assertArrayEquals(new long[] { 54, 50 }, GRID.first(41));
		assertArrayEquals(new int[] { 1, 7, 8 }, GRID.neighbours(0));
		assertEquals(8, GRID.neighbours(9).length);
		assertEquals("32x24", GRID.coarse().window().toString());
		assertEquals("70x62", GRID.coarse().coarse().coarse().window().toString());
		assertThrows(IllegalArgumentException.class, () -> new WindowGrid(Size.of(10, 20), Size.of(16, 12), Size.of(1, 1)));
	}

	/** A spline through values of a plane is the plane, also outside the outermost windows. */
	@Test
	void theSplineOfAGridIsLinearWhereTheVectorsAre() {
		final double[][] values = new double[1][GRID.windows()];
		for (int i = 0; i < values[0].length; i++) values[0][i] = 2 + 0.3 * GRID.centre(i)[0] - 0.2 * GRID.centre(i)[1];
		final GridSpline field = GRID.spline(values);
		final double[] row = new double[70];
		for (int y = 5; y < 56; y++) {
			field.row(0, new double[] { 0, y }, row);
			for (int x = 12; x < 56; x++) {
				assertEquals(row[x], field.at(new double[] { x, y })[0], 1e-12);
				if (y > 15 && y < 46) assertEquals(2 + 0.3 * x - 0.2 * y, row[x], 0.02, x + "," + y);
			}
		}
		for (int i = 0; i < values[0].length; i++) assertEquals(values[0][i], field.at(GRID.centre(i))[0], 1e-9);
	}

	/** In one, two and three dimensions, also along one with a single node. */
	@Test
	void theSplineOfAGridPassesThroughItsVectors() {
		final Random random = new Random(6);
		for (final int[] count : new int[][] { { 9 }, { 4, 7 }, { 5, 1 }, { 3, 6, 4 }, { 1, 2, 5 } }) {
			final int n = count.length, all = Arrays.stream(count).reduce(1, (a, b) -> a * b);
			final double[] origin = random.doubles(n).toArray(), spacing = random.doubles(n, 2, 5).toArray();
			final double[][] vectors = { random.doubles(all).toArray(), random.doubles(all).toArray() };
			final GridSpline field = new GridSpline(count, origin, spacing, vectors);
			for (int i = 0; i < all; i++) {
				final double[] at = new double[n];
				for (int d = 0, rest = i; d < n; rest /= count[d++]) at[d] = origin[d] + rest % count[d] * spacing[d];
				assertArrayEquals(new double[] { vectors[0][i], vectors[1][i] }, field.at(at), 1e-12,
					Arrays.toString(count) + ", vector " + i);
			}
		}
	}

	private static FrameSpline spline(final ImagePixels image, final boolean cubic, final Parallel parallel) {
		return cubic ? FrameSpline.cubic(FrameSpline.values(image, parallel), new int[] { 70, 62 }, parallel)
			: new FrameSpline(image, parallel);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aDeformedFrameShowsTheContentAtItsNewPlace(final boolean cubic) {
		final float[] pixels = new float[70 * 62];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) wave(i % 70, i / 70);
		final double[][] motion = new double[2][GRID.windows()];
		Arrays.fill(motion[0], 1.5);
		Arrays.fill(motion[1], -0.75);
		final int[] whole = { 70, 62 };
		try (Parallel parallel = new Parallel(2)) {
			final float[] moved = new DeformedFrame(spline(ImagePixels.of(ArrayImgs.floats(pixels, 70, 62)), cubic, parallel),
				parallel).by(GRID.spline(motion), whole, new float[pixels.length]);
			double mean = 0;
			for (final float p : pixels) mean += p / pixels.length;
			for (int y = 0; y < 62; y++) for (int x = 0; x < 70; x++) {
				final float value = moved[70 * y + x];
				assertEquals(x + 1.5 > 69.5 || y - 0.75 < -0.5, Float.isNaN(value), x + "," + y);
				if (x > 4 && x < 64 && y > 5 && y < 58) assertEquals(wave(x + 1.5, y - 0.75) - mean, value, 0.05, x + "," + y);
			}
			// a missing pixel has an effect on those beside it only
			pixels[30 * 70 + 40] = Float.NaN;
			final ImagePixels masked = new MissingPixels(null, NaNs.MISSING).in(ArrayImgs.floats(pixels, 70, 62), 0);
			int missing = 0;
			final DeformedFrame holed = new DeformedFrame(spline(masked, cubic, parallel), parallel);
			for (final float t : holed.by(GRID.spline(new double[2][GRID.windows()]), whole, new float[pixels.length]))
				if (Float.isNaN(t)) missing++;
			assertTrue(missing >= 1 && missing <= 5, "missing " + missing);
			// between four pixels, each of them counts
			final double[][] diagonal = new double[2][GRID.windows()];
			for (final double[] component : diagonal) Arrays.fill(component, 0.4);
			missing = 0;
			for (final float t : holed.by(GRID.spline(diagonal), whole,
				new float[pixels.length])) if (Float.isNaN(t)) missing++;
			assertEquals(4, missing);
		}
	}

	private static double wave(final double x, final double y) {
		return 100 + 10 * Math.sin(0.5 * x) * Math.cos(0.4 * y);
	}

	/** Beside equal neighbours, a distance of the greatest residual times 0.1 pixels. */
	@ParameterizedTest
	@ValueSource(doubles = { 0.99, 1.01 })
	void theMedianTestHasALimit(final double share) {
		final FieldValidation validation = new FieldValidation(GRID, MotionSettings.Validation.DEFAULT, new Parallel(1));
		final List<MotionVector> vectors = new ArrayList<>(field(1, 2).vectors());
		vectors.replaceAll(v -> v.with(v.motion(), null, State.MEASURED));
		vectors.set(9, vectors.get(9).with(new double[] { 1, 2 + share * 0.1 * MotionSettings.Validation.DEFAULT.maxResidual() },
			null, State.MEASURED));
		final List<MotionVector> checked = validation.validated(vectors, true, i -> null);
		for (int i = 0; i < checked.size(); i++) assertEquals(i == 9 && share > 1 ? State.REJECTED : State.MEASURED,
			checked.get(i).state(), "window " + i);
	}

	@Test
	void theMedianTestRejectsOutliersAndAllowsForErrors() {
		final FieldValidation validation = new FieldValidation(GRID, MotionSettings.Validation.DEFAULT, new Parallel(1));
		final List<MotionVector> vectors = new ArrayList<>(field(1, 2).vectors());
		vectors.set(9, vectors.get(9).with(new double[] { 1, 5 }, null, State.MEASURED));
		// the same distance, but the vector is uncertain
		vectors.set(25, vectors.get(25).with(new double[] { 1, 5 }, new double[][] { { 4, 0 }, { 0, 4 } }, State.MEASURED));
		final List<MotionVector> checked = validation.validated(vectors, true, i -> null);
		for (int i = 0; i < checked.size(); i++) assertEquals(i == 9 ? State.REJECTED : State.MEASURED,
			checked.get(i).state(), "window " + i);
		final MotionVector replaced = validation.replaced(checked).get(9);
		assertEquals(State.REPLACED, replaced.state());
		assertArrayEquals(new double[] { 1, 2 }, replaced.motion(), 1e-12);
		// a second peak that fits is better than the mean of the neighbours
		final List<MotionVector> second = validation.validated(vectors, true,
			i -> vectors.get(i).with(new double[] { 1.1, 2.1 }, null, State.SECOND));
		assertEquals(State.SECOND, second.get(9).state());
		assertTrue(second.get(9).isValid());
	}

	@Test
	void lowScoresAndRatiosAreRejected() {
		final List<MotionVector> vectors = new ArrayList<>(field(1, 2).vectors());
		vectors.set(3, new MotionVector(GRID.centre(3), new double[] { 1, 2 }, 0.1, 0.05, null, State.MEASURED));
		vectors.set(4, new MotionVector(GRID.centre(4), new double[] { 1, 2 }, 0.9, 0.89, null, State.MEASURED));
		final FieldValidation validation = new FieldValidation(GRID,
			new MotionSettings.Validation(0.2, 1.1, Double.NaN, 3, false), new Parallel(1));
		assertEquals(List.of(3, 4), rejected(validation.validated(vectors, true, i -> null)));
		// later passes have few shifts, and second peaks say little
		assertEquals(List.of(3), rejected(validation.validated(vectors, false, i -> null)));
		assertEquals(Double.NaN, MotionVector.without(new double[2], MotionVector.State.MISSING).ratio());
		assertEquals(Double.POSITIVE_INFINITY, new MotionVector(new double[2], new double[2], 0.9, -0.1, null, State.MEASURED).ratio());
	}

	private static double median(final double[] values) {
		final double[] sorted = Arrays.stream(values).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	/** Of the median test by its definition: distance over spread of the neighbours, and the errors of the vector and of its neighbours. */
	private static double residual(final List<MotionVector> all, final int window) {
		final List<MotionVector> beside = Arrays.stream(GRID.neighbours(window)).mapToObj(all::get).filter(MotionVector::isValid).toList();
		final MotionVector v = all.get(window);
		double largest = 0;
		for (int d = 0; d < 2 && beside.size() >= 3; d++) {
			final int along = d;
			final double middle = median(beside.stream().mapToDouble(b -> b.motion()[along]).toArray());
			largest = Math.max(largest, Math.abs(v.motion()[d] - middle)
				/ (median(beside.stream().mapToDouble(b -> Math.abs(b.motion()[along] - middle)).toArray())
				+ Math.sqrt(0.01 + variance(v, d) + median(beside.stream().mapToDouble(b -> variance(b, along)).toArray()))));
		}
		return largest;
	}

	private static double variance(final MotionVector v, final int d) {
		return v.covariance() == null ? 0 : v.covariance()[d][d];
	}

	/** Random vectors and errors, some of them missing. A second peak counts if it fits, and if neither peak can be chance. */
	@Test
	void theMedianTestFollowsItsDefinition() {
		final Random random = new Random(11);
		final MotionSettings.Validation settings = new MotionSettings.Validation(0.2, 1.1, 0.5, 2, true);
		final FieldValidation validation = new FieldValidation(GRID, settings, new Parallel(2));
		int outliers = 0, seconds = 0;
		for (int trial = 0; trial < 30; trial++) {
			final List<MotionVector> vectors = new ArrayList<>(), others = new ArrayList<>();
			for (int i = 0; i < GRID.windows(); i++) {
				final double a = 0.3 * random.nextDouble(), b = 0.3 * random.nextDouble();
				final double[][] covariance = random.nextInt(3) == 0 ? null : new double[][] { { a * a, 0 }, { 0, b * b } };
				vectors.add(random.nextDouble() < 0.3 ? MotionVector.without(GRID.centre(i), State.MISSING)
					: new MotionVector(GRID.centre(i), new double[] { random.nextGaussian(), random.nextGaussian() }, 0.9,
					random.nextDouble() < 0.5 ? 0.1 : 0.3, covariance, random.nextDouble() < 0.1 ? 0.7 : 0.2, State.MEASURED));
				others.add(vectors.get(i).with(new double[] { random.nextGaussian(), random.nextGaussian() }, null, State.SECOND));
			}
			final List<MotionVector> unlikely = vectors.stream()
				.map(v -> v.falseAlarms() > 0.5 ? v.with(v.motion(), v.covariance(), State.REJECTED) : v).toList();
			final List<MotionVector> expected = new ArrayList<>(unlikely);
			for (int i = 0; i < expected.size(); i++) if (unlikely.get(i).isValid() && residual(unlikely, i) > 2) {
				final MotionVector v = unlikely.get(i);
				expected.set(i, v.with(v.motion(), v.covariance(), State.REJECTED));
				outliers++;
			}
			final List<MotionVector> near = List.copyOf(expected);
			for (int i = 0; i < near.size(); i++) {
				if (near.get(i).state() != State.REJECTED || near.get(i).runnerUp() < 0.2 || near.get(i).falseAlarms() > 0.5) continue;
				final List<MotionVector> with = new ArrayList<>(near);
				with.set(i, others.get(i));
				if (Arrays.stream(GRID.neighbours(i)).filter(k -> near.get(k).isValid()).count() < 3 || residual(with, i) > 2) continue;
				expected.set(i, others.get(i));
				seconds++;
			}
			final List<MotionVector> found = validation.validated(vectors, true, others::get);
			for (int i = 0; i < found.size(); i++) assertEquals(expected.get(i), found.get(i), "trial " + trial + ", window " + i);
		}
		assertTrue(outliers > 50 && seconds > 20, outliers + " outliers, " + seconds + " second peaks");
	}

	/** Limits belong to the valid side. */
	@Test
	void valuesAtTheLimitsAreValid() {
		final List<MotionVector> vectors = new ArrayList<>(field(1, 2).vectors());
		vectors.set(3, new MotionVector(GRID.centre(3), new double[] { 1, 2 }, 0.25, 0.125, null, 0.5, State.MEASURED));
		final MotionSettings.Validation at = new MotionSettings.Validation(0.25, 2, 0.5, 3, false);
		assertEquals(List.of(), rejected(new FieldValidation(GRID, at, new Parallel(1)).validated(vectors, true, i -> null)));
		for (final MotionSettings.Validation beyond : List.of(new MotionSettings.Validation(0.26, 2, 0.5, 3, false),
			new MotionSettings.Validation(0.25, 2.1, 0.5, 3, false), new MotionSettings.Validation(0.25, 2, 0.4, 3, false)))
			assertEquals(List.of(3), rejected(new FieldValidation(GRID, beyond, new Parallel(1)).validated(vectors, true, i -> null)));
	}

	/** The large windows of the first pass are those that hold the centre of a wanted one, or the nearest ones. */
	@Test
	void theFirstPassMeasuresWhatTheGridMaskNeeds() {
		for (final WindowGrid grid : List.of(GRID, new WindowGrid(Size.of(41, 43), Size.of(4, 5), Size.of(7, 2)))) for (int i =
			0; i < grid.windows(); i++) {
			final boolean[] wanted = new boolean[grid.windows()];
			wanted[i] = true;
			final WindowGrid coarse = grid.coarse();
			final boolean[] expected = new boolean[coarse.windows()];
			for (int k = 0; k < expected.length; k++) {
				expected[k] = true;
				for (int d = 0; d < 2; d++) {
					final double at = grid.centre(i)[d], window = coarse.window().get(d), spacing = coarse.spacing().get(d),
						last = (coarse.count()[d] - 1) * spacing;
					final boolean[] holds = new boolean[coarse.count()[d]];
					boolean any = false;
					for (int c = 0; c < holds.length; c++) any |= holds[c] = c * spacing <= at && at <= c * spacing + window - 1;
					// between two windows, that after the gap; beyond the last one, the last one
					if (!any) holds[at > last ? holds.length - 1 : (int) Math.ceil((at - window + 1) / spacing)] = true;
					expected[k] &= holds[coarse.place(k)[d]];
				}
			}
			assertArrayEquals(expected, GridMask.larger(grid, wanted), grid + ", window " + i);
		}
	}

	/** The smoothness counts for windows half a window apart: with half the distance along each dimension, its weight is that of 16 times as much. */
	@Test
	void theSmoothnessDoesNotDependOnTheSpacing() {
		final Parallel parallel = new Parallel(1);
		smoothness(1, parallel, 8, 8);
		smoothness(16, parallel, 4, 4);
		smoothness(1 / 16.0, parallel, 16, 16);
		smoothness(4, parallel, 4, 8);
		smoothness(1, parallel, 8, 8, 8);
		smoothness(16, parallel, 4, 4, 4);
	}

	private static void smoothness(final double factor, final Parallel parallel, final long... spacing) {
		final long[] frame = new long[spacing.length], window = new long[spacing.length];
		Arrays.fill(frame, spacing.length == 2 ? 80 : 32);
		Arrays.fill(window, 16);
		final WindowGrid grid = new WindowGrid(Size.of(frame), Size.of(window), Size.of(spacing));
		final double[][] values = { new Random(2).doubles(grid.windows()).toArray() };
		final double[] weights = new Random(3).doubles(grid.windows()).toArray();
		assertArrayEquals(new FieldSmoothing(grid.count(), parallel).smooth(values, weights, 0.3 * factor)[0],
			FieldPass.smooth(grid, values, weights, 0.3, parallel)[0], 1e-9);
	}

	/** A later pass searches a quarter of the maximum shift, at least 2 pixels, and never more than the maximum. */
	@Test
	void laterPassesSearchLess() {
		assertArrayEquals(new long[] { 0, 1, 2, 2, 3, 25 }, MotionRun.remaining(new long[] { 0, 1, 2, 8, 9, 100 }));
	}

	/** A linear motion is the same at the windows of each level, whose extents need no multiple of a box, and comes back to those of the frame. */
	@Test
	void levelsKeepALinearMotion() {
		for (final Size window : List.of(Size.of(64, 64), Size.of(67, 39), Size.of(24, 70))) {
			final Deformations problem = new Deformations(Size.of(230, 210), window, 1);
			final WindowGrid windows = new WindowGrid(problem.area(), window, problem.spacing());
			final double[][] motion = motion(windows, new int[] { 1, 1 });
			for (final Level l : Level.of(problem)) {
				final FrameLevel level = new FrameLevel(windows, l);
				assertArrayEquals(l.box(), level.box());
				final double[][] at = level.at(motion), expected = motion(level.grid(), l.box()),
					back = level.windows(level.grid(), expected);
				for (int d = 0; d < 2; d++) {
					assertArrayEquals(expected[d], at[d], 0.05 / l.box()[d], window + " in boxes");
					assertArrayEquals(motion[d], back[d], 0.05, window + " from boxes");
				}
			}
		}
	}

	/** At the centres of windows of boxes: the motion in boxes. */
	private static double[][] motion(final WindowGrid grid, final int[] box) {
		final double[][] motion = new double[2][grid.windows()];
		for (int i = 0; i < grid.windows(); i++) {
			final double x = (grid.centre(i)[0] + 0.5) * box[0] - 0.5, y = (grid.centre(i)[1] + 0.5) * box[1] - 0.5;
			motion[0][i] = (1 + 0.2 * x - 0.1 * y) / box[0];
			motion[1][i] = (-2 + 0.1 * x + 0.3 * y) / box[1];
		}
		return motion;
	}

	/** The weight of a vector is the median variance over its own, at most 1, also if no vector has a variance. */
	@Test
	void uncertainVectorsHaveLessWeight() {
		final List<MotionVector> vectors = new ArrayList<>();
		for (final double variance : new double[] { 4, 1, 2, 8, 0 }) vectors.add(new MotionVector(new double[2], new double[2], 0.9, 0.1,
			new double[][] { { variance, 9 }, { 9, variance } }, State.MEASURED));
		vectors.add(vectors.get(0).with(new double[2], null, State.MEASURED));
		vectors.add(vectors.get(0).with(new double[2], vectors.get(0).covariance(), State.REJECTED));
		assertArrayEquals(new double[] { 0.5, 1, 1, 0.25, 1, 1, 0 }, FieldPass.weights(vectors));
		assertArrayEquals(new double[] { 1, 1 }, FieldPass.weights(List.of(vectors.get(4), vectors.get(4))));
		assertArrayEquals(new double[] { 1, 0, 1, 0.4 },
			FieldSmoothing.weights(new double[][] { { 1, 1, 3, 8 }, { 1, Double.NaN, 1, 2 } }));
	}

	private static List<Integer> rejected(final List<MotionVector> vectors) {
		final List<Integer> found = new ArrayList<>();
		for (int i = 0; i < vectors.size(); i++) if (vectors.get(i).state() == State.REJECTED) found.add(i);
		return found;
	}

	/** A field of one vector fills all others; without one nothing can be filled. */
	@Test
	void allVectorsAreFilledFromOne() {
		final FieldValidation validation = new FieldValidation(GRID, MotionSettings.Validation.DEFAULT, new Parallel(1));
		final List<MotionVector> none = new ArrayList<>();
		for (int i = 0; i < GRID.windows(); i++) none.add(MotionVector.without(GRID.centre(i), MotionVector.State.MISSING));
		assertEquals(none, validation.replaced(none));
		none.set(17, field(3, 4).vectors().get(17));
		for (final MotionVector v : validation.replaced(none)) assertArrayEquals(new double[] { 3, 4 }, v.motion(), 1e-12);
	}

	/** The order of the windows does not count: from two opposite columns, the others are filled symmetrically. */
	@Test
	void vectorsAreFilledFromAllSides() {
		final List<MotionVector> vectors = new ArrayList<>();
		for (int i = 0; i < GRID.windows(); i++) vectors.add(i % 7 == 0 ? field(-1, 0).vectors().get(i) : i % 7 == 6
			? field(1, 0).vectors().get(i) : MotionVector.without(GRID.centre(i), State.MISSING));
		final List<MotionVector> filled = new FieldValidation(GRID, MotionSettings.Validation.DEFAULT, new Parallel(1)).replaced(vectors);
		for (int i = 0; i < GRID.windows(); i++) assertEquals(-filled.get(i / 7 * 7 + 6 - i % 7).motion()[0], filled.get(i).motion()[0],
			1e-12, "window " + i);
	}

	/** The result makes the gradient of the least squares zero, also on a grid for which the matrix has a wide band. */
	@Test
	void smoothingSolvesTheLeastSquares() {
		for (final int[] size : new int[][] { { 12, 9 }, { 5, 30 }, { 9, 8, 10 } }) {
			final int count = Arrays.stream(size).reduce(1, (a, b) -> a * b);
			final double[] y = new double[count], weights = new double[count];
			final Random random = new Random(5);
			for (int i = 0; i < count; i++) {
				y[i] = random.nextGaussian();
				weights[i] = i % 5 == 0 ? 0 : random.nextDouble();
			}
			try (Parallel parallel = new Parallel(1)) {
				final double[] z = new FieldSmoothing(size, parallel).smooth(new double[][] { y }, weights, 0.7)[0],
					twice = laplacian(laplacian(z, size), size);
				for (int i = 0; i < count; i++) assertEquals(0, weights[i] * (z[i] - y[i]) + 0.7 * twice[i], 1e-3,
					Arrays.toString(size) + " " + i);
			}
		}
	}

	/**
	 * The parameter is the largest one of 64 to a range of 12 decades at which the median residual of each component is at most 1.5 times that of its errors.
	 * If no residual is too large it is the last one, and if all are, the first one. A component without noise does not hide the other one.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 1e-9, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 1e3 })
	void theFieldIsAsSmoothAsTheErrorsAllow(final double error) {
		final int[] size = { 12, 9 };
		final int count = size[0] * size[1];
		final Random random = new Random(8);
		final double[][] values = new double[2][count], variances = new double[2][count];
		for (int i = 0; i < count; i++) {
			values[0][i] = 3;
			values[1][i] = Math.sin(0.4 * (i % 12)) * Math.cos(0.3 * (i / 12)) + 0.05 * random.nextGaussian();
			variances[0][i] = variances[1][i] = i % 8 == 0 ? Double.NaN : error * error * (0.5 + random.nextDouble());
		}
		try (Parallel parallel = new Parallel(1)) {
			final FieldSmoothing smoothing = new FieldSmoothing(size, parallel);
			final double found = Math.log10(smoothing.within(values, variances)), step = 12 / 64.0;
			assertEquals(Math.rint((found + 6) / step), (found + 6) / step, 1e-9);
			for (double logarithm = -6; logarithm < 5.9; logarithm += step) {
				final double[] smooth = smoothing.smoother(FieldSmoothing.weights(variances), Math.pow(10, logarithm))
					.smooth(values, values)[1];
				final double[] residuals = IntStream.range(0, count).filter(i -> i % 8 != 0)
					.mapToDouble(i -> Math.pow(values[1][i] - smooth[i], 2) / variances[1][i]).sorted().toArray();
				final boolean within = residuals[residuals.length / 2] <= 0.4549 * 1.5;
				assertEquals(within || logarithm < -5.9, logarithm < found + step / 2, "at " + logarithm + " of " + found);
			}
		}
	}

	private static double[] laplacian(final double[] values, final int[] size) {
		final double[] result = new double[values.length];
		for (int i = 0; i < values.length; i++)
			for (int d = 0, stride = 1; d < size.length; stride *= size[d++]) {
				if (i / stride % size[d] > 0) result[i] += values[i - stride] - values[i];
				if (i / stride % size[d] < size[d] - 1) result[i] += values[i + stride] - values[i];
			}
		return result;
	}

	@Test
	void smoothingKeepsAConstantAndFillsMissingValues() {
		final FieldSmoothing smoothing = new FieldSmoothing(new int[] { 12, 9 }, new Parallel(1));
		final double[][] values = new double[2][108];
		final double[] weights = new double[108];
		final Random random = new Random(3);
		for (int i = 0; i < 108; i++) {
			values[0][i] = 5;
			weights[i] = i % 7 == 0 ? 0 : 1;
			// what has no weight is only a start, and may be far off
			values[1][i] = weights[i] == 0 ? 20 : Math.cos(0.2 * (i % 12)) + 0.1 * random.nextGaussian();
		}
		for (final double s : new double[] { 0, 1, Double.NaN }) {
			final double[][] z = smoothing.smooth(values, weights, s);
			for (int i = 0; i < 108; i++) assertEquals(5, z[0][i], 1e-6);
		}
		double noise = 0, rest = 0;
		final double[][] best = smoothing.smooth(values, weights, Double.NaN);
		for (int i = 0; i < 108; i++) {
			noise += weights[i] * Math.pow(values[1][i] - Math.cos(0.2 * (i % 12)), 2);
			rest += Math.pow(best[1][i] - Math.cos(0.2 * (i % 12)), 2);
		}
		assertTrue(rest < 0.4 * noise, rest + " of " + noise);
		// without a smoothness, values with a weight stay
		final double[][] same = smoothing.smooth(values, weights, 0);
		for (int i = 0; i < 108; i++) if (weights[i] > 0) assertEquals(values[1][i], same[1][i], 1e-9);
	}

	@Test
	void filesOfOtherPrograms() throws Exception {
		final VectorField field = field(1.5, -2);
		final double[] pixels = { 1, 1 };
		final List<String> openpiv = written(FieldFile.OPENPIV, field, pixels).lines().toList();
		assertEquals("# x\ty\tu\tv\tflags\tmask", openpiv.get(0));
		assertEquals("7.5000e+00\t5.5000e+00\t1.5000e+00\t-2.0000e+00\t0.0000e+00\t0.0000e+00", openpiv.get(1));
		assertEquals(43, openpiv.size());
		final List<MotionVector> vectors = new ArrayList<>(field.vectors());
		vectors.set(0, MotionVector.without(GRID.centre(0), MotionVector.State.MISSING));
		final String[] piv = written(FieldFile.PIV, field.with(vectors), pixels).lines().toArray(String[]::new);
		assertEquals("7.5000 5.5000 0.000000 0.000000 0.000000 0.0000 0.000000 0 0 0 0 0 0 0 0 -1", piv[0]);
		assertEquals("16.5000 5.5000 1.500000 -2.000000 2.500000 -53.1301 0.900000 0 0 0 0 0 0 0 0 0", piv[1]);
		assertEquals(16, piv[1].split(" ").length);
		vectors.set(1, vectors.get(1).with(new double[] { 1, 0 }, null, State.REJECTED));
		assertEquals("8.2500 11.0000 0.500000 0.000000 0.500000 0.0000 0.900000 0 0 0 0 0 0 0 0 1",
			written(FieldFile.PIV, field.with(vectors), new double[] { 0.5, 2 }).lines().skip(1).findFirst().orElseThrow(),
			"a rejected vector in a unit");
		vectors.set(1, field.vectors().get(1));
		final Document vti = DocumentBuilderFactory.newInstance().newDocumentBuilder()
			.parse(new InputSource(new StringReader(written(FieldFile.VTI,
			field.with(vectors), new double[] { 0.5, 2 }))));
		assertEquals("0 6 0 5 0 0", ((org.w3c.dom.Element) vti.getElementsByTagName("ImageData").item(0)).getAttribute("WholeExtent"));
		assertEquals("3.75 11.0 0.0", ((org.w3c.dom.Element) vti.getElementsByTagName("ImageData").item(0)).getAttribute("Origin"));
		assertEquals("4.5 20.0 1.0", ((org.w3c.dom.Element) vti.getElementsByTagName("ImageData").item(0)).getAttribute("Spacing"));
		final String[] motion = vti.getElementsByTagName("DataArray").item(0).getTextContent().trim().split("\\s+");
		assertEquals(3 * 42, motion.length);
		assertArrayEquals(new String[] { "nan", "nan", "0.0", "0.75", "-4.0", "0.0" }, Arrays.copyOf(motion, 6));
		assertEquals("0.4", vti.getElementsByTagName("DataArray").item(2).getTextContent().trim().split("\\s+")[1]);
		final WindowGrid volume = new WindowGrid(Size.of(9, 9, 9), Size.of(9, 9, 9), Size.of(1, 1, 1));
		final VectorField deep = new VectorField(volume, 0, 1,
			List.of(MotionVector.without(volume.centre(0), MotionVector.State.MISSING)), 0);
		assertThrows(IllegalArgumentException.class, () -> written(FieldFile.OPENPIV, deep, new double[] { 1, 1, 1 }));
		assertFalse(written(FieldFile.VTI, deep, new double[] { 1, 1, 1 }).isEmpty());
	}

	private static String written(final FieldFile format, final VectorField field, final double[] pixel) throws IOException {
		final StringWriter to = new StringWriter();
		format.write(field, pixel, to);
		return to.toString();
	}

	/** The mean position of the brightness of one particle moves as the motion says. */
	@Test
	void particlesMoveByTheMotion() {
		for (final int bits : new int[] { 8, 16 }) {
			final double[] u = { 1.25, -0.5 };
			final ParticlePair pair = new ParticlePair(new long[] { 200, 200 }, 0.001, 4, 0, 0, bits, 4);
			final var images = pair.images(x -> u);
			assertEquals(images[0].getType().getClass(), images[1].getType().getClass());
			final MotionVector v = sc.fiji.ncc.MotionField.ofWindows(150, 150).maxShift(3, 3).passes(1).backend("cpu").measure(images[0],
				images[1]).fields().get(0).vectors().get(0);
			assertArrayEquals(u, v.motion(), 0.02);
		}
	}
}
