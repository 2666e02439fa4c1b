package sc.fiji.ncc.cpu.deform;

import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.image.BoxMeans;
import sc.fiji.ncc.image.DeformedFrame;
import sc.fiji.ncc.image.FrameSpline;
import sc.fiji.ncc.numeric.GridSpline;
import sc.fiji.ncc.plan.Deformations;
import sc.fiji.ncc.plan.deform.DeformExecution;
import sc.fiji.ncc.plan.deform.DeformReference;
import sc.fiji.ncc.plan.deform.Level;
import sc.fiji.ncc.plan.support.Parallel;

/** Frames deformed by cubic B-splines, and {@link CellSums} of them. */
public final class DeformedCells implements DeformExecution {

	private final Deformations problem;
	private final List<Level> levels;
	private final Parallel parallel;
	private final CellSums[] cells;
	/** A deformed frame of each level. */
	private final float[][] deformed;
	/** The values of the frame at each level, and the splines through them: null until they are needed. */
	private final float[][] values;
	private final DeformedFrame[] splines;

	/** The reference at all levels. */
	private record Prepared(CellSums.Reference[] levels) {}

	public DeformedCells(final Deformations problem, final int threads) {
		this.problem = problem;
		levels = Level.of(problem);
		parallel = new Parallel(threads);
		final int n = levels.size();
		cells = new CellSums[n];
		deformed = new float[n][];
		values = new float[n][];
		splines = new DeformedFrame[n];
	}

	private CellSums cells(final int level) {
		if (cells[level] == null) cells[level] = new CellSums(levels.get(level).area().toIntArray(), levels.get(level).cuts(), parallel);
		return cells[level];
	}

	@Override
	public void frame(final float[] frame, final boolean coarse) {
		Arrays.fill(splines, null);
		Arrays.fill(values, null);
		final int whole = levels.size() - 2;
		values[whole] = frame;
		if (!coarse) return;
		final int[] size = problem.frame().toIntArray();
		for (int l = whole - 1; l >= 0; l--) values[l] = means(values[l + 1], size, levels.get(l + 1), levels.get(l));
		values[whole + 1] = means(values[0], size, levels.get(0), levels.get(whole + 1));
	}

	private float[] means(final float[] finer, final int[] size, final Level from, final Level to) {
		final int[] ratio = to.box(), before = from.box();
		for (int d = 0; d < ratio.length; d++) ratio[d] /= before[d];
		return Arrays.stream(ratio).allMatch(r -> r == 1) ? finer.clone() : BoxMeans.of(finer, BoxMeans.extents(size, before), ratio, parallel);
	}

	@Override
	public float[] deformed(final int level, final double[][] motion) {
		return by(level, motion, new float[Math.toIntExact(levels.get(level).area().pixels())]);
	}

	private float[] by(final int l, final double[][] motion, final float[] to) {
		final Level level = levels.get(l);
		if (splines[l] == null) splines[l] = new DeformedFrame(FrameSpline.cubic(values[l], level.frame(), parallel), parallel);
		return splines[l].by(new GridSpline(level.count(), level.origin(), level.distances(), level.inFrame(motion)),
			level.area().toIntArray(), to);
	}

	@Override
	public double[][] sums(final int level, final DeformReference reference, final double[][] motion, final boolean exact) {
		if (deformed[level] == null) deformed[level] = new float[Math.toIntExact(levels.get(level).area().pixels())];
		final CellSums.Reference prepared = reference.prepared(Prepared.class, () -> {
			final CellSums.Reference[] all = new CellSums.Reference[levels.size() - 1];
			for (int l = 0; l < all.length; l++) all[l] = cells(l).reference(reference.values(l), reference.several() || l < all.length - 1);
			return new Prepared(all);
		}).levels[level];
		return cells(level).sums(prepared, by(level, motion, deformed[level]), exact, null);
	}

	@Override
	public void close() {
		parallel.close();
	}
}
