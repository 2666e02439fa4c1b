package sc.fiji.ncc.command;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.Axes;

/**
 * An image as the ops take it, with the dimensions of the template (or kernel) in front, and the way back.
 *
 * @param pixels the image; its third dimension in space in the third place, if {@code third} is another
 * @param axes of {@code pixels}, see {@link Axes}
 * @param third the place of that dimension in the image itself
 */
record OrientedImage(RandomAccessibleInterval<?> pixels, String axes, int third) {

	/**
	 * @param dimensions of the templates
	 * @throws IllegalArgumentException if the image has no third dimension in space, and the template has
	 */
	static OrientedImage of(final ImageInput image, final int dimensions) {
		final Img<?> pixels = image.pixels();
		final String axes = image.axes();
		if (dimensions < 3) return new OrientedImage(pixels, axes, 2);
		final int third = Axes.third(axes, "The image '" + image.name() + "'");
		final String moved = new StringBuilder(axes).deleteCharAt(third).insert(2, axes.charAt(third)).toString();
		return new OrientedImage(third == 2 ? pixels : Views.moveAxis(pixels, third, 2), moved, third);
	}

	/** A map over {@link #pixels} as one over the image. */
	<T extends NativeType<T> & RealType<T>> Img<T> back(final Img<T> map) {
		return third == 2 ? map : ImgView.wrap(Views.moveAxis(map, 2, third), new PlanarImgFactory<>(map.getType().createVariable()));
	}

	/** A place in {@link #pixels} that is 0 beyond the third dimension, as one in the image. */
	long[] back(final long[] origin) {
		if (third == 2) return origin;
		final long[] own = origin.clone();
		own[third] = origin[2];
		own[2] = 0;
		return own;
	}
}
