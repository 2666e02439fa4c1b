package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.AlgorithmContract.Check;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.SlidingAlgorithm;

/**
 * The contract of every CUDA algorithm on every GPU, with every case. The responses of the exact algorithms have the same bits as on the CPU. Skipped, with
 * the reason, without a GPU. The checks run side by side on all processors of the host; {@link ContractProgress} prints how many have ended, and goes on where
 * another run was stopped.
 * <p>
 * The system property {@code ncc.contract.every} = n selects every nth case and every nth set of templates, for a short run and for slow tools such
 * as memory checkers. The system property {@code ncc.contract.from}, from 0 to n - 1, selects the first one, so that several machines can share the
 * work. The system properties {@code ncc.contract.name} and {@code ncc.contract.algorithm}, regular expressions, select cases by a part of their names,
 * for example {@code missing}, and algorithms by their ids.
 */
@Tag("gpu")
class CudaContractTest {

	/** The property that overrides the arithmetic of a GPU where float is not precise enough: double, or pairs of floats. */
	private static final String ARITHMETIC = "ncc.cuda.wide";
	/** Every third case runs in the other arithmetic. */
	private static final int EVERY_IN_OTHER_ARITHMETIC = 3;

	/** The algorithms that compute joint responses. */
	private static final Set<String> JOINT = Set.of("cuda-direct-exact", "cuda-direct", "cuda-fourier");

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	/** All algorithms in the default arithmetic of the GPU. */
	@Nested
	@Tag("smoke")
	class InDefaultArithmetic {

		@TestFactory
		@Execution(ExecutionMode.CONCURRENT)
		List<DynamicNode> contract() {
			final ContractProgress progress = new ContractProgress("contract");
			final List<DynamicNode> nodes = new ArrayList<>();
			for (final Device device : cuda().devices())
				for (final SlidingAlgorithm<?> a : algorithms())
					for (final Precision precision : a.precisions()) nodes.add(progress.checks(named(a, device, precision), checks(a, device, precision)));
			return nodes;
		}

		private List<Check> checks(final SlidingAlgorithm<?> a, final Device device, final Precision precision) {
			final boolean convolutions = a.kind() == Convolution.class;
			return new AlgorithmContract(a, device, a, device, precision).checks(convolutions ? selected(ConvolutionCases.all()) : correlations(),
				sample(convolutions ? ConvolutionCases.banks() : ContractCases.banks()));
		}

		/** The algorithms with joint responses of several channels. */
		@TestFactory
		@Execution(ExecutionMode.CONCURRENT)
		List<DynamicNode> contractOfSeveralChannels() {
			final ContractProgress progress = new ContractProgress("several channels");
			final List<DynamicNode> nodes = new ArrayList<>();
			for (final Device device : cuda().devices())
				for (final SlidingAlgorithm<?> a : algorithms())
					for (final Precision precision : a.precisions())
						if (JOINT.contains(a.id()))
							nodes.add(progress.checks(named(a, device, precision),
								new AlgorithmContract(a, device, a, device, precision).checks(selected(JointCases.all()), sample(JointCases.banks()))));
			return nodes;
		}

		@TestFactory
		@Execution(ExecutionMode.CONCURRENT)
		List<DynamicNode> sameBitsAsTheCpu() {
			return List.of(new ContractProgress("same bits").checks("the first GPU", sameBits(Precision.values())));
		}
	}

	/**
	 * A GPU uses either double or pairs of floats where float is not precise enough. These tests use the arithmetic that is not the default of the
	 * first GPU.
	 */
	@Nested
	class InTheOtherArithmetic {

		private static String before;

		@BeforeAll
		static void select() {
			before = System.getProperty(ARITHMETIC);
			RequiredGpu.require();
			System.setProperty(ARITHMETIC, cuda().devices().get(0).name().contains("pairs of floats") ? "double" : "pairs");
		}

		@AfterAll
		static void selectDefault() {
			if (before == null) System.clearProperty(ARITHMETIC);
			else System.setProperty(ARITHMETIC, before);
		}

