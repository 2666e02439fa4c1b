package sc.fiji.ncc.cuda.driver;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the PTX in {@code src/main/resources} anew from those {@code .cu} files that have changed, by nvcc: {@code mvn -Pptx test-compile exec:java}. The compiler states
 * its own version of the PTX language; the kernels use nothing newer than 8.0, which drivers since R525 take, so that is what is written.
 * ptxas refuses a file that says less than it uses.
 */
public final class PtxBuild {

	/** What drivers since R525 (CUDA 12.0) take. */
	static final String VERSION = "8.0";
	private static final Path RESOURCES = Path.of("src/main/resources/sc/fiji/ncc/cuda");

	private PtxBuild() {}

	public static void main(final String[] arguments) throws IOException, InterruptedException {
		Files.createDirectories(RESOURCES.resolve("ptx"));
		for (final String name : GpuKernelSource.NAMES)
			for (final ExtendedPrecision wide : GpuKernelSource.variants(name))
				for (final int target : GpuKernelSource.targets(name)) {
					final Path file = RESOURCES.resolve(GpuKernelSource.ptxFile(name, wide, target));
					if (isOfTheSource(file, name)) continue;
					Files.write(file, zipped(compile(name, wide, target)));
					System.out.println(file);
				}
	}

	/** Whether a file is there and was made from what is the source now. */
	private static boolean isOfTheSource(final Path file, final String name) throws IOException {
		if (!Files.exists(file)) return false;
		try (BufferedReader in = new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.US_ASCII))) {
			return ("// " + GpuKernelSource.hash(name)).equals(in.readLine());
		}
	}

	/** PTX of a file for a compute capability, checked by ptxas. */
	static String compile(final String name, final ExtendedPrecision wide, final int target) throws IOException, InterruptedException {
		final Path folder = Files.createTempDirectory("ptx");
		try {
			final Path ptx = folder.resolve(name + ".ptx");
			final List<String> command = new ArrayList<>(List.of("nvcc", "-ptx", "-std=c++17", "-arch=compute_" + target, "-o", ptx.toString()));
			command.addAll(List.of(wide.options()));
			command.addAll(List.of("-I", RESOURCES.resolve("headers").toString(), RESOURCES.resolve(name + ".cu").toString()));
			run(command.toArray(new String[0]));
			final StringBuilder text = new StringBuilder("// " + GpuKernelSource.hash(name) + "\n");
			for (final String line : Files.readAllLines(ptx))
				// the hint that a part of a load is unused is newer
				if (!line.startsWith("//") && !line.contains("used_bytes_mask")) text.append(line.startsWith(".version") ? ".version " + VERSION : line.strip()).append('\n');
			Files.writeString(ptx, text);
			check(ptx, target);
			return text.toString();
		}
		finally {
			try (var files = Files.list(folder)) {
				for (final Path f : files.toList()) Files.delete(f);
			}
			Files.delete(folder);
		}
	}

	/** @throws IOException if ptxas does not take a file, with what it says */
	static void check(final Path ptx, final int target) throws IOException, InterruptedException {
		run("ptxas", "-arch=sm_" + target, "-o", ptx.resolveSibling("checked.cubin").toString(), ptx.toString());
	}

	static void run(final String... command) throws IOException, InterruptedException {
		final Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
		final String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (p.waitFor() != 0) throw new IOException(String.join(" ", command) + " failed:\n" + said);
	}

	private static byte[] zipped(final String text) throws IOException {
		final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
			zip.write(text.getBytes(StandardCharsets.US_ASCII));
		}
		return bytes.toByteArray();
	}

	/** The names of all programs that this needs; empty where they are installed. */
	static List<String> missing() {
		final List<String> missing = new ArrayList<>();
		for (final String program : List.of("nvcc", "ptxas"))
			try {
				run(program, "--version");
			}
			catch (final IOException e) {
				missing.add(program);
			}
			catch (final InterruptedException e) {
				throw new AssertionError(e);
			}
		return missing;
	}
}
