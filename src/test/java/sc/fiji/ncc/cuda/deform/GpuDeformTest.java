package sc.fiji.ncc.cuda.deform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

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
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.fixture.DeformedStack;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.option.DriftReference;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformAlgorithm;
import sc.fiji.ncc.result.Drift;

/**
 * Deformations that follow from frames that a GPU deforms and sums, beside those of the CPU. Skipped, with the reason, without a GPU.
 */
@Tag("gpu")
class GpuDeformTest {

	/** The largest difference of fields in pixels. */
	private static final double MOTION = 2e-3;

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
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
