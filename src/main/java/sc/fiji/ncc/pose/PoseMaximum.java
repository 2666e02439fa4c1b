package sc.fiji.ncc.pose;

import java.io.Serializable;

/**
 * A local maximum of the best score over all poses.
 *
 * @param template the index of the template
 * @param position the first pixel of the unrotated and unscaled box of the template
 * @param pose the number of the best pose among those of all templates
 * @param score its exact score
 */
public record PoseMaximum(int template, long[] position, int pose, double score) implements Serializable {}
