package sc.fiji.ncc.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the numbers of a table come from.
 *
 * @param machine processor, number of processors, GPU if one was used, operating system
 * @param java version, and whether the Vector API was used
 * @param commit of the program that was measured; ends in {@code +} if its sources had changes that were not committed
 * @param date as in 2026-11-23
 * @param command as typed in the project's folder
 */
public record Origin(String machine, String java, String commit, String date, String command) {

	/** The commit, where the folder is no Git repository: {@code -Dncc.commit=abc1234}. */
	public static final String COMMIT = "ncc.commit";

	/**
	 * This machine, this Java, this commit, today.
	 *
	 * @param gpu the name of the GPU that is measured; empty if none
	 * @throws IllegalStateException if the commit is unknown
	 */
	public static Origin here(final String gpu, final String command) {
		final int all = cpu("processor").size(), ours = Runtime.getRuntime().availableProcessors();
		final String machine = cpu("model name").stream().findFirst().orElse(System.getProperty("os.arch")) + ", " + ours + " processors"
			+ (all > ours ? " of " + all : "") + ", " + (gpu.isEmpty() ? "" : gpu + ", ") + System.getProperty("os.name");
		final boolean vectors = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && Runtime.version().feature() >= 21;
		return new Origin(machine, Runtime.version().feature() + (vectors ? " with the Vector API" : ""), checkedOut(), LocalDate.now().toString(), command);
	}

	/** The values of a key of {@code /proc/cpuinfo}, one for each processor; none on systems other than Linux. */
	private static List<String> cpu(final String key) {
		try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
			return lines.filter(line -> line.startsWith(key + "\t")).map(line -> line.substring(line.indexOf(':') + 2).replaceAll("\\((?:R|TM)\\)", "")
				.replaceAll(" +", " ").trim()).toList();
		}
		catch (final IOException e) {
			return List.of();
		}
	}

	private static String checkedOut() {
		final String given = System.getProperty(COMMIT, "");
		if (!given.isEmpty()) return given;
		return git("rev-parse", "--short=8", "HEAD") + (git("status", "--porcelain", "--", "src/main", "pom.xml").isEmpty() ? "" : "+");
	}

	private static String git(final String... arguments) {
		final String[] command = Stream.concat(Stream.of("git"), Stream.of(arguments)).toArray(String[]::new);
		try {
			final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			if (process.waitFor() == 0) return out;
		}
		catch (final IOException e) {
			throw new IllegalStateException("the commit is unknown, because git does not run: give it with -D" + COMMIT + "=abc1234", e);
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
		}
		throw new IllegalStateException("the commit is unknown, because this folder is no Git repository: give it with -D" + COMMIT + "=abc1234");
	}
}
