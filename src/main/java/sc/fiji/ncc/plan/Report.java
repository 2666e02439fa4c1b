package sc.fiji.ncc.plan;

/**
 * What became of a submission.
 *
 * @param responses how many were computed
 * @param undefined how many of them are undefined
 * @param rechecked how many were computed a second time because the error estimate of the first exceeded the tolerance
 */
public record Report(long responses, long undefined, long rechecked) {

	public static final Report NONE = new Report(0, 0, 0);

	public Report plus(final Report other) {
		return new Report(responses + other.responses, undefined + other.undefined, rechecked + other.rechecked);
	}
}
