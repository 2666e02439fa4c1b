package sc.fiji.ncc.bounded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.BoundedBank;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.bank.BankAlgorithm;

/** What a bank on the host and a device does not support. */
class MappedBankTest {

	private static BoundedBank bank(final int... widths) {
		return new BoundedBank(PixelType.F32, Size.of(120, 100), 1, Arrays.stream(widths).mapToObj(w -> new BoundedBank.Family(Size.of(w, w), w * w, 8, null))
			.toList(), 0.7, false, 1);
	}

	private static final Device CARD = new Device("card", "a card for tests", 1, 1 << 30);

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
						return new Cost(1, 0, 0, 0);
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
		assertEquals(Optional.empty(), small.unsupported(bank(5, 9), CARD));
		final String reason = small.unsupported(bank(5, 11), CARD).orElseThrow();
		assertTrue(reason.startsWith("no algorithm of the device computes") && reason.contains("11x11"), reason);
	}

	/** Next to a card, the maps are in the memory that the caller states for the host. */
	@Test
	void theMapsAreInTheMemoryOfTheHost() {
		final BankAlgorithm all = Backends.all(1, 1000).get(1).algorithms().stream()
			.filter(a -> a.id().equals("cuda-every-pose")).map(BankAlgorithm.class::cast).findFirst()
			.orElseThrow();
		final String reason = all.unsupported(bank(5), CARD).orElseThrow();
		assertTrue(reason.startsWith("a quarter of the memory of 1000 bytes"), reason);
	}
}
