package sc.fiji.ncc.pose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.real.FloatType;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.image.TemplateReader;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.plan.support.Parallel;

/** The predicted parts of a search for poses, with fixed costs of the engine. */
class PoseCostTest {

	private static final RandomAccessibleInterval<FloatType> IMAGE = PosePictures.noise(1, 120, 100, 1),
			TEMPLATE = PosePictures.template(PosePictures.object(11, 8), 17, 17);

	private static List<String> names(final PoseSearch search) {
		return search.angleRange(0, 360, 10).explain(IMAGE).parts().stream().map(PoseReport.Part::name).toList();
	}

	@Test
	void explainHasEachPartAndTheirSum() {
		final PoseReport report = PoseSearch.of(TEMPLATE).angleRange(0, 360, 10).falseAlarms(0.1).backend("cpu").explain(IMAGE);
		assertEquals(List.of("start of the process", "sampling of the poses", "background of the minimum score", "plan", "correlations", "bounds and exact scores",
			"refinement, if a frame has 10 matches"), report.parts().stream().map(PoseReport.Part::name).toList());
		double sum = 0;
		for (final PoseReport.Part p : report.parts()) {
			assertTrue(p.seconds() > 0 || p.name().startsWith("start"), p.name());
			sum += p.seconds();
		}
		assertEquals(sum, report.seconds(), 1e-12);
		final List<String> lines = report.explain();
		assertEquals(report.lines(), lines.subList(0, report.lines().size()));
		assertEquals(report.parts().size() + 1, lines.size() - report.lines().size());
		final String[] total = lines.get(lines.size() - 1).trim().split(" +");
		assertEquals(1e3 * sum, Double.parseDouble(total[total.length - 2]), 0.005);
	}

	@Test
	void partsThatAreNotComputedAreLeftOut() {
		assertTrue(names(PoseSearch.of(TEMPLATE).backend("cpu").maxMatches(1)).contains("refinement, if a frame has 1 match"));
		assertEquals(List.of("start of the process", "sampling of the poses", "plan", "correlations", "bounds and exact scores"),
			names(PoseSearch.of(TEMPLATE).backend("cpu").refine(false)));
	}

	private static PosePlan plan(final PoseSet set, final double secondsOfTemplate, final long frames, final double slowness) {
		try (Parallel threads = new Parallel(1)) {
			return new PosePlanner(IMAGE, frames, 0.9, PoseMethod.AUTO, 1, 1, threads, templates -> secondsOfTemplate * templates.size()).slowness(slowness).plan(set);
		}
	}

	/** The engine takes long: a basis saves templates. It takes no time: every pose is correlated, without samples. */
	@Test
	void theSumDecides() {
		final PoseSet set = set();
		final PosePlan dear = plan(set, 1, 1, 1), free = plan(set, 0, 1, 1);
		assertTrue(dear.templates().size() < set.poses().size(), dear.lines().toString());
		assertTrue(dear.planning() > 0 && dear.scoring() > 0);
		assertEquals(set.poses().size(), free.templates().size());
		assertEquals(0, free.planning());
		// the same basis for ten frames, on a machine that is half as fast
		final PosePlan slow = plan(set, 1, 10, 2);
		assertEquals(2 * dear.planning(), slow.planning(), 1e-12);
		assertEquals(20 * dear.scoring(), slow.scoring(), 1e-9 * slow.scoring());
	}

	@Test
	void aSlowMachineTakesLongerForEachPart() {
		final PoseSet set = set();
		final double[] one = parts(new PoseCost(set, 2, 1)), slow = parts(new PoseCost(set, 2, 3));
		for (int i = 0; i < one.length; i++) assertEquals(3 * one[i], slow[i], 1e-9 * slow[i], "part " + i);
		assertEquals(2 * new PoseCost(set, 2, 1).refinement(10), new PoseCost(set, 1, 1).refinement(10), 1e-12);
	}

	private static double[] parts(final PoseCost cost) {
		return DoubleStream.of(cost.start(true), cost.sampling(), cost.background(), cost.refinement(PoseCost.matches(Integer.MAX_VALUE))).toArray();
	}

	private static PoseSet set() {
		final List<Pose> poses = IntStream.range(0, 36).mapToObj(i -> Pose.of(10 * i, 1, false)).toList();
		return PoseSet.of(List.of(TemplateReader.read(TEMPLATE, null, false)), poses, PoseSupport.DISK, 0);
	}
}
