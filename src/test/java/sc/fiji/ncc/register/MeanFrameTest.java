package sc.fiji.ncc.register;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Collections;
import java.io.IOException;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import sc.fiji.ncc.oracle.ReferenceNcc;
import sc.fiji.ncc.fixture.TestImages;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.support.Parallel;

/** The mean of frames that are moved back by whole pixels, against sums over the pixels that each frame shows. */
class MeanFrameTest {

	@TempDir
	Path folder;

	private record Moved(RandomAccessibleInterval<?> frame, double[] values, int[] shift) {}

	private static Moved moved(final int[] size, final Random random, final int type, final int... shift) {
		final int n = ReferenceNcc.pixels(size);
		final long[] extents = TestImages.longs(size);
		final double[] values = new double[n];
		for (int i = 0; i < n; i++) values[i] = type == 0 ? random.nextInt(256) : type == 1 ? random.nextInt(65536) : random.nextInt(1000) - 500;
		if (type == 0) {
			final byte[] bytes = new byte[n];
			for (int i = 0; i < n; i++) bytes[i] = (byte) values[i];
			return new Moved(ArrayImgs.unsignedBytes(bytes, extents), values, shift);
		}
		if (type == 1) {
			final short[] shorts = new short[n];
			for (int i = 0; i < n; i++) shorts[i] = (short) values[i];
			return new Moved(ArrayImgs.unsignedShorts(shorts, extents), values, shift);
		}
		if (type == 2) {
			final int[] ints = new int[n];
			for (int i = 0; i < n; i++) ints[i] = (int) values[i];
			return new Moved(ArrayImgs.ints(ints, extents), values, shift);
		}
		// missing pixels
		for (int i = 0; i < n; i += 5) values[i] = Double.NaN;
		if (type == 4) return new Moved(ArrayImgs.doubles(values, extents), values, shift);
		final float[] floats = new float[n];
		for (int i = 0; i < n; i++) floats[i] = (float) values[i];
		return new Moved(ArrayImgs.floats(floats, extents), values, shift);
	}

	/** Pixel x of a corrected frame is pixel x + shift of the frame. */
	private static void expect(final MeanFrame mean, final List<Moved> frames, final int[] size, final boolean[] mask, final String what) {
		final int n = ReferenceNcc.pixels(size), dimensions = frames.get(0).shift.length;
		final double[] expected = new double[n];
		final boolean[] counted = new boolean[n];
		boolean all = true;
		final int[] at = new int[3];
		for (int i = 0; i < n; i++) {
			int shown = 0;
			for (final Moved f : frames) {
				ReferenceNcc.unravel(i, size, at);
				boolean inside = true;
				for (int d = 0; d < dimensions; d++) {
					at[d] += f.shift[d];
					inside &= at[d] >= 0 && at[d] < size[d];
				}
				if (!inside || Double.isNaN(f.values[ReferenceNcc.index(size, at)])) continue;
				expected[i] += f.values[ReferenceNcc.index(size, at)];
				shown++;
			}
			if (shown > 0) expected[i] /= shown;
			counted[i] = 2 * shown >= frames.size() && (mask == null || mask[i]);
			all &= counted[i];
		}
		final Frame frame = mean.frame(mask, dimensions);
		final DoubleBuffer found = DoubleBuffer.allocate(n);
		assertEquals(dimensions, frame.pixels().size().length);
		frame.pixels().read(new long[dimensions], Arrays.copyOf(size, dimensions), found);
		assertArrayEquals(expected, found.array(), 1e-9, what);
		if (all) assertNull(frame.mask(), what);
		else assertArrayEquals(counted, frame.mask(), what);
	}

	private static void add(final MeanFrame mean, final List<Moved> frames, final Parallel parallel) {
		mean.add(frames.stream().map(Moved::frame).toList(), frames.stream().map(f -> Arrays.stream(f.shift).asDoubleStream().toArray()).toList(), parallel);
	}

