package sc.fiji.ncc.cuda.deform;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.RealTypeConverters;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.cpu.deform.DeformedCells;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformAlgorithm;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.deform.SumLayout;
import sc.fiji.ncc.result.Drift;

/**
 * Frames that a GPU deforms and sums, beside the CPU, and the deformations that follow from them. Skipped, with the reason, without a GPU.
 */
@Tag("gpu")
class GpuDeformTest {

	/** The largest difference of fields in pixels. */
	private static final double MOTION = 2e-3;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	static Stream<Deformations> problems() {
		return Stream.of(new Deformations(Size.of(200, 150), Size.of(64, 64), 1), new Deformations(Size.of(131, 90), Size.of(33, 21), 1),
			new Deformations(Size.of(64, 64), Size.of(64, 64), 1), new Deformations(Size.of(40, 23), Size.of(4, 5), 1),
			new Deformations(Size.of(700, 130), Size.of(128, 70), 1), new Deformations(Size.of(12, 300), Size.of(12, 40), 1));
	}

	/** Smooth waves with noise; some pixels are missing on request. */
	private static float[] values(final int width, final int pixels, final long seed, final boolean missing) {
		final Random random = new Random(seed);
		final float[] values = new float[pixels];
		for (int i = 0; i < pixels; i++) values[i] = (float) (Math.sin(0.4 * (i % width)) + Math.cos(0.3 * (i / width) + 0.1 * (i % width))
			+ 0.1 * random.nextGaussian());
		if (missing) {
			for (int k = 0; k < 5; k++) values[random.nextInt(pixels)] = Float.NaN;
			Arrays.fill(values, pixels - pixels / 6, pixels, Float.NaN);
		}
		return values;
	}

	@ParameterizedTest
	@MethodSource("problems")
	void framesAndSumsAreThoseOfTheCpu(final Deformations problem) {
		final CudaDevice device = Driver.devices().list().get(0);
		for (final boolean missing : new boolean[] { false, true }) try (DeformedCells cpu = new DeformedCells(problem, 1);
			GpuDeform gpu = new GpuDeform(device, problem))
		{
			final List<Level> levels = Level.of(problem);
			final DeformReference reference = new DeformReference(levels.stream().map(l -> values((int) l.area().get(0), (int) l.area().pixels(), 3,
				missing)).toArray(float[][]::new), true);
			final float[] frame = values((int) problem.frame().get(0), (int) problem.frame().pixels(), 5, missing);
			cpu.frame(frame.clone(), true);
			gpu.frame(frame, true);
			final Random random = new Random(7);
			final double[][] motion = new double[2][IntStream.of(levels.get(0).count()).reduce(1, (a, b) -> a * b)];
			for (final double[] m : motion) for (int i = 0; i < m.length; i++) m[i] = 3 * random.nextGaussian();
			for (int l = 0; l < levels.size(); l++) {
				final String what = problem + ", level " + l + (missing ? ", missing pixels" : "");
				final float[] expected = cpu.deformed(l, motion), found = gpu.deformed(l, motion);
				assertEquals(IntStream.range(0, expected.length).filter(i -> Float.isNaN(expected[i])).count(),
					IntStream.range(0, found.length).filter(i -> Float.isNaN(found[i])).count(), what);
				// a position next to the middle between two fractions is rounded in either direction
				assertArrayEquals(expected, found, 2e-3f, what);
				double squares = 0;
				for (int i = 0; i < found.length; i++) if (!Float.isNaN(found[i])) squares += Math.pow(found[i] - expected[i], 2) / found.length;
				assertTrue(Math.sqrt(squares) < 2e-5, what + ": " + Math.sqrt(squares));
				if (l == levels.size() - 1) continue;
				for (final boolean exact : new boolean[] { false, true })
					sumsAgree(cpu.sums(l, reference, motion, exact), gpu.sums(l, reference, motion, exact), exact, what);
			}
		}
	}

	private static void sumsAgree(final double[][] expected, final double[][] found, final boolean exact, final String what) {
		assertEquals(expected.length, found.length);
		// with the weight and the deformed frame, and with the gradient of that frame: see SumLayout
		final List<Integer> ofSlopes = List.of(8, 10, 11, 15, 16, 18, 20, 24, 25, 27, 29);
		for (int c = 0; c < expected.length; c++)
			for (int i = 0; i < new SumLayout(2).count; i++) {
				if (!exact && ofSlopes.contains(i)) continue;
				// values and gradients are about 1, places up to the extent of the frame
				final double scale = expected[c][0] * (i >= new SumLayout(2).places ? 1000 : 4);
				assertEquals(expected[c][i], found[c][i], 2e-5 * scale + 1e-5, what + ", cell " + c + ", sum " + i);
			}
	}

