package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.FakeBackend;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** What is measured of a part of a problem is the time of the problem. No test depends on the machine: the clock of the measurements counts stated work. */
class MeasurementTest {

	private static final Device DEVICE = new Device("clockwork", "a clockwork", 1, 1);
	/** The default time limit for users. */
	private static final double SECONDS = 4;

	@TempDir
	Path folder;
	/** Nanoseconds. */
	private long now;

	/** An algorithm whose executions move the clock, and compute nothing. */
	private final class Clockwork implements SlidingAlgorithm<Sliding> {

		private final String id;
		/** The seconds of the preparation, and of one frame. */
		private final ToDoubleFunction<Sliding> once, frame;
		/** The factors by which the real times of the preparation and of frames differ from the predicted ones. */
		private final double onceError, frameError;
		/** The problems that were prepared last, and the lags and pixels that were submitted last. */
		private Sliding prepared;
		private int[] lags;
		private long[] pixels;
		private int submissions;
		private int depth = 1, inFlight, mostInFlight;
		/** Problems with fewer lags are refused. */
		private double least;
		/** Frames with more lags take twice the time. */
		private long slowLags = Long.MAX_VALUE;
		/** The nanoseconds that the first preparation takes besides. */
		private long opening;
		/** Whether it states no cost. */
		private boolean free;
		/** The time on the clock until which a frame takes so many times as long: its code is not compiled yet. */
		private long cold, coldFactor = 100;

		Clockwork(final String id, final ToDoubleFunction<Sliding> once, final ToDoubleFunction<Sliding> frame, final double onceError,
			final double frameError) {
			this.id = id;
			this.once = once;
			this.frame = frame;
			this.onceError = onceError;
			this.frameError = frameError;
		}

		@Override
		public String id() {
			return id;
		}

		@Override
		public Class<Sliding> kind() {
			return Sliding.class;
		}

		@Override
		public Optional<String> unsupported(final Sliding problem) {
			return lags(problem) < least ? Optional.of("too few lags") : Optional.empty();
		}

		/** The real time of a problem in seconds. */
		double seconds(final Sliding p) {
			return onceError * once.applyAsDouble(p) + p.frames() * frameError * frame.applyAsDouble(p);
		}

		@Override
		public SlidingPlan plan(final Sliding problem, final Device device) {
			final double preparation = once.applyAsDouble(problem), each = frame.applyAsDouble(problem);
			return new SlidingPlan() {

				@Override
				public Cost cost() {
					return free ? new Cost(0, 0, 0, 0) : new Cost(preparation + problem.frames() * each, preparation, 0, 1, 0);
				}

				@Override
				public Execution prepare(final List<Template> templates) {
					now += opening + Math.round(1e9 * onceError * preparation);
					opening = 0;
					prepared = problem;
					submissions = 0;
					return execution(Math.round(1e9 * frameError * each * (lags(problem) > slowLags ? 2 : 1)));
				}
			};
		}

		private Execution execution(final long nanoseconds) {
			return new Execution() {

				@Override
				public int depth() {
					return depth;
				}

				@Override
				public <T> T await(final CompletableFuture<T> submission) {
					inFlight--;
					return submission.join();
				}

				@Override
				public CompletableFuture<Report> submit(final Pixels in, final LagBox box, final Sink out, final Monitor monitor) {
					now += now < cold ? coldFactor * nanoseconds : nanoseconds;
					submissions++;
					mostInFlight = Math.max(mostInFlight, ++inFlight);
					lags = box.size();
					pixels = in.size();
					return CompletableFuture.completedFuture(new Report(box.lags(), 0, 0));
				}

				@Override
				public void replace(final List<Template> sameShapes) {}

				@Override
				public void close() {}
			};
		}
	}

	private static Correlation problem(final long width, final long height, final long template, final long frames) {
		return Problems.correlation(PixelType.F32, PixelType.F32, Size.of(width, height), List.of(Size.of(template, template)), Weights.NONE,
			Lags.inside(Size.of(width - template + 1, height - template + 1)), frames);
	}