	@Test
	void meansOfFrames() throws IOException {
		final Random random = new Random(1);
		final int[][] sizes = { { 9, 7, 1 }, { 6, 5, 4 }, { 5, 90, 1 } };
		final int[][] shifts = { { 0, 0, 0 }, { 2, -1, 1 }, { -3, 2, -2 }, { 4, 3, 0 }, { -1, -4, 3 }, { 20, 0, 0 } };
		try (Parallel parallel = new Parallel(2)) {
			for (final int[] size : sizes) for (int type = 0; type < 5; type++) {
				final int dimensions = size[2] > 1 ? 3 : 2;
				final List<Moved> frames = new ArrayList<>();
				for (final int[] shift : shifts) frames.add(moved(Arrays.copyOf(size, dimensions), random, type, Arrays.copyOf(shift, dimensions)));
				final String what = Arrays.toString(size) + ", type " + type;
				final boolean[] mask = new boolean[ReferenceNcc.pixels(size)];
				for (int i = 0; i < mask.length; i++) mask[i] = i % 3 > 0;
				final MeanFrame all = new MeanFrame(size), first = new MeanFrame(size), rest = new MeanFrame(size), file = new MeanFrame(size);
				add(all, frames, parallel);
				expect(all, frames, size, null, what);
				expect(all, frames, size, mask, what + " with a mask");
				add(all, List.of(), parallel);
				add(first, frames.subList(0, 2), parallel);
				add(rest, frames.subList(2, 6), parallel);
				first.add(rest);
				expect(first, frames, size, null, what + " in two parts");
				final Path part = folder.resolve(what);
				rest.write(part);
				add(file, frames.subList(0, 2), parallel);
				file.add(part);
				expect(file, frames, size, null, what + " from a file");
			}
		}
		try (var left = Files.list(folder)) {
			assertEquals(15, left.count(), "no temporary file is left");
		}
	}

	/** A pixel counts that half of the frames show. */
	@Test
	void allPixelsOfFramesThatDidNotMove() {
		final int[] size = { 8, 6, 1 };
		final List<Moved> frames = List.of(moved(new int[] { 8, 6 }, new Random(2), 0, 0, 0), moved(new int[] { 8, 6 }, new Random(3), 0, 1, 0));
		final MeanFrame mean = new MeanFrame(size);
		try (Parallel parallel = new Parallel(1)) {
			add(mean, frames, parallel);
		}
		expect(mean, frames, size, null, "half");
		assertNull(mean.frame(null, 2).mask());
	}

	/** A shift by a part of a pixel: the outermost pixels of which a part is outside do not count. */
	@Test
	void partsOfPixels() {
		final double[] ones = new double[8 * 6];
		Arrays.fill(ones, 3);
		for (final double[] shift : new double[][] { { 0.5, 0 }, { -0.5, 0 }, { 0, 0.5 }, { 0, -0.5 }, { 1.25, -2.25 } }) {
			final MeanFrame mean = new MeanFrame(new int[] { 8, 6, 1 });
			try (Parallel parallel = new Parallel(1)) {
				mean.add(List.of(ArrayImgs.doubles(ones, 8, 6)), List.of(shift), parallel);
			}
			final Frame frame = mean.frame(null, 2);
			for (int i = 0; i < 48; i++) {
				final double x = i % 8 + shift[0], y = i / 8 + shift[1];
				assertEquals(x >= 0 && x <= 7 && y >= 0 && y <= 5, frame.mask()[i], i + " at " + Arrays.toString(shift));
			}
		}
	}

	@Test
	void blocks() {
		assertEquals(1, MeanFrame.blocks(Collections.nCopies(64, 0)).size());
		assertEquals(List.of(64, 1), MeanFrame.blocks(Collections.nCopies(65, 0)).stream().map(List::size).toList());
		assertEquals(64, MeanFrame.blocks(Collections.nCopies(64 * 64, 0)).get(0).size());
		assertEquals(65, MeanFrame.blocks(Collections.nCopies(64 * 64 + 1, 0)).get(0).size());
		assertEquals(1000, MeanFrame.blocks(Collections.nCopies(64_000, 0)).get(0).size());
	}
}
