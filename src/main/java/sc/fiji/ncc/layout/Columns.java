package sc.fiji.ncc.layout;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.image.MissingPixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Template;

/**
 * An image of one column is computed as an image of one row, because loops run along rows. Both have the same pixels in the same order, and so have
 * templates and maps: only x and y are swapped.
 */
public final class Columns {

	private Columns() {}

	/** Whether an image and a template have one column, and the image several rows. */
	public static boolean are(final long[] image, final long[] template) {
		return image.length > 1 && image[0] == 1 && image[1] > 1 && template[0] == 1;
	}

	/** A position or extents with x and y swapped. */
	public static long[] turned(final long[] a) {
		final long[] b = a.clone();
		b[0] = a[1];
		b[1] = a[0];
		return b;
	}

	/** A position or extents with x and y swapped. */
	public static int[] turned(final int[] a) {
		final int[] b = a.clone();
		b[0] = a[1];
		b[1] = a[0];
		return b;
	}

	/** Extents with x and y swapped. */
	public static Size turned(final Size size) {
		return Size.of(turned(size.toArray()));
	}

	/** A template with x and y swapped. */
	public static Template turned(final Template t) {
		return new Template(turned(t.size()), t.type(), t.values(), t.weights(), t.channels());
	}

	/** A view of an image with x and y swapped. */
	public static RandomAccessibleInterval<?> turned(final RandomAccessibleInterval<?> image) {
		return JointImage.view(image, one -> Views.permute(one, 0, 1));
	}

	/** The missing pixels of an image with x and y swapped. */
	public static MissingPixels turned(final MissingPixels missing) {
		return missing.mask() == null ? missing : new MissingPixels(turned(missing.mask()), missing.nan());
	}
}
