package sc.fiji.ncc.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessible;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.ImgFactory;
import net.imglib2.img.array.ArrayImgFactory;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.basictypeaccess.nio.ShortBufferAccess;
import net.imglib2.img.cell.CellImgFactory;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.util.Intervals;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.StagingBuffer;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.run.FrameBuffer;

/** Boxes of images in arrays, with what lies beyond their borders, are those that ImgLib2's views of the same give. */
class ArrayBlocksTest {

	private static final List<Border> BORDERS = List.of(Border.EDGE, Border.MIRROR, Border.constant(7), Border.UNDEFINED);

	@Test
	void allBordersAreTested() {
		final Set<Border.Kind> tested = EnumSet.of(Border.Kind.OVERLAP); // its windows end at the image
		for (final Border border : BORDERS) tested.add(border.kind());
		assertEquals(EnumSet.allOf(Border.Kind.class), tested);
	}

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
		assertTrue(pixels.readsRowsFast());
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

	/** Frames of stacks, swapped dimensions and single columns, of which rows lie in one piece. */
	@Test
	void viewsWithWholeRowsAreReadFromTheirArrays() {
		final Random random = new Random(2);
		for (final ImgFactory<UnsignedShortType> factory : List.of(new ArrayImgFactory<>(new UnsignedShortType()), new PlanarImgFactory<>(new UnsignedShortType()))) {
			final Img<UnsignedShortType> column = image(factory, 1, 40), stack = image(factory, 9, 7, 5, 4);
			final RandomAccessibleInterval<UnsignedShortType> frame = Views.hyperSlice(stack, 3, 2);
			for (final RandomAccessibleInterval<UnsignedShortType> view : List.of(Views.permute(column, 0, 1), Views.permute(Views.interval(column, new long[] { 0, 3 },
				new long[] { 0, 30 }), 0, 1), frame, Views.hyperSlice(frame, 2, 1), Views.permute(frame, 1, 2), Views.zeroMin(Views.interval(frame,
				new long[] { 1, 2, 1 }, new long[] { 6, 5, 3 })), Views.interval(frame, new long[] { 4, 2, 1 }, new long[] { 4, 5, 3 }),
				Views.addDimension(Views.hyperSlice(frame, 1, 6), 0, 0), Views.translate(Views.hyperSlice(frame, 2, 4), 5, -3)))
				for (final Border border : List.of(Border.EDGE, Border.constant(7)))
					for (int n = 0; n < 20; n++) {
						final long[] min = new long[view.numDimensions()];
						final int[] box = new int[min.length];
						for (int d = 0; d < min.length; d++) {
							min[d] = view.min(d) - 4 + random.nextInt((int) view.dimension(d) + 8);
							box[d] = 1 + random.nextInt(12);
						}
						compare(view, border, min, box);
						compare(view, border, view.minAsLongArray(), Intervals.dimensionsAsIntArray(view));
					}
			for (final RandomAccessibleInterval<UnsignedShortType> other : List.of(Views.permute(frame, 0, 1), Views.invertAxis(frame, 0),
				Views.hyperSlice(stack, 0, 2))) assertFalse(ImagePixels.of(other).readsRowsFast());
		}
	}

