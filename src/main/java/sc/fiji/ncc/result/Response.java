package sc.fiji.ncc.result;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The correlation images, one a template, or the convolved ones, one a kernel, and how they came about.
 *
 * @param maps one response per lag, of a correlation in [-1, 1]; as many dimensions as the image; none if they were computed in double precision
 * @param doubleMaps the same in double precision; none in single
 * @param origins where each map's first pixel lies, in pixels of the image, one number per dimension of the map
 * @param report counts of the lags that were computed, over all templates: all, undefined, rechecked. Responses beyond them, where the border is
 *        undefined, do not count
 * @param rankings the candidates, the one taken first, with the reason why each other was not: one for each set of templates that went through
 *        together
 * @param seconds wall clock, from reading the first pixel to the last response
 */
public record Response(List<Img<FloatType>> maps, List<Img<DoubleType>> doubleMaps, List<long[]> origins, Report report, List<Ranking> rankings, double seconds) {

	/** In single precision. */
	public Response(final List<Img<FloatType>> maps, final List<long[]> origins, final Report report, final List<Ranking> rankings, final double seconds) {
		this(maps, List.of(), origins, report, rankings, seconds);
	}

	/**
	 * The map of the only template.
	 *
	 * @throws IllegalStateException if there are several, or it was computed in double precision
	 */
	public Img<FloatType> map() {
		requireOne();
		if (maps.isEmpty()) throw new IllegalStateException("the map was computed in double precision: ask for doubleMap()");
		return maps.get(0);
	}

	/**
	 * The map of the only template, in double precision.
	 *
	 * @throws IllegalStateException if there are several, or it was computed in single precision
	 */
	public Img<DoubleType> doubleMap() {
		requireOne();
		if (doubleMaps.isEmpty()) throw new IllegalStateException("the map was computed in single precision: ask for map()");
		return doubleMaps.get(0);
	}

	/** The maps, whichever the precision. */
	public List<? extends Img<? extends RealType<?>>> images() {
		return doubleMaps.isEmpty() ? maps : doubleMaps;
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
		if (origins.size() != 1) throw new IllegalStateException("there are maps of " + origins.size() + " templates: ask for images() and origins()");
	}
}
