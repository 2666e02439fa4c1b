package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.fixture.FakeAlgorithm;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Constants;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The constants of the cost models: measured, stored, used, and ignored after a change of their meaning. */
class CostCalibrationTest {

	private static final Correlation PROBLEM = Problems.correlation(PixelType.U8, PixelType.U8, Size.of(64, 48), List.of(Size.of(5, 4)), Weights.NONE,
		Lags.inside(Size.of(60, 45)), 1);
	private static final Device DEVICE = new Device("toy", "a toy", 1, 1);

	@TempDir
	Path folder;
	private Path file;
	private final List<SlidingAlgorithm<Correlation>> toys = new ArrayList<>();
	/** Nanoseconds. Only the work of toys takes time. */
	private long now;

	@BeforeEach
	void file() {
		file = folder.resolve("wisdom.txt");
	}

	/** An algorithm whose real times per lag and per submission, in seconds, differ from the predicted ones. It fails if the real time per lag is NaN. */
	private final class Toy extends FakeAlgorithm {

		private final double lag, submission, takesLag, takesSubmission;
		/** The predicted times of a start and of a preparation in seconds, and the real one of a preparation. */
		private double start = 1e-9, preparation = 0;
		private DoubleSupplier cold = () -> 0;
		/** Whether it states no cost. */
		private boolean free;
		/** How many times longer than its real time the next run takes. */
		private DoubleSupplier slowness = () -> 1;
		/** The numbers of lags that were computed. */
		private final List<Long> computed = new ArrayList<>();
		/** The numbers of executions that were prepared, and of those that are not closed. */
		private int prepared, open;

		Toy(final String id, final double lag, final double submission, final double takesLag, final double takesSubmission) {
			super(id);
			this.lag = lag;
			this.submission = submission;
			this.takesLag = takesLag;
			this.takesSubmission = takesSubmission;
		}

		@Override
		public Optional<String> unsupported(final Correlation problem) {
			return problem.weights() == Weights.NONE ? Optional.empty() : Optional.of("masks are not supported");
		}

		@Override
		protected Cost cost(final Correlation problem, final Device device) {
			if (free) return new Cost(0, 0, 0, 0);
			final double lags = problem.lags().count().pixels();
			final Constants k = device.constants();
			final double once = preparation == 0 ? 0 : k.get(id() + "-preparation", preparation);
			return new Cost(once + problem.frames() * (lags * k.get(id() + "-lag", lag) + k.get(id() + "-submission", submission)), once,
				k.get(id() + "-start", start), 1, 0);
		}

		@Override
		protected void prepared() {
			prepared++;
			open++;
			now += Math.round(1e9 * cold.getAsDouble());
		}

		@Override
		protected void closed() {
			open--;
		}

		@Override
		protected Report compute(final LagBox box, final Sink out, final Monitor monitor) {
			computed.add(box.lags());
			if (Double.isNaN(takesLag)) throw new DeviceException("the device has failed");
			now += Math.round(1e9 * slowness.getAsDouble() * (box.lags() * takesLag + takesSubmission));
			if (monitor.canceled()) throw new CancellationException();
			return new Report(box.lags(), 0, 0);
		}
	}

	private Planner planner() {
		return new Planner(List.of(new FakeBackend(DEVICE, toys)), file, () -> now);
	}

	private Ranking rank() {
		return planner().rank(PROBLEM, Optional.empty(), Optional.empty());
	}

	private String fastest() {
		return rank().fastest().orElseThrow().name();
	}

	private void keep(final Map<String, Wisdom.Constant> constants) {
		final Planner planner = planner();
		planner.wisdom().calibrate(DEVICE, new TreeMap<>(constants));
		planner.wisdom().save();
	}

	private void twoToys() {
		toys.add(new Toy("quick", 1e-9, 1e-6, 1e-9, 1e-6));
		toys.add(new Toy("slow", 2e-9, 1e-6, 2e-9, 1e-6));
	}

