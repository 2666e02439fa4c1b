package sc.fiji.ncc.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import sc.fiji.ncc.contract.AlgorithmContract.Check;
import sc.fiji.ncc.contract.NaiveAlgorithm.Fault;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;

/** A correct algorithm passes the contract. An algorithm with a fault fails it. */
class AlgorithmContractSelfTest {

	/** Products of a case that is quick. */
	private static final long QUICK = 500_000;
	private static final Device DEVICE = new Device("test", "one thread", 1, 1L << 30);

	private static List<Check> checks(final Fault fault, final Precision precision, final List<ContractCase> cases, final List<List<ContractCase>> banks) {
		final NaiveAlgorithm algorithm = new NaiveAlgorithm(fault);
		// this submission never returns, so a second shows it
		final long patience = fault == Fault.COMPUTES_IN_SUBMIT ? 1 : ExecutionContract.PATIENCE;
		return new AlgorithmContract(algorithm, DEVICE, algorithm, DEVICE, precision).checks(cases, banks, patience);
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@EnumSource
	void aCorrectAlgorithmPasses(final Precision precision) throws Throwable {
		final List<ContractCase> all = ContractCases.all();
		// a sample, and of that what is quick, because each case runs about ten times on one thread. The algorithms of the library pass all of them
		final List<ContractCase> some = IntStream.range(0, all.size() / 72).mapToObj(i -> all.get(72 * i)).filter(c ->
			(long) c.lags() * c.template().length < QUICK).toList();
		final List<List<ContractCase>> banks = ContractCases.banks();
		final List<List<ContractCase>> someBanks = IntStream.range(0, banks.size() / 15).mapToObj(i -> banks.get(15 * i)).toList();
		for (final Check check : checks(Fault.NONE, precision, some, someBanks)) check.body().execute();
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
	void everyFaultIsCaught(final Fault fault) throws Throwable {
		AssertionError caught = null;
		// a fault of the responses shows in few cases, a fault of the execution in every case
		final List<ContractCase> all = ContractCases.all();
		final boolean wrongResponses = fault.compareTo(Fault.BOXES_FROM_ZERO) <= 0;
		final List<ContractCase> some = wrongResponses ? all.stream().filter(c -> canShow(fault, c)).toList() : IntStream.range(0, 12)
			.mapToObj(i -> all.get(90 * i)).toList();
		final List<List<ContractCase>> banks = wrongResponses || fault == Fault.ONE_ORIGIN_FOR_ALL ? ContractCases.banks() : List.of();
		for (final Check check : checks(fault, fault == Fault.ROUNDS_TO_FLOAT ? Precision.DOUBLE : Precision.SINGLE, some, banks)) {
			try {
				check.body().execute();
			}
			catch (final AssertionError e) {
				caught = e;
				break;
			}
			catch (final IllegalStateException e) {
				// thrown by the second call of close
				if (fault != Fault.CLOSES_ONCE) throw e;
				caught = new AssertionError(e);
				break;
			}
		}
		assertNotNull(caught, "no check failed");
	}

	/** A fault in the treatment of weights shows only with weights, a fault in partial overlaps only with those. */
	private static boolean canShow(final Fault fault, final ContractCase c) {
		switch (fault) {
			case IGNORES_MASK: case NAN_UNDER_MASK: return c.weights() != null;
			case IGNORES_MISSING_PIXELS: case NAN_AT_MISSING_PIXELS: return c.present() != null;
			case WEIGHTS_AS_MASK: return c.weights() != null && Arrays.stream(c.weights()).anyMatch(w -> w != 0 && w != 1);
			case COUNTS_OVERLAP_UNWEIGHTED: return c.weights() != null && c.partial();
			case WHOLE_SUMS_IN_OVERLAP: case IGNORES_MIN_OVERLAP: return c.partial();
			default: return true;
		}
	}

	@Test
	void aStoppedRunGoesOn(@TempDir final Path folder) throws Throwable {
		final Path file = folder.resolve("done.txt");
		final List<Check> checks = List.of(new Check("right", () -> {}), new Check("wrong", () -> fail("as it must")));
		final List<String> first = new ArrayList<>();
		for (final DynamicNode node : new ContractProgress("progress", file).checks("container", checks).getChildren().toList()) {
			first.add(node.getDisplayName());
			final Executable body = ((DynamicTest) node).getExecutable();
			if (node.getDisplayName().equals("wrong")) assertThrows(AssertionError.class, body);
			else body.execute();
		}
		assertEquals(List.of("right", "wrong"), first);
		final ContractProgress second = new ContractProgress("progress", file);
		assertEquals(List.of("wrong"), second.checks("container", checks).getChildren().map(DynamicNode::getDisplayName).toList());
		assertEquals(2, second.checks("another container", checks).getChildren().count(), "the container belongs to the name");
	}

	@Test
	void casesHaveUniqueNamesLegalValuesAndAllPairsOfTypes() {
		final List<ContractCase> cases = ContractCases.all();
		assertEquals(cases.size(), cases.stream().map(ContractCase::name).collect(Collectors.toSet()).size(), "names are unique");
		final Map<PixelType, Set<PixelType>> pairs = new EnumMap<>(PixelType.class);
		for (final ContractCase c : cases) {
			// both constructors reject values that the type cannot hold
			AlgorithmContract.pixels(c);
			final double[] counted = c.template().clone();
			for (int i = 0; i < counted.length; i++)
				if (c.weights() != null && c.weights()[i] == 0) counted[i] = 0;
			new ArrayPixels(c.templateType(), c.templateSize(), counted);
			c.problem();
			assertTrue(c.weights() == null || Arrays.stream(c.weights()).allMatch(w -> w >= 0 && w <= Double.MAX_VALUE), c.name());
			pairs.computeIfAbsent(c.imageType(), t -> EnumSet.noneOf(PixelType.class)).add(c.templateType());
		}
		for (final PixelType type : PixelType.values()) assertEquals(PixelType.values().length, pairs.get(type).size(), "pairs with " + type);
	}

	@Test
	void noCaseDependsOnOthers() {
		final Map<String, ContractCase> cases = ContractCases.all().stream().collect(Collectors.toMap(ContractCase::name, c -> c));
		int same = 0;
		for (final ContractCase c : ContractCases.madeInReverse()) {
			final ContractCase other = cases.get(c.name());
			// cases of one name are numbered in the order in which they are made
			if (other == null || c.name().contains("number") || cases.containsKey(c.name() + ", number 2")) continue;
			assertArrayEquals(other.image(), c.image(), c.name());
			assertArrayEquals(other.template(), c.template(), c.name());
			assertArrayEquals(other.weights(), c.weights(), c.name());
			same++;
		}
		assertTrue(same > 0.9 * cases.size(), same + " of " + cases.size());
	}
}
