package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sink;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.plan.WindowPairs;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;
import sc.fiji.ncc.plan.shift.PairPeaks;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftPlan;
import sc.fiji.ncc.plan.window.WindowExecution;
import sc.fiji.ncc.plan.window.WindowPlan;

/** The data on which plans are timed. Executions that compute nothing note what they are asked for. */
class WorkloadTest {

	private static final Cost FREE = new Cost(0, 0, 0, 0);

	private static Workload.Times time(final Problem problem, final long most, final Plan plan) {
		return Kind.workload(problem, most).time(plan, System::nanoTime, Monitor.NONE);
	}

	/** Odd extents are halved to the larger half, the longest first, down to their least ones. */
	@Test
	void halves() {
		final Predicate<Size> never = s -> false;
		assertEquals(Size.of(5, 5), Workload.halved(Size.of(9, 20), d -> 5, never));
		assertEquals(Size.of(9, 10), Workload.halved(Size.of(9, 20), d -> 5, s -> s.pixels() <= 90));
		assertEquals(Size.of(9, 6), Workload.halved(Size.of(9, 6), d -> 6, never));
	}

	// slides

	/** What was submitted, and the templates. */
	private static final class Slides implements SlidingPlan {

		final List<LagBox> boxes = new ArrayList<>();
		final List<Sink> sinks = new ArrayList<>();
		final List<Template> templates = new ArrayList<>();
		Pixels image;
		/** Nanoseconds. */
		long now;
		boolean failing;

		@Override
		public Cost cost() {
			return FREE;
		}

		@Override
		public Execution prepare(final List<Template> all) {
			templates.addAll(all);
			now += 1;
			return new Execution() {

				@Override
				public int depth() {
					return 2;
				}

				@Override
				public CompletableFuture<Report> submit(final Pixels in, final LagBox lags, final Sink out, final Monitor monitor) {
					image = in;
					boxes.add(lags);
					sinks.add(out);
					now += 10;
					return failing ? CompletableFuture.failedFuture(new DeviceException("lost"))
						: CompletableFuture.completedFuture(Report.NONE);
				}

				@Override
				public void replace(final List<Template> sameShapes) {}

				@Override
				public void close() {
					now += 100;
				}
			};
		}
	}

	private static Correlation correlation(final Size image, final List<Size> templates, final Lags lags, final long frames) {
		return Problems.correlation(PixelType.U8, PixelType.U8, image, templates, Weights.NONE, lags, frames);
	}

	/** The release of memory is part of all, and of no part. */
	@Test
	void timesOfAPlan() {
		final Slides plan = new Slides();
		final Workload.Times times = Kind.workload(correlation(Size.of(20, 20), List.of(Size.of(5, 5)), Lags.inside(Size.of(16, 16)), 1),
			Long.MAX_VALUE)
			.time(plan, () -> plan.now, Monitor.NONE);
		assertEquals(new Workload.Times(1e-9, 1e-9 * 10, 1e-9 * 111), times);
	}

	@Test
	void noBoxFollowsAFailure() {
		final Slides plan = new Slides();
		plan.failing = true;
		final Correlation problem = correlation(Size.of(20, 20), List.of(Size.of(5, 5)), Lags.inside(Size.of(16, 16)), 8);
		assertThrows(DeviceException.class, () -> time(problem, Long.MAX_VALUE, plan));
		assertEquals(2, plan.boxes.size());
	}

