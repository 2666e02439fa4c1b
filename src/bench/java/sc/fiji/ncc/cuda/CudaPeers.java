package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The same work with other libraries: CuPy and PyTorch by Python, NPP by nvcc. Prints the name of each library that is not installed. */
public final class CudaPeers {

	private CudaPeers() {}

	static void print() throws IOException, InterruptedException {
		final Path folder = Files.createTempDirectory("peers");
		try {
			run("CuPy and PyTorch", List.of("python3", unpacked("peers.py", folder).toString()));
			final String npp = folder.resolve("npp").toString();
			if (run("nvcc", List.of("nvcc", "-O3", "-o", npp, unpacked("npp.cu", folder).toString(), "-lnppist", "-lnppc"))) run("NPP", List.of(npp));
		}
		finally {
			try (var files = Files.list(folder)) {
				for (final Path f : files.toList()) Files.delete(f);
			}
			Files.delete(folder);
		}
	}

	/** Runs a Python script with arguments. */
	public static void print(final String script, final List<String> arguments) throws IOException, InterruptedException {
		final Path folder = Files.createTempDirectory("peers");
		final Path unpacked = unpacked(script, folder);
		try {
			final List<String> command = new java.util.ArrayList<>(List.of("python3", unpacked.toString()));
			command.addAll(arguments);
			run("Python", command);
		}
		finally {
			Files.delete(unpacked);
			Files.delete(folder);
		}
	}

	private static Path unpacked(final String name, final Path folder) throws IOException {
		try (InputStream in = CudaPeers.class.getResourceAsStream(name)) {
			Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
			return folder.resolve(name);
		}
	}

	private static boolean run(final String what, final List<String> command) throws InterruptedException {
		System.out.flush();
		try {
			final int code = new ProcessBuilder(command).inheritIO().start().waitFor();
			if (code != 0) System.out.println(what + ": ended with " + code);
			return code == 0;
		}
		catch (final IOException e) {
			System.out.println(what + ": not installed (" + e.getMessage() + ")");
			return false;
		}
	}
}
