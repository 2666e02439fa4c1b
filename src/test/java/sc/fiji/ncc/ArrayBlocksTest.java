package sc.fiji.ncc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessible;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgFactory;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.plan.PixelType;

/** Boxes of images in arrays, with what lies beyond their borders, are those that ImgLib2's views of the same give. */
class ArrayBlocksTest {

	private static final List<Border> BORDERS = List.of(Border.EDGE, Border.MIRROR, Border.constant(7), Border.UNDEFINED);

	private static Img<UnsignedShortType> image(final ImgFactory<UnsignedShortType> factory, final long... size) {
		final Img<UnsignedShortType> image = factory.create(size);
		final Random random = new Random(size.length);
		Views.flatIterable(image).forEach(p -> p.set(random.nextInt(65_536)));
		return image;
	}

	private static RandomAccessible<UnsignedShortType> extended(final RandomAccessibleInterval<UnsignedShortType> image, final Border border) {
		return switch (border.kind()) {
			case EDGE -> Views.extendBorder(image);
			case MIRROR -> Views.extendMirrorSingle(image);
			case CONSTANT -> Views.extendValue(image, new UnsignedShortType((int) border.value()));
			default -> image;
		};
	}

	private static void compare(final RandomAccessibleInterval<UnsignedShortType> image, final Border border, final long[] min, final int[] box) {
		final short[] expected = new short[ReferenceNcc.pixels(box)];
		int i = 0;
		for (final UnsignedShortType p : Views.flatIterable(Views.interval(extended(image, border), FinalInterval.createMinSize(min, TestImages.longs(box)))))
			expected[i++] = p.getShort();
		final ImagePixels pixels = ImagePixels.of(image, border, new long[min.length], TestImages.longs(box));
		assertTrue(pixels.rowsAreQuick());
		final ShortBuffer actual = (ShortBuffer) PixelType.U16.allocate(expected.length);
		pixels.read(min, box, actual);
		assertArrayEquals(expected, actual.array(), () -> border + ", " + Arrays.toString(box) + " at " + Arrays.toString(min));
	}

	@Test
	void boxesAreThoseOfTheViews() {
		final Random random = new Random(1);
		for (final ImgFactory<UnsignedShortType> factory : List.of(new ArrayImgFactory<>(new UnsignedShortType()), new PlanarImgFactory<>(new UnsignedShortType())))
			for (final long[] size : new long[][] { { 9 }, { 7, 5 }, { 6, 4, 3 }, { 5, 4, 3, 2 } }) {
				final Img<UnsignedShortType> image = image(factory, size);
				final long[] inner = new long[size.length], last = new long[size.length];
				for (int d = 0; d < size.length; d++) {
					// ImgLib2 does not mirror a single pixel
					inner[d] = size[d] > 2 ? d % 2 : 0;
					last[d] = size[d] - 1;
				}
				for (final RandomAccessibleInterval<UnsignedShortType> part : List.of(image, Views.interval(image, inner, last)))
					for (final Border border : BORDERS)
						for (int n = 0; n < 20; n++) {
							final long[] min = new long[size.length];
							final int[] box = new int[size.length];
							for (int d = 0; d < size.length; d++) {
								// far beyond on both sides, and boxes that lie outside altogether
								min[d] = part.min(d) - 25 + random.nextInt(50);
								box[d] = 1 + random.nextInt(12);
								if (border.kind() != Border.Kind.UNDEFINED) continue;
								min[d] = part.min(d) + random.nextInt((int) part.dimension(d));
								box[d] = 1 + random.nextInt((int) (part.max(d) - min[d] + 1));
							}
							compare(part, border, min, box);
						}
			}
	}

	@Test
	void cellsAreNoArrays() {
		final Img<UnsignedShortType> image = image(new CellImgFactory<>(new UnsignedShortType(), 4), 9, 9);
		assertFalse(ImagePixels.of(image).rowsAreQuick());
	}
}
