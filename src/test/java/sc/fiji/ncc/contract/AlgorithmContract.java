package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.oracle.ReferenceConvolution;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Execution.KeptPixels;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Template;
import sc.fiji.ncc.plan.Weights;

/** The requirements for every algorithm, as a list of checks. */
public final class AlgorithmContract {

	/** The largest allowed error of a response for any input, in single precision. */
	public static final double TOLERANCE = 1e-5;
	/** The same in double precision. */
	static final double DOUBLE_TOLERANCE = 1e-10;
	/** The same for exact methods: one rounding to float, or some roundings of products and roots to double. */
	private static final double TOLERANCE_EXACT = 1e-7, DOUBLE_TOLERANCE_EXACT = 2e-15;
	private static final Map<ContractCase, double[]> REFERENCES = new ConcurrentHashMap<>();
	private static final Map<PixelType, List<ContractCase>> LONG = new ConcurrentHashMap<>();
	private static final Map<Precision, Map<ContractCase, Sliding>> PROBLEMS = Map.of(Precision.SINGLE, new ConcurrentHashMap<>(), Precision.DOUBLE,
		new ConcurrentHashMap<>());

	/** A check with its name. */
	public record Check(String name, Executable body) {}

	final SlidingAlgorithm<?> algorithm;
	final Device device;
	/** The device of the same algorithm with another number of threads. */
	private final Device otherThreads;
	private final SlidingAlgorithm<?> otherAlgorithm;
	final Precision precision;
	private final boolean exact;

	/** In single precision. */
	AlgorithmContract(final SlidingAlgorithm<?> algorithm, final Device device, final SlidingAlgorithm<?> otherAlgorithm, final Device otherThreads) {
		this(algorithm, device, otherAlgorithm, otherThreads, Precision.SINGLE);
	}

	/** @param otherAlgorithm, otherThreads the same algorithm and its device with another number of threads */
	public AlgorithmContract(final SlidingAlgorithm<?> algorithm, final Device device, final SlidingAlgorithm<?> otherAlgorithm, final Device otherThreads,
		final Precision precision) {
		this.precision = precision;
		this.algorithm = algorithm;
		this.device = device;
		this.otherAlgorithm = otherAlgorithm;
		this.otherThreads = otherThreads;
		exact = algorithm.id().endsWith("-exact");
	}

	static double tolerance(final Precision precision) {
		return precision == Precision.SINGLE ? TOLERANCE : DOUBLE_TOLERANCE;
	}

	/** All checks of this algorithm for the given cases and banks. */
	public List<Check> checks(final List<ContractCase> cases, final List<List<ContractCase>> banks) {
		return checks(cases, banks, ExecutionContract.PATIENCE);
	}

	/** @param patience the seconds until a submission that does not return fails its check */
	List<Check> checks(final List<ContractCase> cases, final List<List<ContractCase>> banks, final long patience) {
		final List<Check> checks = new ArrayList<>(List.of(support(cases)));
		checks.addAll(answers(cases, banks, true));
		checks.addAll(execution(cases, patience));
		return checks;
	}

	/** Checks that it supports the problems of the cases that it must support. */
	Check support(final List<ContractCase> cases) {
		return new Check("supports the required problems", () -> supportsRequired(cases));
	}

	/**
	 * The checks of the responses to the cases and banks that it supports.
	 *
	 * @param sample whether the cases are computed again in all ways
	 */
	List<Check> answers(final List<ContractCase> cases, final List<List<ContractCase>> banks, final boolean sample) {
		final List<Check> checks = new ArrayList<>();
		for (final ContractCase c : cases)
			if (supports(problem(c, precision))) checks.add(new Check(c.name(), () -> answers(c, again(c, sample))));
		for (final List<ContractCase> bank : banks)
			if (supports(ContractCase.problem(precision, bank))) checks.add(new Check(bank.size() + " templates, " + bank.get(0).name(), () -> answers(bank)));
		return checks;
	}

	/** The checks of its execution, with some of the cases. */
	List<Check> execution(final List<ContractCase> cases) {
		return execution(cases, ExecutionContract.PATIENCE);
	}

	private List<Check> execution(final List<ContractCase> cases, final long patience) {
		return new ExecutionContract(this, patience).checks(cases.stream().filter(c -> supports(problem(c, precision))).toList());
	}

	boolean supports(final Sliding problem) {
		return Problems.unsupported(algorithm, problem).isEmpty();
	}