	@Test
	void findsWhatRunsTake() {
		toys.add(new Toy("one", 1e-9, 1e-5, 4e-9, 2e-4));
		toys.add(new Toy("other", 8e-9, 1e-5, 1e-9, 1e-4));
		final List<CostCalibration> all = planner().calibrate(1, Optional.empty(), Monitor.NONE);
		assertEquals(1, all.size());
		final CostCalibration c = all.get(0);
		final SortedMap<String, Wisdom.Constant> k = c.constants();
		assertEquals(List.of("one-lag", "one-start", "one-submission", "other-lag", "other-start", "other-submission"), List.copyOf(k.keySet()));
		assertEquals(4e-9, k.get("one-lag").measured(), 2e-10);
		assertEquals(2e-4, k.get("one-submission").measured(), 1e-5);
		assertEquals(1e-9, k.get("other-lag").measured(), 5e-11);
		assertEquals(1e-4, k.get("other-submission").measured(), 5e-6);
		assertEquals(1e-9, k.get("one-lag").shipped());
		assertTrue(c.errorBefore() > 1 && c.errorAfter() < 0.02, c::toString);
		// eight problems without a mask
		assertEquals(16, c.runs());
		final Ranking ranking = rank();
		assertEquals("other", ranking.best().orElseThrow().name(), "another planner reads what was kept");
		assertEquals(2700 * 4e-9 + 2e-4, ranking.candidates().get(1).plan().cost().seconds(), 1e-5);
	}

	@Test
	void measuresTheChosenBackendOnly() {
		twoToys();
		final String id = new FakeBackend(DEVICE, toys).id();
		assertEquals(List.of(), planner().calibrate(1, Optional.of("not " + id), Monitor.NONE));
		assertFalse(Files.exists(file));
		assertEquals(1, planner().calibrate(1, Optional.of(id), Monitor.NONE).size());
	}

