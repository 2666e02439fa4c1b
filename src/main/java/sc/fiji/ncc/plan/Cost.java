package sc.fiji.ncc.plan;

/**
 * The predicted cost of a plan, transfers included.
 *
 * @param seconds the time of a call with all frames of the problem if the process has already run the algorithm
 * @param onceSeconds the part of {@code seconds} that does not depend on the number of frames, because it is spent once: the preparation of the templates
 * @param startSeconds the additional time of the first run in a process: loading and compiling code, opening a device
 * @param hostBytes working memory on the host, without image and map
 * @param deviceBytes memory on the device
 */
public record Cost(double seconds, double onceSeconds, double startSeconds, long hostBytes, long deviceBytes) {

	/** A cost of frames alone. */
	public Cost(final double seconds, final double startSeconds, final long hostBytes, final long deviceBytes) {
		this(seconds, 0, startSeconds, hostBytes, deviceBytes);
	}

	/** The time of all frames. */
	public double frameSeconds() {
		return seconds - onceSeconds;
	}
}
