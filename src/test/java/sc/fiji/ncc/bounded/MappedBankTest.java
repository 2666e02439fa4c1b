package sc.fiji.ncc.bounded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.BankAlgorithm;
import sc.fiji.ncc.plan.bank.BankExecution;
import sc.fiji.ncc.plan.bank.BankExecution.Range;
import sc.fiji.ncc.plan.bank.BankPlan;
import sc.fiji.ncc.plan.bank.Members;

/** What a bank on the host and a device does not support. */
class MappedBankTest {

	private static BoundedBank bank(final int... widths) {
		return new BoundedBank(PixelType.F32, Size.of(120, 100), 1, Arrays.stream(widths).mapToObj(w -> new BoundedBank.Family(Size.of(w, w), w * w, 8, null))
			.toList(), 0.7, false, 1);
	}

	private static final Device GPU = new Device("GPU", "a GPU for tests", 1, 1 << 30);

	/** Correlations with templates up to a width. */
	private static SlidingAlgorithm<?> upTo(final long width) {
		return new SlidingAlgorithm.Correlating() {

			@Override
			public String id() {
				return "small";
			}

			@Override
			public Optional<String> unsupported(final Sliding.Correlation p) {
				return p.templates().get(0).get(0) > width ? Optional.of("too large") : Optional.empty();
			}

			@Override
			public SlidingPlan plan(final Sliding.Correlation problem, final Device device) {
				return new SlidingPlan() {

					@Override
					public Cost cost() {
						return new Cost(5, 4, 0, 0, 0);
					}

					@Override
					public Execution prepare(final List<Template> templates) {
						throw new UnsupportedOperationException();
					}
				};
			}
		};
	}

	@Test
	void everyFamilyNeedsAnAlgorithm() {
		final MappedBank small = new MappedBank("small-every-pose", false, List.of(upTo(9)));
		assertEquals(Optional.empty(), small.unsupported(bank(5, 9), GPU));
		final String reason = small.unsupported(bank(5, 11), GPU).orElseThrow();
		assertTrue(reason.startsWith("no algorithm of the device computes") && reason.contains("11x11"), reason);
	}

	/** Next to a GPU, the maps are in the memory that the caller states for the host. */
	@Test
	void theMapsAreInTheMemoryOfTheHost() {
		final BankAlgorithm all = Backends.all(1, 1000).get(1).algorithms().stream()
			.filter(a -> a.id().equals("cuda-every-pose")).map(BankAlgorithm.class::cast).findFirst()
			.orElseThrow();
		final String reason = all.unsupported(bank(5), GPU).orElseThrow();
		assertTrue(reason.startsWith("a quarter of the memory of 1000 bytes"), reason);
	}

	/** Templates of one size stay prepared for all frames. The memory suffices for one size, so several sizes are prepared for each frame. */
	@Test
	void preparationIsPredictedAsItHappens() {
		final BankAlgorithm all = new MappedBank("small-every-pose", false, List.of(upTo(9)));
		final double one = all.planAny(bank(5).of(Size.of(120, 100), 10), GPU).cost().seconds(),
			two = all.planAny(bank(5, 9).of(Size.of(120, 100), 10), GPU).cost().seconds();
		assertEquals(4 + 10, one, 0.1);
		assertEquals(10 * 2 * 5, two, 0.1);
		assertEquals(4, all.planAny(bank(5), GPU).cost().onceSeconds(), 1e-9);
		assertEquals(0, all.planAny(bank(5, 9), GPU).cost().onceSeconds());
	}

	/** The same, counted. */
	@Test
	void preparationIsCounted() {
		for (final int[] widths : new int[][] { { 5 }, { 5, 9 } }) {
			final FakeDevice device = new FakeDevice();
			final BoundedBank bank = bank(widths);
			final SlidingAlgorithm<?> sliding = (SlidingAlgorithm<?>) device.algorithms().get(1);
			final List<Members> members = bank.families().stream().map(f -> {
				final float[][] values = new float[f.members()][f.values()];
				for (int m = 0; m < values.length; m++) {
					values[m][m] = (float) Math.sqrt(0.5);
					values[m][m + 1] = -values[m][m];
				}
				final double[] gains = new double[values.length];
				Arrays.fill(gains, 1);
				return new Members(f.box(), IntStream.range(0, f.values()).toArray(), 1, values, gains, null);
			}).toList();
			final List<Range> lags = bank.families().stream().map(f -> new Range(new long[2], new long[] { 20, 20 })).toList();
			final BankAlgorithm all = new MappedBank("small-every-pose", false, List.of(sliding));
			try (BankExecution execution = ((BankPlan) all.planAny(bank, device.devices().get(0))).prepare(members, 0.7, 1)) {
				for (int frame = 0; frame < 3; frame++) execution.search(ImagePixels.of(RandomPixels.image(1, 120, 100)), lags,
					(f, first, size, at, scores, codes, n) -> {}, Monitor.NONE);
			}
			assertEquals(widths.length == 1 ? 1 : 3 * 2, device.prepared.get());
		}
	}

	/** The windows of a small volume, each of which can take milliseconds, keep all threads busy. */
	@Test
	void fewWindowsAreSeveralTasks() {
		for (final int lags : new int[] { 2744, 97_336, 1 << 24 }) assertTrue(lags / MemberBox.task(lags) >= 16, lags + " lags");
	}
}
