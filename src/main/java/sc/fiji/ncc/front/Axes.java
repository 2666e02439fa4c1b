package sc.fiji.ncc.front;

/** The meaning of the dimensions of an image. A text has one letter for each: x, y, then those of c (channels), z (slices) and t (frames) that are longer than 1. */
public final class Axes {

	private Axes() {}

	/**
	 * The index of the third spatial dimension of an image, along which a template of three dimensions moves: z, or else the only dimension after x and y.
	 *
	 * @param axes the axes of the image
	 * @param name the image, for messages
	 * @throws IllegalArgumentException if there is no such dimension, or it is ambiguous
	 */
	public static int third(final String axes, final String name) {
		if (axes.length() < 3)
			throw new IllegalArgumentException(name + " is a single plane, and three dimensions need a stack: give a template or a region of two dimensions");
		final int z = axes.indexOf('z');
		if (z < 0 && axes.length() > 3)
			throw new IllegalArgumentException(name + " (" + axes + ") has no slices, so its third spatial dimension is ambiguous: "
				+ "make one of them slices (in ImageJ: Image > Properties...), or give a template or a region of two dimensions");
		return z < 0 ? 2 : z;
	}

	/**
	 * Refuses a template whose third dimension does not exist in the image.
	 *
	 * @param template the axes of the template
	 * @param image the axes of the image
	 * @param name the template, for messages
	 * @throws IllegalArgumentException if the template has more than three dimensions, or channels or frames where the image has slices
	 */
	public static void requireSameSpace(final String template, final String image, final String name) {
		if (template.length() > 3)
			throw new IllegalArgumentException(name + " (" + template + ") must have two or three dimensions: choose a single channel and frame of it (in ImageJ: Image > Duplicate...)");
		if (template.length() == 3 && template.charAt(2) != 'z' && image.indexOf('z') >= 0)
			throw new IllegalArgumentException("the third dimension of " + name + " is " + (template.charAt(2) == 'c' ? "channels" : "frames")
				+ ", and that of the image is slices: choose a single one of them, or make them slices (in ImageJ: Image > Properties...)");
	}
}
