package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.FakeWindows;
import sc.fiji.ncc.fixture.WindowCoefficient;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.motion.MotionFields;
import sc.fiji.ncc.motion.MotionParts;
import sc.fiji.ncc.motion.MotionVector;
import sc.fiji.ncc.motion.MotionVector.State;
import sc.fiji.ncc.motion.ParticlePair;
import sc.fiji.ncc.motion.VectorField;
import sc.fiji.ncc.motion.VortexSample;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.window.WindowAlgorithm;
import sc.fiji.ncc.planner.Ranking;

/** Motion fields of particle images with a known motion. */
class MotionFieldTest {

	private static final UnaryOperator<double[]> UNIFORM = x -> new double[] { 2.3, -1.6 };

	private static MotionField cpu(final long... window) {
		return MotionField.ofWindows(window).backend("cpu").threads(2);
	}

	private static VectorField measured(final MotionField field, final RandomAccessibleInterval<?>[] pair) {
		return field.measure(pair[0], pair[1]).fields().get(0);
	}

	private static double rms(final List<MotionVector> vectors, final UnaryOperator<double[]> truth) {
		double sum = 0;
		int n = 0;
		for (final MotionVector v : vectors) {
			final double[] u = truth.apply(v.centre());
			for (int d = 0; d < u.length; d++, n++) sum += (v.motion()[d] - u[d]) * (v.motion()[d] - u[d]);
		}
		return Math.sqrt(sum / n);
	}

	private static double value(final RandomAccessibleInterval<?> image, final long x, final long y) {
		final RandomAccess<?> at = image.randomAccess();
		at.setPosition(new long[] { x, y });
		return ((RealType<?>) at.get()).getRealDouble();
	}

