package sc.fiji.ncc.plan;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Many members that are correlated with an image: the best one at each window in which a member reaches a minimum score. Members of one
 * family share a support. A basis bounds their scores.
 *
 * @param image the pixel type of the image
 * @param size the extents of one frame, two or three
 * @param channels the number of channels, which have one joint score
 * @param families the members
 * @param minScore the minimum score, rounded to hundredths
 * @param each whether the best member of each window is needed, also where a neighbour has a higher score
 * @param frames the number of frames
 */
public record BoundedBank(PixelType image, Size size, int channels, List<Family> families, double minScore, boolean each, long frames) implements Problem {

	/**
	 * Members with one support.
	 *
	 * @param box the extents of the support's box
	 * @param values the number of values of a member: the pixels of the support in all channels
	 * @param members the number of members
	 * @param basis null if none bounds them: every member is correlated
	 */
	public record Family(Size box, int values, int members, Basis basis) {

		/** The same members without a basis. */
		public Family bare() {
			return new Family(box, values, members, null);
		}

		/** The number of correlations. */
		public int correlations() {
			return basis == null ? members : basis.vectors;
		}

		@Override
		public String toString() {
			return members + (members == 1 ? " member of " : " members of ") + values + " values in " + box + (basis == null ? "" : " by " + basis);
		}
	}

	/**
	 * A basis, and what its bounds leave of a sample of windows. The numbers are shares of all windows, rounded to two digits.
	 *
	 * @param vectors the number of its vectors
	 * @param kept the share of windows whose energy can reach the minimum score
	 * @param groups groups of members that are bounded together, the fewest first
	 * @param read the share of windows in which the bound of a member reaches it
	 * @param scores the number of members whose bound reaches it, on average over all windows
	 */
	public record Basis(int vectors, double kept, List<Groups> groups, double read, double scores) {

		public Basis {
			kept = rounded(kept);
			groups = List.copyOf(groups);
			read = rounded(read);
			scores = rounded(scores);
		}

		/** What is left, in words. */
		public String shares() {
			return kept + " of the windows kept by their energy" + groups.stream().map(g -> ", " + g.left + " by " + g.count + " groups").collect(Collectors.joining())
				+ ", " + read + " read, " + scores + " exact scores per window";
		}

		@Override
		public String toString() {
			return vectors + (vectors == 1 ? " vector (" : " vectors (") + shares() + ")";
		}
	}

	/**
	 * @param count the number of groups
	 * @param left the share of windows that their bounds leave
	 */
	public record Groups(int count, double left) {

		public Groups {
			left = rounded(left);
		}
	}

	public BoundedBank {
		families = List.copyOf(families);
		minScore = Math.rint(100 * minScore) / 100;
		for (final Family f : families)
			for (int d = 0; d < size.dimensions(); d++) if (f.box.dimensions() != size.dimensions() || f.box.get(d) > size.get(d))
				throw new IllegalArgumentException("members in " + f.box + " do not fit in an image of " + size);
	}

	private static double rounded(final double share) {
		return new BigDecimal(share).round(new MathContext(2, RoundingMode.HALF_UP)).doubleValue();
	}

	/** The number of windows of a family in a frame along each dimension. */
	public Size lags(final Family family) {
		final long[] lags = size.toArray();
		for (int d = 0; d < lags.length; d++) lags[d] += 1 - family.box.get(d);
		return Size.of(lags);
	}

	/** The same problem with another number of frames, and another size of them. */
	public BoundedBank of(final Size otherSize, final long otherFrames) {
		return new BoundedBank(image, otherSize, channels, families, minScore, each, otherFrames);
	}

	/** The same problem with other families. */
	public BoundedBank of(final List<Family> others) {
		return new BoundedBank(image, size, channels, others, minScore, each, frames);
	}

	/** {@code best of [360 members of 1961 values in 51x51 by 32 vectors (…)], U8 image 2000x2000, score from 0.7, 1 frame}: readable, and complete. */
	@Override
	public String toString() {
		final List<String> texts = new ArrayList<>();
		for (int from = 0, to; from < families.size(); from = to) {
			for (to = from + 1; to < families.size() && families.get(to).equals(families.get(from)); to++);
			texts.add((to - from == 1 ? "" : to - from + " of ") + families.get(from));
		}
		return "best of " + texts + ", " + image + " image " + size + ", score from " + minScore + (each ? ", in each window" : "") + ", "
			+ frames + (frames == 1 ? " frame" : " frames") + (channels == 1 ? "" : ", " + channels + " channels together");
	}
}
