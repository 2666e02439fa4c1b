package sc.fiji.ncc.motion;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.MotionField;
import sc.fiji.ncc.fixture.WindowCoefficient;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.NaNs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.WindowPairs.Shape;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.planner.Planner;

/** Several pairs of frames with one motion, beside the mean of the coefficients by their definition. */
class EnsembleSearchTest {

	private static final UnaryOperator<double[]> UNIFORM = x -> new double[] { 2.3, -1.6 };

	/** Frames in pairs, with other particles in each pair. */
	private static RandomAccessibleInterval<UnsignedByteType> stack(final int pairs, final ParticlePair particles) {
		final List<RandomAccessibleInterval<UnsignedByteType>> frames = new ArrayList<>();
		for (int p = 0; p < pairs; p++)
			for (final RandomAccessibleInterval<?> frame : particles.seed(p + 1).images(UNIFORM)) frames.add(bytes(frame));
		return Views.stack(frames);
	}

	@SuppressWarnings("unchecked")
	private static RandomAccessibleInterval<UnsignedByteType> bytes(final RandomAccessibleInterval<?> frame) {
		return (RandomAccessibleInterval<UnsignedByteType>) frame;
	}

	private static MotionField cpu(final long... window) {
		return MotionField.ofWindows(window).backend("cpu").threads(2).doubleFrames(true);
	}

	@Test
	void theHighestPeakOfTheMeanCoefficients() {
		final int pairs = 3, side = 12;
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(pairs, ParticlePair.of(44, 37).density(0.02));
		final MotionFields fields = cpu(side, side).spacing(8, 9).maxShift(4, 3).passes(1).refine(false).keepRejected(true).ensemble(true).measure(stack);
		assertEquals(1, fields.fields().size());
		final VectorField field = fields.fields().get(0);
		assertArrayEquals(new long[] { 0, 5 }, new long[] { field.from(), field.to() });
		assertArrayEquals(new int[] { 5, 3 }, field.grid().count());
		for (int i = 0; i < 15; i++) {
			final long[] first = { i % 5 * 8, i / 5 * 9 }, best = new long[2];
			double highest = -2;
			for (long y = first[1] - 3; y <= first[1] + 3; y++)
				for (long x = first[0] - 4; x <= first[0] + 4; x++) {
					double mean = 0;
					for (int p = 0; p < pairs; p++) mean += WindowCoefficient.of(Views.hyperSlice(stack, 2, 2 * p), Views.hyperSlice(stack, 2, 2 * p + 1), first,
						new long[] { x, y }, side) / pairs;
					if (!(mean > highest)) continue;
					highest = mean;
					best[0] = x;
					best[1] = y;
				}
			final MotionVector v = field.vectors().get(i);
			assertEquals(highest, v.score(), 1e-12, "window " + i);
			for (int d = 0; d < 2; d++) assertEquals(best[d] - first[d], v.motion()[d], 1, "window " + i);
			assertTrue(v.runnerUp() < highest && v.covariance() == null, v.toString());
		}
	}

