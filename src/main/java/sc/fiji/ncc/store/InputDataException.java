package sc.fiji.ncc.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;

/** The data of an input are damaged, or of a kind that is not read: whoever gave the input must give another. A disk that fails is an {@link IOException} of another kind. */
public final class InputDataException extends IOException {

	private static final long serialVersionUID = 1L;

	/** @param message for people, without the input's name: {@code it is cut off} */
	public InputDataException(final String message) {
		super(message);
	}

	/** @param message likewise */
	public InputDataException(final String message, final Throwable cause) {
		super(message, cause);
	}

	/** A failure to read, as one of these if the input is at fault: it is cut off, damaged, gone, or may not be read. Otherwise the failure itself. */
	public static IOException of(final IOException e) {
		if (e instanceof EOFException) return new InputDataException("it is cut off" + (e.getMessage() == null ? "" : ": " + e.getMessage()), e);
		if (e instanceof ZipException) return new InputDataException("it is damaged", e);
		if (e instanceof NoSuchFileException) return new InputDataException("it is gone", e);
		return e instanceof AccessDeniedException ? new InputDataException("access denied", e) : e;
	}

	/** Whether an input is at fault for a failure, be it wrapped in others. */
	public static boolean caused(final Throwable failure) {
		for (Throwable t = failure; t != null; t = t.getCause())
			if (t instanceof InputDataException) return true;
		return false;
	}
}
