package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.fixture.MovingTexture;
import sc.fiji.ncc.motion.DeformationFit.Fitted;
import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;
import sc.fiji.ncc.result.Frames;

/** Deformations of stacks with a known deformation, and stacks without one. */
class PiecewiseTest {

	private static final DeformedStack DEFORMED = new DeformedStack(224, 3, 128, 6, 400, 3), STILL = new DeformedStack(160, 3, 128, 0, 400, 4);

	private static DriftCorrection correction(final DriftReference reference) {
		return DriftCorrection.ofFrames(2).reference(reference).threads(2).piecewise(64, 64);
	}

	@Test
	void aDeformationIsMeasuredAndCorrected() {
		final RandomAccessibleInterval<?> stack = DEFORMED.stack();
		final Drift rigid = correction(DriftReference.FIRST).piecewise(null).measure(stack), drift = correction(DriftReference.FIRST).measure(stack);
		for (int t = 1; t < 3; t++) {
			assertTrue(DEFORMED.residual(rigid, t, 0)[0] > 1, "the shift alone");
			final double rms = DEFORMED.residual(drift, t, 0)[0];
			assertTrue(rms < 0.15, "frame " + t + ": " + rms);
			assertEquals(FrameShift.State.OK, drift.frames().get(t).state());
		}
		final double before = difference(DriftCorrection.correct(stack, 2, rigid, Interpolation.CUBIC, Outside.BLACK)),
			after = difference(DriftCorrection.correct(stack, 2, drift, Interpolation.CUBIC, Outside.BLACK));
		assertTrue(after < before / 4, before + " -> " + after);
	}