	/** The fit over several pairs, for one pair, is the fit of that pair. */
	@Test
	void onePairHasTheFieldOfThatPair() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(1, ParticlePair.of(80, 72));
		for (final int passes : new int[] { 1, 2 }) {
			final MotionField op = cpu(24, 24).maxShift(5, 5).passes(passes);
			final List<MotionVector> alone = op.measure(stack).fields().get(0).vectors(), ensemble = op.ensemble(true).measure(stack).fields().get(0).vectors();
			for (int i = 0; i < alone.size(); i++) {
				final MotionVector a = alone.get(i), b = ensemble.get(i);
				assertEquals(a.state(), b.state());
				assertEquals(a.score(), b.score(), passes == 1 ? 1e-12 : 1e-4);
				for (int d = 0; d < 2; d++) {
					assertEquals(a.motion()[d], b.motion()[d], 2e-3, "window " + i);
					assertEquals(a.sigma(d), b.sigma(d), 0.06 * a.sigma(d), "window " + i);
				}
			}
		}
	}

	/** The motion of a window lies at a lag that the missing pixels of the second pair hide: the mean is that of the other pair. */
	@Test
	void pairsWithMissingPixelsDoNotCountThere() {
		final ParticlePair particles = ParticlePair.of(64, 64).density(0.05);
		final List<RandomAccessibleInterval<FloatType>> frames = new ArrayList<>();
		for (int p = 1; p <= 2; p++)
			for (final RandomAccessibleInterval<?> frame : particles.seed(p).images(UNIFORM)) {
				final float[] values = new float[64 * 64];
				int i = 0;
				for (final UnsignedByteType v : Views.flatIterable(bytes(frame))) {
					values[i] = frames.size() == 3 && i % 64 >= 33 ? Float.NaN : v.get();
					i++;
				}
				frames.add(ArrayImgs.floats(values, 64, 64));
			}
		final MotionField op = cpu(16, 16).spacing(24, 24).maxShift(5, 5).passes(1).refine(false).minOverlap(0.5).nan(NaNs.MISSING).falseAlarms(0.1)
			.keepRejected(true);
		final VectorField alone = op.measure(Views.stack(frames.subList(0, 2))).fields().get(0);
		final VectorField both = op.ensemble(true).measure(Views.stack(frames)).fields().get(0);
		for (int row = 0; row < 3; row++) {
			final MotionVector a = alone.vectors().get(3 * row + 1), b = both.vectors().get(3 * row + 1);
			for (int d = 0; d < 2; d++) assertEquals(UNIFORM.apply(null)[d], b.motion()[d], 0.9, b.toString());
			assertEquals(a.score(), b.score(), 1e-6);
		}
	}

	/** About two particles in a window: one pair is not enough, 12 are, and the error is about the stated one. */
	@Test
	void fewParticlesInManyPairs() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(12, ParticlePair.of(64, 64).density(0.008));
		final MotionField op = cpu(16, 16).spacing(16, 16).maxShift(5, 5).passes(1);
		final long valid = op.measure(stack).fields().get(0).valid();
		final VectorField field = op.ensemble(true).measure(stack).fields().get(0);
		assertTrue(valid < 16, "one pair: " + valid);
		assertEquals(16, field.valid());
		double squares = 0, variances = 0;
		for (final MotionVector v : field.vectors()) for (int d = 0; d < 2; d++) {
			squares += Math.pow(v.motion()[d] - UNIFORM.apply(null)[d], 2) / 32;
			variances += v.sigma(d) * v.sigma(d) / 32;
		}
		assertTrue(squares < 0.05 * 0.05, "error " + Math.sqrt(squares));
		assertEquals(0, Math.log(variances / squares), 1.4, "stated " + Math.sqrt(variances) + ", error " + Math.sqrt(squares));
	}

	/** The second peak of one pair is that of the pair. */
	@Test
	void secondPeaks() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(1, ParticlePair.of(200, 200).density(0.008));
		final MotionField op = cpu(16, 16).maxShift(5, 5).passes(1).refine(false).minScore(-1).minRatio(0);
		final List<MotionVector> alone = op.measure(stack).fields().get(0).vectors(), ensemble = op.ensemble(true).measure(stack).fields().get(0).vectors();
		assertTrue(alone.stream().anyMatch(v -> v.state() == State.SECOND), alone.toString());
		for (int i = 0; i < alone.size(); i++) {
			assertEquals(alone.get(i).state(), ensemble.get(i).state());
			assertArrayEquals(alone.get(i).motion(), ensemble.get(i).motion(), 2e-3, "window " + i);
		}
	}

	/** The user cancels after the search: neither the scores nor the steps between the pixels read a pair. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void itIsCanceledAfterTheSearch(final boolean scores) {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(2, ParticlePair.of(40, 40));
		final MotionSettings settings = Components.with(MotionSettings.of(Size.of(16, 16)), MotionSettings::validation, MotionSettings.Validation::falseAlarms,
			scores ? 0.1 : Double.NaN);
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).backend("cpu").planner(new Planner(Backends.all(1)));
		final int[] read = new int[1];
		final EnsembleSearch.Pairs pairs = (i, splines) -> {
			read[0]++;
			return new WindowSearch.Pair(ImagePixels.of(Views.hyperSlice(stack, 2, 2 * i)), ImagePixels.of(Views.hyperSlice(stack, 2, 2 * i + 1)), null);
		};
		final WindowGrid grid = new WindowGrid(Size.of(40, 40), Size.of(16, 16), Size.of(8, 8));
		try (WindowSearch search = new WindowSearch(grid, null, new long[] { 3, 3 }, PixelType.U8, false, settings, options, 2);
			Parallel parallel = new Parallel(1))
		{
			final Monitor after = Monitor.canceledIf(() -> read[0] == 2);
			assertThrows(CancellationException.class, () -> new EnsembleSearch(search, pairs, 2, false, !scores, parallel, after).measure());
			assertEquals(2, read[0], "pairs that were read");
		}
	}

	/** The windows of the first frame, in all others. */
	@Test
	void theReferenceCountsWithoutPairs() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(2, ParticlePair.of(40, 40));
		final MotionField op = cpu(20, 20).passes(1).maxShift(4, 4).refine(false).ensemble(true).doubleFrames(false);
		final VectorField first = op.reference(DriftReference.FIRST).measure(stack).fields().get(0);
		assertArrayEquals(new long[] { 0, 3 }, new long[] { first.from(), first.to() });
		// the mean of one coefficient near 1 and two of chance
		assertTrue(first.vectors().get(4).score() < 0.8, first.vectors().get(4).toString());
	}

	@Test
	void pairsNeedAnEvenNumberOfFrames() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(2, ParticlePair.of(24, 24));
		assertEquals(2, cpu(12, 12).passes(1).measure(stack).fields().size());
		final String said = assertThrows(IllegalArgumentException.class, () -> cpu(12, 12).measure(Views.interval(stack, new long[3], new long[] { 23, 23, 2 })))
			.getMessage();
		assertTrue(said.contains("3 frames") && said.contains("even number"), said);
	}

	/** The expected number of peaks by chance: small for a pair, and seldom small for frames that show other particles. */
	@Test
	void falseAlarms() {
		final RandomAccessibleInterval<UnsignedByteType> stack = stack(2, ParticlePair.of(160, 160));
		final MotionField op = cpu(24, 24).spacing(24, 24).maxShift(6, 6).passes(1).refine(false).minScore(-1).minRatio(0).maxResidual(Double.POSITIVE_INFINITY);
		assertTrue(op.measure(stack).fields().get(0).vectors().stream().allMatch(v -> Double.isNaN(v.falseAlarms())));
		op.falseAlarms(0.01).keepRejected(true);
		final List<MotionVector> alike = op.measure(stack).fields().get(0).vectors();
		assertTrue(alike.stream().allMatch(v -> v.falseAlarms() < 1e-4 && v.isValid()), alike.toString());
		final List<MotionVector> others = op.doubleFrames(false).measure(Views.interval(stack, new long[] { 0, 0, 1 }, new long[] { 159, 159, 2 })).fields().get(0)
			.vectors();
		assertTrue(others.stream().allMatch(v -> v.falseAlarms() > 1e-4), others.toString());
		assertTrue(others.stream().filter(MotionVector::isValid).count() <= 1, others.toString());
		for (final MotionVector v : others) assertEquals(v.falseAlarms() > 0.01, v.state() == State.REJECTED, v.toString());
		final MotionVector ensemble = op.doubleFrames(true).ensemble(true).measure(stack).fields().get(0).vectors().get(12);
		assertTrue(ensemble.falseAlarms() < alike.get(12).falseAlarms(), ensemble.toString());
	}

	/** A flow with a kink in the middle of a window, whose motion is a mean over the window: the more the middle counts, the smaller the mean. */
	@Test
	void theMiddleOfAWindowCountsMost() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(96, 96).density(0.1).loss(0).images(x -> new double[] { 0.04 * Math.abs(x[0] - 47.5), 0 });
		final double[] means = new double[3];
		for (final Shape shape : Shape.values()) {
			final VectorField field = cpu(24, 24).maxShift(5, 5).passes(1).minRatio(0).shape(shape).measure(pair[0], pair[1]).fields().get(0);
			for (int row = 0; row < 7; row++) means[shape.ordinal()] += field.vectors().get(7 * row + 3).motion()[0] / 7;
		}
		// the means of the distance from the middle: of a square 6 pixels, of a disk 16/π, of the Gaussian 4.34
		assertEquals(0.24, means[0], 0.03);
		assertEquals(0.204, means[1], 0.03);
		assertEquals(0.174, means[2], 0.03);
	}
}
