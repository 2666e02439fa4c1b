package sc.fiji.ncc;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;

/**
 * The correlation images, one a template, and how they came about.
 *
 * @param maps one response per lag, in [-1, 1], as many dimensions as the image
 * @param origins where each map's first pixel lies, in pixels of the image, one number per dimension of the map
 * @param report counts of the lags that were computed, over all templates: all, undefined, rechecked. Responses beyond them, where the border is
 *        undefined, do not count
 * @param rankings the candidates, the one taken first, with the reason why each other was not: one for each set of templates that went through
 *        together
 * @param seconds wall clock, from reading the first pixel to the last response
 */
public record Response(List<Img<FloatType>> maps, List<long[]> origins, Report report, List<Ranking> rankings, double seconds) {

	/**
	 * The map of the only template.
	 *
	 * @throws IllegalStateException if there are several
	 */
	public Img<FloatType> map() {
		requireOne();
		return maps.get(0);
	}

	/** Where the only template's map begins; throws as {@link #map()}. */
	public long[] origin() {
		requireOne();
		return origins.get(0);
	}

	/** The candidates for the first template, and all that went through with it. */
	public Ranking ranking() {
		return rankings.get(0);
	}

	private void requireOne() {
		if (maps.size() != 1) throw new IllegalStateException("there are maps of " + maps.size() + " templates: ask for maps() and origins()");
	}
}
