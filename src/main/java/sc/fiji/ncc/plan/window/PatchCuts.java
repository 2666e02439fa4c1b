package sc.fiji.ncc.plan.window;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The segments of one dimension such that each window of a grid is a run of whole segments, and windows that overlap share them: cut where
 * a window begins or ends, and where a segment would be too long. Positions count from the first pixel of the first window.
 */
public final class PatchCuts {

	/** The first pixel and the extent of each segment. */
	public final int[] start, extent;
	/** The first segment of each window, and the one after its last. */
	public final int[] from, to;

	/**
	 * @param windows the number of windows
	 * @param spacing the distance of their first pixels; pixels between windows that do not touch are in no segment
	 * @param longest the largest extent of a segment
	 */
	public PatchCuts(final int windows, final int window, final int spacing, final int longest) {
		final int[] edges = IntStream.range(0, windows).flatMap(i -> IntStream.of(i * spacing, i * spacing + window)).sorted().distinct().toArray();
		int[] starts = new int[16], extents = new int[16];
		int n = 0;
		for (int e = 0; e + 1 < edges.length; e++) {
			final int length = edges[e + 1] - edges[e], windowsBefore = Math.min(windows - 1, edges[e] / spacing);
			if (edges[e] >= windowsBefore * spacing + window) continue;
			final int parts = (length + longest - 1) / longest;
			for (int p = 0; p < parts; p++, n++) {
				if (n == starts.length) {
					starts = Arrays.copyOf(starts, 2 * n);
					extents = Arrays.copyOf(extents, 2 * n);
				}
				final int first = (int) ((long) length * p / parts);
				starts[n] = edges[e] + first;
				extents[n] = (int) ((long) length * (p + 1) / parts) - first;
			}
		}
		start = Arrays.copyOf(starts, n);
		extent = Arrays.copyOf(extents, n);
		from = new int[windows];
		to = new int[windows];
		for (int i = 0; i < windows; i++) {
			from[i] = Arrays.binarySearch(start, i * spacing);
			final int end = Arrays.binarySearch(start, i * spacing + window);
			// without a segment that begins there, the next one does not touch, or there is none
			to[i] = end >= 0 ? end : -1 - end;
		}
	}

	/** The number of segments. */
	public int count() {
		return start.length;
	}

	/** The largest number of segments of a window. */
	public int most() {
		return IntStream.range(0, from.length).map(i -> to[i] - from[i]).max().orElseThrow();
	}
}