	/** Memory outside the heap, read to arrays and to buffers, from their beginning or further on. */
	@Test
	void everyTypeIsCopiedBetweenArraysAndBuffers() {
		for (final PixelType type : PixelType.values())
			try (StagingBuffer staging = StagingBuffer.of(type, 7, 5)) {
				new Random(1).ints(7 * 5 * type.bytes, -128, 128).forEach(b -> staging.bytes().put((byte) b));
				final ImagePixels pixels = ImagePixels.of(staging.image());
				assertEquals(type, pixels.type());
				final Buffer heap = type.allocate(35), later = type.allocate(40).position(4).slice().position(1), part = type.allocate(6);
				pixels.read(new long[2], new int[] { 7, 5 }, heap);
				pixels.read(new long[2], new int[] { 7, 5 }, later);
				pixels.read(new long[] { 2, 1 }, new int[] { 2, 3 }, part);
				try (StagingBuffer other = StagingBuffer.of(type, 7, 5)) {
					final Buffer memory = ImagePixels.of(other.image()).memory();
					pixels.read(new long[2], new int[] { 7, 5 }, memory);
					assertEquals(staging.bytes().rewind(), other.bytes());
					for (int i = 0; i < 35; i++) assertEquals(Buffers.value(memory, true, i), Buffers.value(heap, true, i));
					for (int i = 0; i < 35; i++) assertEquals(Buffers.value(memory, true, i), Buffers.value(later, true, i + 1));
					for (int i = 0; i < 6; i++) assertEquals(Buffers.value(memory, true, 9 + i % 2 + 7 * (i / 2)), Buffers.value(part, true, i));
					// what is read from an array to memory
					final RandomAccessibleInterval<?> onHeap = new FrameBuffer(type, new long[] { 7, 5 }, 1, 1000, bytes -> null, 1).hold(staging.image());
					other.bytes().put(0, new byte[35 * type.bytes]);
					ImagePixels.of(onHeap).read(new long[2], new int[] { 7, 5 }, memory);
					assertEquals(staging.bytes().rewind(), other.bytes());
				}
			}
	}

	@Test
	void onlyAWholeImageLiesInMemory() {
		try (StagingBuffer staging = StagingBuffer.of(PixelType.U16, 7, 5)) {
			final RandomAccessibleInterval<?> image = staging.image();
			assertTrue(ImagePixels.of(image).memory().isDirect());
			assertNull(ImagePixels.of(image, Border.MIRROR, new long[] { -1, 0 }, new long[] { 7, 5 }).memory());
			assertNull(ImagePixels.of(image, Border.MIRROR, new long[2], new long[] { 5, 7 }).memory());
			assertNull(ImagePixels.of(Views.interval(image, new long[] { 0, 1 }, new long[] { 6, 4 })).memory());
			assertNull(ImagePixels.of(image(new ArrayImgFactory<>(new UnsignedShortType()), 7, 5)).memory());
			assertNull(ImagePixels.of(ArrayImgs.unsignedShorts(new ShortBufferAccess(ByteBuffer.allocateDirect(70).order(ByteOrder.BIG_ENDIAN).asShortBuffer(), true), 7, 5)).memory());
		}
	}

	@Test
	void stagedImagesNeedPixelsThatABufferHolds() {
		assertTrue(assertThrows(IllegalArgumentException.class, () -> StagingBuffer.of(PixelType.F64, 40_000, 40_000)).getMessage().contains("2147483647"));
		assertThrows(IllegalArgumentException.class, () -> StagingBuffer.of(PixelType.U8, 7, 0));
	}

	/** By several threads, into memory of a device's. */
	@Test
	void framesAreHeldWhereADeviceReadsThem() {
		final byte[] pixels = RandomPixels.bytes(3, 1500 * 1000);
		final AtomicInteger open = new AtomicInteger();
		final FrameBuffer buffer = new FrameBuffer(PixelType.U8, new long[] { 1500, 1000 }, 1, 1 << 21, bytes -> {
			open.incrementAndGet();
			final ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
			return new Staging() {

				@Override
				public ByteBuffer bytes() {
					return memory;
				}

				@Override
				public void close() {
					open.decrementAndGet();
				}
			};
		}, 3);
		final Buffer held = ImagePixels.of(buffer.hold(ArrayImgs.unsignedBytes(pixels, 1500, 1000))).memory();
		assertEquals(ByteBuffer.wrap(pixels), held);
		assertEquals(1, open.get());
		buffer.close();
		assertEquals(0, open.get());
	}

	@Test
	void cellsAreNoArrays() {
		final Img<UnsignedShortType> image = image(new CellImgFactory<>(new UnsignedShortType(), 4), 9, 9);
		assertFalse(ImagePixels.of(image).readsRowsFast());
	}
}
