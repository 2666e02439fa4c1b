package sc.fiji.ncc.cuda.shifts;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

import sc.fiji.ncc.cuda.run.Pieces;
import sc.fiji.ncc.cuda.run.Schedule;
import sc.fiji.ncc.cuda.run.Submission;
import sc.fiji.ncc.plan.Buffers;
import sc.fiji.ncc.plan.Template;

/** A submission of few lags, and which of its pixels are sent: those of one box about all templates' windows, or of a box about each one's. */
final class FrameSubmission extends Schedule.Task {

	/** Where boxes begin among what is sent: at multiples of this, for pixels of any type. */
	private static final int ALIGNMENT = 8;
	/** Windows are sent each by itself if all of them together are that much smaller than the smallest box about them. */
	private static final double APART = 0.5;

	/** Of each template, once the pixels are read: where its first window begins among what is sent, and how far rows lie apart there. */
	final long[] first;
	final int[] pitch;
	/** The first window of each template; the boxes, one a template or one of all, and their extents. */
	private final long[][] origins, boxes;
	private final int[][] extents;

	FrameSubmission(final Submission s, final List<Template> templates) {
		super(s);
		final int n = templates.size();
		first = new long[n];
		pitch = new int[n];
		origins = new long[n][2];
		final int[][] its = new int[n][2];
		final long[] least = { Long.MAX_VALUE, Long.MAX_VALUE }, end = new long[2];
		long apart = 0;
		for (int t = 0; t < n; t++) {
			for (int d = 0; d < 2; d++) {
				origins[t][d] = d < s.lags.size().length ? s.lags.origins()[t][d] : 0;
				its[t][d] = (int) templates.get(t).size().get(d) + lags(d) - 1;
				least[d] = Math.min(least[d], origins[t][d]);
				end[d] = Math.max(end[d], origins[t][d] + its[t][d]);
			}
			apart += (long) its[t][0] * its[t][1];
		}
		final boolean each = apart < APART * (end[0] - least[0]) * (end[1] - least[1]);
		boxes = each ? origins : new long[][] { least };
		extents = each ? its : new int[][] { { Math.toIntExact(end[0] - least[0]), Math.toIntExact(end[1] - least[1]) } };
	}

	/** How many lags there are along a dimension. */
	int lags(final int d) {
		return d < s.lags.size().length ? s.lags.size()[d] : 1;
	}

	/** Bytes of its pixels, with what lies between them. */
	long bytes() {
		return Arrays.stream(extents).mapToLong(size -> aligned((long) size[0] * size[1])).sum() * s.in.type().bytes;
	}

	private static long aligned(final long pixels) {
		return (pixels + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	/**
	 * Puts its pixels behind those of other frames, from {@code from} on.
	 *
	 * @param heaps room for so many pixels
	 * @return where the next may begin, in pixels
	 */
	long read(final IntFunction<Buffer> heaps, final ByteBuffer to, final long from) {
		final long[] at = new long[boxes.length];
		long end = from;
		for (int i = 0; i < at.length; i++) {
			final int pixels = Math.multiplyExact(extents[i][0], extents[i][1]);
			final Buffer heap = heaps.apply(pixels);
			s.in.read(whole(boxes[i], 0), whole(extents[i], 1), heap);
			Buffers.copy(heap, Pieces.of(Pieces.view(to, s.in.type()), Math.toIntExact(end), pixels));
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

	/** Of as many dimensions as the image. A further dimension has one plane. */
	private long[] whole(final long[] plane, final long further) {
		final long[] all = new long[s.lags.size().length];
		for (int d = 0; d < all.length; d++) all[d] = d < plane.length ? plane[d] : further;
		return all;
	}

	private int[] whole(final int[] plane, final int further) {
		return Arrays.stream(whole(Arrays.stream(plane).asLongStream().toArray(), further)).mapToInt(Math::toIntExact).toArray();
	}
}
