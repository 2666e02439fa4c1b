package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Compiled kernels on disk, in a folder that only the user can read and write. The name of a file is the hash of all that its contents depend
 * on: the card's architecture, the compiler's version, the options and the source. It begins with a hash of the rest; one that does
 * not fit is as good as none. Written to a file beside it first, so that nobody sees half of one.
 */
final class KernelCache {

	private static final int HASH = 64;

	private final Path folder;
	private boolean complained;

	KernelCache(final Path folder) {
		this.folder = folder;
	}

	/** {@code ~/.ncc/kernels}, or what the system property {@code ncc.kernels} says. */
	static Path defaultFolder() {
		final String given = System.getProperty("ncc.kernels");
		return given != null ? Path.of(given) : Path.of(System.getProperty("user.home"), ".ncc", "kernels");
	}

	static String key(final int architecture, final String compiler, final List<String> options, final String source) {
		return KernelSource.sha256((architecture + "\0" + compiler + "\0" + String.join("\0", options) + "\0\0" + source).getBytes(StandardCharsets.UTF_8));
	}

	/** What was kept under this key; empty if nothing whole was. */
	Optional<byte[]> get(final String key) {
		try {
			final byte[] all = Files.readAllBytes(file(key));
			if (all.length <= HASH) return Optional.empty();
			final byte[] code = Arrays.copyOfRange(all, HASH, all.length);
			final String hash = new String(all, 0, HASH, StandardCharsets.US_ASCII);
			return hash.equals(KernelSource.sha256(code)) ? Optional.of(code) : Optional.empty();
		}
		catch (final IOException e) {
			return Optional.empty();
		}
	}

	/** Keeps it. Where that cannot be written, it is compiled again next time, and said so once. */
	void put(final String key, final byte[] code) {
		try {
			makeFolder();
			final Path part = Files.createTempFile(folder, "kernel", ".part");
			try {
				final byte[] hash = KernelSource.sha256(code).getBytes(StandardCharsets.US_ASCII);
				Files.write(part, ByteBuffer.allocate(HASH + code.length).put(hash).put(code).array());
				Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			}
			finally {
				Files.deleteIfExists(part);
			}
		}
		catch (final IOException e) {
			if (complained) return;
			complained = true;
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, "compiled kernels cannot be kept in " + folder + ": " + e);
		}
	}

	private void makeFolder() throws IOException {
		if (Files.isDirectory(folder)) return;
		if (folder.getFileSystem().supportedFileAttributeViews().contains("posix"))
			Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		else Files.createDirectories(folder);
	}

	private Path file(final String key) {
		return folder.resolve(key + ".cubin");
	}
}
