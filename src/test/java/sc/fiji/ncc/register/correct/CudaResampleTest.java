package sc.fiji.ncc.register.correct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.util.ImgUtil;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.DriftCorrection;
import sc.fiji.ncc.cuda.driver.GpuMemory;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.result.Deformation;
import sc.fiji.ncc.result.Drift;
import sc.fiji.ncc.result.FrameShift;

/** Frames between their pixels on a GPU: the bytes of the CPU. Skipped, with the reason, without a GPU. */
@Tag("gpu")
@Tag("smoke")
class CudaResampleTest {

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	@Test
	void everyCaseIsThatOfTheCpu() {
		final List<Backend> all = Backends.all(1);
		final ResampleAlgorithm cpu = ResampleContractTest.algorithms(all.get(0)).get(0), cuda = ResampleContractTest.algorithms(all.get(1)).get(0);
		final Device host = all.get(0).devices().get(0), gpu = all.get(1).devices().get(0);
		final List<Block> blocks = new ArrayList<>(ResampleCases.all());
		blocks.addAll(ResampleCases.deformed());
		for (final Block b : blocks) {
			assertEquals(Optional.empty(), cuda.unsupported(ResampleContractTest.problem(b), gpu));
			final double[] expected = ResampleCases.values(b.type(), cpu.plan(ResampleContractTest.problem(b), host).prepare().sample(b));
			final double[] found = ResampleCases.values(b.type(), cuda.plan(ResampleContractTest.problem(b), gpu).prepare().sample(b));
			if (!(b instanceof Block.Shifted s) || s.weights() != null) assertArrayEquals(expected, found, ResampleCases.name(b));
			else {
				final double error = ResampleCases.largest(b) * (b.type() == PixelType.F32 ? 1e-7 : 1e-12) + (b.type().integer ? 1 : 0);
				assertArrayEquals(expected, found, error, ResampleCases.name(b));
				int different = 0;
				for (int i = 0; i < found.length; i++) if (expected[i] != found[i]) different++;
				// a value next to a half is rounded in either direction
				if (b.type().integer) assertTrue(different <= 1, ResampleCases.name(b) + ": " + different + " differ");
			}
		}
	}

	/** Several threads read a corrected stack of several planes, whose frames are shifted, or deformed. */
	@Test
	void aStackIsCorrectedAsOnTheCpu() {
		final short[] pixels = new short[300 * 200 * 12];
		final Random random = new Random(4);
		for (int i = 0; i < pixels.length; i++) pixels[i] = (short) random.nextInt();
		final RandomAccessibleInterval<?> stack = ArrayImgs.unsignedShorts(pixels, 300, 200, 12);
		final Drift shifted = new Drift(new long[] { 300, 200 }, "first", IntStream.range(0,
			12).mapToObj(t -> new FrameShift(t, new double[] { 0.37 * t, -1.21 * t },
			1, 1, 0, Double.NaN, false, FrameShift.State.OK)).toList());
		final List<float[][]> fields = new ArrayList<>();
		for (int t = 0; t < 12; t++) {
			final float[][] field = new float[2][10 * 7];
			for (final float[] component : field) for (int i = 0; i < component.length; i++) component[i] = 3 * (float) random.nextGaussian();
			fields.add(field);
		}
		final Drift deformed = new Drift(shifted.frameSize(), "first", shifted.frames(),
			new Deformation(new int[] { 10, 7 }, new double[2], new double[] { 32, 32 }, fields));
		for (final Drift drift : List.of(shifted, deformed))
			for (final Interpolation i : List.of(Interpolation.LINEAR, Interpolation.CUBIC, Interpolation.LANCZOS)) {
				final short[] cpu = new short[pixels.length], cuda = new short[pixels.length];
				copy(DriftCorrection.ofFrames(2).backend("cpu").corrected(stack, 2, drift, i, Outside.BLACK), cpu);
				copy(DriftCorrection.ofFrames(2).backend("cuda").corrected(stack, 2, drift, i, Outside.BLACK), cuda);
				assertArrayEquals(cpu, cuda, i + ", " + drift);
			}
	}

	/** The memory of a frame suffices, but that of its lines does not: nothing stays, the CPU continues if it may, and otherwise the reason is thrown. */
	@Test
	void withoutMemoryTheCpuContinues() {
		final short[] pixels = new short[300 * 200 * 3];
		new Random(5).ints(pixels.length).forEach(i -> pixels[(i & 0x7fffffff) % pixels.length] = (short) i);
		final RandomAccessibleInterval<?> stack = ArrayImgs.unsignedShorts(pixels, 300, 200, 3);
		final Drift drift = new Drift(new long[] { 300, 200 }, "first", IntStream.range(0, 3).mapToObj(t -> new FrameShift(t,
			new double[] { 0.4 * t, 0.3 * t }, 1, 1, 0,
			Double.NaN, false, FrameShift.State.OK)).toList());
		final short[] cpu = new short[pixels.length], auto = new short[pixels.length];
		copy(DriftCorrection.ofFrames(2).backend("cpu").corrected(stack, 2, drift, Interpolation.FOURIER, Outside.BLACK), cpu);
		GpuMemory.limit(1 << 20);
		try {
			final Throwable failure = assertThrows(RuntimeException.class, () -> copy(DriftCorrection.ofFrames(2).backend("cuda").corrected(stack, 2, drift,
				Interpolation.FOURIER, Outside.BLACK), auto));
			assertTrue(reasons(failure).contains("every candidate failed") && reasons(failure).contains("memory"), () -> reasons(failure));
			copy(DriftCorrection.ofFrames(2).corrected(stack, 2, drift, Interpolation.FOURIER, Outside.BLACK), auto);
			assertArrayEquals(cpu, auto);
		}
		finally {
			GpuMemory.limit(Long.MAX_VALUE);
		}
		final long before = GpuMemory.onGpu(), pinned = GpuMemory.pinned();
		copy(DriftCorrection.ofFrames(2).backend("cuda").corrected(stack, 2, drift, Interpolation.CUBIC, Outside.BLACK), auto);
		GpuMemory.limit(Long.MAX_VALUE);
		assertEquals(before, GpuMemory.onGpu());
		assertEquals(pinned, GpuMemory.pinned());
	}

	private static String reasons(final Throwable failure) {
		final StringBuilder all = new StringBuilder();
		for (Throwable t = failure; t != null; t = t.getCause()) all.append(t.getMessage()).append('\n');
		return all.toString();
	}

	@SuppressWarnings({ "unchecked", "rawtypes" }) // the type is that of the stack
	private static void copy(final RandomAccessibleInterval from, final short[] to) {
		ImgUtil.copy(from, ArrayImgs.unsignedShorts(to, from.dimensionsAsLongArray()));
	}
}
