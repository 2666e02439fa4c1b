package sc.fiji.ncc.cpu.fourier;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import sc.fiji.ncc.cpu.execution.CpuPool;
import sc.fiji.ncc.numeric.CoefficientNorms;

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
		final Queue<WholeTransform.Room> rooms = new ConcurrentLinkedQueue<>();
		final WholeTransform.Source source = (y, x, n, to) -> {
			for (int i = 0; i < n; i++) to[i] = (float) coefficients[y * width + x + i];
		};
		CpuPool.each(threads, transform.strips(width), strip -> {
			final WholeTransform.Room room = take(rooms, transform);
			transform.alongY(source, width, height, 0, 0, strip, room, re, im, null);
			rooms.add(room);
		});
		pairs = new WholeTransform.Pair[transform.pairs()];
		energies = transform.newEnergies();
		final float scale = (float) (0.5 / shape.points());
		CpuPool.each(threads, pairs.length, i -> {
			final WholeTransform.Room room = take(rooms, transform);
			final WholeTransform.Pair pair = transform.newPair();
			transform.alongX(re, im, i, pair);
			transform.measure(pair, i, room, energies);
			transform.separate(pair, i, scale, room);
			pairs[i] = pair;
			rooms.add(room);
		});
		energies.finish();
		norms = CoefficientNorms.of(width, height, coefficients, threads);
		this.width = width;
		this.height = height;
	}

	/** The working memory of a thread. */
	static WholeTransform.Room take(final Queue<WholeTransform.Room> rooms, final WholeTransform transform) {
		final WholeTransform.Room room = rooms.poll();
		return room == null ? transform.room() : room;
	}
}
