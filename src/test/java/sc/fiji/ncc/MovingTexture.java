package sc.fiji.ncc;

import java.util.Arrays;
import java.util.Random;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

/** Frames of a texture that moves by known amounts, whole or not: waves of 6 to 30 pixels' length in many directions. */
final class MovingTexture {

	private static final int WAVES = 24;

	private final int dimensions;
	private final double[][] waves = new double[WAVES][];

	/** @param dimensions of a frame */
	MovingTexture(final int dimensions, final long seed) {
		this.dimensions = dimensions;
		final Random random = new Random(seed);
		for (int w = 0; w < WAVES; w++) {
			final double[] wave = new double[dimensions + 1];
			double norm = 0;
			for (int d = 0; d < dimensions; d++) norm += Math.pow(wave[d] = random.nextGaussian(), 2);
			final double length = 6 + 24 * random.nextDouble();
			for (int d = 0; d < dimensions; d++) wave[d] *= 2 * Math.PI / length / Math.sqrt(norm);
			wave[dimensions] = 2 * Math.PI * random.nextDouble();
			waves[w] = wave;
		}
	}

	/** The texture at a place: of mean 0 and a standard deviation of about 1. */
	double at(final double... place) {
		double sum = 0;
		for (final double[] wave : waves) {
			double phase = wave[dimensions];
			for (int d = 0; d < dimensions; d++) phase += wave[d] * place[d];
			sum += Math.cos(phase);
		}
		return sum * Math.sqrt(2.0 / WAVES);
	}

	/**
	 * A stack, its frames along the last dimension.
	 *
	 * @param shifts where the texture's origin lies in each frame
	 * @param size of a frame
	 * @param mean, contrast of the pixels: {@code mean + contrast·texture}
	 * @param noise its standard deviation
	 */
	<T extends RealType<T> & NativeType<T>> RandomAccessibleInterval<T> stack(final T type, final double[][] shifts, final long[] size, final double mean,
		final double contrast, final double noise)
	{
		final long[] all = Arrays.copyOf(size, dimensions + 1);
		all[dimensions] = shifts.length;
		final RandomAccessibleInterval<T> stack = new ArrayImgFactory<>(type).create(all);
		final Cursor<T> c = Views.flatIterable(stack).localizingCursor();
		final Random random = new Random(5);
		final double[] place = new double[dimensions];
		while (c.hasNext()) {
			c.fwd();
			final double[] shift = shifts[c.getIntPosition(dimensions)];
			for (int d = 0; d < dimensions; d++) place[d] = c.getIntPosition(d) - shift[d];
			final double v = mean + contrast * at(place) + (noise == 0 ? 0 : noise * random.nextGaussian());
			c.get().setReal(type instanceof FloatType ? v : Math.max(type.getMinValue(), Math.min(type.getMaxValue(), Math.rint(v))));
		}
		return stack;
	}
}
