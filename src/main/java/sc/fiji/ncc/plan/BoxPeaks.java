package sc.fiji.ncc.plan;

/**
 * The local maxima of one box of a template's map, as far as the box alone tells, and what its neighbours must know for the rest.
 * <p>
 * A plateau is a set of equal responses that hang together through their {@code 3^n − 1} neighbours, usually of one; it is a peak if no neighbour
 * exceeds it, and lies at its first response in raster order. A plateau that does not touch the box's faces is decided here. Of the responses at
 * the faces those that reach the least value are listed: they may exceed, or go on, a plateau of the box beside.
 *
 * @param min the box's first lag, counted from the first lag that was submitted
 * @param size the box's extents, fewer than 2^31 lags
 * @param peaks where the peaks lie that touch no face: indices in the box, x fastest
 * @param values theirs
 * @param rim where the responses lie that stand at a face and reach the least value, each once
 * @param rimValues theirs
 * @param plateaus of each of these the first index of its plateau within the box; -1 if something in the box exceeds that
 */
public record BoxPeaks(long[] min, int[] size, int[] peaks, float[] values, int[] rim, float[] rimValues, int[] plateaus) {}
