package sc.fiji.ncc.result;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;

/**
 * The positions of the tiles of a mosaic, and the links between them.
 *
 * @param tiles one for each tile, in order
 * @param links one for each pair of tiles that was compared
 * @param stageError the largest distance from the expected shift of two neighbours that was compared, in pixels along each dimension; null without positions
 * @param stageMeasured whether this distance follows from links; otherwise it was given, or is assumed, because too few links were found
 * @param errorScale the factor by which the standard deviations of links were enlarged, because the links differ by more than their images
 *   say; 1 if they do not
 * @param flatFieldDoubt what makes the illumination doubtful that was estimated from the tiles: a line without a full stop; empty if nothing does
 */
public record Mosaic(List<Placed> tiles, List<Link> links, double[] stageError, boolean stageMeasured, double errorScale, String flatFieldDoubt) {

	/**
	 * A tile.
	 *
	 * @param name its name
	 * @param position the position of its first pixel, in pixels; null if it is unknown: a tile without links and without an approximate position. The mean
	 *            distance of all linked tiles from their approximate positions is 0
	 * @param covariance the covariance of the position relative to the mean of the linked tiles, in square pixels; null if the position is unknown
	 * @param links the number of links that hold it
	 * @param linked whether links join it to the largest group of tiles. A tile without links has the position and the uncertainty of the stage
	 */
	public record Placed(String name, double[] position, double[][] covariance, int links, boolean linked) implements WithCovariance {

		public Placed {
			Given.nonNull(name, "name of a tile");
		}

		/** Whether links join it, but not to the largest group of tiles. */
		public boolean isApart() {
			return position != null && !linked && links > 0;
		}

		/** Why links do not hold it, and where it lies, such as {@code is not linked: it is left out}; empty if they do. */
		public String doubt() {
			if (linked) return "";
			if (links == 0) return "is not linked: " + (position == null ? "it is left out" : "it lies where the stage was sent");
			return "is linked apart from the others: " + (position == null ? "nothing says where it lies beside them, so it is left out"
				: "the stage says where it lies beside them");
		}

		@Override
		public boolean equals(final Object other) {
			return Components.equal(this, other);
		}

		@Override
		public int hashCode() {
			return Components.hash(this);
		}

		@Override
		public String toString() {
			return Components.text(this);
		}
	}

	/**
	 * Two tiles that were compared.
	 *
	 * @param a the index of the first tile
	 * @param b the index of the second tile
	 * @param shift the measured position of b minus that of a, in pixels; null if there is none
	 * @param score the correlation coefficient of the overlap at the best whole-pixel shift; NaN if there is none
	 * @param runnerUp that of the second peak; NaN if there is none
	 * @param falseAlarms the expected number of peaks as high as this one by chance, for tiles of such texture; NaN if there is no peak
	 * @param covariance of the shift, in square pixels; null if it is unknown
	 * @param residual the distance of the shift from the difference of the positions, in pixels; NaN if there is no shift, or a tile has no position
	 * @param sigmas the same in standard deviations; NaN if the link has no covariance, or nothing contradicts it
	 * @param used whether the link holds its tiles
	 * @param reason why it is not used; empty if it is
	 */
	public record Link(int a, int b, double[] shift, double score, double runnerUp, double falseAlarms,
		double[][] covariance, double residual, double sigmas, boolean used, String reason) implements WithCovariance, Serializable
	{

		public Link {
			Given.nonNull(reason, "reason");
		}

		/** Whether it was found, and contradicts the other links. */
		public boolean isRejected() {
			return !used && reason.startsWith(REJECTED);
		}

		@Override
		public boolean equals(final Object other) {
			return Components.equal(this, other);
		}

		@Override
		public int hashCode() {
			return Components.hash(this);
		}

		@Override
		public String toString() {
			return Components.text(this);
		}
	}

	/** The first word of the reason of a link that contradicts others. */
	public static final String REJECTED = "contradicts";
	/** The most tiles that a message names. */
	private static final int NAMED = 5;

	public Mosaic {
		tiles = List.copyOf(Given.list(tiles, "tile"));
		Given.nonNull(links, "list of links");
		links = List.copyOf(links);
		Given.nonNull(flatFieldDoubt, "doubt");
	}

