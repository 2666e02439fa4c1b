package sc.fiji.ncc.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.sun.jna.NativeLibrary;

/** Finds NVIDIA's libraries in whichever version is installed, newest first. */
final class Libraries {

	/** Where a library was found, or why it was not. */
	record Found(NativeLibrary library, String path, String reason) {}

	private Libraries() {}

	/**
	 * @param name as in {@code nvrtc}
	 * @param versions what stands in the file names, newest first
	 * @param purpose what is missing without it, in words
	 */
	static Found find(final String name, final List<String> versions, final String purpose) {
		return find(candidates(name, versions, System.getProperty("os.name"), System.getenv()), name, purpose);
	}

	static Found find(final List<String> candidates, final String name, final String purpose) {
		try {
			for (final String c : candidates)
				try {
					return new Found(NativeLibrary.getInstance(c), c, null);
				}
				catch (final UnsatisfiedLinkError e) {
					// not there: the next one
				}
		}
		catch (final LinkageError e) {
			return new Found(null, null, "NVIDIA's libraries are reached through JNA, which cannot be loaded: " + Driver.firstLine(e.toString()));
		}
		return new Found(null, null, "NVIDIA's " + name + " library (CUDA 11 to 13) was not found, so " + purpose
			+ ": install the CUDA toolkit, or set CUDA_PATH to where it is, or put org.bytedeco:cuda-redist on the class path (Maven profile cuda-redist)");
	}

	/** Names for the system's own search, then files in the usual folders. */
	static List<String> candidates(final String name, final List<String> versions, final String system, final Map<String, String> environment) {
		final boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
		final List<String> files = new ArrayList<>();
		for (final String v : versions) files.add(windows ? name + "64_" + v + ".dll" : "lib" + name + ".so." + v);
		final List<String> all = new ArrayList<>(files);
		for (final Path folder : folders(windows, environment))
			for (final String f : files)
				if (Files.exists(folder.resolve(f))) all.add(folder.resolve(f).toString());
		final Path unpacked = Redistributable.folder();
		if (unpacked != null)
			for (final String f : files)
				if (Files.exists(unpacked.resolve(f))) all.add(unpacked.resolve(f).toString());
		return all;
	}

	private static List<Path> folders(final boolean windows, final Map<String, String> environment) {
		final List<Path> roots = new ArrayList<>(), folders = new ArrayList<>();
		for (final String variable : List.of("CUDA_PATH", "CUDA_HOME"))
			if (environment.get(variable) != null) roots.add(Path.of(environment.get(variable)));
		if (windows) roots.addAll(listed(Path.of(environment.getOrDefault("ProgramFiles", "C:\\Program Files"), "NVIDIA GPU Computing Toolkit", "CUDA"), "v"));
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

	/** The folders in a folder whose names begin so, last name first. */
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
}
