package sc.fiji.ncc.cli.output;

/** A run failed after a part of its results was written. */
public final class UnfinishedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * @param left where the finished part is and what to do, for the user
	 * @param cause the reason of the failure
	 */
	public UnfinishedException(final String left, final Exception cause) {
		super(left, cause);
	}
}
