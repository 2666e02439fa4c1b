package sc.fiji.ncc.cli.output;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import sc.fiji.ncc.cli.picture.FailureReason;
import sc.fiji.ncc.cli.picture.ImageFiles;
import sc.fiji.ncc.cli.picture.InputWatch;
import sc.fiji.ncc.store.OmeZarr;
import sc.fiji.ncc.store.ZarrMap;

/**
 * The files that a command writes. Each is written beside its place under a temporary name; all move there at once when everything has
 * succeeded. On failure, or when the program is interrupted, the temporary ones go, and what stood there before stays.
 */
public final class Outputs implements AutoCloseable {

	private final Map<Path, Path> staged = new LinkedHashMap<>();
	private final Set<Path> folders = new HashSet<>();
	private final InputWatch inputs = new InputWatch();
	private final CountDownLatch closed = new CountDownLatch(1);
	private final Thread interrupted = new Thread(this::interrupt, "remove unfinished files");
	private volatile boolean canceled;

	public Outputs() {
		Runtime.getRuntime().addShutdownHook(interrupted);
	}

	/** Whether the program was told to end. */
	public boolean canceled() {
		return canceled;
	}

	/** Remembers inputs as they are, before they are read: {@link #commit} refuses if one of them has changed by then. */
	public void watch(final List<String> names) {
		inputs.add(names);
	}

	/** @throws sc.fiji.ncc.NccException if an input has changed */
	public void requireUnchanged() {
		inputs.requireUnchanged();
	}

	/**
	 * Promises a file, before the work begins.
	 *
	 * @param name as the user wrote it
	 * @param inputs files that must not be written to
	 * @return its place
	 * @throws IllegalArgumentException if it is an input, another output, no file, or cannot be written
	 */
	public Path promise(final String name, final List<String> inputs) {
		final Path place = place(name);
		requireNoInput(name, place, inputs);
		if (staged.containsKey(place)) throw new IllegalArgumentException(name + " is named for two outputs: give each its own name");
		stage(name, place);
		return place;
	}

	/**
	 * Promises a folder of Zarr's, which comes to its place by itself.
	 *
	 * @return its place
	 * @throws IllegalArgumentException as {@link #promise}; and if something stands there that is no map written before
	 */
	public Path promiseFolder(final String name, final List<String> inputs) {
		final Path path = ImageFiles.path(name).toAbsolutePath().normalize();
		try {
			final Path folder = path.getParent();
			if (!Files.isDirectory(folder)) throw new IllegalArgumentException("there is no folder " + folder + " for the output " + name + ": make it, or name another");
			if (!Files.isWritable(folder)) throw new IllegalArgumentException("the folder " + folder + " cannot be written to: name another for the output " + name);
			final Path place = folder.toRealPath().resolve(path.getFileName());
			requireNoInput(name, place, inputs);
			for (final String input : inputs) {
				final Path read = ImageFiles.path(input);
				if (Files.exists(read) && (read.toRealPath().startsWith(place) || place.startsWith(read.toRealPath())))
					throw new IllegalArgumentException("the output " + name + " and the input " + input + " lie one in the other: give the output another place");
			}
			ZarrMap.requireFree(place);
			if (!folders.add(place)) throw new IllegalArgumentException(name + " is named for two outputs: give each its own name");
			return place;
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the output " + name + " cannot be made: " + FailureReason.of(e), e);
		}
	}

	private static void requireNoInput(final String name, final Path place, final List<String> inputs) {
		for (final String input : inputs) {
			final Path path = ImageFiles.path(input);
			try {
				if (Files.exists(path) && Files.exists(place) && Files.isSameFile(path, place))
					throw new IllegalArgumentException("the output " + name + " is the input " + input + ": inputs are never written to, give the output another name");
				if (OmeZarr.is(path) && place.startsWith(path.toRealPath()))
					throw new IllegalArgumentException("the output " + name + " lies in the input " + input + ": inputs are never written to, name another folder for the output");
			}
			catch (final IOException e) {
				throw new IllegalArgumentException("cannot tell whether " + name + " and " + input + " are the same file: " + FailureReason.of(e), e);
			}
		}
	}

