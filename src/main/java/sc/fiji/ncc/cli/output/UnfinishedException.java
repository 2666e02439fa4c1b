package sc.fiji.ncc.cli.output;

/** Work ended before its end, and left what a later run goes on with. */
public final class UnfinishedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * @param left what is left and what to do, for people
	 * @param cause why it ended
	 */
	public UnfinishedException(final String left, final Exception cause) {
		super(left, cause);
	}
}
