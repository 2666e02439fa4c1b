package sc.fiji.ncc.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.contract.AlgorithmContract;
import sc.fiji.ncc.contract.ArraySink;
import sc.fiji.ncc.contract.ContractCase;
import sc.fiji.ncc.contract.ContractCases;
import sc.fiji.ncc.fixture.DelegatingAlgorithm;
import sc.fiji.ncc.fixture.FakeDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.SlidingPlan;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding;

/** One problem on several equal devices. Here: three devices of one thread each. */
class MultiDevicePlanTest {

	private static final int DEVICES = 3;

	/** A CPU algorithm on three devices. */
	private static final class OnSeveralDevices extends DelegatingAlgorithm {

		OnSeveralDevices(final SlidingAlgorithm<Correlation> algorithm) {
			super(algorithm);
		}

		@Override
		public SlidingPlan plan(final Correlation problem, final Device device) {
			final List<SlidingPlan> plans = new ArrayList<>();
			for (int i = 0; i < DEVICES; i++) plans.add(algorithm.plan(problem, device));
			return new MultiDevicePlan(problem, plans, plans.get(0).cost());
		}
	}

	private static Backend cpu() {
		return Backends.all(1).stream().filter(b -> b.id().equals("cpu")).findFirst().orElseThrow();
	}

	private static SlidingAlgorithm<Correlation> onSeveralDevices(final String id) {
		return new OnSeveralDevices(Problems.correlation(cpu(), id));
	}

	@TestFactory
	List<DynamicNode> contract() {
		final Device device = cpu().devices().get(0);
		final List<DynamicNode> nodes = new ArrayList<>();
		for (final String id : List.of("cpu-direct-exact", "cpu-fourier")) {
			final SlidingAlgorithm<Correlation> a = onSeveralDevices(id);
			final List<ContractCase> all = ContractCases.all();
			final List<ContractCase> some = IntStream.range(0, all.size()).filter(i -> i % 97 == 0).mapToObj(all::get).toList();
			nodes.add(dynamicContainer(id, new AlgorithmContract(a, device, a, device, Precision.SINGLE).checks(some, ContractCases.banks().subList(0, 1)).stream()
				.map(check -> dynamicTest(check.name(), check.body()))));
		}
		return nodes;
	}

	private static ContractCase image() {
		return ContractCases.all().stream().filter(c -> c.imageType().exact() && c.templateType().exact() && c.count().length == 2 && c.weights() == null && !c.problem().lags().partial() && c.lags() > 300)
			.findFirst().orElseThrow();
	}

	/** One device computes a whole frame. */
	@Test
	void eachFrameGoesToTheDeviceWithTheFewestFrames() {
		final ContractCase c = image();
		final Sliding one = c.problem(), many = one.with(one.windows().part(one.lags().count(), 100));
		final int frames = 11;
		final List<ArraySink> sinks = new ArrayList<>();
		try (Execution several = onSeveralDevices("cpu-direct-exact").planAny(many, cpu().devices().get(0)).prepare(List.of(c.templateCopy()))) {
			assertEquals(DEVICES * 2, several.depth());
			final List<CompletableFuture<Report>> flying = new ArrayList<>();
			for (int f = 0; f < frames; f++) {
				sinks.add(new ArraySink(Float.NaN, 1, c.count()));
				flying.add(several.submit(AlgorithmContract.pixels(c), c.lagBox(), sinks.get(f), Monitor.NONE));
			}
			for (final CompletableFuture<Report> f : flying) assertEquals(c.lags(), f.join().responses());
		}
		final ArraySink alone = new ArraySink(Float.NaN, 1, c.count());
		try (Execution single = Problems.correlation(cpu(), "cpu-direct-exact")
			.planAny(one, cpu().devices().get(0)).prepare(List.of(c.templateCopy()))) {
			assertEquals(c.lags(), AlgorithmContract.await(single.submit(AlgorithmContract.pixels(c), c.lagBox(), alone, Monitor.NONE)).responses());
		}
		for (final ArraySink s : sinks) assertArrayEquals(alone.complete(0), s.complete(0));
	}

	/** The submission fails, whether the device fails early or late. Closing leaves nothing open. */
	@Test
	void oneFailingDeviceFailsTheSubmission() throws Exception {
		final ContractCase c = image();
		final FakeDevice good = new FakeDevice(), bad = new FakeDevice();
		final MultiDevicePlan several = new MultiDevicePlan(c.problem(), List.of(plan(good, c), plan(bad, c)), new Cost(0, 0, 0, 0));
		bad.failLaunch = 1;
		try (Execution execution = several.prepare(List.of(c.templateCopy()))) {
			final ArraySink first = new ArraySink(Float.NaN, 1, c.count());
			execution.submit(AlgorithmContract.pixels(c), c.lagBox(), first, Monitor.NONE).get(1, TimeUnit.MINUTES);
			first.complete(0);
			final CompletableFuture<Report> second = execution.submit(AlgorithmContract.pixels(c), c.lagBox(), new ArraySink(Float.NaN, 1, c.count()), Monitor.NONE);
			assertInstanceOf(DeviceException.class, assertThrows(CompletionException.class, second::join).getCause());
		}
		assertEquals(2, good.submissions.get());
		assertEquals(0, good.open.get() + bad.open.get());
		bad.failAllocation = true;
		assertThrows(DeviceException.class, () -> several.prepare(List.of(c.templateCopy())));
		assertEquals(0, good.open.get() + bad.open.get());
	}

	/** The caller may use the sink again. */
	@Test
	void nothingIsInFlightAfterAFullHeap() {
		final ContractCase c = image();
		final FakeDevice good = new FakeDevice(), bad = new FakeDevice();
		good.latency = 100;
		bad.heapIsFullAt = 0;
		try (Execution execution = new MultiDevicePlan(c.problem(), List.of(plan(good, c), plan(bad, c)), new Cost(0, 0, 0, 0)).prepare(List.of(c.templateCopy()))) {
			assertThrows(OutOfMemoryError.class, () -> execution.submit(AlgorithmContract.pixels(c), c.lagBox(), new ArraySink(Float.NaN, 1, c.count()), Monitor.NONE));
			assertEquals(1, good.completed.get());
			assertEquals(0, good.inFlight.get());
		}
	}

	@Test
	void allAreClosedIfOneCannotBePreparedAndOneCannotBeClosed() {
		final ContractCase c = image();
		final FakeDevice stubborn = new FakeDevice(), good = new FakeDevice(), bad = new FakeDevice();
		stubborn.failClose = true;
		bad.failAllocation = true;
		final MultiDevicePlan several = new MultiDevicePlan(c.problem(), List.of(plan(stubborn, c), plan(good, c), plan(bad, c)), new Cost(0, 0, 0, 0));
		assertEquals("out of device memory", assertThrows(DeviceException.class, () -> several.prepare(List.of(c.templateCopy()))).getMessage());
		assertEquals(0, stubborn.open.get() + good.open.get());
	}

	private static SlidingPlan plan(final FakeDevice device, final ContractCase c) {
		return Problems.correlations(device).get(0).planAny(c.problem(), device.devices().get(0));
	}
}
