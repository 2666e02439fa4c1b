package sc.fiji.ncc.planner;

import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;

import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Resampling;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.resample.Block;
import sc.fiji.ncc.plan.resample.ResamplePlan;
import sc.fiji.ncc.plan.resample.Sampler;
import sc.fiji.ncc.plan.support.Boxes;

/** A frame of noise that moves by a part of a pixel. Many frames are replaced by one. */
final class ResampleWorkload extends Workload<Resampling, ResamplePlan, Sampler> {

	/** The part of a pixel. */
	private static final double FRACTION = 0.3;

	/** The distance of the nodes of a field, and how many there are besides. */
	private static final int SPACING = 32, NODES = 9;

	/** Small and large pixels, few, many and all neighbours, deformed frames, and a volume. */
	static final Kind<Resampling> KIND = new Kind<>(Resampling.class, (problem, most) -> problem.of(1), ResampleWorkload::new, List.of(
		resampling(PixelType.U16, 2, 400, 400), resampling(PixelType.U16, 6, 400, 400), resampling(PixelType.F32, 4, 300, 300),
		resampling(PixelType.U8, 6, 300, 300,
			1), resampling(PixelType.U16, 0, 256, 256),
			deformed(2, 256, 256), deformed(6, 256, 256)),
			List.of(resampling(PixelType.U16, 4, 2000, 2000), resampling(PixelType.F32, 0, 1000, 1000),
				deformed(6, 1000, 1000)));

	private static Resampling resampling(final PixelType type, final int neighbours, final long... frame) {
		return new Resampling(type, Size.of(frame), neighbours, false, 1);
	}

	private static Resampling deformed(final int neighbours, final long... frame) {
		return new Resampling(PixelType.U16, Size.of(frame), neighbours, true, 1);
	}

	private final Block block;

	private ResampleWorkload(final Resampling whole, final Resampling measured) {
		super(whole, measured, ResamplePlan.class);
		final Size read = measured.read(Sampler.MARGIN);
		final int n = read.dimensions();
		final int[] extents = read.toIntArray();
		final double[] fraction = new double[n];
		Arrays.fill(fraction, FRACTION);
		final double[][] weights = measured.neighbours() == 0 ? null : new double[n][measured.neighbours()];
		if (weights != null) for (final double[] w : weights) Arrays.fill(w, 1.0 / w.length);
		final Buffer pixels = measured.image().allocate(Math.toIntExact(read.pixels()));
		new RandomPixels(measured.image(), read, 1, 1, 1, false).read(new long[n], extents, pixels);
		final int[] size = measured.frame().toIntArray();
		block = !measured.deformed() ? new Block.Shifted(measured.image(), pixels.clear(), extents, size, weights, fraction)
			: new Block.Deformed(measured.image(),
			pixels.clear(), extents, size, new Block.Place(new long[n], new long[n], read.toArray(), fraction), field(size),
			neighbours(measured.neighbours()));
	}

	/** A field without a motion. */
	private static Block.Field field(final int[] size) {
		final int[] nodes = Arrays.stream(size).map(s -> s / SPACING + NODES).toArray();
		final double[] spacing = new double[nodes.length];
		Arrays.fill(spacing, SPACING);
		return new Block.Field(nodes, new double[nodes.length], spacing, new double[nodes.length][Boxes.pixels(nodes)]);
	}

	/** The mean of all of them. */
	private static Block.Neighbours neighbours(final int count) {
		final double[] weights = new double[count * Block.Neighbours.FRACTIONS];
		Arrays.fill(weights, 1.0 / count);
		return new Block.Neighbours(count, weights, true, 0);
	}

	@Override
	Sampler prepare(final ResamplePlan plan) {
		return plan.prepare();
	}

	@Override
	void run(final Sampler execution, final Monitor monitor) {
		monitor.requireNotCanceled();
		execution.sample(block);
	}
}
