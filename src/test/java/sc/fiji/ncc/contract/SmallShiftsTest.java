package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/**
 * Templates of 3x3 to 300x200 with the few lags of tracking, each template at its own place. The sizes give every remainder of a division into tiles. Every
 * CPU algorithm is compared with the definition.
 */
class SmallShiftsTest {

	/** Each width occurs twice, with different heights. */
	private static final int[] WIDTHS = { 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 21, 23, 31, 33, 47, 64, 65, 97, 127, 156, 211, 300 },
			HEIGHTS = { 3, 5, 4, 21, 7, 9, 8, 16, 15, 17, 64, 33, 116, 127, 31, 65, 200, 3, 19, 11, 6, 116, 97, 200 };
	private static final int[][] LAGS = { { 5, 3 }, { 4, 9 }, { 1, 1 }, { 19, 2 }, { 2, 7 } };

	@TestFactory
	List<DynamicTest> everyAlgorithmAgreesWithTheDefinition() {
		final List<DynamicTest> tests = new ArrayList<>();
		for (int i = 0; i < 2 * WIDTHS.length; i++) {
			final int w = WIDTHS[i % WIDTHS.length], h = HEIGHTS[(i < WIDTHS.length ? i : 5 * i + 7) % HEIGHTS.length];
			final PixelType type = new PixelType[] { PixelType.U8, PixelType.F32, PixelType.U16 }[i % 3];
			final int[] lags = LAGS[i % LAGS.length];
			final long seed = i;
			tests.add(DynamicTest.dynamicTest(w + "x" + h + ", " + type + ", " + lags[0] + "x" + lags[1] + " lags", () -> check(w, h, type, lags, seed)));
		}
		return tests;
	}

	private static void check(final int w, final int h, final PixelType type, final int[] lags, final long seed) {
		final Random random = new Random(seed);
		final int[] size = { w + lags[0] + 6, h + lags[1] + 4 };
		final double[] image = RandomPixels.onOffset(type, size[0] * size[1], random);
		final List<Template> templates = new ArrayList<>();
		final long[][] origins = new long[3][];
		final List<double[]> expected = new ArrayList<>();
		for (int t = 0; t < 3; t++) {
			templates.add(new Template(Size.of(w, h), type, RandomPixels.onOffset(type, w * h, random), null));
			// two templates have the same place
			origins[t] = t == 2 ? origins[0].clone() : new long[] { random.nextInt(7), random.nextInt(5) };
			expected.add(new ReferenceNcc(image, size, templates.get(t).values(), new int[] { w, h }, null).inside(ReferenceNcc.Form.AFFORDABLE, origins[t], lags));
		}
		final Correlation problem = Problems.correlation(type, type, Size.of(size[0], size[1]), templates.stream().map(Template::size).toList(), Weights.NONE,
			Lags.inside(Size.of(lags[0], lags[1])), 1);
		final CpuBackend cpu = new CpuBackend(2);
		final List<String> exact = new ArrayList<>();
		double[][] whole = null;
		for (final SlidingAlgorithm<Correlation> a : Problems.correlations(cpu)) {
			if (!a.precisions().contains(Precision.SINGLE) || a.unsupported(problem).isPresent()) continue;
			final ArraySink sink = new ArraySink(Float.NaN, 3, lags);
			try (Execution execution = a.plan(problem, cpu.devices().get(0)).prepare(templates)) {
				execution.submit(new ArrayPixels(type, size, image), new LagBox(origins, lags), sink, Monitor.NONE).join();
			}
			final boolean inWholeNumbers = a.id().endsWith("-exact");
			final double[][] found = { sink.complete(0), sink.complete(1), sink.complete(2) };
			for (int t = 0; t < 3; t++)
				for (int i = 0; i < found[t].length; i++)
					assertEquals(expected.get(t)[i], found[t][i], inWholeNumbers ? 1e-7 : 1e-5, a.id() + ", template " + t + ", response " + i);
			if (!inWholeNumbers) continue;
			exact.add(a.id());
			if (whole == null) whole = found;
			for (int t = 0; t < 3; t++)
				for (int i = 0; i < found[t].length; i++) assertEquals(whole[t][i], found[t][i], exact + " differ");
		}
		assertEquals(type.exact(), !exact.isEmpty());
		assertTrue(Problems.correlations(cpu).stream().filter(a -> a.unsupported(problem).isEmpty()).count() >= 3, "methods");
	}

}
