package sc.fiji.ncc.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;

/** Cases of the contract with missing pixels in the image. They are made from other cases, so that every shape, type, weight, overlap and content occurs. */
final class MissingPixelCases {

	/** One of this many cases, and of this many banks, has a variant with missing pixels. */
	private static final int CASES = 4, BANKS = 3;

	/** Which pixels are missing. */
	private enum Missing {
		/** Few pixels, or most of them. */
		FEW, MOST,
		/** A box in the middle, and all pixels outside of a box. */
		BOX, FRAME,
		/** One side of the image. */
		HALF,
		/** Every second pixel along x. */
		STRIPES,
		/** None, although the problem allows missing pixels. */
		NONE,
		ALL
	}

	private final CaseRandom random = new CaseRandom();

	private MissingPixelCases() {}

	static List<ContractCase> of(final List<ContractCase> cases) {
		final MissingPixelCases missing = new MissingPixelCases();
		final List<ContractCase> made = new ArrayList<>();
		for (final ContractCase c : cases)
			if (CaseRandom.sampled(c, CASES)) made.addAll(missing.made(List.of(c), Missing.values()[CaseRandom.choice(c, "missing", Missing.values().length)]));
		return made;
	}

	/** The cases of a bank share the image and its missing pixels. */
	static List<List<ContractCase>> ofBanks(final List<List<ContractCase>> banks) {
		final MissingPixelCases missing = new MissingPixelCases();
		final List<List<ContractCase>> made = new ArrayList<>();
		for (final List<ContractCase> bank : banks) {
			final ContractCase c = bank.get(0);
			if (CaseRandom.sampled(c, BANKS)) made.add(missing.made(bank, Missing.values()[CaseRandom.choice(c, "missing", Missing.NONE.ordinal())]));
		}
		return made;
	}

	private List<ContractCase> made(final List<ContractCase> bank, final Missing missing) {
		final ContractCase first = bank.get(0);
		random.start(missing, first.name(), bank.size());
		final double[] mask = mask(first.imageSize(), missing), image = first.image().clone();
		final PixelType type = first.imageType();
		// a missing pixel may have any value
		for (int i = 0; i < image.length; i++)
			if (mask[i] == 0 && random.nextBoolean()) image[i] = type.integer ? type.max : random.nextBoolean() ? Double.NaN : type.max;
		final double share = first.partial() && random.nextBoolean() ? first.minOverlap() : random.nextInt(4) / 3.0;
		return bank.stream().map(c -> c.missing(missing.name().toLowerCase() + " missing, from " + share, image, mask, share)).toList();
	}

	private double[] mask(final int[] size, final Missing missing) {
		final double[] mask = new double[ReferenceNcc.pixels(size)];
		Arrays.fill(mask, 1);
		final int[] low = new int[size.length], high = new int[size.length], at = new int[size.length];
		for (int d = 0; d < size.length; d++) {
			low[d] = random.nextInt(size[d] / 2 + 1);
			high[d] = low[d] + random.nextInt(size[d] - low[d]) + 1;
		}
		final int along = random.nextInt(size.length);
		for (int i = 0; i < mask.length; i++) {
			ReferenceNcc.unravel(i, size, at);
			boolean inBox = true;
			for (int d = 0; d < at.length; d++) inBox &= at[d] >= low[d] && at[d] < high[d];
			final boolean gone = switch (missing) {
				case FEW -> random.nextInt(12) == 0;
				case MOST -> random.nextInt(4) > 0;
				case BOX -> inBox;
				case FRAME -> !inBox;
				case HALF -> at[along] < size[along] / 2;
				case STRIPES -> at[0] % 2 == 1;
				case NONE -> false;
				case ALL -> true;
			};
			if (gone) mask[i] = 0;
		}
		return mask;
	}
}
