package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Operation;
import sc.fiji.ncc.plan.Precision;

/** Every CUDA algorithm on every card, against every case; and exact methods bit by bit against the CPU. Skipped, with the reason, without a card. */
@Tag("gpu")
public class CudaContractTest {

	/** Of the cases, how many are left out for each that is taken where arithmetic is the other one. */
	private static final int OTHER_EVERY = 3;

	/** Also for other tests of cards. With NCC_REQUIRE_GPU=1 nothing may be skipped. */
	public static void requireCuda(final Backend cuda) {
		cuda.unavailable().ifPresent(reason -> {
			if ("1".equals(System.getenv("NCC_REQUIRE_GPU"))) fail("NCC_REQUIRE_GPU=1, but " + reason);
			Assumptions.abort(reason);
		});
	}

	/**
	 * All cases of an operation; with the system property {@code ncc.contract.every} every so-manieth, for tools that slow everything down, from
	 * {@code ncc.contract.from} on, for several that share the work.
	 */
	private static List<ContractCase> cases(final Operation operation) {
		final int every = Integer.getInteger("ncc.contract.every", 1), from = Integer.getInteger("ncc.contract.from", 0);
		final List<ContractCase> all = operation == Operation.CONVOLUTION ? ConvolutionCases.all() : ContractCases.all();
		return IntStream.range(0, all.size()).filter(i -> i % every == from).mapToObj(all::get).toList();
	}

	/** All; with the system property {@code ncc.contract.algorithm} those whose ids match that. */
	private static List<Algorithm> algorithms(final Backend cuda) {
		final String only = System.getProperty("ncc.contract.algorithm");
		return cuda.algorithms().stream().filter(a -> only == null || a.id().matches(only)).toList();
	}

	private static Backend backend(final String id) {
		return Backends.all(2).stream().filter(b -> b.id().equals(id)).findFirst().orElseThrow();
	}

	@TestFactory
	List<DynamicNode> contract() {
		final Backend cuda = backend("cuda");
		requireCuda(cuda);
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Device device : cuda.devices())
			for (final Algorithm a : algorithms(cuda))
				for (final Precision precision : a.precisions())
					nodes.add(dynamicContainer(a.id() + " on " + device.id() + " in " + precision + " precision", new AlgorithmContract(a, device, a, device, precision)
						.checks(cases(a.operation()), a.operation() == Operation.CONVOLUTION ? ConvolutionCases.banks() : ContractCases.banks()).stream()
						.map(check -> dynamicTest(check.name(), check.body()))));
		return nodes;
	}

	/** Where a card takes double for what float is too few for, pairs of floats; and the other way round: each kind of picture, some of its templates. */
	@TestFactory
	List<DynamicNode> contractInTheOtherArithmetic() {
		final Backend cuda = backend("cuda");
		requireCuda(cuda);
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Device device : cuda.devices())
			for (final Algorithm a : algorithms(cuda))
				if (a.operation() == Operation.NCC) {
					final List<ContractCase> all = cases(Operation.NCC);
					final List<ContractCase> some = IntStream.range(0, all.size()).filter(i -> i % OTHER_EVERY == 0).mapToObj(all::get).toList();
					nodes.add(dynamicContainer(a.id() + " on " + device.id() + " in " + other(device), new AlgorithmContract(a, device, a, device)
						.checks(some, ContractCases.banks()).stream().map(check -> dynamicTest(check.name(), () -> inTheOther(device, check.body())))));
				}
		return nodes;
	}

	private static String other(final Device device) {
		return device.name().contains("pairs of floats") ? "double" : "pairs";
	}

	private static void inTheOther(final Device device, final Executable body) throws Throwable {
		final String before = System.setProperty("ncc.cuda.wide", other(device));
		try {
			body.execute();
		}
		finally {
			if (before == null) System.clearProperty("ncc.cuda.wide");
			else System.setProperty("ncc.cuda.wide", before);
		}
	}

	/** Responses in double, and in float in either arithmetic. */
	@TestFactory
	List<DynamicNode> sameBitsAsTheCpu() {
		final Backend cuda = backend("cuda"), cpu = backend("cpu");
		requireCuda(cuda);
		final Algorithm reference = cpu.algorithms().stream().filter(a -> a.id().equals("cpu-direct-exact")).findFirst().orElseThrow();
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final Algorithm a : algorithms(cuda))
			for (final ContractCase c : cases(Operation.NCC))
				if (c.imageType().exact() && c.templateType().exact() && !a.id().equals("cuda-direct") && !a.id().contains("fourier"))
					for (final Precision precision : a.precisions()) {
						if (a.unsupported(c.problem(precision)).isPresent()) continue;
						final Device card = cuda.devices().get(0);
						nodes.add(dynamicTest(a.id() + " in " + precision + " precision, " + c.name(), () -> {
							final double[] expected = responses(c, precision, reference, cpu.devices().get(0));
							assertArrayEquals(expected, responses(c, precision, a, card));
							if (precision == Precision.SINGLE) inTheOther(card, () -> assertArrayEquals(expected, responses(c, precision, a, card), "in " + other(card)));
						}));
					}
		return nodes;
	}

	private static double[] responses(final ContractCase c, final Precision precision, final Algorithm a, final Device device) {
		try (Execution execution = a.plan(c.problem(precision), device).prepare(List.of(c.templateCopy()))) {
			final ArraySink sink = new ArraySink(precision, Float.NaN, 1, c.count());
			AlgorithmContract.await(execution.submit(AlgorithmContract.pixels(c), c.lagBox(), sink, Monitor.NONE));
			return sink.complete(0);
		}
	}
}