	private static Path place(final String name) {
		final Path path = ImageFiles.path(name).toAbsolutePath().normalize();
		if (Files.isDirectory(path)) throw new IllegalArgumentException(name + " is a folder: name a file in it");
		try {
			// through a link, so that the file it names is replaced, and the link stays
			if (Files.exists(path)) {
				if (!Files.isRegularFile(path)) throw new IllegalArgumentException(name + " is no regular file: outputs are made beside their place and moved there, so name a file");
				return path.toRealPath();
			}
			final Path folder = path.getParent();
			if (!Files.isDirectory(folder)) throw new IllegalArgumentException("there is no folder " + folder + " for the output " + name + ": make it, or name another");
			return folder.toRealPath().resolve(path.getFileName());
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the output " + name + " cannot be made: " + FailureReason.of(e), e);
		}
	}

	/** Makes the temporary file now: the only sure test that the folder can be written to. */
	private synchronized void stage(final String name, final Path place) {
		final Path temporary = place.resolveSibling("." + place.getFileName() + "." + Long.toHexString(System.nanoTime()) + ".part");
		try {
			if (Files.exists(place) && !Files.isWritable(place)) throw new IllegalArgumentException(name + " may not be written to: change its permissions, or name another file");
			Files.createFile(temporary);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the folder " + place.getParent() + " cannot be written to (" + FailureReason.of(e) + "): name another for the output " + name, e);
		}
		staged.put(place, temporary);
	}

	/** Where a promised file lies until it comes to its place. */
	public Path temporary(final Path place) {
		return staged.get(place);
	}

	/** @param place as {@link #promise} returned it; the stream throws {@link CancellationException} once the program is told to end */
	public OutputStream open(final Path place) throws IOException {
		return new FilterOutputStream(Files.newOutputStream(staged.get(place), StandardOpenOption.WRITE)) {

			@Override
			public void write(final byte[] bytes, final int from, final int length) throws IOException {
				check();
				out.write(bytes, from, length);
			}

			@Override
			public void write(final int octet) throws IOException {
				check();
				out.write(octet);
			}
		};
	}

	private void check() {
		if (canceled) throw new CancellationException("interrupted");
	}

	/**
	 * Moves all files to their places.
	 *
	 * @throws sc.fiji.ncc.NccException if an input has changed
	 */
	public synchronized void commit() throws IOException {
		check();
		requireUnchanged();
		final List<Path> places = new ArrayList<>(staged.keySet());
		for (final Path place : places) {
			final Path temporary = staged.get(place);
			try {
				Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE);
			}
			catch (final AtomicMoveNotSupportedException e) {
				Files.move(temporary, place, StandardCopyOption.REPLACE_EXISTING);
			}
			staged.remove(place);
		}
	}

	/**
	 * Keeps what there is of a promised file beside its place, with {@code .part} after its name, in place of what was left there before.
	 *
	 * @return where
	 */
	public synchronized Path leave(final Path place) throws IOException {
		final Path left = place.resolveSibling(place.getFileName() + ".part");
		Files.move(staged.get(place), left, StandardCopyOption.REPLACE_EXISTING);
		staged.remove(place);
		return left;
	}

	/** Removes what was not committed. */
	@Override
	public void close() throws IOException {
		try {
			remove();
		}
		finally {
			closed.countDown();
			if (!canceled) {
				try {
					Runtime.getRuntime().removeShutdownHook(interrupted);
				}
				catch (final IllegalStateException e) {
					// the program ends this moment, and the hook has nothing left to remove
				}
			}
		}
	}

	private synchronized void remove() throws IOException {
		for (final Path temporary : staged.values()) Files.deleteIfExists(temporary);
		staged.clear();
	}

	private void interrupt() {
		canceled = true;
		try {
			// the work stops by itself and closes its files, which some systems want before they can go
			closed.await(2, TimeUnit.SECONDS);
			remove();
		}
		catch (final InterruptedException | IOException e) {
			System.err.println("ncc: an unfinished file may be left: " + FailureReason.of(e));
		}
	}
}
