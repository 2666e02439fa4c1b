package sc.fiji.ncc.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;

/** The data of an input are damaged or not supported, so the user must give another input. If a disk fails, another {@link IOException} is thrown. */
public final class InputDataException extends IOException {

	private static final long serialVersionUID = 1L;

	/** @param message the reason, for the user, without the name of the input: {@code it is cut off} */
	public InputDataException(final String message) {
		super(message);
	}

	/** @param message the reason, as above */
	public InputDataException(final String message, final Throwable cause) {
		super(message, cause);
	}

	/** Converts a failure to read. Returns an InputDataException if the input is cut off, damaged, missing or not readable, otherwise the failure itself. */
	public static IOException of(final IOException e) {
		if (e instanceof EOFException) return new InputDataException("it is cut off" + (e.getMessage() == null ? "" : ": " + e.getMessage()), e);
		if (e instanceof ZipException) return new InputDataException("it is damaged", e);
		if (e instanceof NoSuchFileException) return new InputDataException("it is missing", e);
		return e instanceof AccessDeniedException ? new InputDataException("access denied", e) : e;
	}

	/** Whether the failure, or one of its causes, is an InputDataException. */
	public static boolean caused(final Throwable failure) {
		for (Throwable t = failure; t != null; t = t.getCause())
			if (t instanceof InputDataException) return true;
		return false;
	}
}
