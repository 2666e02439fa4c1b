package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;

/**
 * The libraries in the {@code org.bytedeco:cuda-redist} jar, if that is on the class path: unpacked beside the cached kernels, once. They are
 * NVIDIA's, under the terms of the CUDA Toolkit's licence agreement.
 */
final class Redistributable {

	private static final List<String> FILES = List.of("libnvrtc.so.12", "libnvrtc-builtins.so.12.9", "libcufft.so.11", "nvrtc64_120_0.dll",
		"nvrtc-builtins64_129.dll", "cufft64_11.dll");

	private static Path folder;
	private static boolean looked;

	private Redistributable() {}

	/** Where they lie; null if the jar is not there or cannot be unpacked. */
	static synchronized Path folder() {
		if (looked) return folder;
		looked = true;
		final String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows") ? "windows" : "linux";
		final String root = "/org/bytedeco/cuda/" + system + "-x86_64/";
		final Path to = KernelCache.defaultFolder().resolve("redist-12.9");
		try {
			for (final String f : FILES)
				try (InputStream in = Redistributable.class.getResourceAsStream(root + f)) {
					if (in == null) continue;
					folder = to;
					if (Files.exists(to.resolve(f))) continue;
					Files.createDirectories(to);
					final Path part = Files.createTempFile(to, f, ".part");
					Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
					Files.move(part, to.resolve(f), StandardCopyOption.ATOMIC_MOVE);
				}
		}
		catch (final IOException e) {
			System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING, "the CUDA libraries on the class path cannot be unpacked to " + to + ": " + e);
			folder = null;
		}
		return folder;
	}
}
