package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import sc.fiji.ncc.document.DocumentTable;

/** The same work with other libraries: CuPy and PyTorch by Python, NPP by nvcc. */
public final class CudaPeers {

	/** What the scripts print for each time: {@code CuPy 14.2, Fourier, 2000x2000 with 8x8: 1.69 ms}. */
	private static final Pattern TIME = Pattern.compile("(\\w+ [\\w.+]+)(?:, (\\w+))?, (\\d+x\\d+) with (\\d+x\\d+): ([\\d.]+) ms");
	private static final int SECONDS = 40;

	private CudaPeers() {}

	/**
	 * @param table receives library, method, type of pixels, image, template and milliseconds; and a row with the reason in place of a time for each library
	 *        that is missing or fails
	 */
	static void measure(final DocumentTable table) throws IOException, InterruptedException {
		final Path folder = Files.createTempDirectory("peers");
		try {
			rows(table, "CuPy and PyTorch", run(folder, List.of("python3", unpacked("peers.py", folder).toString())), "float");
			final String npp = folder.resolve("npp").toString();
			final List<String> compiled = run(folder, List.of("nvcc", "-O3", "-o", npp, unpacked("npp.cu", folder).toString(), "-lnppist", "-lnppc"));
			rows(table, "NPP", Files.exists(Path.of(npp)) ? run(folder, List.of(npp)) : compiled, "8 bit");
		}
		finally {
			try (var files = Files.list(folder)) {
				for (final Path f : files.toList()) Files.delete(f);
			}
			Files.delete(folder);
		}
	}

	private static void rows(final DocumentTable table, final String library, final List<String> lines, final String type) {
		for (final String line : lines) {
			final Matcher m = TIME.matcher(line);
			if (m.matches()) table.row(m.group(1), m.group(2) == null ? "NormLevel" : m.group(2), type, m.group(3), m.group(4), Double.valueOf(m.group(5)));
			else if (line.contains(": not ") || line.equals(lines.get(lines.size() - 1))) table.row(library, line.strip(), "-", "-", "-", "-");
			System.out.println(line);
		}
	}

	/** Runs a Python script with arguments, and prints what it prints. */
	public static void print(final String script, final List<String> arguments) throws IOException, InterruptedException {
		final Path folder = Files.createTempDirectory("peers");
		final Path unpacked = unpacked(script, folder);
		try {
			final List<String> command = new ArrayList<>(List.of("python3", unpacked.toString()));
			command.addAll(arguments);
			run(folder, command).forEach(System.out::println);
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

	/** The lines that a program prints, and, if it is missing, fails or takes too long, a last line that says so. */
	private static List<String> run(final Path folder, final List<String> command) throws IOException, InterruptedException {
		final Path out = Files.createTempFile(folder, "out", ".txt");
		try {
			final List<String> lines = new ArrayList<>();
			String problem = null;
			try {
				final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
				if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
					process.destroyForcibly().waitFor();
					problem = "stopped after " + SECONDS + " s";
				}
				else if (process.exitValue() != 0) problem = "ended with " + process.exitValue();
			}
			catch (final IOException e) {
				problem = "not installed";
			}
			lines.addAll(Files.readAllLines(out));
			lines.removeIf(String::isBlank);
			if (problem != null) lines.add(command.get(0) + ": " + problem);
			return lines;
		}
		finally {
			Files.delete(out);
		}
	}
}