	@Test
	void eachWindowHasTheHighestPeakOfItsSearch() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(52, 44).images(UNIFORM);
		final int side = 12;
		final VectorField field = measured(cpu(side, side).spacing(7, 9).maxShift(5, 4).passes(1).refine(false).keepRejected(true), pair);
		assertArrayEquals(new int[] { 6, 4 }, field.grid().count());
		assertEquals(24, field.vectors().size());
		for (int i = 0; i < 24; i++) {
			final long[] first = { i % 6 * 7, i / 6 * 9 }, best = new long[2];
			double highest = -2;
			for (long y = first[1] - 4; y <= first[1] + 4; y++)
				for (long x = first[0] - 5; x <= first[0] + 5; x++) {
					final double r = WindowCoefficient.of(pair[0], pair[1], first, new long[] { x, y }, side);
					if (r > highest) {
						highest = r;
						best[0] = x;
						best[1] = y;
					}
				}
			final MotionVector v = field.vectors().get(i);
			assertEquals(highest, v.score(), 1e-12, "window " + i);
			for (int d = 0; d < 2; d++) {
				assertEquals(first[d] + 5.5, v.centre()[d]);
				assertEquals(best[d] - first[d], v.motion()[d], 1, "window " + i);
			}
			assertTrue(v.runnerUp() < highest && v.covariance() == null, v.toString());
		}
	}

	@Test
	void uniformMotionIsMeasuredWithItsError() {
		for (final int bits : new int[] { 8, 16 }) {
			final RandomAccessibleInterval<?>[] pair = ParticlePair.of(112, 96).bits(bits).images(UNIFORM);
			for (final int passes : new int[] { 1, 2 }) {
				final VectorField field = measured(cpu(32, 32).maxShift(6, 6).passes(passes), pair);
				final double rms = rms(field.vectors(), UNIFORM);
				assertEquals(field.vectors().size(), field.valid(), passes + " passes");
				assertTrue(rms < 0.04, bits + " bits, " + passes + " passes: " + rms);
				double variance = 0;
				for (final MotionVector v : field.vectors()) for (int d = 0; d < 2; d++) variance += v.sigma(d) * v.sigma(d) / 2 / field.vectors().size();
				assertTrue(rms < 2.5 * Math.sqrt(variance) && rms > 0.4 * Math.sqrt(variance), "error " + rms + ", estimated " + Math.sqrt(variance));
			}
		}
	}

	@Test
	void laterPassesResolveAVortex() {
		final RandomAccessibleInterval<UnsignedByteType> stack = VortexSample.stack();
		final List<Double> errors = new ArrayList<>();
		for (final int passes : new int[] { 1, 3 }) {
			final MotionFields motion = cpu(32, 32).maxShift(9, 9).passes(passes).refine(false).measure(stack);
			errors.add(rms(motion.fields().get(0).vectors(), VortexSample.motion()));
		}
		assertTrue(errors.get(1) < 0.7 * errors.get(0), errors.toString());
		assertTrue(errors.get(1) < 0.15, errors.toString());
	}

	@Test
	void volumes() {
		final UnaryOperator<double[]> motion = x -> new double[] { 1.4, -0.7, 0.8 };
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(36, 32, 28).density(0.01).images(motion);
		final VectorField field = measured(cpu(16, 16, 12).spacing(10, 8, 8).maxShift(3, 3, 3).passes(2), pair);
		assertArrayEquals(new int[] { 3, 3, 3 }, field.grid().count());
		assertTrue(rms(field.vectors(), motion) < 0.1, "rms " + rms(field.vectors(), motion));
		assertTrue(field.vectors().get(13).sigma(2) > 0);
	}

	/** Windows over other particles are rejected, and their neighbours stand in for them. */
	@Test
	void wrongVectorsAreFlaggedAndReplaced() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(128, 128).images(UNIFORM), others = ParticlePair.of(128, 128).seed(9).images(UNIFORM);
		copy(others[1], pair[1], 40, 40, 40);
		final MotionField op = cpu(24, 24).spacing(12, 12).maxShift(8, 8).passes(2).refine(false);
		final VectorField field = measured(op, pair);
		int replaced = 0;
		for (final MotionVector v : field.vectors()) {
			final double error = Math.hypot(v.motion()[0] - 2.3, v.motion()[1] + 1.6);
			assertTrue(error < 1, v.toString());
			if (v.state() == State.REPLACED) {
				replaced++;
				assertFalse(v.isValid());
				assertTrue(v.centre()[0] > 30 && v.centre()[0] < 90 && v.centre()[1] > 30 && v.centre()[1] < 90 && v.covariance() == null, v.toString());
			}
		}
		assertTrue(replaced >= 2, "replaced " + replaced);
		final VectorField kept = measured(op.keepRejected(true), pair);
		assertTrue(kept.vectors().stream().anyMatch(v -> v.state() == State.REJECTED));
		assertTrue(kept.vectors().stream().noneMatch(v -> v.state() == State.REPLACED || v.state() == State.SECOND));
	}

	private static void copy(final RandomAccessibleInterval<?> from, final RandomAccessibleInterval<?> to, final long x0, final long y0, final int side) {
		final RandomAccess<?> target = to.randomAccess();
		for (long y = y0; y < y0 + side; y++)
			for (long x = x0; x < x0 + side; x++) {
				target.setPosition(new long[] { x, y });
				((IntegerType<?>) target.get()).setInteger((long) value(from, x, y));
			}
	}

	@Test
	void aFlatWindowHasNoMotion() {
		final Img<FloatType> flat = ArrayImgs.floats(64, 64), noise = ArrayImgs.floats(64, 64);
		assertTrue(cpu(16, 16).passes(1).measure(flat, flat).fields().get(0).vectors().stream().allMatch(v -> v.state() == State.MISSING
			&& Double.isNaN(v.motion()[0])
			&& Double.isNaN(v.score()) && !v.isValid()));
		assertEquals(0, cpu(16, 16).passes(2).smoothing(Double.NaN).measure(flat, noise).valid());
	}

	@Test
	void missingPixelsDoNotCount() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(96, 96).images(UNIFORM);
		// what the mask hides moves otherwise
		final RandomAccessibleInterval<?>[] others = ParticlePair.of(96, 96).seed(5).images(x -> new double[2]);
		copy(others[0], pair[0], 0, 0, 40);
		copy(others[0], pair[1], 0, 0, 40);
		final Img<UnsignedByteType> mask = ArrayImgs.unsignedBytes(96, 96);
		final RandomAccess<UnsignedByteType> at = mask.randomAccess();
		for (int y = 0; y < 96; y++) for (int x = 0; x < 96; x++) {
			at.setPosition(new int[] { x, y });
			at.get().set(x < 42 && y < 42 ? 0 : 1);
		}
		for (final int passes : new int[] { 1, 2 }) {
			final VectorField field = measured(cpu(24, 24).maxShift(6, 6).passes(passes).imageMask(mask).keepRejected(true), pair);
			assertEquals(State.MISSING, field.vectors().get(0).state());
			for (final MotionVector v : field.vectors()) if (v.isValid()) assertEquals(0, rms(List.of(v), UNIFORM), 0.3, v.toString());
			assertTrue(field.valid() > 25, "valid " + field.valid());
		}
		assertThrows(IllegalArgumentException.class, () -> cpu(16, 16).imageMask(ArrayImgs.unsignedBytes(96, 96)).measure(pair[0], pair[1]));
	}

	/**
	 * The share of peaks at the end of the search is that of the first pass, whatever follows it, over the windows that have a peak: none of the flat half
	 * of the frames.
	 */
	@Test
	void theFirstPassTellsOfPeaksAtTheEndOfItsSearch() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(128, 96).images(x -> new double[] { x[1] < 48 ? 2.5 : 1, 0 });
		for (final RandomAccessibleInterval<?> frame : pair)
			for (int x = 0; x < 64; x += 32) for (int y = 0; y < 96; y += 32) copy(ArrayImgs.unsignedBytes(128, 96), frame, x, y, 32);
		final MotionField first = cpu(32, 32).spacing(16, 16).maxShift(3, 3).passes(1).minScore(-1).minRatio(0).maxResidual(1e9).keepRejected(true);
		final VectorField alone = measured(first, pair);
		final double peaks = alone.vectors().stream().filter(v -> !Double.isNaN(v.score())).count(),
			rejected = alone.vectors().stream().filter(v -> v.state() == State.REJECTED).count();
		assertTrue(rejected > 2 && rejected < peaks - 2 && peaks < alone.vectors().size(), rejected + " of " + peaks + " of " + alone.vectors().size());
		assertEquals(rejected / peaks, alone.atEnd());
		final MotionField all = cpu(16, 16).spacing(8, 8).maxShift(3, 3).passes(3).smoothing(0.1);
		assertEquals(alone.atEnd(), measured(all, pair).atEnd());
		final RandomAccessibleInterval<?> stack = Views.stack(bytes(pair[0]), bytes(pair[1]));
		final MotionParts parts = all.parts(stack);
		assertEquals(alone.atEnd(), parts.fields(parts::measured).fields().get(0).atEnd());
		assertEquals(alone.atEnd(), measured(all.ensemble(true), pair).atEnd());
	}

	@SuppressWarnings("unchecked")
	private static RandomAccessibleInterval<UnsignedByteType> bytes(final RandomAccessibleInterval<?> frame) {
		return (RandomAccessibleInterval<UnsignedByteType>) frame;
	}

	/** Channels with different particles and opposite contrasts have one motion, with a smaller error than one of them. */
	@Test
	void channelsHaveOneMotion() {
		final RandomAccessibleInterval<?>[] one = ParticlePair.of(112, 96).noise(0.1).loss(0.1).images(UNIFORM),
			two = ParticlePair.of(112, 96).noise(0.1).loss(0.1).seed(2).images(UNIFORM);
		for (final RandomAccessibleInterval<?> frame : two) for (final Object p : Views.iterable(frame)) ((IntegerType<?>) p).setInteger(255 - ((IntegerType<?>) p)
			.getIntegerLong());
		for (final int passes : new int[] { 1, 2 }) {
			final MotionField op = cpu(24, 24).maxShift(6, 6).passes(passes);
			final double alone = rms(measured(op, one).vectors(), UNIFORM), other = rms(measured(op, two).vectors(), UNIFORM);
			final MotionFields motion = op.measure(JointImage.of(List.of(one[0], two[0])), JointImage.of(List.of(one[1], two[1])));
			final VectorField field = motion.fields().get(0);
			assertEquals(field.vectors().size(), field.valid());
			final double joint = rms(field.vectors(), UNIFORM);
			// two channels have twice the details
			assertTrue(joint < 0.8 * Math.max(alone, other) && joint < Math.min(alone, other), alone + ", " + other + ", joint " + joint);
		}
		refuses(() -> cpu(24, 24).measure(JointImage.of(List.of(one[0], two[0])), one[1]), "has 2 channels", "has 1");
	}

	/** Each pair that is measured at once takes the memory of all passes on the device and on the host. */
	@Test
	void pairsAreMeasuredAtOnceAsFarAsMemoryAllows() {
		final ComputeOptions options = ComputeOptions.DEFAULT.threads(16).memory(1000);
		assertEquals(4, lanes(options, 10, 10, 1000));
		assertEquals(3, lanes(options, 150, 10, 1000));
		assertEquals(1, lanes(options, 600, 10, 1000));
		assertEquals(2, lanes(options, 10, 200, 1000));
		assertEquals(2, lanes(options.threads(2), 10, 10, 1000));
		assertEquals(1, lanes(options, 0, 10, 1000));
	}

	/** A device that fails in any execution but the first one, which has more threads, is named with its failure. */
	@Test
	void aFailureOfAnyExecutionIsReported() {
		final Backend cpu = new CpuBackend(1);
		final WindowAlgorithm good = (WindowAlgorithm) cpu.algorithms().stream().filter(a -> a.id().equals("cpu-windows")).findFirst().orElseThrow();
		final WindowAlgorithm failing = new FakeWindows(new Cost(0, 0, 0, 1), (problem, device, threads) -> {
			if (threads == 1) throw new DeviceException("there is no second stream");
			return good.plan(problem, device).prepare(threads);
		});
		final Img<UnsignedByteType> stack = ArrayImgs.unsignedBytes(64, 64, 3);
		final Random random = new Random(4);
		stack.forEach(p -> p.set(random.nextInt(256)));
		final MotionFields motion = MotionField.ofWindows(32, 32).maxShift(6, 6).passes(1).threads(2).backends(List.of(
			new FakeBackend(new Device("test", "a test", 2, 1 << 20), List.of(failing)), cpu)).measure(stack);
		assertEquals(1, motion.rankings().size());
		assertTrue(motion.rankings().get(0).explain().contains("there is no second stream"), motion.rankings().get(0).explain());
	}

	/** The lanes of two passes. */
	private static int lanes(final ComputeOptions options, final long deviceBytes, final long hostBytes, final long memory) {
		final Plan plan = () -> new Cost(1, 0, hostBytes, deviceBytes);
		final Ranking pass = new Ranking(MotionField.problem(PixelType.U8, Size.of(64, 64), Size.of(32, 32), 9), List.of(new Ranking.Candidate("test", null,
			new Device("test", "a test", 1, memory), plan, OptionalDouble.empty(), 0, "")));
		return MotionField.lanes(List.of(pass, pass), options, 9);
	}

	/** Windows that the grid mask leaves out have no vector; the others are those of a measurement without a mask. */
	@Test
	void aGridMaskLeavesOutWindows() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(112, 96).images(UNIFORM);
		final Img<UnsignedByteType> ofWindows = ArrayImgs.unsignedBytes(6, 5), ofFrame = ArrayImgs.unsignedBytes(112, 96);
		for (int y = 0; y < 5; y++) for (int x = 2; x < 6; x++) ofWindows.getAt(x, y).set(1);
		// the centre of window x is 15.5 + 16x: its lower pixel counts
		for (int y = 0; y < 96; y++) for (int x = 47; x < 112; x++) ofFrame.getAt(x, y).set(7);
		for (final String algorithm : new String[] { "cpu-windows", "cpu-window-templates" }) {
			final MotionField one = cpu(32, 32).maxShift(6, 6).passes(1).algorithm(algorithm);
			final VectorField whole = measured(one, pair);
			final MotionFields motion = one.gridMask(ofWindows).measure(pair[0], pair[1]);
			final VectorField some = motion.fields().get(0);
			assertEquals(20, motion.windows());
			final double[][] sorted = IntStream.range(0, 3).mapToObj(c -> some.unmasked().stream().mapToDouble(v -> c < 2 ? v.motion()[c] : v.speed())
				.sorted().toArray()).toArray(double[][]::new);
			assertEquals(String.format(Locale.ROOT, "20 of 20 vectors are valid, in 1 pair of frames, median motion %.2f, %.2f and speed %.2f pixels",
				Arrays.stream(sorted).map(s -> (s[9] + s[10]) / 2).toArray(Object[]::new)), motion.summary());
			for (int i = 0; i < 30; i++) {
				if (i % 6 >= 2) assertEquals(whole.vectors().get(i), some.vectors().get(i), algorithm + " " + i);
				else assertEquals(State.MASKED, some.vectors().get(i).state(), algorithm + " " + i);
				assertEquals(i % 6 < 2, Float.isNaN(motion.image().getAt(i % 6, i / 6, 0, 0).get()));
			}
			assertEquals(20 * 13 * 13, motion.report().responses(), algorithm);
			assertEquals(some.unmasked(), measured(one.gridMask(ofFrame), pair).unmasked(), algorithm);
		}
		// nothing fills a masked window, also after a pass with larger windows
		for (final boolean ensemble : new boolean[] { false, true }) {
			final VectorField field = measured(cpu(32, 32).maxShift(6, 6).passes(2).smoothing(0.1).ensemble(ensemble).gridMask(ofWindows), pair);
			assertEquals(20, field.valid());
			assertEquals(20, field.unmasked().size());
			assertTrue(rms(field.unmasked(), UNIFORM) < 0.1, "rms " + rms(field.unmasked(), UNIFORM));
			for (final MotionVector v : field.vectors()) assertEquals(v.state() == State.MASKED, Double.isNaN(v.motion()[0]), v.toString());
		}
		// the large windows end before the centres of the last column
		final UnaryOperator<double[]> far = x -> new double[] { 5, 0 };
		final Img<FloatType> last = ArrayImgs.floats(6, 5);
		for (int y = 0; y < 5; y++) {
			for (int x = 0; x < 5; x++) last.getAt(x, y).set(x == 0 ? Float.NaN : 0);
			last.getAt(5, y).set(1);
		}
		final VectorField column = measured(cpu(32, 32).maxShift(6, 6).passes(2).gridMask(last), ParticlePair.of(112, 96).images(far));
		assertEquals(5, column.valid());
		assertTrue(rms(column.unmasked(), far) < 0.2, "rms " + rms(column.unmasked(), far));
		refuses(() -> cpu(32, 32).gridMask(ArrayImgs.argbs(6, 5)).measure(pair[0], pair[1]), "grid mask", "3 channels");
		refuses(() -> cpu(32, 32).gridMask(ArrayImgs.unsignedBytes(5, 5)).measure(pair[0], pair[1]), "5x5", "6x5", "112x96");
		refuses(() -> cpu(32, 32).gridMask(ArrayImgs.unsignedBytes(6, 5)).measure(pair[0], pair[1]), "none is left");
	}

	@Test
	void framesOfAStackAreComparedWithTheReference() {
		final List<RandomAccessibleInterval<UnsignedByteType>> frames = new ArrayList<>();
		for (int f = 0; f < 3; f++) {
			final double shift = 1.5 * f;
			@SuppressWarnings("unchecked")
			final RandomAccessibleInterval<UnsignedByteType> frame = (RandomAccessibleInterval<UnsignedByteType>) ParticlePair.of(64,
				64).loss(0).noise(0).images(x -> new double[] { 2 * shift, 0 })[1];
			frames.add(frame);
		}
		final RandomAccessibleInterval<UnsignedByteType> stack = Views.stack(frames);
		final MotionField op = cpu(24, 24).maxShift(5, 5).passes(1).refine(false);
		final double[][] expected = { { 1.5, 1.5 }, { 1.5, 3 }, { -1.5, 1.5 } };
		final long[][] pairs = { { 0, 1, 1, 2 }, { 0, 1, 0, 2 }, { 1, 0, 1, 2 } };
		final DriftReference[] references = { DriftReference.PREVIOUS, DriftReference.FIRST, DriftReference.frame(1) };
		for (int r = 0; r < references.length; r++) {
			final MotionFields motion = op.reference(references[r]).measure(stack);
			assertEquals(2, motion.fields().size());
			for (int f = 0; f < 2; f++) {
				final VectorField field = motion.fields().get(f);
				assertArrayEquals(new long[] { pairs[r][2 * f], pairs[r][2 * f + 1] }, new long[] { field.from(), field.to() });
				final double u = expected[r][f];
				assertTrue(rms(field.vectors(), x -> new double[] { u, 0 }) < 0.15, references[r] + ", field " + f);
			}
		}
		final Img<FloatType> image = op.measure(stack).image();
		assertArrayEquals(new long[] { 4, 4, 2, 2 }, image.dimensionsAsLongArray());
		assertEquals(op.measure(stack).fields().get(1).vectors().get(6).motion()[0], image.getAt(2, 1, 0, 1).get(), 1e-6);
	}

	@Test
	void smoothingReducesNoise() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(128, 128).noise(0.15).loss(0.2).images(UNIFORM);
		// windows that overlap have errors in common, which the cross-validation takes for motion
		final MotionField op = cpu(12, 12).spacing(12, 12).maxShift(5, 5).passes(1).refine(false);
		final double rough = rms(measured(op, pair).vectors(), UNIFORM), smooth = rms(measured(op.smoothing(Double.NaN), pair).vectors(), UNIFORM),
			given = rms(measured(op.smoothing(10), pair).vectors(), UNIFORM);
		assertTrue(smooth < 0.6 * rough && given < 0.6 * rough, rough + ", " + smooth + ", " + given);
	}

	/** The progress of all passes and pairs is what was announced. */
	@Test
	void theMonitorIsToldOfAllResponses() {
		final float[] pixels = new float[64 * 64 * 3];
		final Random random = new Random(1);
		for (int i = 0; i < pixels.length; i++) pixels[i] = random.nextFloat();
		final RandomAccessibleInterval<?> stack = ArrayImgs.floats(pixels, 64, 64, 3);
		for (int passes = 1; passes <= 3; passes++) for (final boolean together : new boolean[] { false, true }) {
			final long[] steps = new long[2];
			final MotionField field = cpu(16, 16).maxShift(4, 4).passes(passes).monitor(new Monitor() {

				@Override
				public void total(final long all) {
					steps[0] += all;
				}

				@Override
				public synchronized void done(final long more) {
					steps[1] += more;
				}
			});
			field.ensemble(together).measure(stack);
			assertTrue(steps[0] > 0);
			assertEquals(steps[0], steps[1], passes + " passes" + (together ? " together" : ""));
		}
	}

	@Test
	void mistakesHaveASentence() {
		final RandomAccessibleInterval<?>[] pair = ParticlePair.of(40, 40).images(UNIFORM);
		refuses(() -> cpu(64, 64).measure(pair[0], pair[1]), "64x64", "40x40");
		refuses(() -> cpu(16, 16).maxShift(40, 1).measure(pair[0], pair[1]), "40x1", "smaller shift");
		refuses(() -> cpu(16, 16).spacing(0, 4), "spacing", "0");
		refuses(() -> cpu(16, 16).spacing(4), "one number per dimension");
		refuses(() -> cpu(16, 16).maxShift(4), "one number per dimension");
		refuses(() -> cpu(16, 16).passes(0), "passes");
		refuses(() -> cpu(16, 16).minScore(2), "score");
		refuses(() -> cpu(16, 16).minRatio(-1), "ratio");
		refuses(() -> cpu(16, 16).maxResidual(0), "residual");
		refuses(() -> cpu(16, 16).smoothing(-1), "smoothing");
		refuses(() -> cpu(16, 16).minOverlap(2), "overlap");
		refuses(() -> cpu(16, 16).reference(DriftReference.MULTI), "multi");
		refuses(() -> cpu(16, 16).reference(DriftReference.frame(3)).measure(pair[0], pair[1]), "frame 4");
		refuses(() -> cpu(16, 16).measure(pair[0]), "one frame");
		refuses(() -> cpu(16, 16).measure(pair[0], ArrayImgs.floats(40, 40)), "one size and type");
		refuses(() -> cpu(16, 16).measure(pair[0], ArrayImgs.floats(40, 40, 2)), "dimensions");
		refuses(() -> MotionField.ofWindows(16), "two or three");
		refuses(() -> MotionField.ofWindows(1, 2), "at least 4");
		assertThrows(CancellationException.class, () -> cpu(16, 16).monitor(new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		}).measure(pair[0], pair[1]));
	}

	private static void refuses(final org.junit.jupiter.api.function.Executable call, final String... words) {
		final String message = assertThrows(IllegalArgumentException.class, call).getMessage();
		for (final String word : words) assertTrue(message.contains(word), message);
	}
}
