package sc.fiji.ncc.result;

import java.util.List;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.option.Components;
import sc.fiji.ncc.plan.Given;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.planner.Ranking;

/**
 * The maps of a correlation, one per template, or of a convolution, one per kernel.
 *
 * @param images the maps, all of one type: one response per lag, with as many dimensions as the image. See {@link #maps}, {@link #doubleMaps}, {@link
 *        #shortMaps} and {@link #byteMaps}
 * @param origins the position of each map's first pixel, in pixels of the image, one number per dimension of the map
 * @param report the counts of computed lags over all templates: all, undefined, rechecked. Responses of an undefined border do not count
 * @param rankings the candidates with reasons, the one in use first: one ranking for each group of templates computed together
 * @param seconds the elapsed time from reading the first pixel to the last response, without the time of measuring candidates
 */
public record Response(List<? extends Img<? extends RealType<?>>> images, List<long[]> origins, Report report, List<Ranking> rankings,
	double seconds)
{

	public Response {
		Given.nonNull(images, "list of maps");
		Given.nonNull(origins, "list of origins");
		Given.nonNull(report, "report");
		Given.nonNull(rankings, "list of rankings");
	}

	/** The maps in single precision: of a correlation in [-1, 1]. Empty for all other types. */
	public List<Img<FloatType>> maps() {
		return of(FloatType.class);
	}

	/** The maps in double precision. Empty for all other types. */
	public List<Img<DoubleType>> doubleMaps() {
		return of(DoubleType.class);
	}

	/**
	 * The maps of quantized responses of 16 bits: {@code r = (c − 32768) / 32767}, and 0 for NaN ({@link ResponseType#response}). Empty for all other
	 * types.
	 */
	public List<Img<UnsignedShortType>> shortMaps() {
		return of(UnsignedShortType.class);
	}

	/** The maps of quantized responses of 8 bits: {@code r = (c − 128) / 127}, and 0 for NaN. Empty for all other types. */
	public List<Img<UnsignedByteType>> byteMaps() {
		return of(UnsignedByteType.class);
	}

	@SuppressWarnings("unchecked") // the type is checked
	private <T> List<Img<T>> of(final Class<T> pixel) {
		return images.stream().filter(m -> pixel.isInstance(m.getType())).map(m -> (Img<T>) m).toList();
	}

	/**
	 * The map of a single template, in single precision.
	 *
	 * @throws IllegalStateException if there are several maps, or the map has another type
	 */
	public Img<FloatType> map() {
		return one(maps());
	}

	/** The map of a single template, in double precision. Throws as {@link #map}. */
	public Img<DoubleType> doubleMap() {
		return one(doubleMaps());
	}

	/** The map of a single template, with responses of 16 bits. Throws as {@link #map}. */
	public Img<UnsignedShortType> shortMap() {
		return one(shortMaps());
	}

	/** The map of a single template, with responses of 8 bits. Throws as {@link #map}. */
	public Img<UnsignedByteType> byteMap() {
		return one(byteMaps());
	}

	private <T> T one(final List<T> some) {
		requireOne();
		if (some.isEmpty()) throw new IllegalStateException("the map has " + switch (type()) {
			case BITS_16 -> "16-bit responses: call shortMap()";
			case BITS_8 -> "8-bit responses: call byteMap()";
			case FLOAT -> doubleMaps().isEmpty() ? "single precision: call map()" : "double precision: call doubleMap()";
		});
		return some.get(0);
	}

	/** The type of the responses. */
	public ResponseType type() {
		return !shortMaps().isEmpty() ? ResponseType.BITS_16 : !byteMaps().isEmpty() ? ResponseType.BITS_8 : ResponseType.FLOAT;
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
