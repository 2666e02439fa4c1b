package sc.fiji.ncc;

import net.imglib2.img.Img;
import net.imglib2.type.numeric.real.FloatType;

import sc.fiji.ncc.plan.Ranking;
import sc.fiji.ncc.plan.Report;

/**
 * The correlation image and how it came about.
 *
 * @param map one response per lag, in [-1, 1], as many dimensions as the image
 * @param origin where the map's first pixel lies, in pixels of the image, one number per dimension of the map
 * @param report counts of the lags that were computed: all, undefined, rechecked. Responses beyond them, where the border is undefined, do not
 *        count
 * @param ranking the candidates, the one taken first, with the reason why each other was not
 * @param seconds wall clock, from reading the first pixel to the last response
 */
public record Response(Img<FloatType> map, long[] origin, Report report, Ranking ranking, double seconds) {}
