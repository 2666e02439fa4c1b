package sc.fiji.ncc.cli.output;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.input.ImageFiles;
import sc.fiji.ncc.cli.input.InputWatch;
import sc.fiji.ncc.cli.input.ZarrImages;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.store.OmeZarr;
import sc.fiji.ncc.store.ZarrMap;

/**
 * The files that a command writes. Each file is first written under a temporary name in the same folder. When the command has succeeded, all files move to their
 * final names. If it fails or is interrupted, the temporary files are deleted, except those that {@link #resume} can continue, and older files stay.
 */
public final class Outputs implements AutoCloseable {

	/** A byte far behind the end of each temporary file. Its lock tells other processes that the file is in use, and ends with this process. */
	private static final long LOCKED = Long.MAX_VALUE - 1;

	private final Map<Path, Path> staged = new LinkedHashMap<>();
	private final Map<Path, FileChannel> locks = new HashMap<>();
	private final Set<Path> folders = new HashSet<>(), parts = new HashSet<>(), resumable = new HashSet<>(), kept = new HashSet<>();
	private final InputWatch inputs = new InputWatch();
	private final CountDownLatch closed = new CountDownLatch(1);
	private final Thread interrupted = new Thread(this::interrupt, "remove unfinished files");
	private volatile boolean canceled;

	public Outputs() {
		Runtime.getRuntime().addShutdownHook(interrupted);
	}

	/** Whether the program was interrupted. */
	public boolean canceled() {
		return canceled;
	}

	/** Records the state of inputs before they are read. {@link #commit} fails if one of them has changed. */
	public void watch(final List<String> names) {
		inputs.add(names);
	}

	/** @throws NccException if an input has changed */
	public void requireUnchanged() {
		inputs.requireUnchanged();
	}

	/**
	 * Reserves a file before anything is computed.
	 *
	 * @param name the name as given on the command line; null for none
	 * @param inputs all input files; they must not be written to
	 * @return the absolute path, for {@link #open}; null for none
	 * @throws IllegalArgumentException if the path is an input, another output or a folder, or cannot be written to
	 */
	public Path promise(final String name, final List<String> inputs) {
		if (name == null) return null;
		final Path place = place(name);
		requireNoInput(name, place, inputs);
		if (staged.containsKey(place)) throw new IllegalArgumentException(name + " is the name of two outputs: give two names");
		stage(name, place);
		return place;
	}

	/** The same for a file whose name has one of these endings. @param option the option that names it, for messages */
	public Path promise(final String option, final String name, final List<String> inputs, final String... endings) {
		requireEnding(option, name, endings);
		return promise(name, inputs);
	}

	/** @throws IllegalArgumentException if a name, unless it is null, has none of these endings. @param option the option, for messages */
	public static void requireEnding(final String option, final String name, final String... endings) {
		if (name != null && Arrays.stream(endings).noneMatch(e -> name.toLowerCase(Locale.ROOT).endsWith(e)))
			throw new IllegalArgumentException(option + " " + name + ": give a name that ends in " + String.join(" or ", endings));
	}

	/** @throws IllegalArgumentException if a name, unless it is null, is not that of a PNG file. @param what the name of the drawing, for the message */
	public static void requirePng(final String what, final String name) {
		if (name != null && !name.toLowerCase(Locale.ROOT).endsWith(".png"))
			throw new IllegalArgumentException("the " + what + " is a PNG file: give a name that ends in .png, not " + name);
	}

	/** The same for the table of {@code --output}, whose finished part {@link #leave} can keep. {@link #commit} deletes the part that an earlier run left. */
	public Path promiseTable(final String name, final List<String> inputs) {
		final Path place = promise(name, inputs);
		requireEnding("--output", name, ".csv");
		if (place != null) parts.add(place);
		return place;
	}

	/**
	 * Reserves a Zarr folder. {@link ZarrMap} itself writes and moves it.
	 *
	 * @param name the name as given on the command line
	 * @param inputs all input files; they must not be written to
	 * @return the absolute path
	 * @throws IllegalArgumentException as {@link #promise}, and if the path exists and is not a map of this program
	 */
	public Path promiseFolder(final String name, final List<String> inputs) {
		final Path path = ImageFiles.path(name).toAbsolutePath().normalize();
		return FailureReason.tried("create the output " + name, () -> {
			final Path folder = path.getParent();
			if (!Files.isDirectory(folder)) throw new IllegalArgumentException("there is no folder " + folder + " for the output " + name + ": create it, or give another folder");
			if (!Files.isWritable(folder)) throw new IllegalArgumentException("the folder " + folder + " is not writable: give another folder for the output " + name);
			final Path place = folder.toRealPath().resolve(path.getFileName());
			requireNoInput(name, place, inputs);
			for (final String input : inputs) {
				final Path read = ImageFiles.path(input);
				if (Files.exists(read) && (read.toRealPath().startsWith(place) || place.startsWith(read.toRealPath())))
					throw new IllegalArgumentException("the output " + name + " and the input " + input + " lie one in the other: give another folder for the output");
			}
			ZarrMap.requireFree(place);
			if (!folders.add(place)) throw new IllegalArgumentException(name + " is the name of two outputs: give two names");
			return place;
		});
	}

