package sc.fiji.ncc.planner;

import java.util.List;
import java.util.Random;

import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformPlan;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.support.Boxes;

/** A frame of noise that is deformed and summed at all levels. Many frames are replaced by one. */
final class DeformWorkload extends Workload<Deformations, DeformPlan, DeformExecution> {

	/** The sums at each level of a fit: three in large boxes, and one in pixels. */
	private static final int PASSES = 3;

	/** A plane and a volume. */
	static final Kind<Deformations> KIND = new Kind<>(Deformations.class, (problem, most) -> problem.of(1), DeformWorkload::new, List.of(
		new Deformations(Size.of(256, 256), Size.of(64, 64), 1), new Deformations(Size.of(40, 40, 24), Size.of(16, 16, 12), 1)), List.of(
			new Deformations(Size.of(1024, 1024), Size.of(64, 64), 1)));

	private final float[] frame;
	private final DeformReference reference;
	private final double[][] motion;

	private DeformWorkload(final Deformations whole, final Deformations measured) {
		super(whole, measured, DeformPlan.class);
		final Random random = new Random(1);
		frame = noise(measured.frame(), random);
		final List<Level> levels = Level.of(measured);
		reference = new DeformReference(levels.stream().map(l -> noise(l.area(), random)).toArray(float[][]::new), true);
		motion = new double[measured.frame().dimensions()][Boxes.pixels(levels.get(0).count())];
	}

	private static float[] noise(final Size size, final Random random) {
		final float[] values = new float[Math.toIntExact(size.pixels())];
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat() - 0.5f;
		return values;
	}

	/** For one thread, as in a fit of many frames, where each thread has a frame of its own. The costs of plans count on it. */
	@Override
	DeformExecution prepare(final DeformPlan plan) {
		return plan.prepare(1);
	}

	@Override
	void run(final DeformExecution deform, final Monitor monitor) {
		deform.frame(frame.clone(), true);
		final int last = Level.of(measured).size() - 2;
		deform.deformed(last + 1, motion);
		for (int l = 0; l <= last; l++)
			for (int p = 0; p < (l < last ? PASSES : 1); p++) {
				monitor.requireNotCanceled();
				deform.sums(l, reference, motion, l == last);
			}
	}
}
