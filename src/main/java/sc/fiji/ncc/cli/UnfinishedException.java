package sc.fiji.ncc.cli;

/** Work ended before its end, and left what a later run goes on with. */
final class UnfinishedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * @param left what is left and what to do, for people
	 * @param cause why it ended
	 */
	UnfinishedException(final String left, final Exception cause) {
		super(left, cause);
	}
}