	private static DriftCorrection correction(final String backend, final String reference) {
		return DriftCorrection.ofFrames(2).reference(DriftReference.of(reference)).threads(2).backend(backend).piecewise(64, 64);
	}

	private static void fieldsAgree(final Drift expected, final Drift found, final int frames, final String what) {
		for (int t = 0; t < frames; t++) for (final double[] at : new double[][] { { 5, 9 }, { 100, 40 }, { 64.5, 111 }, { 120, 120 } }) {
			final double[] a = expected.deformation(t).at(at), b = found.deformation(t).at(at);
			for (int d = 0; d < 2; d++) assertEquals(expected.frames().get(t).shift()[d] + a[d], found.frames().get(t).shift()[d] + b[d], MOTION,
				what + ", frame " + t);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "first", "previous", "mean", "multi" })
	void fieldsAreThoseOfTheCpu(final String reference) {
		final DeformedStack sample = new DeformedStack(160, 6, 128, 4, 400, 3);
		fieldsAgree(correction("cpu", reference).measure(sample.stack()), correction("cuda", reference).measure(sample.stack()), 6, reference);
	}

	@Test
	void aDeformationIsMeasuredAndAStillStackStays() {
		final DeformedStack deformed = new DeformedStack(224, 3, 128, 6, 400, 3), still = new DeformedStack(160, 3, 128, 0, 400, 4);
		final Drift moved = correction("cuda", "first").measure(deformed.stack()), unmoved = correction("cuda", "first").measure(still.stack());
		for (int t = 1; t < 3; t++) {
			assertTrue(deformed.residual(moved, t, 0)[0] < 0.15, "frame " + t + ": " + deformed.residual(moved, t, 0)[0]);
			assertTrue(still.residual(unmoved, t, 0)[0] < 0.02, "frame " + t + ": " + still.residual(unmoved, t, 0)[0]);
		}
	}

	/** Pixels of 64 bits, NaN, and a mask. */
	@Test
	@SuppressWarnings("unchecked") // the sample has 16 bits
	void allPixelsAndMissingOnesWork() {
		final RandomAccessibleInterval<?> stack = new DeformedStack(160, 3, 128, 4, 400, 3).stack();
		final RandomAccessibleInterval<DoubleType> doubles = ArrayImgs.doubles(160, 160, 3);
		final RandomAccessibleInterval<FloatType> holes = ArrayImgs.floats(160, 160, 3);
		RealTypeConverters.copyFromTo((RandomAccessibleInterval<DoubleType>) stack, doubles);
		RealTypeConverters.copyFromTo((RandomAccessibleInterval<DoubleType>) stack, holes);
		for (int t = 0; t < 3; t++) for (int y = 30; y < 50; y++) for (int x = 60; x < 75; x++) holes.getAt(x, y, t).set(Float.NaN);
		fieldsAgree(correction("cpu", "first").measure(holes), correction("cuda", "first").measure(holes), 3, "NaN");
		fieldsAgree(correction("cpu", "first").measure(doubles), correction("cuda", "first").measure(doubles), 3, "doubles");
		final RandomAccessibleInterval<FloatType> mask = ArrayImgs.floats(160, 160);
		Views.flatIterable(mask).forEach(p -> p.set(1));
		for (int y = 90; y < 120; y++) for (int x = 20; x < 50; x++) mask.getAt(x, y).set(0);
		fieldsAgree(correction("cpu", "first").imageMask(mask).measure(stack), correction("cuda", "first").imageMask(mask).measure(stack), 3,
			"mask");
	}

	@Test
	void volumesAreRefusedInWords() {
		final DeformAlgorithm cuda = (DeformAlgorithm) Backends.all(1).get(1).algorithms().stream().filter(a -> a.id().equals("cuda-deform"))
			.findFirst().orElseThrow();
		final Device gpu = Backends.all(1).get(1).devices().get(0);
		assertEquals("its kernels support planes, not volumes", cuda.unsupported(new Deformations(Size.of(40, 40, 20), Size.of(16, 16, 8), 1),
			gpu).orElseThrow());
	}

	/** Algorithms of the same kind. */
	@Test
	void thePlannerKnowsBoth() {
		assertEquals(List.of("cpu-deform", "cuda-deform"), Backends.all(1).stream().flatMap(b -> b.algorithms().stream())
			.filter(a -> a.kind() == Deformations.class).map(Algorithm::id).toList());
	}
}