	/** Lags beyond the image begin at half a template before it. Those of templates apart lie inside the image. */
	@Test
	void placesOfLags() {
		final Slides beyond = new Slides(), apart = new Slides();
		time(correlation(Size.of(20, 20), List.of(Size.of(6, 4)), new Lags(Size.of(25, 23), true, 0.3), 1), Long.MAX_VALUE, beyond);
		assertArrayEquals(new long[] { -3, -2 }, beyond.boxes.get(0).origins()[0]);
		time(correlation(Size.of(101, 90), Collections.nCopies(32, Size.of(60, 50)), new Lags(Size.of(25, 25), false, false, 0, true), 1),
			Long.MAX_VALUE, apart);
		final long[][] origins = apart.boxes.get(0).origins();
		assertEquals(32, origins.length);
		for (final long[] o : origins) assertTrue(o[0] >= 0 && o[0] + 24 + 60 <= 101 && o[1] >= 0 && o[1] + 24 + 50 <= 90,
			Arrays.toString(o));
		assertTrue(Arrays.stream(origins).map(Arrays::toString).distinct().count() > 8);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void missingPixels(final boolean masked) {
		final Slides plan = new Slides();
		time(correlation(Size.of(20, 20), List.of(Size.of(5, 5)), new Lags(Size.of(16, 16), false, masked, masked ? 0.5 : 0, false), 1),
			Long.MAX_VALUE, plan);
		if (masked) assertNotNull(plan.image.mask());
		else assertNull(plan.image.mask());
	}

	/** A kernel that is one product has rank one, and one without a number of products has not. */
	@Test
	void kernelsOfProducts() {
		for (int terms = 0; terms <= 2; terms++) {
			final Slides plan = new Slides();
			time(Problems.convolution(correlation(Size.of(20, 20), List.of(Size.of(5, 5)), Lags.inside(Size.of(16, 16)), 1), terms),
				Long.MAX_VALUE, plan);
			final double[] k = plan.templates.get(0).values();
			final double minor = k[6] * k[12] - k[7] * k[11];
			if (terms == 1) assertEquals(0, minor, 1e-6 * k[6] * k[12]);
			else assertTrue(Math.abs(minor) > 1e-6);
		}
	}

	/** Maps are made for each frame that is small enough; peaks need none. A discarded map has the minimum score of matching. */
	@Test
	void mapsThatAreMade() {
		final long most = Math.min(1 << 25, Runtime.getRuntime().maxMemory() / 128), side = (long) Math.sqrt(most / 1.5);
		final Size count = Size.of(side, side), large = Size.of(side, 2 * side);
		assertEquals("made", sink(count, 2, Result.MAP));
		assertEquals("discarded", sink(large, 1, Result.MAP));
		assertEquals("discarded", sink(count, 1, Result.PEAKS));
	}

	private static String sink(final Size lags, final long frames, final Result result) {
		final Slides plan = new Slides();
		final Correlation maps = correlation(Size.of(lags.get(0) + 4, lags.get(1) + 4), List.of(Size.of(5, 5)), Lags.inside(lags), frames);
		time(new Correlation(maps.windows(), Weights.NONE, 1, result), Long.MAX_VALUE, plan);
		return plan.sinks.get(0).getClass().getSimpleName().equals("Discard") ? "discarded" : "made";
	}

	// shifts

	/** What was asked for. The operand of a frame is the frame itself. */
	private static final class Shifts implements ShiftPlan, ShiftExecution {

		final List<Size> sizes = new ArrayList<>();
		Collection<Operand> kept;
		int pairs, closed;
		RuntimeException failure;

		@Override
		public Cost cost() {
			return FREE;
		}

		@Override
		public Capacity capacity(final double heap) {
			return capacity();
		}

		@Override
		public ShiftExecution prepare(final int threads, final Monitor monitor) {
			return this;
		}

		@Override
		public Capacity capacity() {
			return new Capacity(1, 1, 8);
		}

		@Override
		public List<Operand> transform(final List<Frame> frames) {
			if (failure != null) throw failure;
			for (final Frame f : frames) sizes.add(Size.of(f.pixels().size()));
			return frames.stream().<Operand>map(f -> new Operand() {

				@Override
				public Frame frame() {
					return f;
				}

				@Override
				public boolean isFlat() {
					return false;
				}
			}).toList();
		}

		@Override
		public List<PairPeaks> correlate(final List<List<Pair>> groups) {
			pairs += groups.stream().mapToInt(List::size).sum();
			return List.of();
		}

		@Override
		public PairPeaks[] against(final Operand fixed, final List<Frame> frames, final boolean[] flat) {
			throw new AssertionError();
		}

		@Override
		public void keep(final Collection<Operand> frames) {
			kept = List.copyOf(frames);
		}

		@Override
		public void release(final Collection<Operand> frames) {}

		@Override
		public void close() {
			closed++;
		}
	}

	private static FramePairs pairs(final Size moving, final long frames, final long each) {
		return new FramePairs(PixelType.U16, Size.of(100, 100), moving, List.of(), 1.0 / 3, false, 1, 1, true, frames, each * frames);
	}

	/** An even number of frames, from 4 to 64. */
	@Test
	void fewFramesStandForMany() {
		for (final long[] most : new long[][] { { 0, 4 }, { 75_000, 6 }, { 80_000, 8 }, { Long.MAX_VALUE, 64 } })
			assertEquals(most[1], ((FramePairs) Kind.workload(pairs(Size.of(100, 100), 1000, 2), most[0]).measured).frames());
		assertEquals(125, Kind.workload(pairs(Size.of(100, 100), 1000, 2), 80_000).ratio());
	}

	/** Six frames, each with the two before it; and before them a batch of two, whose time is that of the preparation. At the end nothing is held. */
	@Test
	void framesAndPairs() {
		final Shifts shifts = new Shifts();
		time(pairs(Size.of(100, 100), 6, 2), Long.MAX_VALUE, shifts);
		assertEquals(2 + 6, shifts.sizes.size());
		assertEquals(1 + 1 + 2 * 4, shifts.pairs);
		assertEquals(List.of(), shifts.kept);
		assertEquals(1, shifts.closed);
	}

	@Test
	void aFrameOfAnotherSize() {
		final Shifts shifts = new Shifts();
		time(pairs(Size.of(80, 60), 2, 1), Long.MAX_VALUE, shifts);
		assertEquals(List.of(Size.of(100, 100), Size.of(80, 60)), shifts.sizes);
		assertEquals(1, shifts.pairs);
	}

	@Test
	void aFailureOfTheFirstFramesCloses() {
		final Shifts shifts = new Shifts();
		shifts.failure = new DeviceException("lost");
		assertThrows(DeviceException.class, () -> time(pairs(Size.of(100, 100), 6, 2), Long.MAX_VALUE, shifts));
		assertEquals(1, shifts.closed);
	}

	// windows

	/** Frames differ, and the time of a part is that of so many more responses. */
	@Test
	void framesOfWindows() {
		final WindowPairs problem = new WindowPairs(PixelType.U8, Size.of(400, 400), Size.of(32, 32), Size.of(16, 16), Size.of(9, 9),
			false, 0.5, 3);
		final List<byte[]> frames = new ArrayList<>();
		time(problem, Long.MAX_VALUE, new WindowPlan() {

			@Override
			public Cost cost() {
				return FREE;
			}

			@Override
			public WindowExecution prepare(final int threads) {
				return new WindowExecution() {

					@Override
					public Report search(final Pixels fixed, final Pixels moving, final boolean[] wanted, final Receiver to,
						final Monitor monitor) {
						for (final Pixels p : new Pixels[] { fixed, moving }) {
							final byte[] row = new byte[400];
							p.read(new long[2], new int[] { 400, 1 }, ByteBuffer.wrap(row));
							frames.add(row);
						}
						return Report.NONE;
					}

					@Override
					public void close() {}
				};
			}
		});
		assertNotEquals(Arrays.toString(frames.get(0)), Arrays.toString(frames.get(1)));
		final Workload<?, ?, ?> part = Kind.workload(problem, 20_000);
		assertEquals((double) problem.responses() / ((WindowPairs) part.measured).responses(), part.ratio());
		assertTrue(part.ratio() > 3 && ((WindowPairs) part.measured).responses() <= 20_000);
	}

	// banks

	private static BoundedBank bank(final long side, final long frames, final double... kept) {
		return new BoundedBank(PixelType.U8, Size.of(side, side), 1, Arrays.stream(kept)
			.mapToObj(k -> new BoundedBank.Family(Size.of(11, 11), 121, 8,
			new BoundedBank.Basis(6, k, List.of(), 0, 0))).toList(), 0.7, false, frames);
	}

	/** The minimum score that a plan is prepared with. */
	private static double minScore(final BoundedBank problem, final List<Members> families) {
		final double[] score = new double[1];
		time(problem, Long.MAX_VALUE, new BankPlan() {

			@Override
			public Cost cost() {
				return FREE;
			}

			@Override
			public BankExecution prepare(final List<Members> all, final double minScore, final int threads) {
				families.addAll(all);
				score[0] = minScore;
				return new BankExecution() {

					@Override
					public long responses(final List<Range> lags) {
						return 0;
					}

					@Override
					public Report search(final Pixels image, final List<Range> lags, final Receiver to, final Monitor monitor) {
						return Report.NONE;
					}

					@Override
					public void close() {}
				};
			}
		});
		return score[0];
	}

	/** The fewer windows are left, the higher is the minimum score. Of several families the least one counts. */
	@Test
	void theMinimumScoreOfABank() {
		final List<Members> families = new ArrayList<>();
		final double many = minScore(bank(60, 1, 0.9), families), few = minScore(bank(60, 1, 0.05), families);
		assertTrue(many > 0 && many < few && few < 1, many + " " + few);
		assertEquals(many, minScore(bank(60, 1, 0.9, 0.05), families));
		assertEquals(8, families.get(0).values().length);
	}

	/** A part of the image is twice as large as the members, at least, and the time of one frame stands for all. */
	@Test
	void aPartOfABank() {
		final Workload<?, ?, ?> part = Kind.workload(bank(320, 5, 0.5), 100);
		assertEquals(Size.of(40, 40), ((BoundedBank) part.measured).size());
		assertEquals(5 * 64, part.ratio());
	}
}
