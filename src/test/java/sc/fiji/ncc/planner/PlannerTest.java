package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.fixture.FakeAlgorithm;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The order of the candidates by predicted, measured and stored times. */
class PlannerTest {

	private static final Correlation PROBLEM = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), List.of(Size.of(5, 4)), Weights.NONE,
		Lags.inside(Size.of(60, 45)), 1);
	/** Counts the slow algorithms of this process, so that each has an id of its own. */
	private static final AtomicInteger STARTS = new AtomicInteger();

	private static final Device DEVICE = new Device("toy", "a toy", 1, 1);
	/** It cannot be used. */
	private static final Backend NO_DRIVER = new Backend() {

		@Override
		public String id() {
			return "none";
		}

		@Override
		public Optional<String> unavailable() {
			return Optional.of("there is no driver");
		}

		@Override
		public List<Device> devices() {
			throw new AssertionError("a backend that cannot be used has no devices");
		}

		@Override
		public List<Algorithm<?>> algorithms() {
			return List.of(new FakeAlgorithm("far") {

				@Override
				protected Cost cost(final Correlation problem, final Device device) {
					throw new AssertionError("a backend that cannot be used has no plans");
				}

				@Override
				protected Report compute(final LagBox lags, final Sink out, final Monitor monitor) {
					throw new AssertionError("a backend that cannot be used does not run");
				}
			});
		}
	};

	@TempDir
	Path folder;
	private Path file;
	private final List<Toy> toys = new ArrayList<>();
	/** Nanoseconds. Only the work of toys takes time. */
	private final AtomicLong clock = new AtomicLong();

	@BeforeEach
	void file() {
		file = folder.resolve("kept").resolve("wisdom.txt");
	}

	/** An algorithm whose real time differs from the predicted time. */
	private final class Toy extends FakeAlgorithm {

		private final double predicted;
		private final long takes;
		private final RuntimeException failure;
		private final double start;
		/** Milliseconds of delay in the first preparation and in the first run, as with a device that starts. */
		private long preparing, allocating;
		/** Why it does not apply; null if it does. */
		private String refusal;
		/** Whether the planner considers it if it is not named. */
		private boolean candidate = true;
		/** Runs of more lags take a minute. */
		private long endless = Long.MAX_VALUE;
		/** The number of executions that are not closed. */
		private int open;
		private Runnable ran = () -> {};
		private final AtomicInteger runs = new AtomicInteger(), ends = new AtomicInteger();

		Toy(final String id, final double predicted, final long takesMilliseconds, final RuntimeException failure) {
			this(id, predicted, takesMilliseconds, failure, 0);
		}

		Toy(final String id, final double predicted, final long takesMilliseconds, final RuntimeException failure, final double start) {
			super(id);
			this.start = start;
			this.predicted = predicted;
			takes = takesMilliseconds;
			this.failure = failure;
		}

		@Override
		public Optional<String> unsupported(final Correlation problem) {
			return Optional.ofNullable(refusal);
		}

		@Override
		public boolean isCandidate(final Correlation problem) {
			return candidate;
		}

		@Override
		protected Cost cost(final Correlation problem, final Device device) {
			return new Cost(predicted, start, 1 << 20, 0);
		}

		@Override
		protected void prepared() {
			open++;
			clock.addAndGet(preparing * 1_000_000);
			preparing = 0;
		}

		@Override
		protected Report compute(final LagBox lags, final Sink out, final Monitor monitor) {
			runs.incrementAndGet();
			ran.run();
			if (failure != null) throw failure;
			final long milliseconds = lags.lags() > endless ? 60_000 : takes + allocating;
			allocating = 0;
			for (long ms = 0; ms < milliseconds; ms++) {
				if (monitor.canceled()) throw new CancellationException();
				clock.addAndGet(1_000_000);
			}
			ends.incrementAndGet();
			return new Report(lags.lags(), 0, 0);
		}

		@Override
		protected void closed() {
			open--;
		}
	}

	private Planner planner() {
		return new Planner(List.of(new FakeBackend(DEVICE, toys)), file, clock::get);
	}

	private Ranking rank(final Effort effort, final double limit) {
		return planner().rank(PROBLEM, Optional.empty(), Optional.empty(), effort, limit, Monitor.NONE);
	}

	private static String best(final Ranking r) {
		return r.best().orElseThrow().name();
	}

	@Test
	void measuringCorrectsThePrediction() {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
		final Ranking measured = rank(Effort.MEASURE, 5);
		assertEquals("modest", best(measured));
		assertTrue(measured.explain().contains("measured"), measured.explain());
		assertEquals(1e-3, measured.candidates().get(0).measured().orElseThrow(), 1e-12);
		assertEquals(12e-3, measured.candidates().get(1).measured().orElseThrow(), 1e-12);
	}

	@Test
	void onePlannerRanksTheSameProblemOnceUntilItMeasures() {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = planner();
		final Ranking first = planner.rank(PROBLEM, Optional.empty(), Optional.empty());
		assertSame(first, planner.rank(PROBLEM, Optional.empty(), Optional.empty()));
		assertEquals("modest", best(planner.rank(PROBLEM, Optional.empty(), Optional.of("modest"))));
		planner.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		assertEquals("modest", best(planner.rank(PROBLEM, Optional.empty(), Optional.empty())));
	}

	/** The eight rankings that were used last are kept. */
	@Test
	void rankingsThatAreUsedStay() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = planner();
		final List<Correlation> problems = new ArrayList<>();
		for (int frames = 1; frames <= 9; frames++) problems.add(Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), List.of(Size.of(5, 4)),
			Weights.NONE, Lags.inside(Size.of(60, 45)), frames));
		final List<Ranking> first = problems.subList(0, 8).stream().map(p -> planner.rank(p, Optional.empty(), Optional.empty())).toList();
		assertSame(first.get(0), planner.rank(problems.get(0), Optional.empty(), Optional.empty()));
		planner.rank(problems.get(8), Optional.empty(), Optional.empty());
		assertSame(first.get(0), planner.rank(problems.get(0), Optional.empty(), Optional.empty()));
		assertNotSame(first.get(1), planner.rank(problems.get(1), Optional.empty(), Optional.empty()));
	}

	/** A ranking with a start holds until the algorithm has run. */
	@Test
	void aStartIsPaidOnce() {
		toys.add(new Toy("slow start " + STARTS.incrementAndGet(), 1e-3, 1, null, 5));
		final Planner planner = planner();
		final Ranking before = planner.rank(PROBLEM, Optional.empty(), Optional.empty());
		assertTrue(before.best().orElseThrow().startSeconds() > 0);
		RunCounter.add(before.best().orElseThrow().algorithm());
		assertEquals(0, planner.rank(PROBLEM, Optional.empty(), Optional.empty()).best().orElseThrow().startSeconds());
	}

	/** Turns have half of the time limit if code may not be compiled, also if nothing is left. */
	@Test
	void codeThatIsCompiledLateHasMoreTime() {
		for (final String name : List.of("one", "other")) {
			final Toy toy = new Toy(name, 0.08, 80, null);
			toy.ran = () -> toy.allocating = toy.runs.get() <= 6 ? 30 : 0;
			toys.add(toy);
		}
		assertEquals(0.08, rank(Effort.MEASURE, 1).best().orElseThrow().measured().orElseThrow(), 1e-12);
		assertTrue(clock.get() <= 1_500_000_000, clock.get() + " ns");
	}

	@Test
	void whatWasMeasuredIsRemembered() {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		final int runs = toys.get(0).runs.get();
		assertEquals("modest", best(rank(Effort.ESTIMATE, 0)), "in another planner, by wisdom alone");
		assertEquals("modest", best(rank(Effort.MEASURE, 5)));
		assertEquals(runs, toys.get(0).runs.get(), "nothing is measured twice");
	}

	/** A problem that is measured by a part of it, too. */
	@Test
	void whatIsKnownOfALargeProblemTakesNoTime() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Correlation large = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(3004, 2004), List.of(Size.of(5, 5)), Weights.NONE,
			Lags.inside(Size.of(3000, 2000)), 1);
		planner().rank(large, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		final int runs = toys.get(0).runs.get();
		final long before = clock.get();
		planner().rank(large, Optional.empty(), Optional.empty(), Effort.MEASURE, 1e6, Monitor.NONE);
		assertEquals(runs, toys.get(0).runs.get(), "nothing is measured twice");
		assertEquals(before, clock.get());
	}

	@Test
	void oneThatFailsIsLeftOutAndSaysWhy() {
		toys.add(new Toy("broken", 1e-3, 0, new DeviceException("its fan stands still")));
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Ranking r = rank(Effort.MEASURE, 5);
		assertEquals("modest", best(r));
		assertFalse(r.candidates().get(1).applies());
		assertTrue(r.explain().contains("its fan stands still"), r.explain());
	}

	@Test
	void ifAllFailTheReasonOfOneIsSaid() {
		for (final String id : List.of("one", "other")) toys.add(new Toy(id, 1e-3, 0, new DeviceException("its fan stands still")));
		assertEquals("every candidate failed when it was measured: its fan stands still",
			assertThrows(DeviceException.class, () -> rank(Effort.MEASURE, 5)).getMessage());
	}

	@Test
	void anEstimateMeasuresNothing() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = new Planner(List.of(new FakeBackend(DEVICE, toys)), file, () -> clock.addAndGet(1000));
		assertEquals(0, planner.rank(PROBLEM, Optional.empty(), Optional.empty()).measuringSeconds());
		assertTrue(planner.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE).measuringSeconds() > 0);
	}

	/** The more other algorithms have run, the smaller is the share of a start: a ranking that leaves a faster algorithm out for its start does not stay. */
	@Test
	void aStartPaysOffLater() {
		final String faster = "faster " + STARTS.incrementAndGet(), started = "started " + STARTS.incrementAndGet();
		toys.add(new Toy(started, 1e-3, 1, null));
		final double share = RunCounter.share(new Toy(faster, 0, 0, null));
		toys.add(new Toy(faster, 0.5e-3, 1, null, 1e-3 / share));
		RunCounter.started(toys.get(0));
		final Planner planner = planner();
		assertEquals(started, best(planner.rank(PROBLEM, Optional.empty(), Optional.empty())));
		for (int i = 0; i < 2 / share; i++) RunCounter.add(toys.get(0));
		assertEquals(faster, best(planner.rank(PROBLEM, Optional.empty(), Optional.empty())));
	}

	/** What was measured before has a start in a new process, and what is not measured has none. */
	@Test
	void aPredictedTimeIsComparedWithTimesOfAnotherProcess() {
		final String known = "known " + STARTS.incrementAndGet();
		toys.add(new Toy(known, 1e-3, 1, null, 1e-3 / RunCounter.share(new Toy(known, 0, 0, null))));
		toys.add(new Toy("slow", 0.5, 1, null));
		final Planner planner = planner();
		planner.wisdom().put(PROBLEM, DEVICE, toys.get(0), OptionalDouble.of(1e-3));
		final Ranking r = planner.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		assertEquals(1e-3, r.candidates().get(0).startSeconds(), 1e-5);
		assertEquals("not measured; predicted to take 500.0 times as long", r.candidates().get(1).reason());
	}

	/** The time limit ends when the first candidate is measured, which takes longer than the second one should. */
	@Test
	void whatIsNotMeasuredCanBePredictedToBeFaster() {
		toys.add(new Toy("opens slowly", 1e-3, 10, null));
		toys.add(new Toy("unknown", 2e-3, 1, null));
		toys.get(0).preparing = 10_000;
		final Ranking r = rank(Effort.MEASURE, 1);
		assertEquals("opens slowly", best(r));
		assertEquals("not measured; predicted to take 0.2 times as long", r.candidates().get(1).reason());
	}

	@Test
	void anAlgorithmThatIsNoCandidateCanBeNamed() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		toys.add(new Toy("exact", 1e-3, 1, null));
		toys.get(1).candidate = false;
		assertEquals(List.of("modest"), rank(Effort.ESTIMATE, 0).candidates().stream().map(Ranking.Candidate::name).toList());
		assertEquals("exact", best(planner().rank(PROBLEM, Optional.empty(), Optional.of("exact"))));
	}

	@Test
	void aTimeOfTheFirstRoundStaysIfTheSecondOneDoesNotEnd() {
		toys.add(new Toy("modest", 2e-3, 2, null));
		toys.get(0).endless = 1 << 20;
		final Correlation large = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(3004, 2004), List.of(Size.of(5, 5)),
			Weights.NONE,
			Lags.inside(Size.of(3000, 2000)), 1);
		assertEquals(2e-3, planner().rank(large, Optional.empty(), Optional.empty(), Effort.MEASURE, 2, Monitor.NONE).best()
			.orElseThrow().measured().orElseThrow(), 1e-12);
	}

	/** Each run has its share of the time that is left. */
	@Test
	void allOfTheTimeIsUsed() {
		for (final String id : List.of("endless", "another")) toys.add(new Toy(id, 1e-3, 60_000, null));
		rank(Effort.MEASURE, 1.2);
		assertEquals(1.2, 1e-9 * clock.get(), 0.01);
	}

	/** After ten runs of each, 0.3 s are left for turns of 0.2 s. */
	@Test
	void oneRoundOfTurnsSaysNothing() {
		for (final String id : List.of("one", "other")) toys.add(new Toy(id, 0.1, 100, null));
		rank(Effort.MEASURE, 2.3);
		for (final Toy t : toys) assertEquals(10, t.runs.get());
		clock.set(0);
		toys.clear();
		for (final String id : List.of("third", "fourth")) toys.add(new Toy(id, 0.1, 100, null));
		rank(Effort.MEASURE, 2.5);
		for (final Toy t : toys) assertTrue(t.runs.get() > 10);
	}

	/** The file is not written again. */
	@Test
	void whatIsKnownIsNotWrittenAgain() throws IOException {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = planner();
		planner.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		Files.delete(file);
		planner.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		assertFalse(Files.exists(file));
	}

	@Test
	void thoseNearEachOtherRunByTurnsAtLast() {
		final List<String> order = new ArrayList<>();
		for (final String name : List.of("one", "other", "far")) {
			final Toy toy = new Toy(name, name.equals("far") ? 6e-3 : 1e-3, name.equals("far") ? 7 : 2, null);
			toy.ran = () -> order.add(name);
			toys.add(toy);
		}
		rank(Effort.MEASURE, 5);
		final List<String> last = order.subList(order.size() - 6, order.size());
		assertEquals(List.of("one", "other", "one", "other", "one", "other"), last, order.toString());
	}

	@Test
	void whatFailsWhenItRunsByTurnsKeepsWhatWasMeasuredBefore() {
		turns(() -> {
			throw new DeviceException("no memory beside another");
		});
		final List<Ranking> r = new ArrayList<>();
		final List<String> said = said(() -> r.add(rank(Effort.MEASURE, 5)));
		assertEquals("other", best(r.get(0)));
		assertTrue(r.get(0).candidates().stream().allMatch(c -> c.measured().isPresent()), r.get(0).explain());
		assertEquals(List.of("WARNING cannot measure one, other by turns: no memory beside another; using the times of their separate runs"), said);
	}

	/** The lines that are logged meanwhile. */
	static List<String> said(final Runnable work) {
		final List<String> said = new ArrayList<>();
		final Handler listener = new Handler() {

			@Override
			public void publish(final LogRecord line) {
				said.add(line.getLevel() + " " + line.getMessage());
			}

			@Override
			public void flush() {}

			@Override
			public void close() {}
		};
		final Logger log = Logger.getLogger("sc.fiji.ncc");
		log.addHandler(listener);
		try {
			work.run();
		}
		finally {
			log.removeHandler(listener);
		}
		return said;
	}

	@Test
	void timesOfAnotherMethodAreIgnoredWithOneLine() throws IOException {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		final ChecksummedSection times = ChecksummedSection.parse(Files.readAllLines(file)).get(0);
		final List<String> older = new ArrayList<>();
		ChecksummedSection.append(older, times.head().replace("NCC wisdom 4", "NCC wisdom 2"), times.lines());
		Files.write(file, older);
		assertEquals(List.of("INFO ignoring the wisdom in " + file + ": its times were measured with other algorithms, another version or another method"),
			said(() -> assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)))));
	}

	@Test
	void cancelEndsARunThatIsMeasured() {
		final AtomicBoolean stop = new AtomicBoolean();
		final Toy endless = new Toy("endless", 1e-3, 60_000, null);
		endless.ran = () -> stop.set(true);
		toys.add(endless);
		assertCanceled(stop, 0.5);
	}

	@Test
	void cancelEndsATurnSideBySide() {
		final AtomicBoolean stop = new AtomicBoolean();
		turns(() -> stop.set(true));
		assertCanceled(stop, 5);
	}

	/** Two toys. @param then runs when the second one runs after a single run of the first one */
	private void turns(final Runnable then) {
		final Toy one = new Toy("one", 1e-3, 3, null), other = new Toy("other", 1e-3, 2, null);
		final AtomicInteger runsOfOne = new AtomicInteger();
		one.ran = runsOfOne::incrementAndGet;
		other.ran = () -> {
			if (runsOfOne.getAndSet(0) == 1) then.run();
		};
		toys.add(one);
		toys.add(other);
	}

	/** Nothing is left behind then. */
	private void assertCanceled(final AtomicBoolean stop, final double limit) {
		final Monitor monitor = new Monitor() {

			@Override
			public boolean canceled() {
				return stop.get();
			}
		};
		assertThrows(CancellationException.class,
			() -> planner().rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, limit, monitor));
		for (final Toy t : toys) assertEquals(0, t.open, t.id());
		assertEquals(List.of(), planner().wisdom().entries());
	}

	@Test
	void theHopelessAreNotMeasured() {
		toys.add(new Toy("quick", 1e-3, 1, null));
		toys.add(new Toy("slow", 1, 1, null));
		assertEquals("quick", best(rank(Effort.MEASURE, 5)));
		assertEquals(0, toys.get(1).runs.get());
	}

	@Test
	void measuringDoesNotWaitForTheEndless() {
		toys.add(new Toy("endless", 1e-3, 60_000, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		assertEquals("modest", best(rank(Effort.MEASURE, 0.4)));
		assertEquals(0, toys.get(0).ends.get());
	}

	/** A GPU's first candidate starts it, compiles its kernels and takes memory: none of that counts. */
	@Test
	void startingIsNotWhatIsMeasured() {
		toys.add(new Toy("starts late", 2e-3, 1, null));
		toys.add(new Toy("begins slowly", 2e-3, 1, null));
		toys.add(new Toy("modest", 2e-3, 20, null));
		toys.get(0).preparing = 400;
		toys.get(1).allocating = 400;
		final Ranking r = rank(Effort.MEASURE, 2);
		assertEquals("modest", r.candidates().get(2).name());
		for (final int i : new int[] { 0, 1 }) assertEquals(1e-3, r.candidates().get(i).measured().orElseThrow(), 1e-12, r.explain());
	}

	@Test
	void whatDidNotEndInTimeIsNotTriedAgain() {
		toys.add(new Toy("endless", 1e-3, 60_000, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 0.4);
		final int runs = toys.get(0).runs.get();
		final Ranking again = rank(Effort.MEASURE, 5);
		assertEquals("modest", best(again));
		assertEquals(runs, toys.get(0).runs.get());
		assertTrue(again.explain().contains("exceeded the time limit"), again.explain());
		assertEquals("selected: the only one that applies", planner().rank(PROBLEM, Optional.empty(), Optional.of("endless"))
			.candidates().get(0).reason());
		assertTrue(planner().wisdom().entries().get(0).seconds().isEmpty());
	}

	@Test
	void aPredictedTimeIsComparedWithMeasuredTimesWithoutItsStart() {
		toys.add(new Toy("quick", 1e-3, 1, null));
		toys.add(new Toy("slow " + STARTS.incrementAndGet(), 1, 1, null, 1e6));
		final Ranking r = rank(Effort.MEASURE, 5);
		final double measured = r.candidates().get(0).measured().orElseThrow();
		assertTrue(r.candidates().get(1).measured().isEmpty(), "too slow to be measured");
		assertEquals("not measured; predicted to take " + Math.round(10 / measured) / 10.0 + " times as long", r.candidates().get(1).reason());
		assertTrue(r.explain().lines().noneMatch(l -> l.contains("+ start")), r.explain());
	}

	@Test
	void aPrintedRankingKeepsTheNumbersByWhichItWasSorted() {
		toys.add(new Toy("slow start " + STARTS.incrementAndGet(), 1e-3, 1, null, 1e4));
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Ranking before = rank(Effort.ESTIMATE, 0);
		final String printed = before.explain();
		assertTrue(printed.contains("+ start"), printed);
		rank(Effort.MEASURE, 5);
		assertEquals(printed, before.explain());
	}

	/** Of predicted times: no row below the selected one states a smaller time. */
	@Test
	void theFirstColumnOfTimesIsTheOneOfTheRanking() {
		toys.add(new Toy("slow start " + STARTS.incrementAndGet(), 1e-3, 1, null, 1e4));
		toys.add(new Toy("quick start " + STARTS.incrementAndGet(), 9e-3, 1, null, 1e-3));
		toys.add(new Toy("modest " + STARTS.incrementAndGet(), 20e-3, 1, null));
		final List<Double> times = rank(Effort.ESTIMATE, 0).explain().lines().skip(1).map(l -> Double.valueOf(l.replaceAll("^.*? ([0-9.]+) ms .*", "$1"))).toList();
		assertEquals(3, times.size());
		assertEquals(times.stream().sorted().toList(), times);
		assertTrue(times.get(0) >= 9 && times.get(0) <= 10, times.toString());
	}

	@Test
	void oneThatCostsMoreToStartMayBeTheFastest() {
		// a process remembers what it has started: in one that runs this test twice each is an algorithm of its own
		final String slow = "slow start " + STARTS.incrementAndGet();
		toys.add(new Toy(slow, 1e-3, 1, null, 1e4));
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Ranking r = rank(Effort.ESTIMATE, 0);
		assertEquals("modest", best(r));
		assertEquals(slow, r.fastest().orElseThrow().name());
		for (final Ranking measured : new Ranking[] { rank(Effort.MEASURE, 5), rank(Effort.ESTIMATE, 0) })
			assertTrue(measured.explain().lines().noneMatch(l -> l.contains("+ start")), "measuring is a start");
	}

	/** Each process brings what the others have not. */
	@Test
	void processesDoNotForgetEachOthersWisdom() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner one = planner(), other = planner();
		final Correlation second = Problems.correlation(PixelType.F32, PixelType.U8, PROBLEM.size(), PROBLEM.templates(), PROBLEM.weights(), PROBLEM.lags(), 3);
		one.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		other.rank(second, Optional.empty(), Optional.empty(), Effort.MEASURE, 5, Monitor.NONE);
		assertEquals(List.of("F32 image 64x48, template U8 [5x4], 60x45 lags, 3 frames", "U8 image 64x48, template U8 [5x4], 60x45 lags, 1 frame"),
			planner().wisdom().entries().stream().map(Wisdom.Entry::problem).toList());
	}

	@Test
	void aTornFileIsIgnored() throws IOException {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		final String text = Files.readString(file);
		for (final String torn : List.of("", text.substring(0, text.length() / 2), text.replace("modest", "modesT"), "NCC wisdom", "\n\n")) {
			Files.writeString(file, torn, StandardCharsets.UTF_8);
			assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
		}
		Files.write(file, new byte[] { (byte) 0xff, (byte) 0xfe, 0 });
		assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
		Files.writeString(file, text);
		assertEquals("modest", best(rank(Effort.ESTIMATE, 0)));
	}

	@Test
	void aFileIsReadOnceWhileItStaysAsItIs() throws IOException {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		final FileTime before = FileTime.fromMillis(System.currentTimeMillis() - 60_000);
		Files.setLastModifiedTime(file, before);
		assertEquals("modest", best(rank(Effort.ESTIMATE, 0)));
		// torn, and nothing tells of it
		Files.writeString(file, Files.readString(file).replace("modest", "modesT"));
		Files.setLastModifiedTime(file, before);
		assertEquals("modest", best(rank(Effort.ESTIMATE, 0)));
		Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1));
		assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
	}

	@Test
	void otherAlgorithmsMakeItWorthless() {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		toys.add(new Toy("new", 1, 1, null));
		assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
	}

	@Test
	void clearForgets() throws IOException {
		toys.add(new Toy("hopeful", 1e-3, 12, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		rank(Effort.MEASURE, 5);
		final Planner planner = planner();
		assertEquals(List.of("hopeful", "modest"), planner.wisdom().entries().stream().map(Wisdom.Entry::algorithm).toList());
		planner.wisdom().clear();
		assertFalse(Files.exists(file));
		assertEquals("hopeful", best(rank(Effort.ESTIMATE, 0)));
	}

	@Test
	void anUnwritableFolderIsNoHindrance() throws IOException {
		Files.createDirectories(folder);
		Files.writeString(folder.resolve("kept"), "a file where the folder should be");
		toys.add(new Toy("modest", 2e-3, 1, null));
		assertEquals("modest", best(rank(Effort.MEASURE, 5)));
	}

	/** One message per mistake: each names what can be chosen. */
	@Test
	void unknownNamesAreSaid() {
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = new Planner(List.of(new FakeBackend(DEVICE, toys), NO_DRIVER), file, clock::get);
		assertMistake("unknown algorithm \"modset\": choose auto or one of modest, far", planner, PROBLEM, Optional.empty(), Optional.of("modset"));
		assertMistake("unknown backend \"gpu\": choose auto or one of toy, none", planner, PROBLEM, Optional.of("gpu"), Optional.empty());
		assertMistake("the backend none cannot be used: there is no driver", planner, PROBLEM, Optional.of("none"), Optional.empty());
		assertMistake("the algorithm modest solves other problems: choose auto", planner, Problems.convolution(PROBLEM, 1), Optional.empty(),
			Optional.of("modest"));
	}

	private static void assertMistake(final String message, final Planner planner, final Problem problem, final Optional<String> backend,
		final Optional<String> algorithm)
	{
		assertEquals(message, assertThrows(IllegalArgumentException.class, () -> planner.rank(problem, backend, algorithm)).getMessage());
	}

	/** All reasons; of a selected algorithm its own, and those of the backends that cannot be used. */
	@Test
	void whyNoneApplies() {
		for (final String id : List.of("odd", "even")) {
			final Toy toy = new Toy(id, 1e-3, 1, null);
			toy.refusal = "its tables are " + id;
			toys.add(toy);
		}
		final Planner planner = new Planner(List.of(NO_DRIVER, new FakeBackend(DEVICE, toys)), file, clock::get);
		assertMistake("no algorithm applies: none (there is no driver); odd (its tables are odd); even (its tables are even)", planner, PROBLEM, Optional.empty(),
			Optional.empty());
		assertMistake("no algorithm applies: none (there is no driver); even (its tables are even); choose another algorithm, or auto", planner, PROBLEM,
			Optional.empty(), Optional.of("even"));
	}

	@Test
	void knownNamesSelect() {
		toys.add(new Toy("quick", 1e-3, 1, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		final Planner planner = new Planner(List.of(NO_DRIVER, new FakeBackend(DEVICE, toys)), file, clock::get);
		assertEquals("quick", best(planner.rank(PROBLEM, Optional.of("toy"), Optional.empty())));
		assertEquals("modest", best(planner.rank(PROBLEM, Optional.of("toy"), Optional.of("modest"))));
		assertEquals("there is no driver", planner.rank(PROBLEM, Optional.empty(), Optional.empty()).candidates().get(2).reason());
	}

	/** The time of the best among some algorithms. */
	@Test
	void theTimeOfTheBestAmongSome() {
		toys.add(new Toy("quick", 1e-3, 1, null));
		toys.add(new Toy("modest", 2e-3, 1, null));
		assertEquals(1e-3, planner().seconds(PROBLEM, Optional.empty(), Optional.empty(), a -> true), 1e-15);
		assertEquals(2e-3, planner().seconds(PROBLEM, Optional.empty(), Optional.empty(), a -> a.id().equals("modest")), 1e-15);
		assertEquals(Double.POSITIVE_INFINITY, planner().seconds(PROBLEM, Optional.empty(), Optional.empty(), a -> false));
	}

	/** Constants of a device are its own, and a backend that cannot be used has no device. */
	@Test
	void theMeasuredConstantsOfADevice() {
		final Planner planner = new Planner(List.of(NO_DRIVER, new FakeBackend(DEVICE, toys), new FakeBackend(new Device("other", "another", 1, 1), toys)),
			file, clock::get);
		planner.wisdom().calibrate(DEVICE, new TreeMap<>(Map.of("lag", new Wisdom.Constant(2e-9, 5e-9))));
		assertEquals(2.5, planner.calibrated("toy", "lag"), 1e-12);
		assertEquals(1, planner.calibrated("toy", "start"));
		assertEquals(1, planner.calibrated("other", "lag"));
		assertEquals(1, planner.calibrated("no device", "lag"));
	}

	/** The constants of the devices that have some are used at once, and by the next process. */
	@Test
	void whatIsCalibratedIsUsedAndKept() {
		final FakeAlgorithm twice = new FakeAlgorithm("twice") {

			@Override
			protected Cost cost(final Correlation problem, final Device device) {
				return new Cost(1e-9 * device.constants().get("lag", 3) * problem.lags().count().pixels(), 0, 1, 0);
			}

			@Override
			protected Report compute(final LagBox lags, final Sink out, final Monitor monitor) {
				clock.addAndGet(6 * lags.lags());
				return new Report(lags.lags(), 0, 0);
			}
		};
		toys.add(new Toy("modest", 2e-3, 1, null));
		final List<Backend> backends = List.of(NO_DRIVER, new FakeBackend(new Device("other", "another", 1, 1), toys), new FakeBackend(DEVICE, List.of(twice)));
		final Planner planner = new Planner(backends, file, clock::get);
		final List<CostCalibration> found = planner.calibrate(1, Optional.empty(), Monitor.NONE);
		assertEquals(List.of(DEVICE), found.stream().map(CostCalibration::device).toList());
		assertEquals(2, planner.calibrated("toy", "lag"), 0.02);
		assertEquals(2, new Planner(backends, file, clock::get).calibrated("toy", "lag"), 0.02);
	}

	/** Once, and four times without a gain, in each of both rounds. One alone takes no turns. */
	@Test
	void oneAloneTakesNoTurns() {
		final Toy modest = new Toy("modest", 0.1, 100, null);
		toys.add(modest);
		rank(Effort.MEASURE, 100);
		assertEquals(2 * 5, modest.runs.get());
	}

	/** The second round shares what is left among its runs, and has one run of each candidate left. */
	@Test
	void theSecondRoundHasTheRestOfTheTime() {
		final Toy warm = new Toy("warm", 0.3, 250, null);
		// the run of the first round is longer
		warm.ran = () -> warm.allocating = warm.runs.get() <= 2 ? 50 : 0;
		toys.add(warm);
		assertEquals(0.25, rank(Effort.MEASURE, 1).best().orElseThrow().measured().orElseThrow(), 1e-12);
	}
}
