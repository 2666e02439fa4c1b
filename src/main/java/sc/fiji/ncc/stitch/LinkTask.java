package sc.fiji.ncc.stitch;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Pairs of tiles whose strips have equal extents. They are measured together, two after two.
 *
 * @param look what of the strips is compared
 * @param alike the number of all pairs of such strips, by which the algorithm is chosen
 * @param pairs the pairs, in order
 */
public record LinkTask(Look look, int alike, List<Item> pairs) implements Serializable {

	/** What of the strips is compared. */
	enum Look {
		PIXELS, FINE_DETAILS, EVEN_GAIN
	}

	/**
	 * A pair.
	 *
	 * @param plane what its strips say about their gain; null unless the gain is made even
	 * @param slope the slope of the gain that is taken out; null unless the gain is made even
	 */
	record Item(TilePair pair, GainPlane plane, double[] slope) implements Serializable {}

	/**
	 * The measured links of a task.
	 *
	 * @param found one for each pair, in order
	 * @param flatFieldDoubt that of the tiles, see {@link FlatField#doubt}
	 */
	public record Result(List<LinkSearch.Found> found, String flatFieldDoubt) implements Serializable {

		public Result {
			found = List.copyOf(found);
		}
	}

	public LinkTask {
		pairs = List.copyOf(pairs);
	}

	/**
	 * Tasks of some of the pairs, which give the same links.
	 *
	 * @param most the largest number of pairs of a task; even, because two pairs share transforms
	 */
	List<LinkTask> divided(final int most) {
		final List<LinkTask> parts = new ArrayList<>();
		for (int at = 0, end; at < pairs.size(); at = end) {
			end = at + Math.min(most, pairs.size() - at);
			parts.add(new LinkTask(look, alike, pairs.subList(at, end)));
		}
		return parts;
	}

	/** The steps of progress: each pair counts once. */
	public int steps() {
		return look == Look.PIXELS ? pairs.size() : 0;
	}
}
