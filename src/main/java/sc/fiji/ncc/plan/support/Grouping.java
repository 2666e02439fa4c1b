package sc.fiji.ncc.plan.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Divides templates, given by their indices, into groups that share work. */
public final class Grouping {

	/** Whether two templates belong to the same group. The relation must be transitive. */
	@FunctionalInterface
	public interface Alike {

		boolean test(int a, int b);
	}

	private Grouping() {}

	/**
	 * Groups the indices from 0 to {@code count - 1}.
	 *
	 * @return the groups, ordered by their first index; the indices in each group are ascending
	 */
	public static List<int[]> of(final int count, final Alike alike) {
		final List<int[]> groups = new ArrayList<>();
		final boolean[] taken = new boolean[count];
		for (int first = 0; first < count; first++) {
			if (taken[first]) continue;
			final int[] members = new int[count - first];
			int n = 0;
			for (int i = first; i < count; i++) {
				if (taken[i] || i > first && !alike.test(first, i)) continue;
				taken[i] = true;
				members[n++] = i;
			}
			groups.add(Arrays.copyOf(members, n));
		}
		return groups;
	}
}
