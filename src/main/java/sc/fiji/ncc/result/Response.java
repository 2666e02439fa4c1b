package sc.fiji.ncc.result;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.planner.Ranking;

/**
 * The maps of a correlation, one per template, or of a convolution, one per kernel.
 *
 * @param maps single precision: one response per lag, of a correlation in [-1, 1], with as many dimensions as the image. Empty in double precision
 * @param doubleMaps the same in double precision. Empty in single precision
 * @param origins the position of each map's first pixel, in pixels of the image, one number per dimension of the map
 * @param report the counts of computed lags over all templates: all, undefined, rechecked. Responses of an undefined border do not count
 * @param rankings the candidates with reasons, the one in use first: one ranking for each group of templates computed together
 * @param seconds the elapsed time from reading the first pixel to the last response
 */
public record Response(List<Img<FloatType>> maps, List<Img<DoubleType>> doubleMaps, List<long[]> origins, Report report, List<Ranking> rankings, double seconds) {

	public Response {
		Given.nonNull(maps, "list of maps");
		Given.nonNull(doubleMaps, "list of maps");
		Given.nonNull(origins, "list of origins");
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
	}

	/** A response in single precision. */
	public Response(final List<Img<FloatType>> maps, final List<long[]> origins, final Report report, final List<Ranking> rankings, final double seconds) {
		this(maps, List.of(), origins, report, rankings, seconds);
	}

	/**
	 * The map of a single template, in single precision.
	 *
	 * @throws IllegalStateException if there are several maps, or the precision is double
	 */
	public Img<FloatType> map() {
		requireOne();
		if (maps.isEmpty()) throw new IllegalStateException("the map has double precision: call doubleMap()");
		return maps.get(0);
	}

	/**
	 * The map of a single template, in double precision.
	 *
	 * @throws IllegalStateException if there are several maps, or the precision is single
	 */
	public Img<DoubleType> doubleMap() {
		requireOne();
		if (doubleMaps.isEmpty()) throw new IllegalStateException("the map has single precision: call map()");
		return doubleMaps.get(0);
	}

	/** The maps, in either precision. */
	public List<? extends Img<? extends RealType<?>>> images() {
		return doubleMaps.isEmpty() ? maps : doubleMaps;
	}

	/** The position of the first pixel of a single template's map, in pixels of the image. Throws {@link IllegalStateException} if there are several maps. */
	public long[] origin() {
		requireOne();
		return origins.get(0);
	}

	/** The candidates for the first template and all that are computed together with it. */
	public Ranking ranking() {
		return rankings.get(0);
	}

	private void requireOne() {
		if (origins.size() != 1) throw new IllegalStateException("there are " + origins.size() + " maps: call images() and origins()");
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
