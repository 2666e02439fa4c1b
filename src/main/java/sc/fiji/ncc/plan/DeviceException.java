package sc.fiji.ncc.plan;

/** A device failed: no memory, a failed launch or a lost device. The work can be repeated on another device. */
public class DeviceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public DeviceException(final String message) {
		super(message);
	}

	public DeviceException(final String message, final Throwable cause) {
		super(message, cause);
	}
}