	/** The mean square of the difference of the second frame from the first one, inside. */
	@SuppressWarnings("unchecked") // the sample has 16 bits
	private static double difference(final RandomAccessibleInterval<?> stack) {
		double sum = 0;
		final RandomAccessibleInterval<UnsignedShortType> all = (RandomAccessibleInterval<UnsignedShortType>) stack;
		for (int y = 12; y < 212; y++) for (int x = 12; x < 212; x++) sum += Math.pow(all.getAt(x, y, 1).get() - all.getAt(x, y, 0).get(), 2);
		return sum;
	}

	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "mean", "multi", "2" })
	void aStackWithoutADeformationStaysAsItIs(final String reference) {
		final Drift drift = correction(DriftReference.of(reference)).measure(STILL.stack());
		for (int t = 0; t < 3; t++) {
			final double[] residual = STILL.residual(drift, t, 0);
			assertTrue(residual[0] < 0.02, "frame " + t + ": " + residual[0]);
		}
	}

	/** Floats of another power of two are the same numbers, whose products would be too large or too small. */
	@Test
	@SuppressWarnings("unchecked") // the sample has 16 bits
	void brightnessTimesAPowerOfTwoChangesNothing() {
		final RandomAccessibleInterval<UnsignedShortType> stack = (RandomAccessibleInterval<UnsignedShortType>) new DeformedStack(111, 2, 111, 3, 400, 6).stack();
		final List<Drift> found = new ArrayList<>();
		for (final int power : new int[] { 0, 60, -90 }) {
			final RandomAccessibleInterval<FloatType> floats = ArrayImgs.floats(111, 111, 2);
			LoopBuilder.setImages(stack, floats).forEachPixel((from, to) -> to.set(Math.scalb((float) from.get(), power)));
			found.add(correction(DriftReference.FIRST).piecewise(32, 32).measure(floats));
		}
		for (final double[] at : new double[][] { { 20, 30 }, { 90, 55 } }) for (int k = 1; k < 3; k++)
			assertArrayEquals(found.get(0).deformation(1).at(at), found.get(k).deformation(1).at(at), 1e-4);
	}

	/** Several frames are measured at once. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "mean" })
	void threadsDoNotChangeTheMotion(final String reference) {
		final RandomAccessibleInterval<?> stack = new DeformedStack(128, 5, 128, 4, 400, 6).stack();
		final Drift one = correction(DriftReference.of(reference)).piecewise(32, 32).threads(1).measure(stack),
			two = correction(DriftReference.of(reference)).piecewise(32, 32).threads(2).measure(stack);
		final double[] at = { 40, 70 };
		for (int t = 0; t < 5; t++) {
			assertArrayEquals(one.frames().get(t).shift(), two.frames().get(t).shift(), 1e-9, "frame " + t);
			assertArrayEquals(one.deformation(t).at(at), two.deformation(t).at(at), 1e-6, "frame " + t);
		}
	}

	/** With the references previous and mean, frames are like each other after the correction. */
	@ParameterizedTest
	@ValueSource(strings = { "previous", "mean" })
	void framesBecomeLikeEachOther(final String reference) {
		final RandomAccessibleInterval<?> stack = DEFORMED.stack();
		final Drift rigid = correction(DriftReference.FIRST).piecewise(null).measure(stack), drift = correction(DriftReference.of(reference)).measure(stack);
		final double before = difference(DriftCorrection.correct(stack, 2, rigid, Interpolation.CUBIC, Outside.BLACK)),
			after = difference(DriftCorrection.correct(stack, 2, drift, Interpolation.CUBIC, Outside.BLACK));
		assertTrue(after < before / 4, before + " -> " + after);
	}

	/** A flat frame lies between its neighbours, and a box limits what is measured. */
	@Test
	@SuppressWarnings("unchecked") // the sample has 16 bits
	void aFlatFrameMovesAsItsNeighbours() {
		final RandomAccessibleInterval<UnsignedShortType> all = (RandomAccessibleInterval<UnsignedShortType>) DEFORMED.stack();
		final RandomAccessibleInterval<UnsignedShortType> flat = ArrayImgs.unsignedShorts(224, 224);
		final List<RandomAccessibleInterval<UnsignedShortType>> frames = List.of(Views.hyperSlice(all, 2, 0), Views.hyperSlice(all, 2, 1), flat,
			Views.hyperSlice(all, 2, 1));
		final Drift drift = correction(DriftReference.FIRST).inside(FinalInterval.createMinSize(0, 0, 224, 150)).measure(frames);
		assertEquals(FrameShift.State.FLAT, drift.frames().get(2).state());
		final double[] one = drift.deformation(1).at(new double[] { 60, 70 }), two = drift.deformation(2).at(new double[] { 60, 70 });
		for (int d = 0; d < 2; d++) assertEquals(drift.frames().get(1).shift()[d] + one[d], drift.frames().get(2).shift()[d] + two[d], 1e-5);
		final double[] truth = DEFORMED.motion(1).at(new double[] { 60, 70 });
		for (int d = 0; d < 2; d++) assertEquals(truth[d], drift.frames().get(1).shift()[d] + one[d], 0.3, "inside the box");
	}

	/** The sample has a blurred frame, with the index 40. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "multi" })
	void aBlurredFrameIsNamed(final String reference) {
		final RandomAccessibleInterval<?> frames = Views.zeroMin(Views.interval(DriftSample.stack(), new long[] { 0, 0, 35 }, new long[] { 255, 255, 44 }));
		final Drift drift = correction(DriftReference.of(reference)).measure(frames);
		assertEquals("6 (outlier)", drift.exceptions());
		assertTrue(drift.frames().get(5).score() < 0.85 * drift.frames().get(4).score(), "score");
	}

	/** A frame in noise is lost, and moves as its neighbours. The reference frame is equal to itself. */
	@Test
	@SuppressWarnings("unchecked") // the sample has 16 bits
	void aFrameWithAFarLowerScoreIsLost() {
		final RandomAccessibleInterval<UnsignedShortType> stack =
			(RandomAccessibleInterval<UnsignedShortType>) new DeformedStack(128, 6, 128, 4, 400, 6).stack();
		final Random random = new Random(8);
		Views.hyperSlice(stack, 2, 3).forEach(p -> p.set((int) Math.max(0, p.get() + 1000 + 300 * random.nextGaussian())));
		final Drift drift = correction(DriftReference.FIRST).measure(stack);
		assertEquals("4 (lost)", drift.exceptions());
		assertEquals(1, drift.frames().get(0).score());
		final double[] at = { 40, 70 }, before = drift.deformation(2).at(at), lost = drift.deformation(3).at(at), after = drift.deformation(4).at(at);
		for (int d = 0; d < 2; d++) assertEquals((before[d] + after[d]) / 2, lost[d], 1e-5);
	}

	/** Some windows of another object fit by chance: the frame is lost, as by its shift, and moves as its neighbours. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "multi", "mean" })
	void aFrameOfAnotherObjectIsLost(final String reference) {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>(Frames.of(new DeformedStack(224, 7, 128, 6, 400, 3).stack(), 2));
		frames.set(3, Frames.of(new DeformedStack(224, 7, 128, 6, 400, 77).stack(), 2).get(3));
		final Drift drift = correction(DriftReference.of(reference)).piecewise(32, 32).measure(frames);
		assertEquals("4 (lost)", drift.exceptions());
		assertEquals(0, drift.doubtful());
		final double[] before = drift.frames().get(2).shift(), lost = drift.frames().get(3).shift(), after = drift.frames().get(4).shift();
		for (int d = 0; d < 2; d++) assertEquals((before[d] + after[d]) / 2, lost[d], 1e-9);
	}

	/** Deformations make shifts doubtful, and the windows measure them. */
	@Test
	void mostWindowsOutweighADoubtfulShift() {
		final DeformedStack deformed = new DeformedStack(224, 5, 128, 12, 400, 3);
		final RandomAccessibleInterval<?> stack = deformed.stack();
		assertTrue(correction(DriftReference.FIRST).piecewise(null).measure(stack).doubtful() > 0);
		final Drift drift = correction(DriftReference.FIRST).measure(stack);
		assertEquals(0, drift.doubtful());
		for (int t = 0; t < 5; t++) assertTrue(deformed.residual(drift, t, 0)[0] < 0.5, "frame " + t);
	}

	/** The chain begins with the first frame that is not lost, and leaves out lost frames. */
	@Test
	void framesAreNotComparedWithLostOnes() {
		final DeformedStack still = new DeformedStack(160, 8, 128, 0, 400, 4);
		final Random random = new Random(8);
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>(Frames.of(still.stack(), 2));
		for (final int t : new int[] { 0, 1, 5 }) {
			final RandomAccessibleInterval<UnsignedShortType> noise = ArrayImgs.unsignedShorts(160, 160);
			noise.forEach(p -> p.set(100 + random.nextInt(20)));
			frames.set(t, noise);
		}
		final Drift drift = correction(DriftReference.PREVIOUS).measure(frames);
		for (int t = 0; t < 8; t++) {
			final FrameShift f = drift.frames().get(t);
			final double[] residual = still.residual(drift, t, 0);
			assertTrue(residual[0] < 0.02, "frame " + t + ": " + residual[0]);
			if (t > 2 && t != 5) assertTrue(f.state() == FrameShift.State.OK && f.score() > 0.8, f.state() + " " + f.score());
		}
	}

	@Test
	void volumesAreDeformedToo() {
		final RandomAccessibleInterval<FloatType> stack = ArrayImgs.floats(40, 36, 20, 2);
		for (int t = 0; t < 2; t++) {
			final Random random = new Random(5);
			for (int s = 0; s < 250; s++) {
				final double x = 40 * random.nextDouble(), y = 36 * random.nextDouble(), z = 20 * random.nextDouble();
				// the motion grows with x
				final double moved = x + t * (0.05 * x - 1);
				for (int k = Math.max(0, (int) z - 4); k < Math.min(20, z + 4); k++) for (int j = Math.max(0, (int) y - 4); j < Math.min(36, y + 4); j++)
					for (int i = Math.max(0, (int) moved - 4); i < Math.min(40, moved + 4); i++) {
						final FloatType p = stack.getAt(i, j, k, t);
						p.setReal(p.get() + 100 * Math.exp(-((i - moved) * (i - moved) + (j - y) * (j - y) + (k - z) * (k - z)) / 4));
					}
			}
		}
		final Drift drift = DriftCorrection.ofFrames(3).reference(DriftReference.FIRST).threads(2).piecewise(16, 16, 12).measure(stack);
		for (final int x : new int[] { 10, 20, 30 }) assertEquals(0.05 * x - 1, drift.frames().get(1).shift()[0]
			+ drift.deformation(1).at(new double[] { x, 18, 10 })[0], 0.15, "x " + x);
		assertTrue(Intervals.equalDimensions(stack, DriftCorrection.correct(stack, 3, drift, Interpolation.LINEAR, Outside.EDGE)));
	}

	/** The numbers of frames that a chain compares, and its motions. Frame i moves by i pixels. */
	private static List<String> chain(final int frames, final DoubleBinaryOperator score) {
		return chain(frames, score, FrameShift.State.OK, false);
	}

	private static List<String> chain(final int frames, final DoubleBinaryOperator score, final FrameShift.State second, final boolean moveDoubtful) {
		final List<FrameShift> shifts = new ArrayList<>();
		for (int i = 0; i < frames; i++)
			shifts.add(new FrameShift(i, new double[2], 1, 1, 0, Double.NaN, false, i == 1 ? second : FrameShift.State.OK));
		final String[] compared = new String[frames];
		final int[] told = new int[1], fits = new int[1];
		final Fitted[] fitted = new FittedChain(shifts, moveDoubtful, 0, new Fitted(new double[2][1], 1, 1, 0), (before, known, frame) -> {
			compared[frame] = frame + " to " + before;
			fits[0]++;
			final double found = score.applyAsDouble(before, frame);
			return Double.isNaN(found) ? null : new Fitted(new double[][] { { known.motion()[0][0] + frame - before }, { 0 } }, found, 1, 0);
		}).all(more -> told[0] += more);
		assertEquals(frames, told[0], "each frame is told once");
		assertTrue(fits[0] <= 2 * frames, fits[0] + " fits");
		return IntStream.range(0, frames).mapToObj(i -> fitted[i] == null ? i + " lost"
			: (fitted[i].score() == 1 ? "" + i : compared[i]) + " moves by " + (int) fitted[i].motion()[0][0]).toList();
	}

	/** A low score shows when the frames around are fitted. Those after it are fitted again, to the frame before. */
	@Test
	void aFrameWhoseFitIsBadIsNoReference() {
		for (final int bad : new int[] { 2, 7, 24 }) {
			for (final double low : new double[] { 0.1, 0.6 }) {
				final List<String> chain = chain(25, (before, frame) -> frame == bad ? low : 0.8);
				for (int i = 1; i < 25; i++) {
					final String last = i + " to " + (i == bad + 1 ? bad - 1 : i - 1) + " moves by " + i;
					assertEquals(i == bad && low == 0.1 ? i + " lost" : last, chain.get(i), "score " + low);
				}
			}
		}
	}

	/** Doubtful frames are references if they are moved by their shifts. */
	@ParameterizedTest
	@CsvSource({ "OUTLIER, false, 0", "OUTLIER, true, 0", "DOUBTFUL, false, 0", "DOUBTFUL, true, 1", "LOST, true, 0", "OK, false, 1" })
	void framesThatAreReferences(final FrameShift.State second, final boolean moveDoubtful, final int reference) {
		assertEquals(List.of("0 moves by 0", "1 to 0 moves by 1", "2 to " + reference + " moves by 2", "3 to 2 moves by 3", "4 to 3 moves by 4"),
			chain(5, (before, frame) -> 0.8, second, moveDoubtful));
	}

	/** The first frames fit no other one. */
	@Test
	void theChainBeginsWhereFramesFitEachOther() {
		assertEquals(List.of("0 lost", "1 lost", "2 lost", "3 moves by 0", "4 to 3 moves by 1", "5 to 4 moves by 2"),
			chain(6, (before, frame) -> before < 3 ? Double.NaN : 0.8));
		assertEquals(List.of("0 moves by 0", "1 lost", "2 to 0 moves by 2", "3 to 2 moves by 3"),
			chain(4, (before, frame) -> before == 1 || frame == 1 ? Double.NaN : 0.8), "the first frame fits the third");
		assertEquals(List.of("0 moves by 0", "1 to 0 moves by 1", "2 lost", "3 lost"),
			chain(4, (before, frame) -> frame > 1 ? Double.NaN : 0.8), "the chain has begun");
		// as in a stack whose content appears slowly: the only fit to the first frame is one by chance
		assertEquals(List.of("0 lost", "1 lost", "2 moves by 0", "3 to 2 moves by 1", "4 to 3 moves by 2", "5 to 4 moves by 3"),
			chain(6, (before, frame) -> before < 2 ? frame == 2 ? 0.2 : Double.NaN : 0.8));
	}

	/** Each frame is read for its shift, and for each fit of its deformation: twice if the reference is a mean. */
	@ParameterizedTest
	@CsvSource({ "first, 2", "2, 2", "mean, 3", "multi, 3" })
	void theStepsOfAClusterAreShiftsAndDeformations(final String reference, final int reads) {
		for (final boolean deformed : new boolean[] { false, true }) {
			final DriftCorrection correction = correction(DriftReference.of(reference));
			try (DriftParts parts = (deformed ? correction : correction.piecewise(null)).parts(STILL.stack(), 1 << 30, null)) {
				assertEquals(deformed ? 3 * reads : 3, parts.steps());
			}
		}
	}

	/** A part of the list is a view: it reads a frame when it is asked for. */
	@Test
	void framesOfBoxesAreReadWhenTheyAreUsed() {
		final List<RandomAccessibleInterval<?>> frames = Frames.of(STILL.stack(), 2);
		final List<RandomAccessibleInterval<?>> read = new ArrayList<>();
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(2).planner(new Planner(Backends.all(2)));
		try (BoxedFrames boxed = new BoxedFrames(frames, f -> {
			read.add(f);
			return f;
		}, new int[] { 4, 4 }, DriftSettings.DEFAULT, options)) {
			read.clear();
			final List<RandomAccessibleInterval<?>> part = boxed.subList(1, 3);
			assertEquals(2, part.size());
			assertEquals(0, read.size());
			assertTrue(Intervals.equalDimensions(ArrayImgs.floats(40, 40), part.get(1)));
			assertEquals(1, read.size());
			LoopBuilder.setImages(floats(boxed.get(2)), floats(part.get(1))).forEachPixel((a, b) -> assertEquals(a.get(), b.get()));
			assertThrows(IndexOutOfBoundsException.class, () -> boxed.subList(1, 4));
		}
	}

	@SuppressWarnings("unchecked") // means are floats
	private static RandomAccessibleInterval<FloatType> floats(final RandomAccessibleInterval<?> means) {
		return (RandomAccessibleInterval<FloatType>) means;
	}

	/** A maximum shift is that of whole boxes which hold it, and stays within a frame. Results are in pixels. */
	@Test
	void boxesAreCountedInPixels() {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).planner(new Planner(Backends.all(1)));
		final List<RandomAccessibleInterval<?>> frames = Frames.of(STILL.stack(), 2);
		final DriftSettings settings = Components.with(DriftSettings.DEFAULT, DriftSettings::maxShift, new long[] { 9, 159 });
		try (BoxedFrames boxed = new BoxedFrames(frames, f -> f, new int[] { 4, 2 }, settings, options)) {
			assertEquals(List.of(3L, 79L), ((FramePairs) boxed.measurement().explain(boxed.get(0), 3).problem()).maxShift());
			final FrameShift shift = boxed.inPixels(List.of(new FrameShift(1, new double[] { 1.5, -2 }, 0.9, 0.8, 0.25, 0.1, true, FrameShift.State.OK)))
				.get(0);
			assertArrayEquals(new double[] { 6, -4 }, shift.shift());
			assertEquals(1, shift.residual(), "in the largest extent of a box");
		}
	}

	/** Frames measured at once have two of the frames each, and fit into memory. */
	@Test
	void framesThatAreMeasuredAtOnce() {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(6).planner(new Planner(Backends.all(1)));
		assertEquals(6, together(options, 12));
		assertEquals(2, together(options, 5));
		assertEquals(1, together(options, 1));
		final long pixels = 160 * 160;
		assertEquals(3, together(options.memory(3 * 128 * pixels), 12));
		assertEquals(1, together(options.memory(100), 12));
	}

	private static int together(final ComputeOptions options, final int frames) {
		final DriftSettings settings = Components.with(DriftSettings.DEFAULT, DriftSettings::piecewise, Size.of(64, 64));
		final PiecewiseMeasurement measurement = new PiecewiseMeasurement(settings, options, Size.of(160, 160), f -> f);
		return measurement.together(List.of(measurement.ranking(frames)), frames);
	}

	/** Frames that drift by more than the search reaches, and flat ones between them. */
	private static List<RandomAccessibleInterval<UnsignedShortType>> drifting(final int step, final int... flat) {
		@SuppressWarnings("unchecked") // the sample has 16 bits
		final RandomAccessibleInterval<UnsignedShortType> scene =
			(RandomAccessibleInterval<UnsignedShortType>) new DeformedStack(300, 1, 128, 0, 400, 4).stack();
		final List<RandomAccessibleInterval<UnsignedShortType>> frames = new ArrayList<>();
		for (int t = 0; t < 5; t++) {
			final long[] min = { 10 + step * t, 20, 0 }, max = { 169 + step * t, 179, 0 };
			final boolean isFlat = List.of(Arrays.stream(flat).boxed().toArray()).contains(t);
			frames.add(isFlat ? ArrayImgs.unsignedShorts(160, 160) : Views.zeroMin(Views.hyperSlice(Views.interval(scene, min, max), 2, 0)));
		}
		return frames;
	}

	/** Each frame begins where its shift and the deformation of the one before say. */
	@Test
	void driftingFramesComparedWithTheOneBefore() {
		final Drift drift = correction(DriftReference.PREVIOUS).measure(drifting(30));
		for (int t = 0; t < 5; t++) assertEquals(-30 * t, drift.frames().get(t).shift()[0], 0.2, "frame " + t);
	}

	/** Flat frames move in proportion to the time between the frames around them. */
	@Test
	void flatFramesLieBetweenTheOthers() {
		final Drift drift = correction(DriftReference.FIRST).measure(drifting(3, 2, 3));
		for (int t = 0; t < 5; t++) {
			assertEquals(-3 * t, drift.frames().get(t).shift()[0], 0.1, "frame " + t);
			assertEquals(t == 2 || t == 3 ? FrameShift.State.FLAT : FrameShift.State.OK, drift.frames().get(t).state());
		}
	}

	/** Frames that drift, and show their texture several times. */
	private static RandomAccessibleInterval<UnsignedByteType> repeated(final int copies) {
		final double[][] shifts = new double[5][];
		for (int t = 0; t < shifts.length; t++) shifts[t] = new double[] { 2.5 * t, -1.5 * t };
		return new MovingTexture(2, 9).repeated(copies, 17, shifts, 192, 180);
	}

	/** There are fewer shifts between boxes, so that a high runner-up makes them doubtful. Pixels do not. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "mean", "multi" })
	void shiftsThatAreDoubtfulInBoxesAreMeasuredInPixels(final String reference) {
		final DriftCorrection correction = correction(DriftReference.of(reference));
		final Drift drift = correction.measure(repeated(4));
		assertEquals("", drift.exceptions());
		final FrameShift zero = drift.frames().get(0);
		for (int t = 1; t < 5; t++) {
			assertEquals(2.5 * t, drift.frames().get(t).shift()[0] - zero.shift()[0], 0.1, "frame " + t);
			assertEquals(-1.5 * t, drift.frames().get(t).shift()[1] - zero.shift()[1], 0.1, "frame " + t);
		}
	}

	/** The shifts of a periodic pattern are doubtful in pixels, too. */
	@Test
	void shiftsOfAPeriodicPatternAreDoubtful() {
		assertEquals(5, correction(DriftReference.MULTI).measure(repeated(6)).doubtful());
	}

	/** The chain begins with the last frame, because the others are doubtful. */
	@Test
	void aChainWithoutFramesTellsOfDoubtfulShifts() {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).planner(new Planner(Backends.all(1)));
		final DriftSettings settings = Components.with(Components.with(DriftSettings.DEFAULT, DriftSettings::piecewise, Size.of(64, 64)),
			DriftSettings::reference, DriftReference.PREVIOUS);
		final List<FrameShift> shifts = new ArrayList<>();
		for (int t = 0; t < 3; t++)
			shifts.add(new FrameShift(t, new double[2], 1, 1, 0, Double.NaN, false, t < 2 ? FrameShift.State.DOUBTFUL : FrameShift.State.OK));
		refused("in any frame, and the shift is doubtful in 2 of 3 frames: choose larger windows or another reference, or correct the drift only",
			() -> new PiecewiseMeasurement(settings, options, Size.of(160, 160), f -> f).drift(Frames.of(STILL.stack(), 2), shifts));
	}

	/** Without a shift that is certain, all frames make the first mean. They are moved on request only. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void doubtfulFramesAreMeasuredIfNoneIsGood(final boolean move) {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(1).planner(new Planner(Backends.all(1)));
		final DriftSettings settings = Components.with(Components.with(Components.with(DriftSettings.DEFAULT, DriftSettings::piecewise, Size.of(64, 64)),
			DriftSettings::reference, DriftReference.MEAN), DriftSettings::moveDoubtful, move);
		final List<FrameShift> doubtful = new ArrayList<>();
		for (int t = 0; t < 3; t++) doubtful.add(new FrameShift(t, new double[2], 1, 1, 0, Double.NaN, false, FrameShift.State.DOUBTFUL));
		final Drift drift = new PiecewiseMeasurement(settings, options, Size.of(160, 160), f -> f).drift(Frames.of(STILL.stack(), 2), doubtful);
		assertEquals(3, drift.doubtful());
		for (int t = 0; t < 3; t++) {
			assertTrue(STILL.residual(drift, t, 0)[0] < 0.02, "frame " + t);
			assertEquals(move, drift.deformation(t).at(new double[] { 60, 70 })[0] != 0, "a motion that is measured");
		}
	}

	private static void refused(final String what, final Runnable call) {
		final String message = assertThrows(IllegalArgumentException.class, call::run, what).getMessage();
		assertTrue(message.contains(what) && !message.contains("\n"), message);
	}

	@Test
	void badInputIsRefusedInOneLine() {
		final RandomAccessibleInterval<?> stack = STILL.stack();
		refused("the window of 400x400 is larger than the frame of 160x160", () -> correction(DriftReference.FIRST).piecewise(400, 400).measure(stack));
		refused("give at least 4", () -> correction(DriftReference.FIRST).piecewise(3, 64));
		refused("give one number for each dimension", () -> correction(DriftReference.FIRST).piecewise(64));
		refused("leave out smoothing, or piecewise", () -> correction(DriftReference.FIRST).smoothing(2));
		refused("not measured by a stream", () -> correction(DriftReference.FIRST).measureEach(List.of(), (index, frame) -> {}));
		refused("several processes measure frames in any order", () -> correction(DriftReference.PREVIOUS).parts(stack, 1 << 30, null));
		final Drift drift = correction(DriftReference.FIRST).measure(stack);
		refused("choose lanczos or cubic", () -> DriftCorrection.correct(stack, 2, drift, Interpolation.FOURIER, Outside.BLACK));
		// noise that no frame has in common
		final RandomAccessibleInterval<FloatType> noise = ArrayImgs.floats(96, 96, 3);
		final Random random = new Random(1);
		for (final FloatType p : Views.flatIterable(noise)) p.set(random.nextFloat());
		refused("no window of 32x32 has a valid motion in any frame", () -> correction(DriftReference.FIRST).piecewise(32, 32).measure(noise));
	}

	/** Also of flat frames, which are not measured. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "mean", "3" })
	void theMonitorIsToldOfAllFrames(final String reference) {
		final long[] steps = new long[2];
		final DriftCorrection correction = correction(DriftReference.of(reference)).monitor(new Monitor() {

			@Override
			public void total(final long all) {
				steps[0] += all;
			}

			@Override
			public synchronized void done(final long more) {
				steps[1] += more;
			}
		});
		correction.measure(drifting(1, 0, 3));
		assertEquals(steps[0], steps[1]);
		correction.measure(repeated(4));
		assertEquals(steps[0], steps[1], "shifts in boxes and in pixels");
	}

	/** The others tell what they fit, and the process that plans tells what is not fitted: the reference and flat frames. */
	@ParameterizedTest
	@ValueSource(strings = { "first", "mean" })
	void theMonitorOfAClusterIsToldOfAllFits(final String reference, @TempDir final Path folder) {
		final AtomicLong told = new AtomicLong();
		final DriftCorrection correction = correction(DriftReference.of(reference)).monitor(new Monitor() {

			@Override
			public void done(final long more) {
				told.addAndGet(more);
			}
		});
		final RandomAccessibleInterval<?> stack = Views.stack(drifting(1, 2));
		try (DriftParts planned = correction.parts(stack, 1 << 30, folder);
			DriftParts parts = correction(DriftReference.of(reference)).parts(stack, 1 << 30, folder)) {
			planned.drift(new PlannedDrift.Tasks() {

				@Override
				public List<PairTaskResult> pairs(final List<PairTask> tasks) {
					return call(() -> parts.pairs(tasks));
				}

				@Override
				public void means(final List<MeanPart> means) {
					means.forEach(m -> call(() -> {
						parts.mean(m);
						return null;
					}));
				}

				@Override
				public List<FitTask.Result> fits(final List<FitTask> tasks) {
					told.addAndGet(tasks.size());
					return call(() -> parts.fits(tasks));
				}

				@Override
				public void fitMeans(final List<FitTask.Mean> means) {
					means.forEach(m -> call(() -> {
						parts.fitMean(m);
						return null;
					}));
				}
			});
			assertEquals(planned.steps() - planned.count(), told.get());
		}
	}

	private static <T> T call(final Callable<T> work) {
		try {
			return work.call();
		}
		catch (final Exception e) {
			throw new IllegalStateException(e);
		}
	}

	@Test
	void theMonitorCancels() {
		assertThrows(CancellationException.class, () -> correction(DriftReference.FIRST).monitor(new Monitor() {

			private long done;

			@Override
			public void done(final long more) {
				done += more;
			}

			@Override
			public boolean canceled() {
				return done >= 3;
			}
		}).measure(STILL.stack()));
	}
}