	/**
	 * Small and large images, a few and many frames, lags beyond the image, lags of a part of the image, several templates, volumes, masks, columns,
	 * convolution.
	 */
	private static List<Sliding> problems() {
		final Size large = Size.of(5000, 4000), t = Size.of(30, 20);
		return List.of(problem(40, 30, 5, 1), problem(2000, 2000, 32, 1), problem(4096, 4096, 512, 1), problem(6000, 600, 100, 1000), problem(900, 700, 600, 7),
			Problems.correlation(PixelType.U8, PixelType.U8, large, List.of(t, t, Size.of(7, 9)), Weights.NONE, new Lags(Size.of(5029, 4019), true, 0.3), 1),
			Problems.correlation(PixelType.U8, PixelType.U8, Size.of(100, 100), List.of(Size.of(1500, 1400)), Weights.NONE, new Lags(Size.of(1599, 1499), true, 0.3), 1),
			Problems.correlation(PixelType.U16, PixelType.U16, large, List.of(t), Weights.REAL, new Lags(Size.of(2400, 1300), false, true, 0.3), 3),
			Problems.correlation(PixelType.F32, PixelType.F32, Size.of(300, 290, 280), List.of(Size.of(9, 8, 7)), Weights.BINARY, Lags.inside(Size.of(292, 283, 274)),
				1),
			Problems.correlation(PixelType.U8, PixelType.U8, Size.of(1000, 900), List.of(t), Weights.NONE, Lags.inside(Size.of(971, 881)), 1),
			problem(1, 4_000_000, 1, 1), Problems.convolution(problem(3000, 3000, 9, 1), 1), Problems.convolution(problem(3000, 3000, 40, 20), 0));
	}

	private static double lags(final Sliding p) {
		return p.lags().count().pixels();
	}

	/**
	 * The methods differ in what their time grows with: lags, pixels of the image, templates, frames. Measuring repeats quick runs very often, so that
	 * no method is quick.
	 */
	private List<Clockwork> clockworks() {
		return List.of(new Clockwork("lag by lag", p -> 0, p -> 1e-7 * lags(p), 1, 3),
			new Clockwork("whole image", p -> 0, p -> 5e-7 * p.size().pixels(), 1, 0.4),
			new Clockwork("image and lags", p -> 0, p -> 1e-3 + 4e-7 * p.size().pixels() + 1e-7 * lags(p), 1, 1.7),
			new Clockwork("templates", p -> 1e-6 * p.size().pixels() + 1e-5 * p.templates().get(0).pixels(), p -> 1e-8 * lags(p), 5, 0.2),
			new Clockwork("per call", p -> 0.1, p -> 0.2, 1, 1));
	}