	/** The number of dimensions. */
	public int dimensions() {
		return tiles.stream().filter(t -> t.position() != null).findFirst()
			.orElseThrow(() -> new IllegalArgumentException("no tile has a position: no link was found")).position().length;
	}

	/** The root mean square of the residuals of the links that are used, in pixels; NaN without links between tiles with positions. */
	public double rmsResidual() {
		return Math.sqrt(links.stream().filter(l -> l.used() && !Double.isNaN(l.residual())).mapToDouble(l -> l.residual() * l.residual()).average()
			.orElse(Double.NaN));
	}

	/** The largest standard deviation of a linked tile along a dimension, in pixels; NaN without linked tiles. */
	public double largestSigma() {
		return largestSigma(Placed::linked);
	}

	private double largestSigma(final Predicate<Placed> which) {
		return tiles.stream().filter(which).flatMapToDouble(t -> IntStream.range(0, t.position().length).mapToDouble(t::sigma)).max()
			.orElse(Double.NaN);
	}

	/** A line for people: how many links and tiles are good, and how good. */
	public String summary() {
		final long used = links.stream().filter(Link::used).count(), rejected = links.stream().filter(Link::isRejected).count();
		final long loose = tiles.stream().filter(t -> !t.linked()).count(), lost = tiles.stream().filter(t -> t.position() == null).count(),
			apart = tiles.stream().filter(Placed::isApart).count(), left = tiles.stream().filter(t -> t.position() == null && t.links() > 0).count();
		final String rest = counted(apart, "linked apart from the others") + counted(loose - lost - apart, "at the position of the stage")
			+ counted(left, "linked apart from the others and without a position") + counted(lost - left, "without a position");
		return String.format(Locale.ROOT, "%d tiles, %d %s used, %d rejected, %d not linked%s%s", tiles.size(), used, used == 1 ? "link" : "links", rejected,
			links.size() - used - rejected,
			rest,
			used == 0 ? "" : String.format(Locale.ROOT, ", RMS residual %.3f pixels, largest standard deviation %.3f pixels%s",
			rmsResidual(), largestSigma(),
				loose == lost ? "" : String.format(Locale.ROOT, " of the linked tiles and %.3f of the others",
				largestSigma(t -> !t.linked() && t.position() != null))));
	}

	private static String counted(final long n, final String what) {
		return n == 0 ? "" : ", " + n + (n == 1 ? " tile " : " tiles ") + what;
	}

	/** Why the mosaic is probably wrong as a whole, such as {@code links join only 3 of 12 tiles}; empty if links join at least half of the tiles. */
	public String doubt() {
		if (links.stream().noneMatch(Link::used)) return "no two neighbouring tiles fit";
		final long joined = tiles.stream().filter(Placed::linked).count();
		return 2 * joined < tiles.size() ? "links join only " + joined + " of " + tiles.size() + " tiles" : "";
	}

	/** The tiles without a link, at most five by name, with the most frequent reason; empty if links hold all tiles. */
	public String withoutLinks() {
		final List<Integer> alone = IntStream.range(0, tiles.size()).filter(i -> tiles.get(i).links() == 0).boxed().toList();
		if (alone.isEmpty()) return "";
		final Map<String, Long> reasons = links.stream().filter(l -> alone.contains(l.a()) || alone.contains(l.b()))
			.collect(Collectors.groupingBy(l -> l.reason().split(":")[0], TreeMap::new, Collectors.counting()));
		final String named = alone.stream().limit(NAMED).map(i -> tiles.get(i).name()).collect(Collectors.joining(", "));
		return (alone.size() == 1 ? "1 tile has no link: " : alone.size() + " tiles have no link: ") + named
			+ (alone.size() > NAMED ? " and " + (alone.size() - NAMED) + " more" : "")
			+ reasons.entrySet().stream().max(Map.Entry.comparingByValue()).map(e -> "; most frequent reason: " + e.getKey()).orElse("");
	}

	@Override
	public boolean equals(final Object other) {
		return Components.equal(this, other);
	}

	@Override
	public int hashCode() {
		return Components.hash(this);
	}

	/** The {@link #summary}. */
	@Override
	public String toString() {
		return summary();
	}
}
