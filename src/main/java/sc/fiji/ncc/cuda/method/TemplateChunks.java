package sc.fiji.ncc.cuda.method;

import java.util.Arrays;

/** A template or kernel in the order of {@code products.cuh}: chunks of 16 rows by 32 columns, along x, then y, then z. */
final class TemplateChunks {

	static final int X = 32, Y = 16;

	private TemplateChunks() {}

	/** The index of the coefficient for each place of all chunks; -1 outside the template. */
	static int[] places(final int width, final int height, final int depth) {
		final int[] places = new int[Math.multiplyExact((width + X - 1) / X * ((height + Y - 1) / Y) * X * Y, depth)];
		Arrays.fill(places, -1);
		int o = 0;
		for (int z = 0; z < depth; z++)
			for (int y = 0; y < height; y += Y)
				for (int x = 0; x < width; x += X, o += X * Y)
					for (int j = 0; j < Y && y + j < height; j++)
						for (int i = 0; i < X && x + i < width; i++) places[o + j * X + i] = (z * height + y + j) * width + x + i;
		return places;
	}

	static float[] of(final float[] coefficients, final int[] places) {
		final float[] chunks = new float[places.length];
		for (int i = 0; i < chunks.length; i++)
			if (places[i] >= 0) chunks[i] = coefficients[places[i]];
		return chunks;
	}

	static double[] of(final double[] coefficients, final int[] places) {
		final double[] chunks = new double[places.length];
		for (int i = 0; i < chunks.length; i++)
			if (places[i] >= 0) chunks[i] = coefficients[places[i]];
		return chunks;
	}
}
