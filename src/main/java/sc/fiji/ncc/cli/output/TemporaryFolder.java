package sc.fiji.ncc.cli.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A folder beside an output for files that several processes share. It is deleted when it is closed. A killed process leaves it, and the next run deletes it. */
public final class TemporaryFolder implements AutoCloseable {

	/** The file whose lock says that the folder is in use. */
	private static final String LOCK = "lock";

	private final Path path;
	private final FileChannel lock;

	private TemporaryFolder(final Path path) throws IOException {
		this.path = Files.createDirectory(path);
		lock = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
		Outputs.lock(lock);
	}

	/** Creates {@code OUTPUT.KIND-UUID}, and deletes such folders of killed processes. */
	public static TemporaryFolder beside(final Path output, final String kind) throws IOException {
		final String name = output.getFileName() + "." + kind + "-";
		try (DirectoryStream<Path> left = Files.newDirectoryStream(output.getParent(), p -> p.getFileName().toString().startsWith(name)
			&& Files.exists(p.resolve(LOCK)))) {
			for (final Path p : left) if (free(p.resolve(LOCK))) delete(p);
		}
		return new TemporaryFolder(output.resolveSibling(name + UUID.randomUUID()));
	}

	private static boolean free(final Path lock) throws IOException {
		try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
			return Outputs.lock(channel);
		}
	}

	/** The lock goes last, so that the next run finds the rest of a folder that was not deleted completely. */
	private static void delete(final Path folder) throws IOException {
		try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, p -> !p.getFileName().toString().equals(LOCK))) {
			for (final Path file : all) Files.delete(file);
		}
		Files.delete(folder.resolve(LOCK));
		Files.delete(folder);
	}

	public Path path() {
		return path;
	}

	@Override
	public void close() throws IOException {
		lock.close();
		delete(path);
	}
}
