package sc.fiji.ncc.plan;

import java.io.Serializable;

/**
 * The local maxima of one box of a template's map, and the responses at its faces that a neighbouring box needs to decide the rest.
 * <p>
 * A plateau is a connected set of equal responses; each response has {@code 3^n − 1} neighbours. Most plateaus hold one response. A plateau is a
 * peak if no neighbour exceeds it. The peak lies at the first response of the plateau in raster order. A plateau that touches no face of the box
 * is decided by the box alone. The responses at the faces that reach the minimum score are listed, because they can exceed or continue a plateau
 * of a neighbouring box.
 *
 * @param min the first lag of the box, relative to the first submitted lag
 * @param size the extents of the box, fewer than 2^31 lags
 * @param peaks the positions of the peaks that touch no face: indices in the box, x fastest
 * @param values the responses at {@code peaks}
 * @param rim the positions of the responses at a face that reach the minimum score: indices in the box, x fastest, each once
 * @param rimValues the responses at {@code rim}
 * @param plateaus for each entry of {@code rim} the first index of its plateau in the box; -1 if a response in the box exceeds the plateau
 */
public record BoxPeaks(long[] min, int[] size, int[] peaks, float[] values, int[] rim, float[] rimValues, int[] plateaus) implements Serializable {}
