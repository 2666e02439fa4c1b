package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.UnopenedGpu;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Lags;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Problem;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Weights;

/** The fit on simulated processors and GPUs: their true constants are known, and the models predict their times but for stated errors. */
class CostFitTest {

	private static final int SEEDS = 6;
	/** The share of the time from which on a constant decides a prediction. */
	private static final double DECIDES = 0.5;
	/** An algorithm that takes more than this many times as long as the fastest one is of no use. */
	private static final double SLOW = 4;
	/** The factors of a prediction after runs that were too slow: the largest beyond that of the slowest run, and the smallest. */
	private static final double LONGER = 1.1, SHORTER = 0.7;
	/** The standard deviation of noise, as a logarithm. */
	private static final double NOISE = 0.05;

	/** A run of the calibration with simulated times. */
	private record Simulated(CostCalibration.Run run, double seconds, double frameSeconds) implements CostFit.Timed {

		@Override
		public Cost cost(final Device device) {
			return run.cost(device);
		}

		@Override
		public boolean isCold() {
			return false;
		}
	}

	/** A prediction for a problem that the calibration does not run. */
	private record Prediction(Algorithm<?> algorithm, Correlation problem) {

		double seconds(final Device device) {
			return algorithm.planAny(problem, device).cost().seconds();
		}
	}

	/** A device with the runs of its calibration, and with other problems for its useful algorithms. */
	private static final class Machine {

		final Device device;
		final List<String> names;
		final List<CostCalibration.Run> runs;
		final List<Prediction> others = new ArrayList<>();

		Machine(final Backend backend) {
			device = backend.devices().get(0);
			final SortedMap<String, Double> shipped = new TreeMap<>();
			runs = CostCalibration.runs(device, backend, shipped, () -> 0);
			names = List.copyOf(shipped.keySet());
			for (final int frames : new int[] { 1, 64 })
				for (final Result result : List.of(Result.MAP, Result.PEAKS, Result.BEST))
					for (final PixelType type : List.of(PixelType.U8, PixelType.F32))
						for (final long side : new long[] { 512, 1500 })
							for (final long template : new long[] { 10, 48, 160 }) add(problem(type, side, template, result, frames), backend);
		}

		private void add(final Correlation p, final Backend backend) {
			final List<Prediction> all = new ArrayList<>();
			for (final Algorithm<?> a : backend.algorithms()) if (a.refuses(p, device).isEmpty()) all.add(new Prediction(a, p));
			final double least = all.stream().mapToDouble(o -> o.seconds(device)).min().orElseThrow();
			all.stream().filter(o -> o.seconds(device) <= SLOW * least).forEach(others::add);
		}

		private static Correlation problem(final PixelType type, final long side, final long template, final Result result, final int frames) {
			final List<Size> templates = Collections.nCopies(result == Result.BEST ? 4 : 1, Size.of(template, template));
			final Correlation maps = Problems.correlation(type, type, Size.of(side, side), templates, Weights.NONE,
				Lags.inside(Size.of(side - template + 1, side - template + 1)), frames);
			return new Correlation(maps.windows(), maps.weights(), 1, result);
		}

		Device with(final double[] logFactors) {
			return device.with(CostFit.scaled(names, logFactors));
		}

		/** The share of constant {@code k} in a predicted time. */
		double share(final ToDoubleFunction<Device> seconds, final int k) {
			final double step = 0.01;
			final double[] logFactors = new double[names.size()];
			logFactors[k] = step;
			return Math.log(seconds.applyAsDouble(with(logFactors)) / seconds.applyAsDouble(device)) / step;
		}

		/** The largest share of constant {@code k} in the times of runs and of their frames. */
		double share(final int k) {
			return runs.stream().mapToDouble(r -> Math.max(share(d -> r.cost(d).seconds(), k), share(d -> r.cost(d).frameSeconds(), k))).max()
				.orElseThrow();
		}

		/** The fit to the times of a machine with these true constants. @param slowness how many times as long a run takes, but for noise */
		double[] fit(final double[] truth, final Random random, final ToDoubleFunction<CostCalibration.Run> slowness) {
			final List<Simulated> times = new ArrayList<>();
			for (final CostCalibration.Run r : runs) {
				final Cost cost = r.cost(with(truth));
				final double factor = slowness.applyAsDouble(r) * Math.exp(NOISE * random.nextGaussian());
				times.add(new Simulated(r, factor * cost.seconds(), factor * cost.frameSeconds()));
			}
			return CostFit.logFactors(device, times, names);
		}
	}

	private static void onEach(final Consumer<Machine> test) {
		test.accept(new Machine(new CpuBackend(2)));
		try (UnopenedGpu gpu = new UnopenedGpu()) {
			test.accept(new Machine(new CudaBackend()));
		}
	}

	/** What decides a prediction decides the time of a run, too. */
	@Test
	void eachConstantDecidesARun() {
		onEach(m -> {
			int deciding = 0;
			for (int k = 0; k < m.names.size(); k++) {
				final int constant = k;
				if (m.others.stream().noneMatch(o -> m.share(o::seconds, constant) >= DECIDES)) continue;
				deciding++;
				assertTrue(m.share(k) >= DECIDES, m.names.get(k) + ": at most " + m.share(k) + " of the time of a run");
			}
			assertTrue(deciding > 3, deciding + " constants");
		});
	}

	/**
	 * Some runs take up to twice as long as they should, all those on a problem alike: those on small problems, or all. Then no prediction for
	 * another problem is off by much more.
	 */
	@Test
	void slowRunsDoNotSpoilPredictions() {
		final double small = 1e-3, most = 2, least = 1.3;
		onEach(m -> {
			for (int seed = 0; seed < SEEDS; seed++)
				for (final boolean all : new boolean[] { false, true }) {
					final Random random = new Random(seed);
					final Map<Problem, Double> slowness = new HashMap<>();
					final Device fitted = m.with(m.fit(new double[m.names.size()], random, r -> slowness.computeIfAbsent(r.problem(), p -> all
						? 1 + random.nextDouble() * (most - 1) : r.cost(m.device).seconds() < small ? least + random.nextDouble() * (most - least) : 1)));
					for (final Prediction o : m.others) {
						final double factor = o.seconds(fitted) / o.seconds(m.device);
						assertTrue(factor < LONGER * most && factor > SHORTER, factor + " times the true time: " + o.algorithm.id() + ", " + o.problem);
					}
				}
		});
	}

	/**
	 * A machine that is up to three times slower, with constants that differ by factors of their own. Those that matter together are less
	 * certain than their sum.
	 */
	@Test
	void theConstantsOfAnotherMachineAreFound() {
		onEach(m -> {
			for (int seed = 0; seed < SEEDS; seed++) {
				final Random random = new Random(seed);
				final double[] truth = new double[m.names.size()];
				final double machine = 0.7 * random.nextGaussian();
				for (int k = 0; k < truth.length; k++) truth[k] = machine + 0.4 * random.nextGaussian();
				final double[] fitted = m.fit(truth, random, r -> 1);
				for (int k = 0; k < truth.length; k++)
					if (m.share(k) >= DECIDES) assertEquals(0, fitted[k] - truth[k], Math.log(2.5), m.names.get(k));
				for (final Prediction o : m.others)
					assertEquals(0, Math.log(o.seconds(m.with(fitted)) / o.seconds(m.with(truth))), Math.log(1.35), o::toString);
			}
		});
	}
}
