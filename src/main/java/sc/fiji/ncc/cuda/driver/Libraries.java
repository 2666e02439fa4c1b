package sc.fiji.ncc.cuda.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.sun.jna.NativeLibrary;

/** Finds NVIDIA's libraries in the newest installed version. */
final class Libraries {

	/** A library, or the reason why it was not found. */
	record Found(NativeLibrary library, String reason) {}

	private Libraries() {}

	/**
	 * @param name for example {@code nvrtc}
	 * @param versions the versions in the file names, newest first
	 * @param consequence the effect of a missing library, for the message
	 */
	static Found find(final String name, final List<String> versions, final String consequence) {
		return find(candidates(name, versions, System.getProperty("os.name"), System.getenv()), name, consequence);
	}

	static Found find(final List<String> candidates, final String name, final String consequence) {
		try {
			for (final String c : candidates)
				try {
					return new Found(NativeLibrary.getInstance(c), null);
				}
				catch (final UnsatisfiedLinkError e) {
					// not found: try the next one
				}
		}
		catch (final LinkageError e) {
			return new Found(null, "cannot load JNA, which loads NVIDIA's libraries: " + firstLine(e.toString()));
		}
		return new Found(null, "cannot find NVIDIA's " + name + " library (CUDA 11 to 13), so " + consequence
			+ ": install the CUDA toolkit, or set CUDA_PATH to its folder, or put org.bytedeco:cuda-redist on the class path (Maven profile cuda-redist)");
	}

	/** File names for the system's search, then existing files in the usual folders. */
	static List<String> candidates(final String name, final List<String> versions, final String system,
		final Map<String, String> environment) {
		final boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
		final List<String> files = new ArrayList<>();
		for (final String v : versions) files.add(windows ? name + "64_" + v + ".dll" : "lib" + name + ".so." + v);
		final List<String> candidates = new ArrayList<>(files);
		for (final Path folder : folders(windows, environment))
			for (final String f : files)
				if (Files.exists(folder.resolve(f))) candidates.add(folder.resolve(f).toString());
		final Path unpacked = Redistributable.folder();
		if (unpacked != null)
			for (final String f : files)
				if (Files.exists(unpacked.resolve(f))) candidates.add(unpacked.resolve(f).toString());
		return candidates;
	}

	private static List<Path> folders(final boolean windows, final Map<String, String> environment) {
		final List<Path> roots = new ArrayList<>(), folders = new ArrayList<>();
		for (final String variable : List.of("CUDA_PATH", "CUDA_HOME"))
			if (environment.get(variable) != null) roots.add(Path.of(environment.get(variable)));
		if (windows) roots.addAll(listed(Path.of(environment.getOrDefault("ProgramFiles", "C:\\Program Files"),
			"NVIDIA GPU Computing Toolkit", "CUDA"), "v"));
		else {
			roots.add(Path.of("/usr/local/cuda"));
			roots.addAll(listed(Path.of("/usr/local"), "cuda-"));
			roots.addAll(listed(Path.of("/opt"), "cuda"));
		}
		for (final Path root : roots)
			for (final String sub : windows ? List.of("bin\\x64", "bin") : List.of("lib64", "targets/x86_64-linux/lib", "lib"))
				folders.add(root.resolve(sub));
		return folders;
	}

	/** The subfolders whose names begin with {@code begin}, last name first. */
	private static List<Path> listed(final Path folder, final String begin) {
		final List<Path> found = new ArrayList<>();
		try (var stream = Files.newDirectoryStream(folder, begin + "*")) {
			stream.forEach(found::add);
		}
		catch (final java.io.IOException e) {
			// no such folder
		}
		found.sort((a, b) -> b.compareTo(a));
		return found;
	}

	static String firstLine(final String text) {
		return text.lines().findFirst().orElse(text);
	}

	/**
	 * The libraries in the {@code org.bytedeco:cuda-redist} jar, if it is on the class path. They are unpacked once, into the folder of the cached kernels. They
	 * belong to NVIDIA; the CUDA Toolkit's licence agreement applies.
	 */
	static final class Redistributable {

		private static final List<String> FILES = List.of("libnvrtc.so.12", "libnvrtc-builtins.so.12.9", "libcufft.so.11",
			"nvrtc64_120_0.dll", "nvrtc-builtins64_129.dll", "cufft64_11.dll");

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
				System.getLogger("sc.fiji.ncc").log(System.Logger.Level.WARNING,
					"cannot unpack the CUDA libraries of the class path to " + target + ": " + e);
				folder = null;
			}
			return folder;
		}
	}
}
