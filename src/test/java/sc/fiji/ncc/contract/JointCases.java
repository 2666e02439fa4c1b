package sc.fiji.ncc.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.PixelType;

/**
 * The cases of the contract for joint responses of several channels: a sample of the cases of one channel, also those with missing pixels, with further
 * channels of every kind.
 */
final class JointCases {

	/** The maximum number of products of a case, because exact sums take long. */
	private static final long MAX_PRODUCTS = 150_000;

	/** One of this many cases that are small enough. */
	private static final int APART = 7;

	/** A further channel. */
	private enum Kind {
		CONTENT, FLAT_TEMPLATE, FLAT_IMAGE, FAINT, COPY, NEGATIVE, BRIGHT
	}

	private static final List<ContractCase> ALL = Collections.unmodifiableList(new JointCases().list());
	private static final List<List<ContractCase>> BANKS = Collections.unmodifiableList(new JointCases().listOfBanks());

	private final CaseRandom random = new CaseRandom();

	private JointCases() {}

	static List<ContractCase> all() {
		return ALL;
	}

	/** Templates of the same sizes, on images of several channels. */
	static List<List<ContractCase>> banks() {
		return BANKS;
	}

	private List<ContractCase> list() {
		final List<ContractCase> cases = new ArrayList<>();
		for (final ContractCase c : ContractCases.all()) {
			if ((long) c.lags() * c.template().length > MAX_PRODUCTS || !CaseRandom.sampled(c, APART)) continue;
			random.start("channels", c.name());
			final Kind[] kinds = new Kind[1 + random.nextInt(3)];
			for (int k = 0; k < kinds.length; k++) kinds[k] = Kind.values()[random.nextInt(Kind.values().length)];
			cases.add(joint(List.of(c), kinds).get(0));
		}
		// windows that are flat in one channel, and in all of them
		for (final PixelType type : PixelType.values()) {
			final int[] size = { 41, 27 }, template = { 5, 4 };
			random.start("flat regions", type);
			final double[] regions = ImageContent.FLAT_REGIONS.draw(type, size, random);
			final ContractCase c = new ContractCase("flat regions", type, type, size, template, regions, ImageContent.NOISE.draw(type,
				template, random), null, new long[2],
				new int[] { 37, 24 }, false, 1);
			for (final Kind kind : Kind.values()) cases.add(joint(List.of(c), kind).get(0));
		}
		return cases;
	}

	private List<List<ContractCase>> listOfBanks() {
		final List<List<ContractCase>> banks = new ArrayList<>();
		for (final List<ContractCase> bank : ContractCases.banks())
			if (bank.stream().allMatch(c -> (long) c.lags() * c.template().length <= MAX_PRODUCTS))
				banks.add(joint(bank, Kind.CONTENT, Kind.values()[banks.size() % Kind.values().length]));
		return banks;
	}

	/** Adds channels to cases with one image. */
	private List<ContractCase> joint(final List<ContractCase> bank, final Kind... kinds) {
		final ContractCase first = bank.get(0);
		random.start(kinds, first.name());
		double[] image = first.image();
		final List<double[]> templates = new ArrayList<>(bank.stream().map(ContractCase::template).toList());
		for (final Kind kind : kinds) {
			final double[] more = image(first, kind);
			image = joined(image, more);
			for (int t = 0; t < bank.size(); t++) templates.set(t, joined(templates.get(t), template(bank.get(t), kind)));
		}
		final List<ContractCase> joint = new ArrayList<>();
		for (int t = 0; t < bank.size(); t++) joint.add(bank.get(t).joint("with " + Arrays.toString(kinds).toLowerCase(), image, templates.get(t), 1 + kinds.length));
		return joint;
	}

	private static double[] joined(final double[] a, final double[] b) {
		final double[] both = Arrays.copyOf(a, a.length + b.length);
		System.arraycopy(b, 0, both, a.length, b.length);
		return both;
	}

	private double[] image(final ContractCase c, final Kind kind) {
		return switch (kind) {
			case CONTENT -> content(c.imageType()).draw(c.imageType(), c.imageSize(), random);
			case FLAT_IMAGE -> filled(c.image().length, ImageContent.held(c.imageType(), 77));
			case FAINT -> faint(c.imageType(), c.imageSize());
			case BRIGHT -> bright(c.imageType(), c.imageSize());
			case COPY, NEGATIVE -> c.image();
			case FLAT_TEMPLATE -> ImageContent.NOISE.draw(c.imageType(), c.imageSize(), random);
		};
	}

	/** A template with finite values. */
	private double[] template(final ContractCase c, final Kind kind) {
		final PixelType type = c.templateType();
		final double[] t = switch (kind) {
			case CONTENT -> content(type).draw(type, c.templateSize(), random);
			case FLAT_TEMPLATE -> filled(c.template().length, ImageContent.held(type, 42));
			case FAINT -> faint(type, c.templateSize());
			case BRIGHT -> bright(type, c.templateSize());
			case COPY -> c.template().clone();
			case NEGATIVE -> Arrays.stream(c.template()).map(v -> type.integer ? type.min + type.max - v : -v).toArray();
			case FLAT_IMAGE -> ImageContent.NOISE.draw(type, c.templateSize(), random);
		};
		for (int i = 0; i < t.length; i++)
			if (!Double.isFinite(t[i])) t[i] = 1;
		return t;
	}

	private ImageContent content(final PixelType type) {
		final ImageContent content = ImageContent.values()[random.nextInt(ImageContent.values().length)];
		return content.suits(type) ? content : content(type);
	}

	private static double[] filled(final int n, final double value) {
		final double[] a = new double[n];
		Arrays.fill(a, value);
		return a;
	}

	/** Two neighbouring values in the middle of the range. */
	private double[] faint(final PixelType type, final int[] size) {
		final double[] a = new double[ReferenceNcc.pixels(size)];
		for (int i = 0; i < a.length; i++) a[i] = ImageContent.held(type, type.integer ? 100 + random.nextInt(2) : 100 + 1e-4 * random.nextInt(2));
		return a;
	}

	/** Values far from those of other channels. */
	private double[] bright(final PixelType type, final int[] size) {
		final double[] a = new double[ReferenceNcc.pixels(size)];
		for (int i = 0; i < a.length; i++) a[i] = ImageContent.held(type, type.integer ? type.max - random.nextInt(20) : 1e6 + random.nextInt(20));
		return a;
	}
}
