package sc.fiji.ncc.cpu.fourier;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.cpu.execution.CpuPool;
import sc.fiji.ncc.estimate.CoefficientNorms;
import sc.fiji.ncc.estimate.LineEnergies;

/** The spectrum of a template for a {@link WholeTransform}. Shared by all threads. */
public final class WholeTemplate {

	final WholeTransform transform;
	/** The spectra of even and odd rows. */
	final WholeTransform.Pair[] pairs;
	final LineEnergies energies;
	final CoefficientNorms norms;
	final int width, height;

	/** @param coefficients those of the zero-mean template, x fastest */
	WholeTemplate(final WholeTransform transform, final int width, final int height, final double[] coefficients, final int threads) {
		this.transform = transform;
		final WholeShape shape = transform.shape;
		final float[][] re = new float[shape.width][], im = new float[shape.width][];
		final Queue<WholeTransform.Memory> memories = new ConcurrentLinkedQueue<>();
		final WholeTransform.Source source = (y, x, n, to) -> {
			for (int i = 0; i < n; i++) to[i] = (float) coefficients[y * width + x + i];
		};
		final WholeTransform.Placed placed = new WholeTransform.Placed(source, width, height, 0, 0);
		CpuPool.each(threads, transform.strips(width), strip -> {
			final WholeTransform.Memory memory = take(memories, transform);
			transform.alongY(placed, strip, memory, re, im, null);
			memories.add(memory);
		});
		pairs = new WholeTransform.Pair[transform.pairs()];
		energies = transform.newEnergies();
		final float scale = (float) (0.5 / shape.points());
		CpuPool.each(threads, pairs.length, i -> {
			final WholeTransform.Memory memory = take(memories, transform);
			final WholeTransform.Pair pair = transform.newPair();
			transform.alongX(re, im, i, pair);
			transform.measure(pair, i, memory, energies);
			transform.separate(pair, i, scale, memory);
			pairs[i] = pair;
			memories.add(memory);
		});
		energies.finish();
		norms = CoefficientNorms.of(width, height, coefficients, threads);
		this.width = width;
		this.height = height;
	}

	/** The working memory of a thread. */
	static WholeTransform.Memory take(final Queue<WholeTransform.Memory> memories, final WholeTransform transform) {
		final WholeTransform.Memory memory = memories.poll();
		return memory == null ? transform.memory() : memory;
	}
}
