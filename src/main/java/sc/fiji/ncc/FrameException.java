package sc.fiji.ncc;

import java.io.UncheckedIOException;

/** One frame of a stream could not be read, or its result could not be taken. The results of all frames before it were handed over. */
public final class FrameException extends NccException {

	private static final long serialVersionUID = 1L;

	private final long frame;

	FrameException(final long frame, final String what, final Throwable cause) {
		super("frame " + frame + what + reason(cause), cause);
		this.frame = frame;
	}

	/** Our own say all in their message; others often no more than a path. */
	private static String reason(final Throwable cause) {
		final Throwable e = cause instanceof UncheckedIOException ? cause.getCause() : cause;
		return e instanceof NccException ? e.getMessage() : e.toString();
	}

	/** Which one, counted from 0. */
	public long frame() {
		return frame;
	}
}
