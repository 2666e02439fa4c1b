package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** The numbers of a table of candidates, and the fastest of them. */
class RankingTest {

	private static final Device CPU = new Device("cpu", "a CPU", 1, 1);

	/** @param seconds the predicted time; 3.5 MB of memory */
	private static Candidate candidate(final String name, final double seconds, final double start, final OptionalDouble measured) {
		return candidate(name, CPU, new Cost(seconds, 0, 0, 3_500_000, 0), start, measured);
	}

	private static Candidate candidate(final String name, final Device device, final Cost cost, final double start, final OptionalDouble measured) {
		return new Candidate(name, null, device, new SlidingPlan() {

			@Override
			public Cost cost() {
				return cost;
			}

			@Override
			public Execution prepare(final List<Template> templates) {
				throw new AssertionError("not run");
			}
		}, measured, start, "of " + name);
	}

	private static Ranking ranking(final Candidate... candidates) {
		final Lags lags = Lags.inside(Size.of(27, 16));
		return new Ranking(Problems.correlation(PixelType.U8, PixelType.U8, Size.of(30, 20), List.of(Size.of(4, 5)), Weights.NONE, lags, 1), List.of(candidates));
	}

	/** Times in milliseconds and memory in megabytes. The first time is that of the ranking: the measured or predicted time, and the start. */
	@Test
	void timesAndMemory() {
		final String table = ranking(candidate("predicted", 0.002, 0, OptionalDouble.empty()), candidate("starts", 0.002, 0.008, OptionalDouble.empty()),
			candidate("measured", 0.002, 0.25, OptionalDouble.of(0.005)), candidate("other", 0.002, 1, OptionalDouble.of(1)).leftOut("too large")).explain();
		assertEquals(List.of("predicted 2.00 ms predicted 2.00, 3.5 MB of predicted", "starts 10.0 ms predicted 2.00 + start 8.00, 3.5 MB of starts",
			"measured 255 ms measured 5.00 + start 250, predicted 2.00, 3.5 MB of measured", "other - too large"),
			table.lines().skip(1).map(l -> l.strip().replaceAll(" +", " ")).toList());
	}

	/** Problems with the same candidates in the same order have one table, that of the longest time. */
	@Test
	void alikeProblemsHaveOneTable() {
		final Candidate left = candidate("other", 0, 0, OptionalDouble.empty()).leftOut("too large");
		final List<Ranking> rankings = List.of(ranking(candidate("one", 0.002, 0, OptionalDouble.empty()), left),
			ranking(candidate("two", 0.001, 0, OptionalDouble.empty()), left), ranking(candidate("one", 0.004, 0, OptionalDouble.of(0.003)), left),
			ranking(candidate("one", 0.001, 0, OptionalDouble.empty()), left.leftOut("no memory")));
		final String text = Ranking.explainKinds(rankings);
		assertEquals(String.join(System.lineSeparator(), rankings.get(2).explain(), "  and 1 more of other sizes with the same ranking: 5.00 ms for all",
			rankings.get(1).explain(), rankings.get(3).explain()), text);
		assertEquals("", Ranking.explainKinds(List.of()));
	}

	@Test
	void aTableOfCandidatesThatDoNotApply() {
		final Candidate left = candidate("a", 0, 0, OptionalDouble.empty()).leftOut("too large");
		assertEquals(List.of("  a -       too large", "  a -       too large"), ranking(left, left).explain().lines().skip(1).toList());
	}

	@Test
	void methodsAreNamedOnce() {
		final Ranking one = ranking(candidate("one", 1, 0, OptionalDouble.empty())),
			none = ranking(candidate("other", 1, 0, OptionalDouble.empty()).leftOut("too large"));
		assertEquals("one and ?", Ranking.methods(List.of(one, one, none, one)));
	}

	@Test
	void aRankingDoesNotChange() {
		final List<Candidate> candidates = new ArrayList<>(List.of(candidate("one", 1, 0, OptionalDouble.empty())));
		final Ranking ranking = new Ranking(ranking().problem(), candidates);
		candidates.clear();
		assertEquals("one", ranking.best().orElseThrow().name());
	}

	/** Times have three digits, also of days, and reasons begin in the same column. */
	@Test
	void columns() {
		final List<String> lines = ranking(candidate("a", 3_781_346.86597, 0, OptionalDouble.empty()), candidate("longest name of all", 0.00003217, 0.25,
			OptionalDouble.of(123.456)), candidate("none", 0, 0, OptionalDouble.empty()),
				candidate("other", 1, 0, OptionalDouble.empty()).leftOut("of nothing"))
			.explain().lines().skip(1).toList();
		assertEquals(List.of("a 3780000000 ms predicted 3780000000, 3.5 MB of a",
			"longest name of all 124000 ms measured 123000 + start 250, predicted 0.0322, 3.5 MB of longest name of all",
			"none 0.00 ms predicted 0.00, 3.5 MB of none", "other - of nothing"), lines.stream().map(l -> l.strip().replaceAll(" +", " ")).toList());
		assertEquals(1, lines.stream().mapToInt(l -> l.replace("name of all ", "name in all ").indexOf(" of ")).distinct().count(),
			() -> String.join("\n", lines));
		assertEquals(1, lines.stream().filter(l -> l.contains(" ms ")).mapToInt(l -> l.indexOf(" ms ")).distinct().count(), () -> String.join("\n", lines));
	}

	/** Without the start, measured times before predicted ones. */
	@Test
	void theFastest() {
		final Candidate slow = candidate("slow", 0, 0, OptionalDouble.of(9)), fast = candidate("fast", 9, 9, OptionalDouble.of(4)),
			faster = candidate("faster", 1, 0, OptionalDouble.empty()), none = faster.leftOut("too large");
		assertEquals("fast", ranking(none, faster, slow, fast).fastest().orElseThrow().name());
		assertEquals("fast", ranking(fast, slow, faster).fastest().orElseThrow().name());
		assertEquals("faster", ranking(none, faster).fastest().orElseThrow().name());
		assertEquals(true, ranking(none).fastest().isEmpty());
	}

	/**
	 * The memory of each device holds the executions of all rankings that use it: the device with the least memory left decides. That of the host
	 * does not count.
	 */
	@Test
	void executionsSideBySide() {
		final Device large = new Device("large", "a GPU", 1, 1000), small = new Device("small", "a GPU", 1, 100);
		final Ranking one = ranking(candidate("one", large, new Cost(1, 0, 0, 7, 100), 0, OptionalDouble.empty())),
			other = ranking(candidate("other", small, new Cost(1, 0, 0, 7, 1), 0, OptionalDouble.empty())),
			host = ranking(candidate("host", CPU, new Cost(1, 0, 0, 7, 0), 0, OptionalDouble.empty()));
		assertEquals(10, Ranking.together(List.of(one, host)));
		assertEquals(5, Ranking.together(List.of(one, one, other)));
		assertEquals(100, Ranking.together(List.of(host, other)));
		assertEquals(Long.MAX_VALUE, Ranking.together(List.of(host)));
	}

	@Test
	void theRankingWithMostFailures() {
		final Candidate good = candidate("good", 1, 0, OptionalDouble.empty()), failed = good.leftOut("failed");
		final Ranking none = ranking(good, good), one = ranking(good, failed);
		assertEquals(one, Ranking.afterFailures(List.of(none, one, none)));
	}
}