	/** An algorithm that supports no problem would pass all other checks. */
	private void supportsRequired(final List<ContractCase> cases) {
		int supported = 0;
		for (final ContractCase c : cases) {
			final Optional<String> reason = Problems.unsupported(algorithm, problem(c, precision));
			if (reason.isEmpty()) supported++;
			else assertFalse(reason.get().isBlank(), "no reason why it does not apply: " + c);
			final boolean integers = c.imageType().exact() && c.templateType().exact() && problem(c, precision).weights() != Weights.REAL && c.imageSize().length <= 3;
			if (exact && integers) assertTrue(reason.isEmpty(), () -> "an exact method must take integers in up to three dimensions: " + c + ": " + reason.get());
		}
		assertTrue(supported > 0, "it supports none of " + cases.size() + " cases");
	}

	/** The ways to compute responses again, which must agree with all lags at once. */
	enum Again {
		/** In boxes of lags. */
		BOXES,
		/** With another number of threads, row by row and written in place, with 0 for undefined. */
		THREADS
	}

	/**
	 * All ways for each case of a sample, and none or one of them for each other case: one of three cases has boxes, another one threads. They divide the lags
	 * whatever the values are. Which case has which one differs between algorithms and precisions, so most cases have both with some of these.
	 */
	private Set<Again> again(final ContractCase c, final boolean sample) {
		if (sample) return EnumSet.allOf(Again.class);
		final int choice = CaseRandom.choice(c, algorithm.id() + " again in " + precision, 3);
		return choice == 2 ? EnumSet.noneOf(Again.class) : EnumSet.of(Again.values()[choice]);
	}

	/** The responses: all lags at once, and again in all ways. */
	public void answers(final ContractCase c) {
		answers(c, EnumSet.allOf(Again.class));
	}

	private void answers(final ContractCase c, final Set<Again> again) {
		final double[] reference = reference(c);
		final Template template = c.templateCopy();
		final double[] whole;
		try (Execution execution = algorithm.planAny(problem(c, precision), device).prepare(List.of(template))) {
			final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
			final Report report = await(execution.submit(pixels(c), c.lagBox(), sink, Monitor.NONE));
			whole = sink.complete(0);
			assertNear(c, reference, whole);
			assertEquals(c.lags(), report.responses(), "responses reported");
			assertEquals(Arrays.stream(reference).filter(Double::isNaN).count(), report.undefined(), "undefined responses reported");
			assertTrue(report.rechecked() >= 0 && report.rechecked() <= c.lags(), () -> report.rechecked() + " rechecked");
			if (again.contains(Again.BOXES)) {
				final double[] inBoxes = inBoxes(c, execution);
				assertNear(c, reference, inBoxes);
				assertSame(c, whole, inBoxes, "in boxes");
			}
		}
		assertArrayEquals(c.template(), template.values(), "the template was written to");
		assertArrayEquals(c.weights(), template.weights(), "the weights were written to");
		final boolean sameSupport = Problems.unsupported(otherAlgorithm, problem(c, precision)).isEmpty();
		assertTrue(sameSupport, "support depends on the number of threads");
		if (again.contains(Again.THREADS)) withOtherThreads(c, whole);
	}

	private void withOtherThreads(final ContractCase c, final double[] whole) {
		try (Execution execution = otherAlgorithm.planAny(problem(c, precision), otherThreads).prepare(List.of(c.templateCopy()))) {
			final ArraySink sink = new ArraySink(precision, 0, 1, c.count(), true);
			await(execution.submit(ArrayPixels.of(c.imageType(), c.imageSize(), c.image(), c.channels(), true, c.present()), c.lagBox(), sink, Monitor.NONE));
			final double[] zeroes = sink.complete(0);
			for (int i = 0; i < zeroes.length; i++)
				if (Double.isNaN(whole[i])) {
					assertEquals(0.0, zeroes[i], "an undefined response must be 0");
					zeroes[i] = Double.NaN;
				}
			assertSame(c, whole, zeroes, "with another number of threads");
		}
	}

	/** The lags in up to three boxes along the longest dimension. */
	private double[] inBoxes(final ContractCase c, final Execution execution) {
		int longest = 0;
		for (int d = 1; d < c.count().length; d++)
			if (c.count()[d] > c.count()[longest]) longest = d;
		final int lags = c.count()[longest];
		final int[] cuts = { 0, lags / 4, lags - lags / 3, lags };
		final double[] whole = new double[c.lags()];
		for (int box = 0; box < 3; box++) {
			if (cuts[box] == cuts[box + 1]) continue;
			final long[] origin = c.origin().clone();
			origin[longest] += cuts[box];
			final int[] size = c.count().clone();
			size[longest] = cuts[box + 1] - cuts[box];
			final ArraySink sink = new ArraySink(precision, Float.NaN, 1, size);
			final Report report = await(execution.submit(pixels(c), new LagBox(new long[][] { origin }, size.clone()), sink, Monitor.NONE));
			final double[] part = sink.complete(0);
			assertEquals(part.length, report.responses(), "responses reported of a box");
			final int[] at = new int[size.length];
			for (int i = 0; i < part.length; i++) {
				ReferenceNcc.unravel(i, size, at);
				at[longest] += cuts[box];
				whole[ReferenceNcc.index(c.count(), at)] = part[i];
			}
		}
		return whole;
	}

