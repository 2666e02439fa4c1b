package sc.fiji.ncc.cpu.ncc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.fourier.WholeShape;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Weights;

/** What the cost models count, whatever their constants are: pixels, lags, templates and frames. */
class CostModelsTest {

	private static final Size IMAGE = Size.of(40, 30), TEMPLATE = Size.of(7, 5), LAGS = Size.of(34, 26);
	private static final long COUNT = 34 * 26;
	private static final Device ONE = new Device("cpu", "one thread", 1, 1L << 32);

	static List<SlidingAlgorithm<Correlation>> algorithms() {
		return Problems.correlations(new CpuBackend(1));
	}

	private static Correlation problem(final PixelType type, final List<Size> templates, final Weights weights, final Lags lags, final long frames) {
		return Problems.correlation(type, type, IMAGE, templates, weights, lags, frames);
	}

	private static Correlation floats(final int templates, final long frames) {
		return problem(PixelType.F32, Collections.nCopies(templates, TEMPLATE), Weights.NONE, Lags.inside(LAGS), frames);
	}

	private static Cost cost(final SlidingAlgorithm<Correlation> algorithm, final Correlation problem, final Device device) {
		return algorithm.plan(problem, device).cost();
	}

	/** How often a model counts a constant on one thread: the difference in seconds if it is one second. */
	private static double count(final SlidingAlgorithm<Correlation> algorithm, final Correlation problem, final String constant) {
		return count(algorithm, problem, constant, 1);
	}

	private static double count(final SlidingAlgorithm<Correlation> algorithm, final Correlation problem, final String constant, final int threads) {
		final Device device = new Device("cpu", "threads", threads, 1L << 32);
		return cost(algorithm, problem, device.with((name, shipped) -> name.equals(constant) ? 1 : shipped)).seconds()
			- cost(algorithm, problem, device.with((name, shipped) -> name.equals(constant) ? 0 : shipped)).seconds();
	}

	private static void assertCount(final double expected, final double count) {
		assertEquals(expected, count, 1e-9 * expected);
	}

	/** A thread uses its memory for one template after the other. */
	@Test
	void templatesOfOneSizeShareTheMemoryOfAThread() {
		final Device two = new Device("cpu", "two threads", 2, 1L << 32);
		for (final SlidingAlgorithm<Correlation> a : List.of(new CpuDirect(), new CpuFourier())) {
			final Correlation weighted = problem(PixelType.F32, Collections.nCopies(50, TEMPLATE), Weights.REAL,
				new Lags(LAGS, false, true, 0.5), 1);
			final long one = cost(a, floats(1, 1), two).hostBytes(), many = cost(a, floats(50, 1), two).hostBytes(),
				masked = cost(a, weighted, two).hostBytes();
			assertTrue(one < many && many < 10 * one && masked < 50 * one, a.id() + ": " + one + ", " + many + ", " + masked);
			final List<Size> sizes = List.of(TEMPLATE, Size.of(6, 5));
			assertTrue(cost(a, problem(PixelType.F32, sizes, Weights.NONE, Lags.inside(LAGS), 1), two).hostBytes() > 1.5 * one, a.id());
		}
	}

	/** Templates with lags of their own share no transforms of the image, and one thread prepares the spectra of each. */
	@Test
	void templatesApartShareNothing() {
		final Size window = Size.of(32, 32), lags = Size.of(25, 25), frame = Size.of(2000, 2000);
		final Device two = new Device("cpu", "two threads", 2, 1L << 32);
		final List<Correlation> both = new ArrayList<>();
		for (final boolean apart : new boolean[] { false, true }) both.add(Problems.correlation(PixelType.U8, PixelType.U8, frame, Collections.nCopies(1024, window),
			Weights.NONE, Lags.inside(lags).apart(apart), 1));
		for (final SlidingAlgorithm<Correlation> a : List.of(new CpuFourierPartitioned(), new CpuFourier())) {
			final Cost together = cost(a, both.get(0), two), own = cost(a, both.get(1), two);
			assertTrue(own.frameSeconds() > 1.3 * together.frameSeconds() && own.onceSeconds() > 0, a.id() + ": " + own + ", " + together);
		}
		for (final SlidingAlgorithm<Correlation> a : List.of(new CpuFourierPartitioned(), new CpuFourier())) assertTrue(cost(a, both.get(1), two).seconds() > cost(
			new CpuDirect(), both.get(1), two).seconds(), "sums take less time than transforms of small templates");
		// one template has nothing to share
		assertEquals(floats(1, 1), problem(PixelType.F32, List.of(TEMPLATE), Weights.NONE, Lags.inside(LAGS).apart(true), 1));
	}

