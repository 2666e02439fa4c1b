package sc.fiji.ncc.cli.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.store.InputDataException;

/** Whether inputs are what they were when a run began: pictures are read while it goes on, so one that is written to meanwhile gives a result of both. */
public final class InputWatch {

	private final Map<String, String> stamps = new LinkedHashMap<>();

	/** Remembers files or folders as they are now, before they are read. What is not there is left to who reads it. */
	public synchronized void add(final Collection<String> names) {
		names.forEach(this::add);
	}

	synchronized void add(final String name) {
		if (Files.exists(ImageFiles.path(name))) stamps.putIfAbsent(name, stamp(name));
	}

	/** @throws NccException if one of them is another by now, with an {@link InputDataException} as its cause */
	public synchronized void requireUnchanged() {
		stamps.keySet().forEach(this::requireUnchanged);
	}

	/** The same of one of them, which is then forgotten. */
	synchronized void release(final String name) {
		requireUnchanged(name);
		stamps.remove(name);
	}

	private void requireUnchanged(final String name) {
		final String before = stamps.get(name);
		if (before == null || before.equals(stamp(name))) return;
		final String message = "the input " + name + " changed during the run, so the result would mix the old and the new: run again when nothing writes to it";
		throw new NccException(message, new InputDataException(message));
	}

	private static String stamp(final String name) {
		try {
			return InputStamp.of(ImageFiles.path(name));
		}
		catch (final IOException e) {
			// gone, or a file of a folder is: different from whatever was there
			return "not to be seen: " + e;
		}
	}
}