	/** The responses of all templates at once, of the kept pixels of the image, and of each template alone. */
	private void answers(final List<ContractCase> bank) {
		final ContractCase first = bank.get(0);
		final Sliding problem = ContractCase.problem(precision, bank);
		final LagBox lags = new LagBox(bank.stream().map(c -> c.origin().clone()).toArray(long[][]::new), first.count().clone());
		final ArraySink sink = new ArraySink(precision, Float.NaN, bank.size(), first.count());
		try (Execution execution = algorithm.planAny(problem, device).prepare(templates(bank))) {
			final Report report = await(execution.submit(pixels(first), lags, sink, Monitor.NONE));
			long undefined = 0;
			for (int t = 0; t < bank.size(); t++) {
				final double[] reference = reference(bank.get(t));
				assertNear(bank.get(t), reference, sink.complete(t));
				undefined += Arrays.stream(reference).filter(Double::isNaN).count();
			}
			assertEquals((long) bank.size() * first.lags(), report.responses(), "responses reported");
			assertEquals(undefined, report.undefined(), "undefined responses reported");
			fromKept(bank, execution, lags, sink, report);
		}
		for (int t = 0; t < bank.size(); t++) {
			final ContractCase c = bank.get(t);
			try (Execution execution = algorithm.planAny(problem(c, precision), device).prepare(List.of(c.templateCopy()))) {
				final ArraySink alone = new ArraySink(precision, Float.NaN, 1, c.count());
				await(execution.submit(pixels(c), c.lagBox(), alone, Monitor.NONE));
				assertSame(c, alone.complete(0), sink.complete(t), "with other templates");
			}
		}
	}

	/** Templates replaced while an image is kept, and back. */
	private void fromKept(final List<ContractCase> bank, final Execution execution, final LagBox lags, final ArraySink sink, final Report report) {
		final ContractCase first = bank.get(0);
		try (KeptPixels kept = await(execution.keep(pixels(first), lags, Monitor.NONE))) {
			execution.replace(bank.stream().map(AlgorithmContract::negative).toList());
			final ArraySink other = new ArraySink(precision, Float.NaN, bank.size(), first.count());
			await(execution.submit(kept, lags, other, Monitor.NONE));
			execution.replace(templates(bank));
			final ArraySink again = new ArraySink(precision, Float.NaN, bank.size(), first.count());
			assertEquals(report, await(execution.submit(kept, lags, again, Monitor.NONE)), "reported of kept pixels");
			for (int t = 0; t < bank.size(); t++) {
				final double[] plain = sink.complete(t), same = again.complete(t), turned = other.complete(t);
				final double tolerance = 2 * tolerance(bank.get(t));
				for (int i = 0; i < plain.length; i++) {
					final int response = i, template = t;
					assertEquals(plain[i], same[i], () -> "response " + response + " to template " + template + " from kept pixels");
					assertEquals(-plain[i], turned[i], tolerance, () -> "response " + response + " to the negative of template " + template + " from kept pixels");
				}
			}
			kept.close();
			assertEquals(0, kept.bytes(), "bytes after closing");
		}
	}

	private static List<Template> templates(final List<ContractCase> bank) {
		return bank.stream().map(ContractCase::templateCopy).toList();
	}

	/** A template that inverts the sign of every response. */
	private static Template negative(final ContractCase c) {
		final Template t = c.templateCopy();
		final double sum = !c.convolves() && c.templateType().integer ? c.templateType().min + c.templateType().max : 0;
		for (int i = 0; i < t.values().length; i++) t.values()[i] = sum - t.values()[i];
		return t;
	}

	/** The problem of a case alone. It is made once: for a convolution this takes longer than many checks. */
	public static Sliding problem(final ContractCase c, final Precision precision) {
		return PROBLEMS.get(precision).computeIfAbsent(c, key -> key.problem(precision));
	}

	public static double[] reference(final ContractCase c) {
		return REFERENCES.computeIfAbsent(c, ContractCase::reference);
	}

	public static Pixels pixels(final ContractCase c) {
		return ArrayPixels.of(c.imageType(), c.imageSize(), c.image(), c.channels(), false, c.present());
	}

