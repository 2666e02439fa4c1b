package sc.fiji.ncc.register;

import java.io.Serializable;
import java.util.List;

/**
 * The frames 2i and 2i + 1 of a sequence, and the pairs that are measured together because they belong to these frames.
 *
 * @param boxed whether the frames are of boxes, as they are first if deformations follow
 * @param sequence 0; with projections 0 for those along z and 1 for those along y
 * @param round with the reference mean: 0 before there is a mean, then the number of the mean
 * @param first the number of the first of the two frames
 * @param from the fixed frame of each pair, or {@link PairPlan#GIVEN}
 * @param to the moving frame of each pair
 */
public record PairTask(boolean boxed, int sequence, int round, int first, List<Integer> from, List<Integer> to) implements Serializable {

	public PairTask {
		from = List.copyOf(from);
		to = List.copyOf(to);
	}
}
