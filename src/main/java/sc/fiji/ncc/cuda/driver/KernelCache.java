package sc.fiji.ncc.cuda.driver;

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
 * Compiled kernels on disk, in a folder that only the user can read and write. The name of a file is the hash of all that its content depends on: the GPU's
 * architecture, the compiler's version, the options and the source. The file begins with the hash of its content; a file with a wrong hash is ignored. A file
 * is written under a temporary name first, so that no process reads an incomplete one.
 */
final class KernelCache {

	private static final int HASH = 64;

	private final Path folder;
	private boolean logged;

	KernelCache(final Path folder) {
		this.folder = folder;
	}

	/** The system property {@code ncc.kernels}, or else {@code ~/.ncc/kernels}. */
	static Path defaultFolder() {
		final String given = System.getProperty("ncc.kernels");
		return given != null ? Path.of(given) : Path.of(System.getProperty("user.home"), ".ncc", "kernels");
	}

	static String key(final int architecture, final String compiler, final List<String> options, final String source) {
		return GpuKernelSource.sha256((architecture + "\0" + compiler + "\0" + String.join("\0", options) + "\0\0" + source).getBytes(StandardCharsets.UTF_8));
	}

	boolean has(final String key) {
		return Files.exists(file(key));
	}

	/** The code stored under this key; empty if there is none or it is damaged. */
	Optional<byte[]> get(final String key) {
		try {
			final byte[] content = Files.readAllBytes(file(key));
			if (content.length <= HASH) return Optional.empty();
			final byte[] code = Arrays.copyOfRange(content, HASH, content.length);
			final String hash = new String(content, 0, HASH, StandardCharsets.US_ASCII);
			return hash.equals(GpuKernelSource.sha256(code)) ? Optional.of(code) : Optional.empty();
		}
		catch (final IOException e) {
			return Optional.empty();
		}
	}

	/** Stores code. If it cannot be written, it is compiled again in the next process, and the first failure is logged. */
	void put(final String key, final byte[] code) {
		try {
			makeFolder();
			final Path part = Files.createTempFile(folder, "kernel", ".part");
			try {
				final byte[] hash = GpuKernelSource.sha256(code).getBytes(StandardCharsets.US_ASCII);
				Files.write(part, ByteBuffer.allocate(HASH + code.length).put(hash).put(code).array());
				Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
			}
			finally {
				Files.deleteIfExists(part);
			}
		}
		catch (final IOException e) {
			if (logged) return;
			logged = true;
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, "cannot store compiled kernels in " + folder + ": " + e);
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