	public static <T> T await(final Future<T> future) {
		try {
			return future.get(60, TimeUnit.SECONDS);
		}
		catch (final ExecutionException e) {
			return fail("the submission failed: " + e.getCause(), e.getCause());
		}
		catch (final TimeoutException e) {
			return fail("the submission did not end within a minute");
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			return fail("interrupted");
		}
	}

	/** Each defined response lies near the reference and in [-1, 1]. The undefined responses are those of the reference. */
	void assertNear(final ContractCase c, final double[] reference, final double[] responses) {
		final double tolerance = tolerance(c);
		int wrong = 0, worst = 0;
		double most = 0;
		for (int i = 0; i < reference.length; i++) {
			final double error = error(c, reference[i], responses[i], tolerance);
			if (error > tolerance) wrong++;
			if (error > most) {
				most = error;
				worst = i;
			}
		}
		if (wrong > 0) fail(algorithm.id() + ", " + c + ": " + wrong + " of " + reference.length + " responses are wrong; worst " + responses[worst]
			+ " instead of " + reference[worst] + " at lag " + lag(c, worst));
	}

	/** The largest allowed error of a response. */
	private double tolerance(final ContractCase c) {
		if (c.convolves()) return ReferenceConvolution.tolerance(c.image(), c.template(), precision);
		final double exactTolerance = precision == Precision.SINGLE ? TOLERANCE_EXACT : DOUBLE_TOLERANCE_EXACT;
		return exact && c.imageType().exact() && c.templateType().exact() ? exactTolerance : tolerance(precision);
	}

	/** The error. Infinite if only one of the two is undefined or if the response of a correlation lies outside [-1, 1]. A convolution may exceed the range of a float. */
	private double error(final ContractCase c, final double reference, final double response, final double tolerance) {
		if (Double.isNaN(reference) || Double.isNaN(response))
			return Double.isNaN(reference) && Double.isNaN(response) ? 0 : Double.POSITIVE_INFINITY;
		if (c.convolves()) {
			final boolean beyond = Double.isInfinite(response) && (Math.signum(response) * reference + tolerance > greatest());
			return beyond || tolerance == Double.POSITIVE_INFINITY ? 0 : Math.abs(reference - response);
		}
		return Math.abs(response) <= 1 ? Math.abs(reference - response) : Double.POSITIVE_INFINITY;
	}

	/** Exact methods must give equal responses. For others twice the tolerance is allowed. */
	private void assertSame(final ContractCase c, final double[] expected, final double[] actual, final String how) {
		final double tolerance = exact ? 0 : 2 * tolerance(c);
		for (int i = 0; i < expected.length; i++) {
			// both undefined, both infinite, or any value is allowed
			final boolean same = Double.compare(expected[i], actual[i]) == 0 || tolerance > greatest();
			if (!same && !(Math.abs(finite(expected[i]) - finite(actual[i])) <= tolerance))
				fail(algorithm.id() + ", " + c + ": " + actual[i] + " " + how + ", else " + expected[i] + ", at lag " + lag(c, i));
		}
	}

	/** An infinite response counts as the largest value of the type. */
	private double finite(final double response) {
		return Double.isInfinite(response) ? Math.copySign(greatest(), response) : response;
	}

	private double greatest() {
		return precision == Precision.SINGLE ? Float.MAX_VALUE : Double.MAX_VALUE;
	}

	private static String lag(final ContractCase c, final int index) {
		final int[] at = new int[c.count().length];
		ReferenceNcc.unravel(index, c.count(), at);
		for (int d = 0; d < at.length; d++) at[d] += (int) c.origin()[d];
		return Arrays.toString(at);
	}

	/** A problem that runs long enough to be canceled, of a pixel type that the algorithm supports. */
	Optional<ContractCase> longProblem() {
		for (final PixelType type : PixelType.values())
			for (final ContractCase c : LONG.computeIfAbsent(type, AlgorithmContract::longProblems))
				if (supports(problem(c, precision))) return Optional.of(c);
		return Optional.empty();
	}

	/** A correlation and two convolutions. */
	private static List<ContractCase> longProblems(final PixelType type) {
		final int[] imageSize = { 1200, 1200 }, templateSize = { 120, 120 };
		final Random random = new Random(5);
		final ContractCase c = new ContractCase("long", type, type, imageSize, templateSize,
			ImageContent.HILLS.draw(type, imageSize, random), ImageContent.NOISE.draw(type, templateSize, random), null, new long[2],
			new int[] { 1081, 1081 }, false, 1);
		return List.of(c, c.convolving("convolved", c.template()), c.convolving("convolved", ConvolutionCases.gaussian(templateSize)));
	}
}