	/** As a call does, each run prepares: what that takes is a cost of its own. */
	@Test
	void preparationsAreMeasured() {
		final Toy toy = new Toy("toy", 1e-9, 1e-5, 4e-9, 2e-5);
		toy.preparation = 1e-5;
		toy.cold = () -> 3e-4;
		toys.add(toy);
		final CostCalibration c = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0);
		assertEquals(3e-4, c.constants().get("toy-preparation").measured(), 1e-5);
		assertEquals(4e-9, c.constants().get("toy-lag").measured(), 2e-10);
		assertEquals(2e-5, c.constants().get("toy-submission").measured(), 2e-6);
		assertTrue(c.errorAfter() < 0.02, c::toString);
		assertTrue(toy.prepared > 8 * 5 && toy.open == 0, toy.prepared + " prepared, " + toy.open + " open");
	}

	/**
	 * On a fast device, large problems run last, and only until four runs are not faster. If the small ones are not settled by then, half of the time is left
	 * for the large ones.
	 */
	@Test
	void largeProblemsOfAFastDevice() {
		for (final double limit : new double[] { 10, 0.4 }) {
			toys.clear();
			final String id = "fast" + System.nanoTime();
			final Toy toy = new Toy(id, 1e-9, 1e-5, 1e-9, 1e-5);
			toys.add(toy);
			final FakeBackend fast = new FakeBackend(DEVICE, toys, true);
			final long start = now;
			final CostCalibration c = new Planner(List.of(fast), folder.resolve(id + ".txt"), () -> now).calibrate(limit, Optional.empty(), Monitor.NONE).get(0);
			assertTrue(RunCounter.hasStarted(id));
			final int firstLarge = toy.computed.stream().map(n -> n > 1_000_000 || n == 291 * 291).toList().indexOf(true);
			assertTrue(c.runs() > 8, c::toString);
			if (limit < 1) {
				final double before = toy.computed.subList(0, firstLarge).stream().mapToDouble(n -> 1e-9 * n + 1e-5).sum();
				assertEquals(limit / 2, before, 0.005, "seconds of the small ones");
				assertTrue(now - start > 1e9 * (limit - 0.01) && now - start < 1e9 * (limit + 0.05), () -> now - start + " ns");
				continue;
			}
			final Map<Long, Long> counts = toy.computed.stream().collect(Collectors.groupingBy(n -> n, Collectors.counting()));
			assertEquals(5, counts.get(1_993L * 1_993), "the first run, and four that are not faster");
			assertTrue(counts.get(617L * 617) > 100, "a small problem: a tenth of a second without a gain");
			assertTrue(toy.computed.subList(firstLarge, toy.computed.size()).stream().noneMatch(n -> n == 617L * 617));
		}
	}

	@Test
	void whatNoRunDependsOnStaysAsItShips() {
		// both take no time to speak of against the other constant
		toys.add(new Toy("toy", 1e-9, 1e-18, 2e-9, 0));
		final SortedMap<String, Wisdom.Constant> k = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0).constants();
		assertEquals(2e-9, k.get("toy-lag").measured(), 2e-11);
		assertEquals(1e-18, k.get("toy-submission").measured(), 1e-20);
	}

	@Test
	void keptConstantsChangeTheEstimate() {
		twoToys();
		assertEquals("quick", fastest());
		keep(Map.of("quick-lag", new Wisdom.Constant(1e-9, 5e-9)));
		assertEquals("slow", fastest());
		assertEquals(2700 * 5e-9 + 1e-6, rank().candidates().get(1).plan().cost().seconds(), 1e-12);
	}

	@Test
	void unknownNamesAndOtherMeaningsAreIgnored() {
		twoToys();
		keep(Map.of("quick-lag", new Wisdom.Constant(7e-9, 5e-9), "quicksilver", new Wisdom.Constant(1, 2)));
		assertEquals("quick", fastest(), "another value ships now: it means something else");
		assertEquals(2700 * 1e-9 + 1e-6, rank().best().orElseThrow().plan().cost().seconds(), 1e-12);
	}

	@Test
	void aTornPartIsIgnoredAndTheOtherServes() throws IOException {
		twoToys();
		planner().rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 2, Monitor.NONE);
		keep(Map.of("quick-lag", new Wisdom.Constant(1e-9, 5e-9)));
		final String text = Files.readString(file);
		final String edited = text.replace("5.0E-9", "6.0E-9"), cut = text.substring(0, text.length() - 4), nonsense = text.replace("NCC calibration 1", "NCC calibration 0");
		for (final String torn : List.of(edited, cut, nonsense)) {
			assertFalse(torn.equals(text));
			Files.writeString(file, torn);
			assertEquals(Map.of(), planner().wisdom().calibrations());
			assertEquals(2, planner().wisdom().entries().size(), "what was measured of problems is whole");
		}
		Files.writeString(file, text.replace("NCC wisdom 4", "NCC wisdom 2"));
		final Wisdom older = planner().wisdom();
		assertEquals(List.of("toy: a toy"), List.copyOf(older.calibrations().keySet()));
		assertEquals(List.of(), older.entries());
	}

	/** A process that began before a calibration must not write the older one back. */
	@Test
	void theNewestCalibrationStays() {
		twoToys();
		keep(Map.of("quick-lag", new Wisdom.Constant(1e-9, 5e-9)));
		final Planner old = planner();
		keep(Map.of("quick-lag", new Wisdom.Constant(1e-9, 3e-9)));
		old.rank(PROBLEM, Optional.empty(), Optional.empty(), Effort.MEASURE, 2, Monitor.NONE);
		assertEquals(3e-9, planner().wisdom().calibrations().get("toy: a toy").get("quick-lag").measured());
	}

	@Test
	void clearForgetsIt() throws IOException {
		twoToys();
		keep(Map.of("quick-lag", new Wisdom.Constant(1e-9, 5e-9)));
		planner().wisdom().clear();
		assertEquals("quick", fastest());
		assertFalse(Files.exists(file));
	}

	@Test
	void canceledItKeepsNothing() {
		twoToys();
		assertThrows(CancellationException.class, () -> planner().calibrate(60, Optional.empty(), new Monitor() {

			@Override
			public boolean canceled() {
				return true;
			}
		}));
		assertFalse(Files.exists(file));
	}

	@Test
	void whatFailsIsLeftOut() {
		toys.add(new Toy("broken", 1e-9, 1e-5, Double.NaN, 0));
		toys.add(new Toy("one", 1e-9, 1e-5, 4e-9, 2e-4));
		final CostCalibration c = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0);
		assertEquals(8, c.runs());
		assertEquals(4e-9, c.constants().get("one-lag").measured(), 4e-11);
		assertEquals(1e-9, c.constants().get("broken-lag").measured(), 1e-12);
	}

	/** An algorithm whose frames are predicted to take far longer costs no time. Its preparation excludes none, nor does one that states no cost. */
	@Test
	void hopelessAlgorithmsDoNotRun() {
		final Toy quick = new Toy("quick", 1e-9, 1e-6, 2e-9, 1e-6), slow = new Toy("slow", 20e-9, 20e-6, 20e-9, 20e-6), hopeless = new Toy("hopeless", 40e-9,
			40e-6, 40e-9, 40e-6), free = new Toy("free", 1, 1, 1e-9, 0);
		free.free = true;
		slow.preparation = 1;
		toys.addAll(List.of(quick, slow, hopeless, free));
		final CostCalibration c = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0);
		assertTrue(quick.prepared > 0 && slow.prepared > 0 && free.prepared > 0);
		assertEquals(0, hopeless.prepared);
		assertTrue(c.constants().containsKey("slow-lag") && !c.constants().containsKey("hopeless-lag"), () -> "" + c.constants());
		assertEquals(2e-9, c.constants().get("quick-lag").measured(), 1e-10);
	}

	/** A clock can be too coarse for a run. It says nothing about the constants. */
	@Test
	void runsWithoutATimeAreLeftOut() {
		toys.add(new Toy("instant", 1e-9, 1e-5, 0, 0));
		toys.add(new Toy("one", 1e-9, 1e-5, 4e-9, 2e-4));
		final CostCalibration c = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0);
		assertEquals(8, c.runs());
		assertEquals(4e-9, c.constants().get("one-lag").measured(), 4e-11);
		assertEquals(1e-9, c.constants().get("instant-lag").measured(), 1e-12);
	}

	@Test
	void aDeviceWithoutConstantsIsLeftAlone() {
		assertEquals(List.of(), planner().calibrate(60, Optional.empty(), Monitor.NONE));
		assertFalse(Files.exists(file));
	}

	/**
	 * The progress is a number of milliseconds, which ends at the limit. A run that fails is closed and is not tried again, and one line says
	 * why. All others are closed at the end.
	 */
	@Test
	void progressAndFailures() {
		final Toy broken = new Toy("broken", 1e-9, 1e-5, Double.NaN, 0), intact = new Toy("intact", 1e-9, 1e-5, 1e-9, 1e-6);
		toys.addAll(List.of(broken, intact));
		final long[] total = new long[1], done = new long[3];
		now = 5_000_000_000L;
		final List<String> said = PlannerTest.said(() -> planner().calibrate(0.3, Optional.empty(), new Monitor() {

			@Override
			public void total(final long units) {
				total[0] = units;
			}

			@Override
			public void done(final long units) {
				assertTrue(units >= 0, () -> units + " ms at once");
				done[0] += units;
				done[1]++;
				done[2] = Math.max(done[2], units);
			}
		}));
		assertEquals(300, total[0]);
		assertEquals(300, done[0]);
		assertTrue(done[1] > 10, done[1] + " runs");
		assertTrue(done[2] < 30, done[2] + " ms at once");
		assertEquals(Collections.nCopies(broken.prepared, "WARNING cannot calibrate broken on a toy: the device has failed"),
			said.stream().filter(l -> l.startsWith("WARNING")).toList());
		assertEquals(8, broken.prepared, "once for each problem without a mask");
		assertTrue(intact.prepared > broken.prepared);
		assertEquals(0, intact.open);
		assertEquals(0, broken.open);
		assertTrue(RunCounter.hasStarted("intact") && !RunCounter.hasStarted("broken"));
	}

	/** The time in which a driver compiles kernels is not that of the calibration. */
	@Test
	void compilingKernelsDoesNotCountForTheLimit() {
		final Toy one = new Toy("one", 1e-9, 1e-5, 4e-9, 2e-4);
		final AtomicBoolean compiled = new AtomicBoolean();
		one.slowness = () -> compiled.getAndSet(true) ? 1 : 1e5;
		toys.add(one);
		final SortedMap<String, Wisdom.Constant> k = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0).constants();
		assertTrue(now > 1e9 * 10, () -> now + " ns");
		assertEquals(4e-9, k.get("one-lag").measured(), 2e-10);
		assertEquals(2e-4, k.get("one-submission").measured(), 1e-5);
	}

	/** A run that still gets faster when the time is over says how long its compiled code takes at most. */
	@Test
	void codeThatIsNotCompiled() {
		final double[] factor = { 50 };
		final Toy cold = new Toy("cold", 1e-9, 1e-5, 1e-9, 1e-5), slow = new Toy("slow", 1e-9, 1e-5, 4e-9, 4e-5);
		cold.slowness = () -> factor[0] *= 0.97;
		toys.addAll(List.of(cold, slow));
		final SortedMap<String, Wisdom.Constant> k = planner().calibrate(0.5, Optional.empty(), Monitor.NONE).get(0).constants();
		assertTrue(factor[0] > 3, () -> "it took " + factor[0] + " times as long at the end");
		assertTrue(k.get("cold-lag").measured() < 1.5e-9, () -> "" + k);
		assertTrue(k.get("slow-lag").measured() > 2.5e-9, () -> "" + k);
	}

	/** In a new process, the algorithm that starts slowest runs first: its first run says what all starts cost, within a factor of 30. */
	@Test
	void startsAreMeasuredInANewProcess() throws ReflectiveOperationException {
		final Field started = RunCounter.class.getDeclaredField("STARTED");
		started.setAccessible(true);
		@SuppressWarnings("unchecked")
		final Set<String> names = (Set<String>) started.get(null);
		final Set<String> before = Set.copyOf(names);
		try {
			for (final double predicted : new double[] { 0.01, 1e-4, 20 }) {
				toys.clear();
				// only the first run of all waits for the device
				final AtomicBoolean cold = new AtomicBoolean(true);
				for (final String id : List.of("other", "slow")) {
					final Toy toy = new Toy(id, 1e-9, 1e-5, 1e-9, 1e-5);
					toy.start = id.equals("slow") ? predicted : predicted / 2;
					toy.cold = id.equals("slow") ? () -> cold.getAndSet(false) ? 0.05 : 0 : () -> {
						cold.set(false);
						return 0;
					};
					toys.add(toy);
				}
				names.clear();
				final SortedMap<String, Wisdom.Constant> k = planner().calibrate(0.3, Optional.empty(), Monitor.NONE).get(0).constants();
				final double factor = k.get("slow-start").measured() / predicted;
				assertEquals(predicted == 0.01 ? 5 : predicted < 0.01 ? 30 : 1 / 30.0, factor, 1e-9, "50 ms in place of " + predicted + " s");
				assertEquals(factor, k.get("other-start").measured() / k.get("other-start").shipped(), 1e-9 * factor);
				// this process has started before: a first run that takes longer says nothing about it
				cold.set(true);
				final SortedMap<String, Wisdom.Constant> later = new Planner(List.of(new FakeBackend(DEVICE, toys)), folder.resolve("other.txt"), () -> now)
					.calibrate(0.2, Optional.empty(), Monitor.NONE).get(0).constants();
				assertEquals(predicted, later.get("slow-start").measured(), 1e-9 * predicted);
			}
		}
		finally {
			names.addAll(before);
		}
	}

	/** An algorithm that has not run bears its share of the start. */
	@Test
	void theShareOfAStart() {
		final Toy fresh = new Toy("never " + System.nanoTime(), 1, 1, 1, 1), run = new Toy("run " + System.nanoTime(), 1, 1, 1, 1);
		final double share = RunCounter.share(fresh);
		assertTrue(share > 0 && share <= 1);
		RunCounter.add(run);
		assertEquals(0, RunCounter.share(run));
		assertEquals(1 / share + 1, 1 / RunCounter.share(fresh), 1e-6 / share);
		assertFalse(RunCounter.none());
		assertFalse(RunCounter.hasStarted(fresh.id()));
	}
}
