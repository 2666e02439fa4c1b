package sc.fiji.ncc.plan;

import java.util.concurrent.CompletionException;

/** A device failed: no memory, a failed launch or a lost device. The work can be repeated on another device. */
public class DeviceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public DeviceException(final String message) {
		super(message);
	}

	public DeviceException(final String message, final Throwable cause) {
		super(message, cause);
	}

	/** Why a submission failed: the exception that ended it, in place of one that wraps it. */
	public static RuntimeException reason(final RuntimeException failure) {
		final Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
		if (cause instanceof OutOfMemoryError) return outOfHeap((OutOfMemoryError) cause);
		return cause instanceof RuntimeException ? (RuntimeException) cause : failure;
	}

	/** The heap of Java is full, with what to do in the message. The work can be repeated with less at once. */
	public static DeviceException outOfHeap(final OutOfMemoryError cause) {
		return new DeviceException("not enough memory on the Java heap: increase the heap (-Xmx), or restrict the work to a search window", cause);
	}
}
