package sc.fiji.ncc.result;

import java.io.UncheckedIOException;

/** A frame of a stream could not be read, or the consumer failed on its result. The consumer received the results of all frames before it. */
public final class FrameException extends NccException {

	private static final long serialVersionUID = 1L;

	private final long frame;

	public FrameException(final long frame, final String event, final Throwable cause) {
		super("frame " + (frame + 1) + event + reason(cause), cause);
		this.frame = frame;
	}

	/** The message of our own exceptions is complete; the message of others is often only a path, so their type is added. */
	private static String reason(final Throwable cause) {
		final Throwable e = cause instanceof UncheckedIOException ? cause.getCause() : cause;
		return e instanceof NccException ? e.getMessage() : e.toString();
	}

	/** The index of the frame, from 0. */
	public long frame() {
		return frame;
	}
}
