package sc.fiji.ncc.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.converter.Converters;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import org.junit.jupiter.api.Test;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.SlidingPlan.Staging;

/** Copies of frames. */
class FrameBufferTest {

	private final List<Long> staged = new ArrayList<>();
	private int released;

	private static <T extends RealType<T>> Img<T> filled(final Img<T> image) {
		int i = 0;
		for (final T p : image) p.setReal(i++ % 101);
		return image;
	}

	private static double[] values(final RandomAccessibleInterval<?> image) {
		return StreamSupport.stream(Views.flatIterable(image).spliterator(), false).mapToDouble(p -> ((RealType<?>) p).getRealDouble()).toArray();
	}

	private static FrameBuffer onHeap(final RandomAccessibleInterval<?> like, final long maxBytes) {
		return new FrameBuffer(ImagePixels.type(like), like.dimensionsAsLongArray(), JointImage.channels(like), maxBytes, bytes -> null, 4);
	}

	private Staging staging(final long bytes) {
		staged.add(bytes);
		final ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
		return new Staging() {

			@Override
			public ByteBuffer bytes() {
				return memory;
			}

			@Override
			public void close() {
				released++;
			}
		};
	}

	/** The last images are large enough for several threads; the very last one is no array. */
	@Test
	void aCopyHasTheSamePixels() {
		final List<RandomAccessibleInterval<?>> images = new ArrayList<>(List.of(filled(ArrayImgs.unsignedBytes(7, 5, 3)), filled(ArrayImgs.bytes(7, 5)),
			filled(ArrayImgs.unsignedShorts(7, 5)), filled(ArrayImgs.shorts(7, 5)), filled(ArrayImgs.unsignedInts(7, 5)), filled(ArrayImgs.ints(7, 5)),
			filled(ArrayImgs.floats(7, 5)), filled(ArrayImgs.doubles(7, 5)), filled(ArrayImgs.unsignedShorts(1024, 1111))));
		images.add(Views.permute(images.get(8), 0, 1));
		for (final RandomAccessibleInterval<?> image : images) {
			final RandomAccessibleInterval<?> copy = onHeap(image, Long.MAX_VALUE).hold(image);
			assertNotSame(image, copy);
			assertEquals(ImagePixels.type(image), ImagePixels.type(copy));
			assertArrayEquals(values(image), values(copy));
		}
	}

	/** Pixels that are computed when they are read may depend on their order, so one thread reads them. */
	@Test
	void oneThreadReadsAFrameThatIsNoArray() {
		final Set<Thread> readers = ConcurrentHashMap.newKeySet();
		final RandomAccessibleInterval<UnsignedShortType> source =
			Converters.convert((RandomAccessibleInterval<UnsignedShortType>) filled(ArrayImgs.unsignedShorts(1024, 1111)), (in, out) -> {
				readers.add(Thread.currentThread());
				out.set(in);
			}, new UnsignedShortType());
		onHeap(source, Long.MAX_VALUE).hold(source);
		assertEquals(Set.of(Thread.currentThread()), readers);
	}

	@Test
	void aLargeFrameStaysWhereItIs() {
		final RandomAccessibleInterval<?> image = filled(ArrayImgs.unsignedShorts(10, 10));
		assertNotSame(image, onHeap(image, 200).hold(image));
		assertSame(image, onHeap(image, 199).hold(image));
	}

	@Test
	void theMemoryOfADevice() {
		final RandomAccessibleInterval<?> first = filled(ArrayImgs.unsignedShorts(10, 10)),
			joint = JointImage.of(List.of(first, Views.permute(first, 0, 1)));
		final FrameBuffer buffer = new FrameBuffer(PixelType.U16, new long[] { 10, 10 }, 2, Long.MAX_VALUE, this::staging, 4);
		final List<RandomAccessibleInterval<?>> copies = JointImage.channelsOf(buffer.hold(joint));
		for (int c = 0; c < 2; c++) assertArrayEquals(values(JointImage.channelsOf(joint).get(c)), values(copies.get(c)));
		assertEquals(List.of(200L, 200L), staged);
		buffer.close();
		assertEquals(2, released);
	}
}