	@Test
	void directSumsCountProductsAndResponses() {
		final CpuDirect direct = new CpuDirect();
		final double row = count(direct, floats(1, 1), "direct-tap") / (35 * COUNT);
		assertTrue(row >= 1, "a row of lags costs " + row + " of its lags");
		assertCount(6 * row * 35 * COUNT, count(direct, floats(2, 3), "direct-tap"));
		assertCount(6 * COUNT, count(direct, floats(2, 3), "response"));
		assertCount(3, count(direct, floats(2, 3), "submission"));
		assertCount(0, count(direct, floats(2, 3), "direct-tap-double"));
		final Correlation inDouble = Problems.in(Precision.DOUBLE, floats(2, 3));
		assertCount(6 * 35 * COUNT, count(direct, inDouble, "direct-tap-double"));
		assertCount(6 * COUNT, count(direct, inDouble, "response-double"));
		final Correlation exact = problem(PixelType.U8, List.of(TEMPLATE), Weights.NONE, Lags.inside(LAGS), 1);
		assertCount(COUNT, count(new CpuDirectExact(), exact, "response-exact"));
		assertCount(0, count(new CpuDirectExact(), exact, "response"));
		assertCount(COUNT, count(direct, exact, "response"));
	}

	/**
	 * Templates of one size share the sums over their mask: two of them, with half of the pixels of a mask of ones. Every template has two sums over the
	 * image's mask.
	 */
	@Test
	void directSumsCountTheSumsOverMasks() {
		final CpuDirect direct = new CpuDirect();
		for (final int templates : new int[] { 1, 3 }) {
			final List<Size> same = Collections.nCopies(templates, TEMPLATE);
			assertCount(2 * 35 * COUNT, count(direct, problem(PixelType.F32, same, Weights.REAL, Lags.inside(LAGS), 1), "direct-tap-double"));
			assertCount(35 * COUNT, count(direct, problem(PixelType.F32, same, Weights.BINARY, Lags.inside(LAGS), 1), "direct-tap-double"));
			final Correlation missing = problem(PixelType.F32, same, Weights.NONE, new Lags(LAGS, false, true, 1), 1);
			assertCount(templates * 2 * 35 * COUNT, count(direct, missing, "direct-tap-double"));
			assertCount(templates * COUNT, count(direct, missing, "response-missing"));
		}
		final List<Size> two = List.of(TEMPLATE, Size.of(5, 7));
		assertCount(2 * 2 * 35 * COUNT, count(direct, problem(PixelType.F32, two, Weights.REAL, Lags.inside(LAGS), 1), "direct-tap-double"));
	}

