package sc.fiji.ncc.register;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.ImagePixels;
import sc.fiji.ncc.option.Interpolation;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.register.correct.FrameShifter;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;

/** The mean of corrected frames, as a reference. A pixel that fewer than half of the frames show does not count. */
final class MeanFrame {

	/** The parts of a frame that are added side by side. */
	private static final int PARTS = 64;
	/** The minimum number of frames of a block, and the maximum number of blocks. */
	private static final int BLOCK = 64, BLOCKS = 64;

	private final int[] size;
	private final double[] sums;
	private final int[] counts;
	private final FrameShifter shifter = new FrameShifter(Interpolation.LANCZOS, Outside.EDGE);
	private int frames;

	MeanFrame(final int[] size) {
		this.size = size;
		sums = new double[size[0] * size[1] * size[2]];
		counts = new int[sums.length];
	}

	/**
	 * Parts of a list of frames whose sums are added. They depend on the number of frames only, so that sums are the same for any number of
	 * processes.
	 */
	static <T> List<List<T>> blocks(final List<T> frames) {
		final int n = frames.size(), block = Math.max(BLOCK, (n + BLOCKS - 1) / BLOCKS);
		return IntStream.range(0, (n + block - 1) / block).mapToObj(i -> frames.subList(i * block, Math.min(n, (i + 1) * block))).toList();
	}

	/** Adds the frames of another mean. */
	void add(final MeanFrame other) {
		for (int i = 0; i < sums.length; i++) {
			sums[i] += other.sums[i];
			counts[i] += other.counts[i];
		}
		frames += other.frames;
	}

	/** Writes the sums to a file, which is complete or absent. */
	void write(final Path file) throws IOException {
		final Path temporary = file.resolveSibling(UUID.randomUUID() + ".tmp");
		try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary)))) {
			out.writeInt(frames);
			for (int i = 0; i < sums.length; i++) {
				out.writeDouble(sums[i]);
				out.writeInt(counts[i]);
			}
		}
		Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
	}

	/** Adds the frames of a mean in a file. */
	void add(final Path file) throws IOException {
		try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
			frames += in.readInt();
			for (int i = 0; i < sums.length; i++) {
				sums[i] += in.readDouble();
				counts[i] += in.readInt();
			}
		}
	}

	/** Adds frames, the first one first. */
	void add(final List<? extends RandomAccessibleInterval<?>> added, final List<double[]> shifts, final Parallel parallel) {
		if (added.isEmpty()) return;
		final Buffer[] pixels = new Buffer[added.size()];
		parallel.each(pixels.length, i -> {
			final int n = shifts.get(i).length;
			pixels[i] = Buffers.of(shifter.box(Views.zeroMin(added.get(i)), shifts.get(i), new long[n], Arrays.copyOf(size, n)));
		});
		final boolean unsigned = ImagePixels.type(added.get(0)).min == 0;
		final int lines = size[1] * size[2], parts = Math.min(lines, PARTS);
		parallel.each(parts, part -> {
			final double[] row = new double[size[0]];
			for (int line = (int) ((long) part * lines / parts); line < (int) ((part + 1L) * lines / parts); line++)
				for (int i = 0; i < pixels.length; i++) add(pixels[i], unsigned, shifts.get(i), line, row);
		});
		frames += pixels.length;
	}

	/** Adds the pixels of a row that the recorded frame shows. */
	private void add(final Buffer pixels, final boolean unsigned, final double[] shift, final int line, final double[] row) {
		final int[] place = { 0, line % size[1], line / size[1] };
		for (int d = 1; d < shift.length; d++)
			if (place[d] + shift[d] < 0 || place[d] + shift[d] > size[d] - 1) return;
		final int from = (int) Math.max(0, Math.ceil(-shift[0])), until = (int) Math.min(size[0], Math.floor(size[0] - 1 - shift[0]) + 1), at = line * size[0];
		Buffers.values(pixels, unsigned, at, row, size[0]);
		for (int x = from; x < until; x++) {
			if (!Double.isFinite(row[x])) continue;
			sums[at + x] += row[x];
			counts[at + x]++;
		}
	}

	/** @param mask 0 for pixels that do not count; null if all count */
	Frame frame(final boolean[] mask, final int dimensions) {
		final double[] mean = new double[sums.length];
		boolean[] counted = null;
		for (int i = 0; i < mean.length; i++) {
			mean[i] = counts[i] == 0 ? 0 : sums[i] / counts[i];
			if (isShown(i) && (mask == null || mask[i])) continue;
			if (counted == null) {
				counted = new boolean[mean.length];
				Arrays.fill(counted, true);
			}
			counted[i] = false;
		}
		return FrameReader.frame(ArrayImgs.doubles(mean, extents(dimensions)), counted);
	}

	/** The mean in floats; NaN for a pixel that does not count. */
	RandomAccessibleInterval<?> image(final int dimensions) {
		final float[] mean = new float[sums.length];
		for (int i = 0; i < mean.length; i++) mean[i] = isShown(i) && counts[i] > 0 ? (float) (sums[i] / counts[i]) : Float.NaN;
		return ArrayImgs.floats(mean, extents(dimensions));
	}

	private boolean isShown(final int i) {
		return 2 * counts[i] >= frames;
	}

	private long[] extents(final int dimensions) {
		return Arrays.stream(size).limit(dimensions).asLongStream().toArray();
	}
}
