package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Convolution;
import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.TemplateTracking;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.result.Frames;

/** An explanation ranks the very problem that runs. */
class ExplainTest {

	private final Img<UnsignedByteType> stack = noise(40, 30, 7);
	private final List<RandomAccessibleInterval<?>> frames = Frames.of(stack, 2);
	/** The same frames, without their number. */
	private final Iterable<RandomAccessibleInterval<?>> unknown = frames::iterator;
	private final List<RandomAccessibleInterval<?>> templates =
		List.of(part(3, 4, 8, 6), part(9, 2, 8, 6), part(1, 1, 5, 5));
	private final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(templates);

	private static Img<UnsignedByteType> noise(final long... size) {
		final byte[] pixels = new byte[(int) (size[0] * size[1] * size[2])];
		new Random(1).nextBytes(pixels);
		return ArrayImgs.unsignedBytes(pixels, size);
	}

	private RandomAccessibleInterval<UnsignedByteType> part(final long x, final long y, final long width, final long height) {
		return Views.interval(Views.hyperSlice(stack, 2, 0), FinalInterval.createMinSize(x, y, width, height));
	}

	private static List<Problem> problems(final List<Ranking> rankings) {
		return rankings.stream().map(Ranking::problem).toList();
	}

	private static void assertSame(final List<Ranking> explained, final List<Ranking> run) {
		assertEquals(problems(run), problems(explained));
		assertEquals(run.stream().map(r -> r.best().orElseThrow().name()).toList(), explained.stream().map(r -> r.best().orElseThrow().name()).toList());
	}

	@Test
	void maps() {
		assertSame(op.explainAll(stack), op.correlate(stack).rankings());
		assertSame(op.explainAll(stack), op.correlateEach(frames, (i, r) -> {}).rankings());
		assertSame(op.explainEach(frames.get(0), frames.size()), op.correlateEach(frames, (i, r) -> {}).rankings());
		assertSame(op.explainEach(frames.get(0), -1), op.correlateEach(unknown, (i, r) -> {}).rankings());
		assertNotEquals(problems(op.explainEach(frames.get(0), -1)), problems(op.explainAll(frames.get(0))), "the number of frames counts");
		final Convolution convolution = Convolution.of(templates.get(0));
		assertSame(convolution.explainEach(frames.get(0), -1), convolution.convolveEach(unknown, (i, r) -> {}).rankings());
	}

	@Test
	void best() {
		final NormalizedCrossCorrelation alike = NormalizedCrossCorrelation.of(templates.subList(0, 2));
		assertSame(alike.explainBest(stack), alike.best(stack).rankings());
		assertNotEquals(problems(alike.explainBest(stack)), problems(alike.explainAll(stack)), "another kind of result");
		assertSame(alike.explainBestOfEach(frames.get(0), -1), alike.bestOfEach(unknown, (i, r) -> {}).rankings());
	}

	@Test
	void matches() {
		final TemplateMatching matching = TemplateMatching.with(op);
		assertSame(matching.explainAll(stack), matching.find(stack).rankings());
		assertSame(matching.explainAll(frames.get(0)), matching.find(frames.get(0)).rankings());
		assertSame(matching.explainEach(frames.get(0), -1), matching.findEach(unknown, (i, r) -> {}).rankings());
	}

	@Test
	void tracks() {
		final TemplateTracking tracking = TemplateTracking.of(templates, List.of(new long[] { 3, 4 }, new long[] { 9, 2 }, new long[] { 1, 1 })).maxShift(2, 2);
		assertSame(tracking.explain(stack), tracking.track(stack).rankings());
		assertSame(tracking.explainEach(frames.get(0)), tracking.track(unknown, points -> {}).rankings());
	}
}
