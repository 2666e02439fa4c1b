package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding.Convolution;
import sc.fiji.ncc.plan.SlidingAlgorithm;

/**
 * A part of {@link AlgorithmContractTest} that takes seconds: small cases of every CPU algorithm. For mutation tests, which run it again and again. Maven
 * does not run it with the other tests, which have all cases.
 */
class ContractSample {

	/** The most products of a case. */
	private static final long PRODUCTS = 12_000;
	/** Of the small cases of an algorithm, one of so many: a prime number, because neighbours differ in one respect. */
	private static final int EVERY = 31;

	private static final List<ContractCase> CORRELATIONS = some(ContractCases.all()), JOINT = some(JointCases.all()), CONVOLUTIONS = some(ConvolutionCases.all());

	/** An algorithm, a precision and a case: a test each, so that the first one that fails ends a mutant. */
	static Stream<Arguments> cases() {
		final Device device = cpu(2).devices().get(0);
		final List<Arguments> cases = new ArrayList<>();
		for (final SlidingAlgorithm<?> algorithm : Problems.sliding(cpu(2))) {
			final SlidingAlgorithm<?> other = Problems.sliding(cpu(1)).stream().filter(a -> a.id().equals(algorithm.id())).findFirst().orElseThrow();
			final boolean convolves = algorithm.kind() == Convolution.class;
			final List<ContractCase> all = new ArrayList<>(convolves ? CONVOLUTIONS : CORRELATIONS);
			if (!convolves && !algorithm.id().equals("cpu-fourier-whole")) all.addAll(JOINT);
			int checks = 0;
			for (final Precision precision : algorithm.precisions()) {
				final AlgorithmContract contract = new AlgorithmContract(algorithm, device, other, cpu(1).devices().get(0), precision);
				for (final ContractCase c : all)
					if (contract.supports(AlgorithmContract.problem(c, precision))) {
						cases.add(Arguments.of(algorithm.id() + " " + precision + " " + c, contract, c));
						checks++;
					}
			}
			assertTrue(checks > 5, checks + " checks of " + algorithm.id());
		}
		return cases.stream();
	}

	private static Backend cpu(final int threads) {
		return Backends.all(threads).stream().filter(b -> b.id().equals("cpu")).findFirst().orElseThrow();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("cases")
	void smallCases(final String name, final AlgorithmContract contract, final ContractCase c) throws Throwable {
		contract.answers(c);
	}

	private static List<ContractCase> some(final List<ContractCase> all) {
		final List<ContractCase> small = all.stream().filter(c -> (long) c.lags() * c.template().length <= PRODUCTS).toList(), some = new ArrayList<>();
		for (int i = 0; i < small.size(); i += EVERY) some.add(small.get(i));
		return some;
	}
}
