package sc.fiji.ncc.cli.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

import javax.imageio.IIOException;

/** Why a file could not be read or written, for the user. Many file exceptions have only the path as their message. */
public final class FailureReason {

	/** Something done with files. */
	@FunctionalInterface
	public interface Attempt<T> {

		T run() throws IOException;
	}

	private FailureReason() {}

	/**
	 * Does something with files.
	 *
	 * @param what what it does, for the message: the words after "cannot"
	 * @throws IllegalArgumentException if it fails
	 */
	public static <T> T tried(final String what, final Attempt<T> attempt) {
		try {
			return attempt.run();
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("cannot " + what + ": " + of(e), e);
		}
	}

	public static String of(final Exception e) {
		if (e instanceof AccessDeniedException) return "access denied";
		if (e instanceof NoSuchFileException) return "no such file or folder";
		if (e instanceof CharacterCodingException) return "it is not text in UTF-8";
		// writers of images of the JDK hide the reason behind a sentence of their own
		if (e instanceof IIOException && e.getCause() instanceof IOException) return of((IOException) e.getCause());
		return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
	}
}
