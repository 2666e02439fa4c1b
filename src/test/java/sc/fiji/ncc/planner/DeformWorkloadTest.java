package sc.fiji.ncc.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cpu.deform.DeformedCells;
import sc.fiji.ncc.plan.Cost;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;

/** What the planner times of deformations is what the costs of their plans mean. */
class DeformWorkloadTest {

	private static final Deformations PROBLEM = new Deformations(Size.of(64, 64), Size.of(32, 32), 12);

	/** Costs divide the time of a frame by the threads, each of which has a frame. Timed on all threads, it would be divided twice. */
	@Test
	void oneThreadFitsTheFrameThatIsTimed() {
		final List<Integer> threads = new ArrayList<>();
		Kind.workload(PROBLEM, Long.MAX_VALUE).time(new DeformPlan() {

			@Override
			public Cost cost() {
				return new Cost(0, 0, 0, 0);
			}

			@Override
			public DeformExecution prepare(final int number) {
				threads.add(number);
				return new DeformedCells(PROBLEM.of(1), number);
			}
		}, System::nanoTime, Monitor.NONE);
		assertEquals(List.of(1), threads);
	}

	@Test
	void threadsShareFramesAndNotAFrame() {
		assertEquals(seconds(PROBLEM, 1), 4 * seconds(PROBLEM, 4), 1e-12);
		assertEquals(seconds(PROBLEM.of(1), 1), seconds(PROBLEM.of(1), 4), 1e-12);
	}

	private static double seconds(final Deformations problem, final int threads) {
		final CpuBackend cpu = new CpuBackend(threads);
		final Plan plan = cpu.algorithms().stream().filter(a -> a.id().equals("cpu-deform")).findFirst().orElseThrow().planAny(problem, cpu.devices().get(0));
		return plan.cost().seconds();
	}
}
