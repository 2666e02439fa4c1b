package sc.fiji.ncc.command.input;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgView;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.command.program.ImageInput;
import sc.fiji.ncc.front.Axes;
import sc.fiji.ncc.image.JointImage;

/**
 * An image whose first dimensions are those of the template or kernel. Converts maps back to the dimension order of the image.
 *
 * @param pixels the image; with a template of three dimensions, the third dimension is spatial
 * @param axes axes of {@code pixels}, see {@link Axes}
 * @param third index of the third spatial dimension in the original image
 */
public record OrientedImage(RandomAccessibleInterval<?> pixels, String axes, int third) {

	/**
	 * @param dimensions number of dimensions of the templates or the kernel
	 * @throws IllegalArgumentException if the template has a third spatial dimension and the image has none
	 */
	public static OrientedImage of(final ImageInput image, final int dimensions) {
		final RandomAccessibleInterval<?> pixels = image.pixels();
		final String axes = image.axes();
		if (dimensions < 3) return new OrientedImage(pixels, axes, 2);
		final int third = Axes.third(axes, "The image '" + image.name() + "'");
		final String moved = new StringBuilder(axes).deleteCharAt(third).insert(2, axes.charAt(third)).toString();
		return new OrientedImage(third == 2 ? pixels : JointImage.view(pixels, p -> Views.moveAxis(p, third, 2)), moved, third);
	}

	/** Moves the dimensions of a map over {@link #pixels} to the order of the original image. */
	public <T extends NativeType<T> & RealType<T>> Img<T> back(final Img<T> map) {
		return third == 2 ? map : ImgView.wrap(Views.moveAxis(map, 2, third), new PlanarImgFactory<>(map.getType().createVariable()));
	}

	/** Moves the coordinates of a position in {@link #pixels} to the order of the original image. Coordinates beyond the third are 0. */
	public long[] back(final long[] origin) {
		if (third == 2) return origin;
		final long[] original = origin.clone();
		original[third] = origin[2];
		original[2] = 0;
		return original;
	}
}
