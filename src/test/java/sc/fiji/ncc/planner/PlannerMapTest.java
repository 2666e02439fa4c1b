package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.fixture.CountedProgress;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.planner.Ranking.Candidate;

/**
 * What a map says of rankings that are made up: "even" is predicted to be the faster one for images of up to 64 pixels, and "odd" is measured to be
 * it above.
 */
class PlannerMapTest {

	private static Candidate candidate(final String name, final double seconds, final OptionalDouble measured) {
		return new Candidate(name, null, null, new Plan() {

			@Override
			public Cost cost() {
				return new Cost(seconds, 0, 0, 0);
			}
		}, measured, 0, "");
	}

	private static Ranking ranking(final long image, final long template) {
		final double seconds = image * template;
		return new Ranking(null, List.of(candidate("even", seconds, OptionalDouble.empty()),
			candidate("odd", 2 * seconds, image > 64 ? OptionalDouble.of(template == 2 ? 0.5 : 4 * seconds) : OptionalDouble.empty()),
			candidate("none", 0, OptionalDouble.empty()).leftOut("too large")));
	}

	private static final PlannerMap MAP = PlannerMap.of(PlannerMap.POWERS_OF_TWO, PlannerMapTest::ranking, Monitor.NONE);

	/** Templates fit into images that are as large as they are: 5 of 8 templates into 32 pixels, and 6 and 7 into 64 and 128. */
	@Test
	void theFastestForEachSize() {
		assertArrayEquals(new long[] { 32, 64, 128, 256, 512, 1024, 2048, 4096 }, MAP.images());
		assertArrayEquals(new long[] { 2, 4, 8, 16, 32, 64, 128, 256 }, MAP.templates());
		assertEquals("even", MAP.fastest(0, 4).orElseThrow().name());
		assertEquals(Optional.empty(), MAP.fastest(0, 5));
		assertEquals("odd", MAP.fastest(2, 6).orElseThrow().name());
		assertEquals(Map.of("even", 11, "odd", 47), MAP.winners());
		assertEquals(List.of("even", "odd"), MAP.methods());
		final PlannerMap fine = PlannerMap.of(PlannerMap.EIGHTHS, PlannerMapTest::ranking, Monitor.NONE);
		assertEquals(7 * PlannerMap.EIGHTHS + 1, fine.images().length);
		assertArrayEquals(PlannerMap.sides(2, 256, PlannerMap.EIGHTHS), fine.templates());
		assertArrayEquals(new long[] { 2, 3, 4 }, PlannerMap.sides(2, 4, 3));
	}

	/** Measured methods come before predicted ones. */
	@Test
	void rowsOfAFile() throws IOException {
		final StringWriter text = new StringWriter();
		MAP.write(text);
		final List<String> rows = text.toString().lines().toList();
		assertEquals(1 + 2 * 58, rows.size());
		assertEquals(List.of("32,2,even,64.0,", "32,2,odd,128.0,"), rows.subList(1, 3));
		final int at = rows.indexOf("128,4,odd,1024.0,2048.0");
		assertTrue(at > 0 && rows.get(at + 1).equals("128,4,even,512.0,"), text.toString());
	}

	@Test
	void sizesForWhichAMethodIsTheFastest() {
		assertEquals(List.of("even                    the fastest for 11 of 58 sizes",
			"odd                     the fastest for 47 of 58 sizes"), MAP.summary());
	}

	/** Of three sizes that were measured, the choice is right for one. */
	@Test
	void theChoiceOfTheCostModels() {
		final PlannerMap map = PlannerMap.of(PlannerMap.POWERS_OF_TWO, (image, template) -> image > 32 || template > 8
			? new Ranking(null, List.of())
			: new Ranking(null, List.of(candidate("one", 1, OptionalDouble.of(template)), candidate("two", 2, OptionalDouble.of(3)))),
				Monitor.NONE);
		assertEquals("the cost models' choice takes 1.33 times the shortest time in the median, 2.67 at worst (image 32, template 8)",
			map.summary().get(2));
	}

	@Test
	void progressOfAllPairs() {
		final CountedProgress progress = new CountedProgress();
		PlannerMap.of(PlannerMap.POWERS_OF_TWO, PlannerMapTest::ranking, progress);
		assertEquals("64 of 64", progress.done + " of " + progress.total);
		assertThrows(CancellationException.class, () ->
			PlannerMap.of(PlannerMap.POWERS_OF_TWO, PlannerMapTest::ranking, Monitor.canceledIf(() -> true)));
	}
}
