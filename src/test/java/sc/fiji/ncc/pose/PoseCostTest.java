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
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.Pose;
import sc.fiji.ncc.result.PoseReport;
import sc.fiji.ncc.plan.support.Parallel;

/** The predicted parts of a search for poses, with fixed costs of the correlations. */
class PoseCostTest {

	private static final RandomAccessibleInterval<FloatType> IMAGE = PoseImages.noise(1, 120, 100, 1),
			TEMPLATE = PoseImages.template(PoseImages.object(11, 8), 17, 17);

	private static final String SEARCH = "search by one of the candidates";

	private static String name(final PoseReport.Part part) {
		return part.name().startsWith("search by cpu-") ? SEARCH : part.name();
	}

	private static List<String> names(final PoseSearch search) {
		return search.angleRange(0, 360, 10).explain(IMAGE).parts().stream().map(PoseCostTest::name).toList();
	}

	@Test
	void explainHasEachPartAndTheirSum() {
		final PoseReport report = PoseSearch.of(TEMPLATE).angleRange(0, 360, 10).falseAlarms(0.1).backend("cpu").explain(IMAGE);
		assertEquals(List.of("start of the process", "sampling of the poses", "background of the minimum score", "plan", SEARCH,
			"refinement, if a frame has 10 matches"), report.parts().stream().map(PoseCostTest::name).toList());
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
		assertEquals(List.of("start of the process", "sampling of the poses", "plan", SEARCH),
			names(PoseSearch.of(TEMPLATE).backend("cpu").refine(false)));
	}

	private static PosePlan plan(final PoseSet set, final double secondsOfTemplate) {
		final BoundedBank like = new BoundedBank(PixelType.F32, Size.of(120, 100), 1, List.of(), 0.9, false, 1);
		try (Parallel threads = new Parallel(1)) {
			return new PosePlanner(IMAGE, like, 0.9, 1, new PoseCost(set, 1, 1), threads,
				p -> secondsOfTemplate * p.families().stream().mapToInt(BoundedBank.Family::correlations).sum()).plan(set);
		}
	}

	/** Correlations take long: a basis saves some. They take no time: every pose is correlated, without samples. */
	@Test
	void theSumDecides() {
		final PoseSet set = set();
		final PosePlan dear = plan(set, 1), free = plan(set, 0);
		final BoundedBank.Family family = dear.problem().families().get(0);
		assertTrue(family.correlations() < set.poses().size(), dear.lines().toString());
		assertEquals(family.correlations(), dear.members().get(0).templates().size());
		assertTrue(dear.seconds() > 0);
		assertEquals(set.poses().size(), free.problem().families().get(0).correlations());
		assertEquals(set.poses().size(), free.members().get(0).templates().size());
		assertEquals(0, free.seconds());
	}

	/** The problem is a key: it contains what decides, in words. */
	@Test
	void theProblemIsReadable() {
		final BoundedBank.Basis basis = new BoundedBank.Basis(12, 0.0234, List.of(new BoundedBank.Groups(4, 0.00987)), 0, 0.5);
		final BoundedBank.Family family = new BoundedBank.Family(Size.of(17, 17), 197, 36, basis);
		final BoundedBank problem = new BoundedBank(PixelType.U8, Size.of(120, 100), 1, List.of(family, family), 0.701, false, 2);
		assertEquals("best of [2 of 36 members of 197 values in 17x17 by 12 vectors (0.023 of the windows kept by their energy, "
			+ "0.0099 by 4 groups, 0.0 read, 0.5 exact scores per window)], U8 image 120x100, score from 0.7, 2 frames", problem.toString());
		assertEquals(problem, new BoundedBank(PixelType.U8, Size.of(120, 100), 1, List.of(family, family), 0.7, false, 2));
		assertEquals(Size.of(104, 84), problem.lags(family));
	}

	@Test
	void aSlowMachineTakesLongerForEachPart() {
		final PoseSet set = set();
		final double[] one = parts(new PoseCost(set, 2, 1)), slow = parts(new PoseCost(set, 2, 3));
		for (int i = 0; i < one.length; i++) assertEquals(3 * one[i], slow[i], 1e-9 * slow[i], "part " + i);
		assertEquals(2 * new PoseCost(set, 2, 1).refinement(10), new PoseCost(set, 1, 1).refinement(10), 1e-12);
	}

	/** A thread has a whole pose, and a whole match. */
	@Test
	void threadsWithoutWorkDoNotHelp() {
		final PoseSet set = set();
		final int poses = set.poses().size();
		assertEquals(new PoseCost(set, poses, 1).sampling(), new PoseCost(set, 10 * poses, 1).sampling(), 1e-15);
		assertTrue(new PoseCost(set, 2, 1).sampling() < 0.6 * new PoseCost(set, 1, 1).sampling());
		assertEquals(new PoseCost(set, 4, 1).refinement(12), new PoseCost(set, 4, 1).refinement(9), 1e-15);
		assertEquals(new PoseCost(set, 9, 1).refinement(9), new PoseCost(set, 90, 1).refinement(9), 1e-15);
	}

	private static double[] parts(final PoseCost cost) {
		return DoubleStream.of(cost.start(cost.sampling()), cost.sampling(), cost.background(), cost.refinement(PoseCost.matches(Integer.MAX_VALUE))).toArray();
	}

	private static PoseSet set() {
		final List<Pose> poses = IntStream.range(0, 36).mapToObj(i -> Pose.of(10 * i, 1, false)).toList();
		return PoseSet.of(List.of(TemplateReader.read(TEMPLATE, null, false)), poses, PoseSupport.DISK, 0);
	}
}
