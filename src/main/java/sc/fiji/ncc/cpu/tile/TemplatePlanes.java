package sc.fiji.ncc.cpu.tile;

import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/** The planes of a template along x and y, and the place of each in the further dimensions. */
public final class TemplatePlanes {

	public final Size size;
	public final int width, height, count;
	/** The place of each plane, in all dimensions; 0 along x and y. */
	public final long[][] places;

	public TemplatePlanes(final Size size) {
		this.size = size;
		width = Math.toIntExact(size.get(0));
		height = Math.toIntExact(size.get(1));
		count = Math.toIntExact(size.pixels() / ((long) width * height));
		places = new long[count][size.dimensions()];
		for (int p = 0; p < count; p++)
			for (int d = 2, i = p; d < size.dimensions(); d++) {
				places[p][d] = i % size.get(d);
				i /= (int) size.get(d);
			}
	}

	/** The number of pixels of positive weight in each channel. */
	public static long weight(final Template t) {
		long n = 0;
		for (int i = 0; i < t.values().length / t.channels(); i++)
			if (t.weight(i) > 0) n++;
		return n;
	}

	/** The planes of one or several channels, channel after channel. */
	public double[][] cut(final double[] values) {
		final double[][] planes = new double[values.length / (width * height)][width * height];
		for (int p = 0; p < planes.length; p++) System.arraycopy(values, p * width * height, planes[p], 0, width * height);
		return planes;
	}

	/** The same for floats. */
	public float[][] cut(final float[] values) {
		final float[][] planes = new float[values.length / (width * height)][width * height];
		for (int p = 0; p < planes.length; p++) System.arraycopy(values, p * width * height, planes[p], 0, width * height);
		return planes;
	}
}
