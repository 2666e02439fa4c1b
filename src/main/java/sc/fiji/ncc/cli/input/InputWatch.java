package sc.fiji.ncc.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.store.InputDataException;

/** Detects inputs that change during a run. Images are read during the run, so a changed image would mix old and new pixels in a result. */
public final class InputWatch {

	private final Map<String, String> stamps = new LinkedHashMap<>();

	/** Records the state of files or folders before they are read. Missing files are ignored; their reader reports them. */
	public synchronized void add(final Collection<String> names) {
		names.forEach(this::add);
	}

	synchronized void add(final String name) {
		if (Files.exists(ImageFiles.path(name))) stamps.putIfAbsent(name, stamp(name));
	}

	/** @throws NccException if an input has changed, with an {@link InputDataException} as its cause */
	public synchronized void requireUnchanged() {
		stamps.keySet().forEach(this::requireUnchanged);
	}

	/** Checks one input, and stops watching it. */
	synchronized void release(final String name) {
		requireUnchanged(name);
		stamps.remove(name);
	}

	private void requireUnchanged(final String name) {
		final String before = stamps.get(name);
		if (before == null || before.equals(stamp(name))) return;
		final String message = "the input " + name + " changed during the run, so the result would mix old and new pixels: run again when no program writes to it";
		throw new NccException(message, new InputDataException(message));
	}

	private static String stamp(final String name) {
		try {
			return InputStamp.of(ImageFiles.path(name));
		}
		catch (final IOException e) {
			// a missing file differs from every recorded state
			return "missing: " + e;
		}
	}
}