	/** Reserves a file as {@link #promise}, or a Zarr folder as {@link #promiseFolder}. @param name null for none */
	public Path promiseImage(final String name, final List<String> inputs) {
		return name != null && ZarrImages.isZarr(name) ? promiseFolder(name, inputs) : promise(name, inputs);
	}

	private static void requireNoInput(final String name, final Path place, final List<String> inputs) {
		for (final String input : inputs) {
			final Path path = ImageFiles.path(input);
			final String compare = "compare the files " + name + " and " + input;
			if (FailureReason.tried(compare, () -> Files.exists(path) && Files.exists(place) && Files.isSameFile(path, place)))
				throw new IllegalArgumentException("the output " + name + " is the input " + input + ": inputs are never written to, give the output another name");
			if (FailureReason.tried(compare, () -> OmeZarr.is(path) && place.startsWith(path.toRealPath())))
				throw new IllegalArgumentException("the output " + name + " lies in the input " + input
					+ ": inputs are never written to, give another folder for the output");
		}
	}

	private static Path place(final String name) {
		final Path path = ImageFiles.path(name).toAbsolutePath().normalize();
		if (Files.isDirectory(path)) throw new IllegalArgumentException(name + " is a folder: give a file name");
		return FailureReason.tried("create the output " + name, () -> {
			// follow a link: its target is replaced, and the link stays
			if (Files.exists(path)) {
				if (!Files.isRegularFile(path)) throw new IllegalArgumentException(name + " is not a regular file: give a file name");
				return path.toRealPath();
			}
			final Path folder = path.getParent();
			if (!Files.isDirectory(folder)) throw new IllegalArgumentException("there is no folder " + folder + " for the output " + name + ": create it, or give another folder");
			return folder.toRealPath().resolve(path.getFileName());
		});
	}

	/** Creates the temporary file now. This is the only reliable test that the folder is writable. */
	private synchronized void stage(final String name, final Path place) {
		final Path temporary = temporary(place, System.nanoTime());
		try {
			if (Files.exists(place) && !Files.isWritable(place)) throw new IllegalArgumentException(name + " is not writable: change its permissions, or give another name");
			Files.createFile(temporary);
			lock(temporary);
		}
		catch (final IOException e) {
			throw new IllegalArgumentException("the folder " + place.getParent() + " is not writable (" + FailureReason.of(e) + "): give another folder for the output " + name, e);
		}
		staged.put(place, temporary);
	}

	private static Path temporary(final Path place, final long number) {
		return place.resolveSibling("." + place.getFileName() + "." + Long.toHexString(number) + ".part");
	}

	private void lock(final Path temporary) throws IOException {
		final FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
		locks.put(temporary, channel);
		lock(channel);
	}

	/**
	 * Continues a reserved file. Its temporary file gets a name that depends on the identity, or is the file with this name that an earlier process left. The
	 * temporary files that were left with other identities are deleted.
	 *
	 * @param place the path from {@link #promise}; its file is not open
	 * @param identity a text that is equal for two runs that write the same bytes in the same order
	 * @param finished the length to which a file of this length is cut
	 * @return the bytes that the file has, to which {@link #open} appends; 0 if another process uses the file with this name
	 */
	public synchronized long resume(final Path place, final String identity, final LongUnaryOperator finished) throws IOException {
		final Path empty = staged.get(place);
		final Path part = temporary(place, UUID.nameUUIDFromBytes(identity.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits());
		if (Files.exists(part)) {
			final FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE);
			if (!lock(channel)) {
				channel.close();
				return 0;
			}
			locks.put(part, channel);
			unlock(empty);
			Files.delete(empty);
		}
		else {
			// some systems move only closed files
			unlock(empty);
			Files.move(empty, part);
			lock(part);
		}
		staged.put(place, part);
		resumable.add(part);
		removeLeft(place);
		final FileChannel channel = locks.get(part);
		channel.truncate(finished.applyAsLong(channel.size()));
		if (channel.size() > 0) keep(place);
		return channel.size();
	}

	/** Keeps the file that {@link #resume} can continue if it is not committed. */
	public synchronized void keep(final Path place) {
		if (resumable.contains(staged.get(place))) kept.add(staged.get(place));
	}

	/** Whether the temporary file of a reserved file stays if it is not committed. */
	public synchronized boolean isKept(final Path place) {
		return kept.contains(staged.get(place));
	}

	/** @return whether no other process uses the file; false on a file system without locks */
	static boolean lock(final FileChannel channel) throws IOException {
		try {
			return channel.tryLock(LOCKED, 1, false) != null;
		}
		catch (final OverlappingFileLockException e) {
			// another output of this process
			return false;
		}
		catch (final IOException e) {
			return false;
		}
	}

	private void unlock(final Path temporary) throws IOException {
		final FileChannel channel = locks.remove(temporary);
		if (channel != null) channel.close();
	}

