package sc.fiji.ncc.plan;

import java.io.Serializable;

/**
 * The counts of a finished submission.
 *
 * @param responses the number of computed responses
 * @param undefined the number of undefined responses
 * @param rechecked the number of responses computed again because their first error estimate exceeded the tolerance
 */
public record Report(long responses, long undefined, long rechecked) implements Serializable {

	/** No responses. */
	public static final Report NONE = new Report(0, 0, 0);

	/** The sums of the counts of both reports. */
	public Report plus(final Report other) {
		return new Report(responses + other.responses, undefined + other.undefined, rechecked + other.rechecked);
	}

	/** The counts without those of an earlier report. */
	public Report minus(final Report earlier) {
		return new Report(responses - earlier.responses, undefined - earlier.undefined, rechecked - earlier.rechecked);
	}

	@Override
	public String toString() {
		return responses + " responses, " + undefined + " undefined, " + rechecked + " rechecked";
	}
}
