package sc.fiji.ncc.plan;

/**
 * What a plan is expected to take, transfers included.
 *
 * @param seconds for all frames of the problem, once the process has run the algorithm before
 * @param startSeconds what its first run in a process takes more: loading and compiling code, opening a device
 * @param hostBytes working memory on the host beside image and map
 * @param deviceBytes memory on the device
 */
public record Cost(double seconds, double startSeconds, long hostBytes, long deviceBytes) {}
