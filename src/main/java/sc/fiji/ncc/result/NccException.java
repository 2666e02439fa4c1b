package sc.fiji.ncc.result;

/** The machine failed and nothing that is left could do the work. A caller's mistake is an IllegalArgumentException instead. */
public class NccException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public NccException(final String message, final Throwable cause) {
		super(message, cause);
	}
}
