package sc.fiji.ncc.plan;

/**
 * What a plan is expected to take, transfers included.
 *
 * @param seconds for all frames of the problem
 * @param hostBytes working memory on the host beside image and map
 * @param deviceBytes memory on the device
 */
public record Cost(double seconds, long hostBytes, long deviceBytes) {}
