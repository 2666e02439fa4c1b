package sc.fiji.ncc.cuda.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * The libraries in the {@code org.bytedeco:cuda-redist} jar, if it is on the class path. They are unpacked once, into the folder of the cached kernels. They
 * belong to NVIDIA; the CUDA Toolkit's licence agreement applies.
 */
final class Redistributable {

	private static final List<String> FILES = List.of("libnvrtc.so.12", "libnvrtc-builtins.so.12.9", "libcufft.so.11", "nvrtc64_120_0.dll",
		"nvrtc-builtins64_129.dll", "cufft64_11.dll");

	private static Path folder;
	private static boolean searched;

	private Redistributable() {}

	/** The folder of the libraries; null if the jar is missing or cannot be unpacked. */
	static synchronized Path folder() {
		if (searched) return folder;
		searched = true;
		final String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows") ? "windows" : "linux";
		final String root = "/org/bytedeco/cuda/" + system + "-x86_64/";
		final Path target = KernelCache.defaultFolder().resolve("redist-12.9");
		try {
			for (final String f : FILES)
				try (InputStream in = Redistributable.class.getResourceAsStream(root + f)) {
					if (in == null) continue;
					folder = target;
					if (Files.exists(target.resolve(f))) continue;
					Files.createDirectories(target);
					final Path part = Files.createTempFile(target, f, ".part");
					Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
					Files.move(part, target.resolve(f), StandardCopyOption.ATOMIC_MOVE);
				}
		}
		catch (final IOException e) {
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, "cannot unpack the CUDA libraries of the class path to " + target + ": " + e);
			folder = null;
		}
		return folder;
	}
}