	@Test
	void everyPlaneOfAVolumeCounts() {
		final Correlation volume = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(20, 20, 20), List.of(Size.of(5, 5, 4)), Weights.NONE,
			Lags.inside(Size.of(16, 16, 17)), 1);
		for (final SlidingAlgorithm<Correlation> algorithm : List.of(new CpuDirect(), new CpuDirectExact())) assertCount(4 * 16 * 16 * 17,
			count(algorithm, volume, "plane"));
	}

	/** Two transforms a frame and template, and one of the template; two threads share all but the submission. */
	@Test
	void theWholeTransformCountsPointsAndLevels() {
		final CpuFourierWhole whole = new CpuFourierWhole();
		for (final int templates : new int[] { 1, 3 })
			for (final int frames : new int[] { 1, 4 }) {
				final Correlation p = floats(templates, frames);
				final WholeShape shape = WholeShape.of(p, TEMPLATE);
				final double points = (double) shape.width * shape.height, levels = Math.log(points) / Math.log(2);
				for (final int threads : new int[] { 1, 2 }) {
					assertCount(templates * frames * points / threads, count(whole, p, "whole-point", threads));
					assertCount(templates * (2 * frames + 1) * points * levels / threads, count(whole, p, "whole-point-level", threads));
					assertCount(templates * frames * COUNT / (double) threads, count(whole, p, "response", threads));
					assertCount(frames, count(whole, p, "submission", threads));
				}
			}
	}

	/** What has no constant of its own is a small part, and all of it is work. */
	@Test
	void theWholeTransformCountsPixelsAndTables() {
		final CpuFourierWhole whole = new CpuFourierWhole();
		final Lags beyond = new Lags(LAGS, true, false, 0.5);
		final Device none = ONE.with((name, shipped) -> 0);
		final double inside = cost(whole, floats(1, 1), none).seconds();
		assertTrue(inside > 0 && inside < cost(whole, floats(1, 1), ONE).seconds());
		final Cost tables = cost(whole, problem(PixelType.F32, List.of(TEMPLATE), Weights.NONE, beyond, 1), none);
		assertTrue(tables.onceSeconds() > 2 * cost(whole, floats(1, 1), none).onceSeconds(), "the tables of lags beyond the image");
		assertTrue(tables.frameSeconds() > cost(whole, floats(1, 1), none).frameSeconds(), "windows that leave the image");
		assertEquals(5 * cost(whole, floats(1, 1), none).onceSeconds(), cost(whole, floats(5, 1), none).onceSeconds(), 1e-18);
	}

	/** The transforms of the pixels are shared, whatever the number of templates of one size. */
	@Test
	void partitionsCountPixelsOnceAndResponsesForEachTemplate() {
		final CpuFourierPartitioned parts = new CpuFourierPartitioned();
		for (final int templates : new int[] { 1, 3 }) {
			assertCount(2 * IMAGE.pixels(), count(parts, floats(templates, 2), "parts-pixel"));
			assertCount(2 * templates * COUNT, count(parts, floats(templates, 2), "parts-response"));
			assertCount(2, count(parts, floats(templates, 2), "submission"));
			assertCount(2 * 35 * COUNT, count(parts, problem(PixelType.F32, Collections.nCopies(templates, TEMPLATE), Weights.REAL, Lags.inside(LAGS), 1),
				"direct-tap-double"));
		}
		final Correlation two = problem(PixelType.F32, List.of(TEMPLATE, Size.of(5, 7)), Weights.NONE, Lags.inside(LAGS), 1);
		assertCount(40 * 30 + 38 * 32, count(parts, two, "parts-pixel"));
		assertCount(2 * COUNT, count(parts, two, "parts-response"));
	}

	/** Rechecks fall with the square of the pixels of a template. Further templates of a size cost less, because reading is shared. */
	@Test
	void blocksCountFramesAndRechecks() {
		final CpuFourier fourier = new CpuFourier();
		assertCount(COUNT / (35.0 * 35), count(fourier, floats(1, 1), "fourier-again"));
		assertCount(6 * COUNT / (35.0 * 35), count(fourier, floats(2, 3), "fourier-again"));
		assertCount(3, count(fourier, floats(2, 3), "fourier-frame"));
		assertCount(3, count(fourier, floats(2, 3), "submission"));
		final double first = count(fourier, floats(1, 1), "response"), both = count(fourier, floats(2, 1), "response");
		assertTrue(first >= COUNT && both > first && both < 2 * first, first + " and " + both);
		final Correlation missing = problem(PixelType.F32, List.of(TEMPLATE, TEMPLATE), Weights.NONE, new Lags(LAGS, false, true, 1), 1);
		assertCount(2 * COUNT, count(fourier, missing, "response-missing"));
	}

	/** Every template and every frame takes more time and no less memory, and frames take equal times; masks and missing pixels come on top. */
	@ParameterizedTest
	@MethodSource("algorithms")
	void moreWorkTakesMoreTime(final SlidingAlgorithm<Correlation> algorithm) {
		for (final PixelType type : new PixelType[] { PixelType.U8, PixelType.F32 })
			for (final Precision precision : algorithm.precisions()) {
				final Correlation plain = Problems.in(precision, problem(type, List.of(TEMPLATE), Weights.NONE, Lags.inside(LAGS), 2));
				if (algorithm.unsupported(plain).isPresent()) continue;
				final Cost base = cost(algorithm, plain, ONE);
				assertTrue(base.onceSeconds() >= 0 && base.seconds() > base.onceSeconds() && base.startSeconds() > 0 && base.hostBytes() > 0, base.toString());
				final Cost frames = cost(algorithm, Problems.in(precision, problem(type, List.of(TEMPLATE), Weights.NONE, Lags.inside(LAGS), 6)), ONE);
				assertEquals(3 * base.frameSeconds(), frames.frameSeconds(), 1e-9 * frames.frameSeconds());
				assertEquals(base.onceSeconds(), frames.onceSeconds());
				for (final Correlation more : List.of(problem(type, List.of(TEMPLATE, TEMPLATE), Weights.NONE, Lags.inside(LAGS), 2),
					problem(type, List.of(TEMPLATE), Weights.BINARY, Lags.inside(LAGS), 2), problem(type, List.of(TEMPLATE), Weights.REAL, Lags.inside(LAGS), 2),
					problem(type, List.of(TEMPLATE), Weights.NONE, new Lags(LAGS, false, true, 1), 2),
					problem(type, List.of(TEMPLATE), Weights.BINARY, new Lags(LAGS, false, true, 1), 2)))
				{
					final Correlation p = Problems.in(precision, more);
					if (algorithm.unsupported(p).isPresent()) continue;
					final Cost c = cost(algorithm, p, ONE);
					assertTrue(c.seconds() > base.seconds() && c.hostBytes() >= base.hostBytes(), algorithm.id() + ": " + p + " takes " + c + ", less than " + base);
				}
				final Cost shared = cost(algorithm, plain, ONE.with(2));
				assertTrue(shared.seconds() <= base.seconds() && shared.hostBytes() >= base.hostBytes(), algorithm.id() + " on two threads: " + shared + ", on one: "
					+ base);
			}
	}

	/** The working memory decides whether one transform of the whole image is used, and the message says how much it takes. */
	@Test
	void theWholeTransformNeedsItsMemory() {
		final CpuFourierWhole whole = new CpuFourierWhole();
		final Correlation p = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(2000, 1500), List.of(Size.of(300, 400)), Weights.NONE,
			Lags.inside(Size.of(1701, 1101)), 1);
		final long bytes = cost(whole, p, ONE).hostBytes(), enough = (long) Math.ceil(bytes / 0.6);
		// the pixels, the spectra of image and template, and the numerators
		assertTrue(bytes > 2000 * 1500 + 2 * 4 * 2048 * 1536 + 4 * 1701 * 1101 && bytes < 100_000_000, bytes + " bytes");
		assertTrue(whole.unsupported(p, new Device("cpu", "enough", 1, enough)).isEmpty());
		assertEquals("one transform of the whole image needs " + bytes / 1_000_000 + " MB, more than 60% of the " + (enough - 10) / 1_000_000
			+ " MB of working memory: use cpu-fourier, or raise the limit", whole.unsupported(p, new Device("cpu", "less", 1, enough - 10)).orElseThrow());
	}
}
