package sc.fiji.ncc.front;

/** What the dimensions of an image from ImageJ mean: one letter each, x, y, then those of c, z, t that have more than one position. */
public final class Axes {

	private Axes() {}

	/**
	 * The image's third dimension in space, which a template of three dimensions is moved along: z, or the only one there is beyond x and y.
	 *
	 * @param axes the image's
	 * @param name the image's, for messages
	 * @throws IllegalArgumentException if there is none, or several may be meant
	 */
	public static int third(final String axes, final String name) {
		if (axes.length() < 3)
			throw new IllegalArgumentException(name + " is a single plane: three dimensions need a stack, so give a template or a region of two");
		final int z = axes.indexOf('z');
		if (z < 0 && axes.length() > 3)
			throw new IllegalArgumentException(name + " (" + axes + ") has no slices, so its third dimension in space is not known: "
				+ "name one of them z (in ImageJ: Image > Properties...), or give a template or a region of two dimensions");
		return z < 0 ? 2 : z;
	}

	/**
	 * Refuses a template whose third dimension is no place along the image's.
	 *
	 * @param template the template's axes
	 * @param image the image's axes
	 */
	public static void requireSameSpace(final String template, final String image, final String name) {
		if (template.length() > 3)
			throw new IllegalArgumentException(name + " (" + template + ") must have two or three dimensions: choose a single channel and frame of it (in ImageJ: Image > Duplicate...)");
		if (template.length() == 3 && template.charAt(2) != 'z' && image.indexOf('z') >= 0)
			throw new IllegalArgumentException("the third dimension of " + name + " is " + (template.charAt(2) == 'c' ? "channels" : "frames")
				+ ", that of the image slices: choose a single one of them, or make them slices (in ImageJ: Image > Properties...)");
	}
}