		@TestFactory
		@Execution(ExecutionMode.CONCURRENT)
		List<DynamicNode> contract() {
			final List<ContractCase> all = correlations();
			final List<ContractCase> some = IntStream.range(0, all.size()).filter(i -> i % EVERY_IN_OTHER_ARITHMETIC == 0).mapToObj(all::get).toList();
			final ContractProgress progress = new ContractProgress("other arithmetic");
			final List<DynamicNode> nodes = new ArrayList<>();
			for (final Device device : cuda().devices())
				for (final SlidingAlgorithm<?> a : algorithms())
					if (a.kind() == Correlation.class)
						nodes.add(progress.checks(named(a, device, Precision.SINGLE), new AlgorithmContract(a, device, a, device).checks(some, sample(
							ContractCases.banks()))));
			return nodes;
		}

		@TestFactory
		@Execution(ExecutionMode.CONCURRENT)
		List<DynamicNode> sameBitsAsTheCpu() {
			return List.of(new ContractProgress("same bits, other arithmetic").checks("the first GPU", sameBits(Precision.SINGLE)));
		}
	}

	private static String named(final SlidingAlgorithm<?> a, final Device device, final Precision precision) {
		return a.id() + " on " + device.id() + " in " + precision + " precision";
	}

	private static List<ContractCase> correlations() {
		return selected(ContractCases.all());
	}

	private static List<ContractCase> selected(final List<ContractCase> all) {
		final Pattern name = Pattern.compile(System.getProperty("ncc.contract.name", ""));
		return sample(all.stream().filter(c -> name.matcher(c.name()).find()).toList());
	}

	private static <T> List<T> sample(final List<T> all) {
		final int every = Integer.getInteger("ncc.contract.every", 1), from = Integer.getInteger("ncc.contract.from", 0);
		return IntStream.range(0, all.size()).filter(i -> i % every == from).mapToObj(all::get).toList();
	}

	/** All algorithms, or the selected ones. */
	private static List<SlidingAlgorithm<?>> algorithms() {
		final String ids = System.getProperty("ncc.contract.algorithm");
		return Problems.sliding(cuda()).stream().filter(a -> ids == null || a.id().matches(ids)).toList();
	}

	private static Backend cuda() {
		return backend("cuda");
	}

	private static Backend backend(final String id) {
		return Backends.all(2).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
	}

	/** Compares the exact algorithms of the first GPU with the one of the CPU, for pixels that are integers. */
	private static List<Check> sameBits(final Precision... precisions) {
		final Device gpu = cuda().devices().get(0), cpu = backend("cpu").devices().get(0);
		final SlidingAlgorithm<?> reference = Problems.sliding(backend("cpu")).stream().filter(a -> a.id().equals("cpu-direct-exact")).findFirst()
			.orElseThrow();
		final List<Check> checks = new ArrayList<>();
		for (final SlidingAlgorithm<?> a : algorithms())
			for (final ContractCase c : Stream.concat(correlations().stream(), selected(JointCases.all()).stream()).toList())
				if (c.imageType().exact() && c.templateType().exact() && !a.id().equals("cuda-direct") && !a.id().contains("fourier"))
					for (final Precision precision : precisions)
						if (a.precisions().contains(precision) && Problems.unsupported(a, c.problem(precision)).isEmpty())
							checks.add(new Check(a.id() + " in " + precision + " precision, " + c.name(),
								() -> assertArrayEquals(responses(c, precision, reference, cpu), responses(c, precision, a, gpu))));
		return checks;
	}

	private static double[] responses(final ContractCase c, final Precision precision, final SlidingAlgorithm<?> a, final Device device) {
		try (sc.fiji.ncc.plan.Execution execution = a.planAny(c.problem(precision), device).prepare(List.of(c.templateCopy()))) {
			final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
			AlgorithmContract.await(execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE));
			return sink.complete(0);
		}
	}
}
