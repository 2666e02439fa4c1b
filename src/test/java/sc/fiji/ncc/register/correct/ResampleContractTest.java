package sc.fiji.ncc.register.correct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.ResampleAlgorithm;
import sc.fiji.ncc.plan.resample.Sampler;

/** Frames between their pixels, by the definition: every algorithm of the CPU, in every case. */
class ResampleContractTest {

	/** The largest error in units of the largest pixel, before the value is rounded to the type. */
	private static final double ERROR = 1e-14, FLOAT = 1e-7;

	/** All algorithms of a backend for this kind of problem. */
	static List<ResampleAlgorithm> algorithms(final Backend backend) {
		final List<ResampleAlgorithm> all = new ArrayList<>();
		for (final Algorithm<?> a : backend.algorithms()) if (a instanceof ResampleAlgorithm r) all.add(r);
		return all;
	}

	static Resampling problem(final Block b) {
		final long[] size = new long[b.size().length];
		for (int d = 0; d < size.length; d++) size[d] = b.size()[d];
		return new Resampling(b.type(), Size.of(size), b instanceof Block.Shifted s && s.weights() == null ? 0 : 2, b instanceof Block.Deformed, 1);
	}

	@Test
	void weightedMeansAreThoseOfTheDefinition() {
		final Backend cpu = new CpuBackend(1);
		assertEquals(1, algorithms(cpu).size());
		for (final ResampleAlgorithm algorithm : algorithms(cpu))
			for (final Block.Shifted b : ResampleCases.all()) {
				if (b.weights() == null) continue;
				try (Sampler execution = algorithm.plan(problem(b), cpu.devices().get(0)).prepare()) {
					final double[] values = ResampleCases.values(b.type(), execution.sample(b));
					assertEquals(b.count(), values.length);
					final double error = ResampleCases.largest(b) * (b.type() == PixelType.F32 ? FLOAT : ERROR);
					int i = 0;
					for (int z = 0; z < b.size(2); z++)
						for (int y = 0; y < b.size(1); y++)
							for (int x = 0; x < b.size(0); x++) check(b, ResampleCases.mean(b, x, y, z), values[i++], error);
				}
			}
	}

	/**
	 * The cost of deformed frames grows with all pixels of which a value is a mean: those of a square, and of a cube in volumes. Besides, more pixels
	 * beside the frame are read.
	 */
	@Test
	void deformedFramesCostAsManyNeighboursAsTheyHave() {
		final Backend cpu = new CpuBackend(1);
		for (final ResampleAlgorithm algorithm : algorithms(cpu))
			for (final Size frame : new Size[] { Size.of(300, 200), Size.of(90, 80, 70) }) {
				final double[] seconds = new double[7];
				for (int n = 2; n < 7; n += 2)
					seconds[n] = algorithm.plan(new Resampling(PixelType.U16, frame, n, true, 1), cpu.devices().get(0)).cost().seconds();
				final int d = frame.dimensions();
				assertEquals((Math.pow(6, d) - Math.pow(2, d)) / (Math.pow(4, d) - Math.pow(2, d)), (seconds[6] - seconds[2]) / (seconds[4] - seconds[2]),
					0.03);
			}
	}

	@Test
	void deformedFramesAreThoseOfTheDefinition() {
		final Backend cpu = new CpuBackend(1);
		for (final ResampleAlgorithm algorithm : algorithms(cpu))
			for (final Block.Deformed b : ResampleCases.deformed()) {
				final double[] values = ResampleCases.values(b.type(), algorithm.plan(problem(b), cpu.devices().get(0)).prepare().sample(b));
				assertEquals(b.count(), values.length);
				final double error = ResampleCases.largest(b) * (b.type() == PixelType.F32 ? FLOAT : ERROR);
				for (int i = 0; i < values.length; i++) {
					final int[] pixel = { i % b.size(0), i / b.size(0) % b.size(1), i / b.size(0) / b.size(1) };
					check(b, ResampleCases.value(b, Arrays.copyOf(pixel, b.size().length)), values[i], error);
				}
			}
	}

	private static void check(final Block b, final double exact, final double value, final double error) {
		final double expected = b.type().integer ? Math.max(b.type().min, Math.min(b.type().max, exact)) : exact;
		assertEquals(expected, value, error + (b.type().integer ? 0.5 : 0), () -> ResampleCases.name(b));
		if (b.type().integer) assertEquals(Math.rint(value), value);
	}

	/** A wave whose frequency is one of the transform, so that its values between the pixels are known. */
	@Test
	void fourierInterpolationMovesWaves() {
		for (final double fraction : new double[] { 0.25, 0.5, 0.9 }) {
			final int pixels = 64, read = pixels + 2 * Sampler.MARGIN, points = Sampler.points(read);
			final double frequency = 2 * Math.PI * 5 / points;
			final DoubleBuffer wave = DoubleBuffer.allocate(read * read);
			for (int y = 0; y < read; y++)
				for (int x = 0; x < read; x++) wave.put(y * read + x, Math.cos(frequency * x) + Math.sin(frequency * y));
			final Block b = new Block.Shifted(PixelType.F64, wave, new int[] { read, read }, new int[] { pixels, pixels }, null, new double[] { fraction, 0 });
			final Backend cpu = new CpuBackend(1);
			final double[] values = ResampleCases.values(PixelType.F64, algorithms(cpu).get(0).plan(problem(b), cpu.devices().get(0)).prepare().sample(b));
			double worst = 0;
			for (int y = 0; y < pixels; y++)
				for (int x = 0; x < pixels; x++) worst = Math.max(worst, Math.abs(values[y * pixels + x] - Math.cos(frequency * (x + Sampler.MARGIN + fraction))
					- Math.sin(frequency * (y + Sampler.MARGIN))));
			// between the end and the beginning of the line the wave is another one
			assertTrue(worst < 0.02, fraction + ": " + worst);
		}
	}

	@Test
	void aTransformHasTwoOrThreeTimesAPowerOfTwo() {
		for (int n = 2; n < 5000; n++) {
			final int points = Sampler.points(n);
			assertTrue(points >= n + Sampler.MARGIN && points <= 1.5 * (n + Sampler.MARGIN) + 8, n + ": " + points);
			assertTrue(Integer.bitCount(points) == 1 || points % 3 == 0 && Integer.bitCount(points / 3) == 1, n + ": " + points);
		}
	}
}
