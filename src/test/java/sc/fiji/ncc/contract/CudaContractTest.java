package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.RequiredGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.Sliding.Correlation;

/**
 * The contract of every CUDA algorithm on every GPU, with every case. The responses of the exact algorithms have the same bits as on the CPU. Skipped, with
 * the reason, without a GPU.
 */
@Tag("gpu")
class CudaContractTest {

	/** Every third case runs in the other arithmetic. */
	private static final int EVERY_IN_OTHER_ARITHMETIC = 3;

	/** The algorithms that compute joint responses. */
	private static final Set<String> JOINT = Set.of("cuda-direct-exact", "cuda-direct", "cuda-fourier");

	@BeforeEach
	void requireGpu() {
		RequiredGpu.require();
	}

	/**
	 * All cases of an operation. The system property {@code ncc.contract.every} = n selects every nth case, for slow tools such as memory checkers. The
	 * system property {@code ncc.contract.from}, from 0 to n - 1, selects the first one, so that several machines can share the work. The system property
	 * {@code ncc.contract.name}, a regular expression, selects cases by a part of their names, for example {@code missing}.
	 */
	private static List<ContractCase> cases(final boolean convolutions) {
		return selected(convolutions ? ConvolutionCases.all() : ContractCases.all());
	}

	private static List<ContractCase> selected(final List<ContractCase> all) {
		final int every = Integer.getInteger("ncc.contract.every", 1), from = Integer.getInteger("ncc.contract.from", 0);
		final Pattern name = Pattern.compile(System.getProperty("ncc.contract.name", ""));
		final List<ContractCase> some = all.stream().filter(c -> name.matcher(c.name()).find()).toList();
		return IntStream.range(0, some.size()).filter(i -> i % every == from).mapToObj(some::get).toList();
	}

	/** The cases of joint responses, selected as {@link #cases}. */
	private static List<ContractCase> jointCases() {
		return selected(JointCases.all());
	}

	/** All algorithms, or those whose ids match the system property {@code ncc.contract.algorithm}, a regular expression. */
	private static List<SlidingAlgorithm<?>> algorithms(final Backend cuda) {
		final String ids = System.getProperty("ncc.contract.algorithm");
		return Problems.sliding(cuda).stream().filter(a -> ids == null || a.id().matches(ids)).toList();
	}

	private static Backend backend(final String id) {
		return Backends.all(2).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
	}

	@TestFactory
	List<DynamicNode> contract() {
		final Backend cuda = backend("cuda");
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Device device : cuda.devices())
			for (final SlidingAlgorithm<?> a : algorithms(cuda))
				for (final Precision precision : a.precisions())
					nodes.add(dynamicContainer(a.id() + " on " + device.id() + " in " + precision + " precision", new AlgorithmContract(a, device, a, device, precision)
						.checks(cases(a.kind() == Convolution.class), a.kind() == Convolution.class ? ConvolutionCases.banks() : ContractCases.banks()).stream()
						.map(check -> dynamicTest(check.name(), check.body()))));
		return nodes;
	}

	/** The algorithms with joint responses of several channels. */
	@TestFactory
	List<DynamicNode> contractOfSeveralChannels() {
		final Backend cuda = backend("cuda");
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Device device : cuda.devices())
			for (final SlidingAlgorithm<?> a : algorithms(cuda))
				for (final Precision precision : a.precisions())
					if (JOINT.contains(a.id())) nodes.add(dynamicContainer(a.id() + " on " + device.id() + " in " + precision + " precision", new AlgorithmContract(a, device, a, device, precision)
						.checks(jointCases(), JointCases.banks()).stream().map(check -> dynamicTest(check.name(), check.body()))));
		return nodes;
	}

	/** A GPU uses either double or pairs of floats where float is not precise enough. This test uses the arithmetic that is not the default of the GPU. */
	@TestFactory
	List<DynamicNode> contractInTheOtherArithmetic() {
		final Backend cuda = backend("cuda");
		final List<ContractCase> all = cases(false);
		final List<ContractCase> some = IntStream.range(0, all.size()).filter(i -> i % EVERY_IN_OTHER_ARITHMETIC == 0).mapToObj(all::get).toList();
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Device device : cuda.devices())
			for (final SlidingAlgorithm<?> a : algorithms(cuda))
				if (a.kind() == Correlation.class)
					nodes.add(dynamicContainer(a.id() + " on " + device.id() + " in " + otherArithmetic(device), new AlgorithmContract(a, device, a, device)
						.checks(some, ContractCases.banks()).stream().map(check -> dynamicTest(check.name(), () -> inOtherArithmetic(device, check.body())))));
		return nodes;
	}

	/** The value of the system property {@code ncc.cuda.wide} for the arithmetic that is not the default of the device. */
	private static String otherArithmetic(final Device device) {
		return device.name().contains("pairs of floats") ? "double" : "pairs";
	}

	private static void inOtherArithmetic(final Device device, final Executable body) throws Throwable {
		final String before = System.setProperty("ncc.cuda.wide", otherArithmetic(device));
		try {
			body.execute();
		}
		finally {
			if (before == null) System.clearProperty("ncc.cuda.wide");
			else System.setProperty("ncc.cuda.wide", before);
		}
	}

	/** In double precision, and in single precision with both kinds of arithmetic. */
	@TestFactory
	List<DynamicNode> sameBitsAsTheCpu() {
		final Backend cuda = backend("cuda"), cpu = backend("cpu");
		final SlidingAlgorithm<?> reference = Problems.sliding(cpu).stream().filter(a -> a.id().equals("cpu-direct-exact")).findFirst().orElseThrow();
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final SlidingAlgorithm<?> a : algorithms(cuda))
			for (final ContractCase c : Stream.concat(cases(false).stream(), jointCases().stream()).toList())
				if (c.imageType().exact() && c.templateType().exact() && !a.id().equals("cuda-direct") && !a.id().contains("fourier"))
					for (final Precision precision : a.precisions()) {
						if (Problems.unsupported(a, c.problem(precision)).isPresent()) continue;
						final Device gpu = cuda.devices().get(0);
						nodes.add(dynamicTest(a.id() + " in " + precision + " precision, " + c.name(), () -> {
							final double[] expected = responses(c, precision, reference, cpu.devices().get(0));
							assertArrayEquals(expected, responses(c, precision, a, gpu));
							if (precision == Precision.SINGLE)
								inOtherArithmetic(gpu, () -> assertArrayEquals(expected, responses(c, precision, a, gpu), "in " + otherArithmetic(gpu)));
						}));
					}
		return nodes;
	}

	private static double[] responses(final ContractCase c, final Precision precision, final SlidingAlgorithm<?> a, final Device device) {
		try (Execution execution = a.planAny(c.problem(precision), device).prepare(List.of(c.templateCopy()))) {
			final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
			AlgorithmContract.await(execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE));
			return sink.complete(0);
		}
	}
}
