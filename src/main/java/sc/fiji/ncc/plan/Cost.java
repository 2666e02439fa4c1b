package sc.fiji.ncc.plan;

/**
 * The predicted cost of a plan, transfers included.
 *
 * @param seconds the time for all frames of the problem if the process has already run the algorithm
 * @param startSeconds the additional time of the first run in a process: loading and compiling code, opening a device
 * @param hostBytes working memory on the host, without image and map
 * @param deviceBytes memory on the device
 */
public record Cost(double seconds, double startSeconds, long hostBytes, long deviceBytes) {}