	/** Deletes temporary files of processes that were killed. */
	private void removeLeft(final Path place) throws IOException {
		final String name = "." + place.getFileName() + ".";
		try (DirectoryStream<Path> left = Files.newDirectoryStream(place.getParent(), p -> !locks.containsKey(p) && p.getFileName().toString().startsWith(name)
			&& p.getFileName().toString().substring(name.length())
			.matches("[0-9a-f]+\\.part")))
		{
			for (final Path p : left) {
				final boolean free;
				try (FileChannel channel = FileChannel.open(p, StandardOpenOption.WRITE)) {
					free = lock(channel);
				}
				if (free) Files.deleteIfExists(p);
			}
		}
	}

	/** The open temporary file of a reserved file. Leave it open: to close any channel of a file ends the lock of this process on systems with POSIX locks. */
	public synchronized FileChannel channel(final Path place) {
		return locks.get(staged.get(place));
	}

	/** The temporary file of a reserved file. */
	public Path temporary(final Path place) {
		return staged.get(place);
	}

	/**
	 * Opens a reserved file to append to it. The stream throws {@link CancellationException} once the program is interrupted.
	 *
	 * @param place the path from {@link #promise}; null for none
	 */
	public synchronized OutputStream open(final Path place) throws IOException {
		if (place == null) return OutputStream.nullOutputStream();
		final FileChannel channel = channel(place);
		channel.position(channel.size());
		return new FilterOutputStream(Channels.newOutputStream(channel)) {

			@Override
			public void write(final byte[] bytes, final int from, final int length) throws IOException {
				check();
				try {
					out.write(bytes, from, length);
				}
				catch (final IOException e) {
					throw new IOException(place.getFileName() + ": " + FailureReason.of(e), e);
				}
			}

			@Override
			public void write(final int octet) throws IOException {
				write(new byte[] { (byte) octet }, 0, 1);
			}

			/** Leaves the channel open, see {@link #channel}. */
			@Override
			public void close() {}
		};
	}

	/** What is written to a file. */
	@FunctionalInterface
	public interface Content<S> {

		void writeTo(S stream) throws IOException;
	}

	/** Writes a reserved file. @param place null for none */
	public void bytes(final Path place, final Content<OutputStream> content) throws IOException {
		if (place == null) return;
		try (OutputStream to = open(place)) {
			content.writeTo(to);
		}
	}

	/** Writes a reserved text file. @param place null for none */
	public void text(final Path place, final Content<Writer> content) throws IOException {
		bytes(place, stream -> {
			final Writer to = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
			content.writeTo(to);
			to.flush();
		});
	}

	/** The end of a summary: the names of the files, without those that are null; empty if there are none. */
	public static String wrote(final String... names) {
		final String all = Stream.of(names).filter(Objects::nonNull).collect(Collectors.joining(", "));
		return all.isEmpty() ? "" : "; wrote " + all;
	}

	private void check() {
		if (canceled) throw new CancellationException("interrupted");
	}

	/**
	 * Moves all files to their final names.
	 *
	 * @throws NccException if an input has changed
	 */
	public synchronized void commit() throws IOException {
		commit(new ArrayList<>(staged.keySet()));
	}

	/** The same for some of the files. */
	public synchronized void commit(final List<Path> places) throws IOException {
		check();
		try {
			requireUnchanged();
		}
		catch (final NccException e) {
			// no later run continues what was made of other inputs
			kept.clear();
			throw e;
		}
		for (final Path place : places) {
			final Path temporary = staged.get(place);
			unlock(temporary);
			try {
				Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE);
			}
			catch (final AtomicMoveNotSupportedException e) {
				Files.move(temporary, place, StandardCopyOption.REPLACE_EXISTING);
			}
			staged.remove(place);
			removeLeft(place);
			if (parts.contains(place)) Files.deleteIfExists(part(place));
		}
	}

	/**
	 * Keeps an unfinished file under its name with {@code .part} appended. An older such file is replaced.
	 *
	 * @return the path of the unfinished file
	 */
	public synchronized Path leave(final Path place) throws IOException {
		final Path left = part(place);
		unlock(staged.get(place));
		Files.move(staged.get(place), left, StandardCopyOption.REPLACE_EXISTING);
		staged.remove(place);
		return left;
	}

	private static Path part(final Path place) {
		return place.resolveSibling(place.getFileName() + ".part");
	}

	/** Deletes the files that were not committed. */
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
					// the program is already ending, and the hook has nothing left to delete
				}
			}
		}
	}

	private synchronized void remove() throws IOException {
		for (final Path temporary : staged.values()) {
			unlock(temporary);
			if (!kept.contains(temporary)) Files.deleteIfExists(temporary);
		}
		staged.clear();
	}

	private void interrupt() {
		canceled = true;
		try {
			// some systems delete only closed files: wait until the computation has stopped and closed them
			closed.await(2, TimeUnit.SECONDS);
			remove();
		}
		catch (final InterruptedException | IOException e) {
			System.err.println("ncc: cannot delete an unfinished file: " + FailureReason.of(e));
		}
	}
}
