package sc.fiji.ncc.plan;

/** A device failed: memory, launch, loss. The work can be done again elsewhere. */
public class DeviceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public DeviceException(final String message) {
		super(message);
	}

	public DeviceException(final String message, final Throwable cause) {
		super(message, cause);
	}
}
