package sc.fiji.ncc.cuda.shifts;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.run.Schedule;
import sc.fiji.ncc.cuda.run.Submission;
import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.Template;

/** A submission with few lags, and the pixels to send: one box around the windows of all templates, or one box per template. */
final class FrameSubmission extends Schedule.Task {

	/** Boxes begin at multiples of this number of pixels. */
	private static final int ALIGNMENT = 8;
	/** Boxes are separate if their total size is below this share of the box around all of them. */
	private static final double APART = 0.5;

	/** For each template, after {@link #read}: the index of the first pixel of its first window among all pixels sent, and the distance of rows. */
	final long[] first;
	final int[] pitch;
	/** The first window of each template; the boxes, one per template or one for all, and their extents. */
	private final long[][] origins, boxes;
	private final int[][] extents;

	FrameSubmission(final Submission s, final List<Template> templates) {
		super(s);
		final int n = templates.size();
		first = new long[n];
		pitch = new int[n];
		origins = new long[n][2];
		final int[][] sizes = new int[n][2];
		final long[] min = { Long.MAX_VALUE, Long.MAX_VALUE }, end = new long[2];
		long total = 0;
		for (int t = 0; t < n; t++) {
			for (int d = 0; d < 2; d++) {
				origins[t][d] = d < s.lags.size().length ? s.lags.origins()[t][d] : 0;
				sizes[t][d] = (int) templates.get(t).size().get(d) + lags(d) - 1;
				min[d] = Math.min(min[d], origins[t][d]);
				end[d] = Math.max(end[d], origins[t][d] + sizes[t][d]);
			}
			total += (long) sizes[t][0] * sizes[t][1];
		}
		final boolean each = total < APART * (end[0] - min[0]) * (end[1] - min[1]);
		boxes = each ? origins : new long[][] { min };
		extents = each ? sizes : new int[][] { { Math.toIntExact(end[0] - min[0]), Math.toIntExact(end[1] - min[1]) } };
	}

	/** The number of lags along a dimension. */
	int lags(final int d) {
		return d < s.lags.size().length ? s.lags.size()[d] : 1;
	}

	/** The bytes of the pixels, with padding. */
	long bytes() {
		return Arrays.stream(extents).mapToLong(size -> aligned((long) size[0] * size[1])).sum() * s.in.type().bytes;
	}

	private static long aligned(final long pixels) {
		return (pixels + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	/**
	 * Writes the pixels to index {@code from} of {@code to}.
	 *
	 * @param heaps creates a buffer for so many pixels
	 * @return the index after the pixels and their padding
	 */
	long read(final IntFunction<Buffer> heaps, final ByteBuffer to, final long from) {
		final long[] at = new long[boxes.length];
		long end = from;
		for (int i = 0; i < at.length; i++) {
			final int pixels = Math.multiplyExact(extents[i][0], extents[i][1]);
			final Buffer heap = heaps.apply(pixels);
			s.in.read(whole(boxes[i], 0), whole(extents[i], 1), heap);
			Buffers.copy(heap, ParallelCopy.of(Buffers.view(to, s.in.type()), Math.toIntExact(end), pixels));
			at[i] = end;
			end += aligned(pixels);
		}
		for (int t = 0; t < first.length; t++) {
			final int i = at.length == 1 ? 0 : t;
			pitch[t] = extents[i][0];
			first[t] = at[i] + (origins[t][1] - boxes[i][1]) * pitch[t] + origins[t][0] - boxes[i][0];
		}
		return end;
	}

	/** The same with the dimensions of the image. {@code further} is the value for the dimensions after y. */
	private long[] whole(final long[] plane, final long further) {
		final long[] all = new long[s.lags.size().length];
		for (int d = 0; d < all.length; d++) all[d] = d < plane.length ? plane[d] : further;
		return all;
	}

	private int[] whole(final int[] plane, final int further) {
		return Arrays.stream(whole(Arrays.stream(plane).asLongStream().toArray(), further)).mapToInt(Math::toIntExact).toArray();
	}
}