	@Test
	@Tag("slow")
	void aPartGivesTheTimeOfTheProblem() {
		for (final Sliding p : problems())
			for (final long lags : new long[] { 1 << 19, 1 << 22, Long.MAX_VALUE }) {
				final Measurement m = new Measurement(p, lags, () -> now);
				for (final Clockwork c : clockworks()) {
					final double seconds = m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1e6, Monitor.NONE).orElseThrow();
					assertEquals(c.seconds(p), seconds, 1e-3 * c.seconds(p) + 1e-8, c.id() + ", " + p + ", " + lags);
				}
			}
	}

	/** Opening a device happens once in a process: it is no part of a run, and the time limit begins after it. */
	@Test
	void openingADeviceIsNotMeasured() {
		final Sliding p = problem(40, 30, 5, 1);
		final Clockwork c = new Clockwork("opens", q -> 1e-3, q -> 2e-3, 1, 1);
		c.opening = 10_000_000_000L;
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		assertEquals(3e-3, m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1, Monitor.NONE).orElseThrow(), 1e-9);
	}

	/** Then the number of responses is the ratio. */
	@Test
	void aPartOfAProblemWithoutAStatedCost() {
		final Sliding p = problem(3000, 2000, 5, 1);
		final Clockwork c = new Clockwork("free", q -> 0, q -> 1e-7 * lags(q), 1, 1);
		c.free = true;
		final Measurement m = new Measurement(p, 1 << 19, () -> now);
		assertEquals(c.seconds(p), m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1e6, Monitor.NONE).orElseThrow(), 1e-6);
		assertFalse(m.isWhole());
	}

	/** Turns go on for 0.2 s after the last gain: that of a code that is compiled after 0.15 s. */
	@Test
	void turnsGoOnAfterAGain() {
		final Sliding p = problem(40, 30, 5, 1);
		final Clockwork c = new Clockwork("compiled late", q -> 0, q -> 1e-3, 1, 1);
		c.cold = 150_000_000;
		c.coldFactor = 2;
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		m.byTurns(List.of(m.new Contender(c, DEVICE, c.plan(p, DEVICE))), 10, Monitor.NONE);
		assertEquals(0.35, 1e-9 * now, 0.01);
	}

	/** Other frames of the same problem need no larger part. */
	@Test
	void aProblemOfManyFramesIsNotCut() {
		assertFalse(Kind.isCut(problem(400, 300, 5, 1000), 1 << 22));
		assertTrue(Kind.isCut(problem(4000, 3000, 5, 1), 1 << 22));
	}

	@Test
	void whatIsSubmittedIsTheProblemThatWasPlanned() {
		for (final Sliding p : problems())
			for (final long lags : new long[] { 1 << 19, 1 << 22, Long.MAX_VALUE }) {
				final Clockwork c = clockworks().get(0);
				final Measurement m = new Measurement(p, lags, () -> now);
				m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1e6, Monitor.NONE);
				assertArrayEquals(c.prepared.lags().count().toIntArray(), c.lags, p.toString());
				assertArrayEquals(c.prepared.size().toArray(), c.pixels, p.toString());
				assertEquals(c.prepared.frames(), c.submissions, p.toString());
				assertTrue(lags(c.prepared) <= lags && c.prepared.frames() <= Math.max(2, Math.min(p.frames(), 8)), c.prepared.toString());
				assertEquals(m.isWhole(), p.equals(c.prepared));
			}
	}

	private Ranking rank(final Sliding p, final List<? extends SlidingAlgorithm<?>> algorithms, final double limit) {
		final Planner planner = new Planner(List.of(new FakeBackend(DEVICE, algorithms)), folder.resolve("wisdom " + now), () -> now);
		return planner.rank(p, Optional.empty(), Optional.empty(), Effort.MEASURE, limit, Monitor.NONE);
	}

	/** A candidate that is too slow for the second round keeps the time of the first one. That must be its time, too. */
	@Test
	@Tag("slow")
	void amongOthersAsAlone() {
		for (final Sliding p : problems()) {
			final List<Clockwork> all = clockworks();
			for (final Ranking.Candidate c : rank(p, all, 1e6).candidates())
				if (c.measured().isPresent()) {
					final Clockwork method = all.stream().filter(a -> a.id().equals(c.name())).findFirst().orElseThrow();
					final double seconds = method.seconds(p);
					assertEquals(seconds, c.measured().getAsDouble(), 1e-3 * seconds + 1e-8, c.name() + ", " + p);
					assertEquals(seconds, rank(p, List.of(method), 1e6).best().orElseThrow().measured().orElseThrow(), 1e-3 * seconds + 1e-8, c.name() + " alone, " + p);
				}
		}
	}

	/** Code that is compiled late takes far longer than predicted in the first round. It is measured again. */
	@Test
	void codeThatIsCompiledLateIsMeasuredAgain() {
		final Sliding p = problem(256, 256, 8, 1);
		final Clockwork late = new Clockwork("late", q -> 0, q -> 2e-4, 1, 1), other = new Clockwork("other", q -> 0, q -> 5e-4, 1, 1);
		late.cold = now + 500_000_000;
		final Ranking ranking = rank(p, List.of(late, other), 4);
		assertEquals("late", ranking.best().orElseThrow().name());
		assertEquals(2e-4, ranking.best().orElseThrow().measured().orElseThrow(), 1e-6);
	}

	/** Compilation takes seconds where the threads of the measurement use all cores. The times of slow runs and of runs that are compiled last are right, too. */
	@Test
	void slowRunsAreMeasuredUntilTheirCodeIsCompiled() {
		final Sliding p = problem(1024, 1024, 512, 1);
		for (final double seconds : new double[] { 2e-4, 3e-3, 0.09 })
			for (final double compiling : new double[] { 0.3, 1, 2.5 })
				for (final long factor : new long[] { 3, 6, 20 }) {
					final Clockwork late = new Clockwork("late", q -> 0, q -> seconds, 1, 1), other = new Clockwork("other", q -> 0, q -> 2 * seconds, 1, 1);
					late.coldFactor = other.coldFactor = factor;
					late.cold = now + Math.round(1e9 * compiling);
					other.cold = now + Math.round(0.2e9 * compiling);
					final long start = now;
					final Ranking ranking = rank(p, List.of(late, other), SECONDS);
					final String what = seconds + " s, compiled after " + compiling + " s, until then " + factor + " times as slow: " + ranking.best().orElseThrow();
					assertEquals("late", ranking.best().orElseThrow().name(), what);
					assertEquals(seconds, ranking.best().orElseThrow().measured().orElseThrow(), 1e-6, what);
					assertTrue(now - start < 7e9, what + ", " + 1e-9 * (now - start));
				}
	}

	/**
	 * Code that is compiled to a part takes less than twice its predicted time, and code that is not compiled makes a candidate look far slower than the best
	 * one. Their times are measured until the code is compiled, alone and among others.
	 */
	@Test
	void eachTimeIsThatOfCompiledCode() {
		final Sliding p = problem(256, 256, 8, 1);
		for (final double compiling : new double[] { 0.5, 1, 1.8 })
			for (final double slowness : new double[] { 1, 3 })
				for (final long factor : new long[] { 2, 3, 6 })
					for (final boolean alone : new boolean[] { false, true }) {
						final Clockwork late = new Clockwork("late", q -> 0, q -> slowness * 1e-3, 1, 0.8), best = new Clockwork("best", q -> 0, q -> 1e-3, 1, 1);
						late.coldFactor = factor;
						late.cold = now + Math.round(1e9 * compiling);
						final Ranking ranking = rank(p, alone ? List.of(late) : List.of(best, late), SECONDS);
						final double measured = ranking.candidates().stream().filter(c -> c.name().equals("late")).findFirst().orElseThrow().measured().orElseThrow();
						assertEquals(late.seconds(p), measured, 1e-6, slowness + " ms, compiled after " + compiling + " s, until then " + factor + " times as slow, "
							+ (alone ? "alone" : "among others"));
					}
	}

	/** Runs stop after four without a gain that take 0.2 s together. The first one is the gain. */
	@Test
	void runsStopWhenTheyNoLongerGain() {
		final Sliding p = problem(40, 30, 5, 1);
		for (final double[] seconds : new double[][] { { 0.1, 5 }, { 0.05, 5 }, { 0.04, 6 }, { 0.01, 21 } }) {
			final Clockwork c = new Clockwork("steady", q -> 0, q -> seconds[0], 1, 1);
			final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
			final long start = now;
			assertEquals(seconds[0], m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 100, Monitor.NONE).orElseThrow(), 1e-12);
			assertEquals(seconds[0] * seconds[1], 1e-9 * (now - start), 1e-9, seconds[0] + " s a run");
		}
	}

	/** A round that would end after the limit does not begin. */
	@Test
	void turnsEndWithinTheLimit() {
		final Sliding p = problem(40, 30, 5, 1);
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		final Clockwork one = new Clockwork("one", q -> 0, q -> 1, 1, 1), other = new Clockwork("other", q -> 0, q -> 1, 1, 1);
		final List<Measurement.Contender> both = List.of(m.new Contender(one, DEVICE, one.plan(p, DEVICE)), m.new Contender(other, DEVICE, other.plan(p, DEVICE)));
		final long start = now;
		m.byTurns(both, 5.5, Monitor.NONE);
		assertEquals(4, 1e-9 * (now - start), 1e-9, "two rounds of two seconds");
		m.byTurns(both, 100, Monitor.NONE);
		assertEquals(4 + 8, 1e-9 * (now - start), 1e-9, "four rounds without a gain");
		m.byTurns(both, 4, Monitor.NONE);
		assertEquals(12 + 2, 1e-9 * (now - start), 1e-9, "a round that ends at the limit does not begin either");
	}

	/** Runs of less than a second: that times stay as they are is no gain. */
	@Test
	void turnsStopWhenTheyNoLongerGain() {
		final Sliding p = problem(40, 30, 5, 1);
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		final Clockwork one = new Clockwork("one", q -> 0, q -> 0.5, 1, 1);
		final long start = now;
		m.byTurns(List.of(m.new Contender(one, DEVICE, one.plan(p, DEVICE))), 100, Monitor.NONE);
		// the first round is the gain, and counts
		assertEquals(4 * 0.5, 1e-9 * (now - start), 1e-9);
	}

	/** A run begins until the limit has passed. */
	@Test
	void runsBeginUntilTheLimit() {
		final Sliding p = problem(40, 30, 5, 1);
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		final Clockwork one = new Clockwork("one", q -> 0, q -> 1, 1, 1);
		final long start = now;
		m.run(m.new Contender(one, DEVICE, one.plan(p, DEVICE)), 2, Monitor.NONE);
		assertEquals(3, 1e-9 * (now - start), 1e-9);
	}

	/** The predicted time of a run of the part, scaled as the time of the problem is to its prediction. */
	@Test
	void theTimeOfARunOfAPart() {
		final Sliding p = problem(2000, 2000, 32, 20);
		final Clockwork c = new Clockwork("both", q -> 3e-8 * q.size().pixels(), q -> 2e-7 * lags(q), 1, 1);
		final Measurement m = new Measurement(p, 1 << 19, () -> now);
		final Measurement.Contender contender = m.new Contender(c, DEVICE, c.plan(p, DEVICE));
		m.run(contender, 1e6, Monitor.NONE);
		final double part = c.seconds(c.prepared);
		assertTrue(c.prepared.frames() < 20 && lags(c.prepared) < lags(p));
		assertEquals(1.7 * part, contender.runSeconds(1.7 * c.seconds(p)), 1e-9 * part);
	}

	/** An algorithm that refuses the part runs with its plan for the problem: the time of frames grows with the responses. */
	@Test
	void whatRefusesThePartIsScaledByResponses() {
		final Sliding p = problem(2000, 2000, 32, 20);
		final Clockwork c = new Clockwork("large only", q -> 0.3, q -> 0.05, 1, 1);
		c.least = lags(p);
		final Measurement m = new Measurement(p, 1 << 19, () -> now);
		final double seconds = m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1e6, Monitor.NONE).orElseThrow();
		assertEquals(p, c.prepared);
		final double lagsOfPart = (double) c.lags[0] * c.lags[1] * c.submissions;
		assertEquals(0.3 + 0.05 * c.submissions * lags(p) * 20 / lagsOfPart, seconds, 1e-6 * seconds);
	}

	/** No more frames are in flight than an execution takes, and as many. */
	@Test
	void framesInFlight() {
		final Sliding p = problem(40, 30, 5, 8);
		for (final int depth : new int[] { 1, 2, 3 }) {
			final Clockwork c = new Clockwork("deep", q -> 0, q -> 0.1, 1, 1);
			c.depth = depth;
			final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
			m.run(m.new Contender(c, DEVICE, c.plan(p, DEVICE)), 1e6, Monitor.NONE);
			assertEquals(depth, c.mostInFlight);
			assertEquals(0, c.inFlight);
			assertEquals(8, c.submissions);
		}
	}

	@Test
	void aCanceledTurnIsTheLast() {
		final Sliding p = problem(40, 30, 5, 1);
		final Measurement m = new Measurement(p, Long.MAX_VALUE, () -> now);
		final Clockwork one = new Clockwork("one", q -> 0, q -> 1, 1, 1), other = new Clockwork("other", q -> 0, q -> 1, 1, 1);
		final Monitor afterOne = new Monitor() {

			@Override
			public boolean canceled() {
				return one.prepared != null;
			}
		};
		assertThrows(CancellationException.class, () -> m.byTurns(List.of(m.new Contender(one, DEVICE, one.plan(p, DEVICE)), m.new Contender(other, DEVICE,
			other.plan(p, DEVICE))), 100, afterOne));
		assertNull(other.prepared);
	}

	/** Separate runs and turns together take no longer than the limit, but for the last run of each. */
	@Test
	void measuringEndsAtTheLimit() {
		final Sliding p = problem(40, 30, 5, 1);
		for (final double limit : new double[] { 1.5, 4, 7, 11 }) {
			final long start = now;
			final Ranking ranking = rank(p, List.of(new Clockwork("one", q -> 0, q -> 0.3, 1, 1), new Clockwork("other", q -> 0, q -> 0.3, 1, 1)), limit);
			assertEquals(0.3, ranking.best().orElseThrow().measured().orElseThrow(), 1e-9);
			assertTrue(1e-9 * (now - start) <= limit + 2 * 0.3, 1e-9 * (now - start) + " s of " + limit);
		}
	}

	/** The cost models do not fit exactly: what ranks first is measured as a whole if there is time. */
	@Test
	void aLargeProblemIsMeasuredAsAWholeIfThereIsTime() {
		final Sliding p = problem(4096, 4096, 32, 1);
		// the time of large images is twice the predicted one
		final Clockwork c = new Clockwork("cache", q -> 0, q -> 1e-8 * lags(q), 1, 1);
		c.slowLags = 1 << 22;
		assertEquals(2 * c.seconds(p), rank(p, List.of(c), 4).best().orElseThrow().measured().orElseThrow(), 1e-3);
		assertEquals(c.seconds(p), rank(p, List.of(c), 0.2).best().orElseThrow().measured().orElseThrow(), 1e-3);
	}

	/**
	 * The time of an algorithm on the clock is a multiple of what its plan states. Its measurement states the same multiple, for each algorithm of all
	 * backends.
	 */
	@Test
	void everyAlgorithmIsMeasuredInProportionToItsCosts() {
		final List<String> measured = new ArrayList<>();
		for (final Backend b : Backends.all(2))
			if (b.unavailable().isEmpty())
				for (final Device d : b.devices())
					for (final SlidingAlgorithm<?> a : Problems.sliding(b)) {
						for (final Sliding p : problems()) {
							if (a.refuses(p, d).isPresent()) continue;
							final Clockwork c = new Clockwork(a.id(), q -> a.planAny(q, d).cost().onceSeconds(), q -> a.planAny(q, d).cost().frameSeconds() / q.frames(), 1.5, 2.5);
							assertEquals(a.planAny(p, d).cost().seconds(), c.plan(p, d).cost().seconds(), 1e-9 * a.planAny(p, d).cost().seconds());
							final Measurement m = new Measurement(p, 1 << 19, () -> now);
							final double seconds = m.run(m.new Contender(c, d, c.plan(p, d)), 1e6, Monitor.NONE).orElseThrow();
							assertEquals(c.seconds(p), seconds, 1e-3 * c.seconds(p), a.id() + ", " + p);
							measured.add(a.id());
						}
						assertTrue(measured.contains(a.id()), a.id() + ": no problem of this test suits it");
					}
		assertFalse(measured.isEmpty());
	}
}
