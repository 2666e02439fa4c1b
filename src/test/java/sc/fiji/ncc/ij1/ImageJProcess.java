package sc.fiji.ncc.ij1;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Real ImageJ 1.x in a process of its own, with the plugin in its plugins folder. It runs with windows, or without windows by Fiji's patch.
 */
final class ImageJProcess {

	/** The exit code and the output of a run. */
	record Outcome(int exitCode, String printed) {}

	/** One class of each jar that the plugin needs in plain ImageJ. */
	private static final List<String> NEEDED = List.of("ij.IJ", "org.scijava.Context", "org.scijava.parsington.Tokens", "net.imglib2.img.Img",
		"org.apache.commons.math3.distribution.NormalDistribution");

	private static final String WITH_WINDOWS = "-Djava.awt.headless=false";

	private final Path folder;

	/** Makes a folder like an installation of ImageJ. */
	ImageJProcess(final Path folder) throws IOException {
		this.folder = folder;
		Files.createDirectories(folder.resolve("plugins"));
		zip(jarOf("sc.fiji.ncc.ij1.NccPlugIn"), plugin());
	}

	/** Starts a macro with {@code -batch}, and with the folder of ImageJ as its launchers give it. */
	CompletableFuture<Outcome> run(final Path macro, final String argument) throws IOException {
		return start("ij.ImageJ", "-ijpath", folder.toString(), "-batch", macro.toString(), argument);
	}

	/** Starts a macro with {@code -batch} on a display, which can be virtual. */
	CompletableFuture<Outcome> runOnDisplay(final Path macro, final String argument) throws IOException {
		return start(WITH_WINDOWS, List.of(), "ij.ImageJ", "-batch", macro.toString(), argument);
	}

	/** Starts several macros in one process. Returns the outcome of each by its name. */
	CompletableFuture<Map<String, Outcome>> run(final Map<String, String> macros) throws IOException {
		final List<String> command = new ArrayList<>(List.of(MacroSequence.class.getName()));
		for (final Map.Entry<String, String> macro : macros.entrySet())
			command.addAll(List.of(Files.writeString(folder.resolve(macro.getKey() + ".ijm"), macro.getValue()).toString(), ""));
		return sequence(command);
	}

	/** Starts several macros of the plugin in one process. Returns the outcome of each by its name. */
	CompletableFuture<Map<String, Outcome>> runShipped(final Map<Path, String> arguments) throws IOException {
		final List<String> command = new ArrayList<>(List.of(MacroSequence.class.getName()));
		arguments.forEach((macro, argument) -> command.addAll(List.of(macro.toAbsolutePath().toString(), argument)));
		return sequence(command);
	}

	private CompletableFuture<Map<String, Outcome>> sequence(final List<String> command) throws IOException {
		return start(command.toArray(new String[0])).thenApply(all -> {
			final String[] parts = all.printed().split("(?m)^" + MacroSequence.BEGIN);
			return Stream.of(parts).filter(part -> part.contains(".ijm")).collect(Collectors.toMap(
				part -> Paths.get(part.lines().findFirst().orElseThrow()).getFileName().toString().replace(".ijm", ""),
				part -> new Outcome(all.exitCode(), part.substring(part.indexOf('\n') + 1))));
		});
	}

	/** Runs a program with ImageJ's windows. Needs a display. Other processes of the tests wait with their windows, because pictures and clicks need the one in front. */
	Outcome runWithWindows(final Class<?> main, final String... arguments) throws IOException {
		final List<String> command = new ArrayList<>(List.of(main.getName()));
		command.addAll(List.of(arguments));
		final Path lock = Files.createDirectories(Paths.get("target")).resolve("display.lock");
		try (FileChannel display = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
			display.lock();
			return start(WITH_WINDOWS, List.of(), command.toArray(new String[0])).join();
		}
	}

	private CompletableFuture<Outcome> start(final String... mainAndArguments) throws IOException {
		return start("-Djava.awt.headless=true", List.of(HeadlessImageJ.jar()), mainAndArguments);
	}

	/** Starts ImageJ and kills it after four minutes. @param first the jars before all others */
	private CompletableFuture<Outcome> start(final String option, final List<Path> first, final String... mainAndArguments) throws IOException {
		final List<Path> jars = new ArrayList<>(first);
		NEEDED.forEach(c -> jars.add(jarOf(c)));
		jars.add(plugin());
		jars.add(jarOf(MacroSequence.class.getName()));
		final List<String> command = new ArrayList<>(List.of(Paths.get(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(List.of(option, "-Dfile.encoding=UTF-8", "-Djava.util.prefs.userRoot=" + folder, "-Duser.home=" + folder, "-Dplugins.dir=" + folder,
			"-Dncc.wisdom=" + folder.resolve("wisdom.txt"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
			jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
		command.addAll(List.of(mainAndArguments));
		final Path printed = Files.createTempFile(folder, "printed", ".txt");
		final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile()).start();
		return CompletableFuture.supplyAsync(() -> {
			try {
				if (!process.waitFor(240, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
				return new Outcome(process.exitValue(), Files.readString(printed));
			}
			catch (final IOException | InterruptedException e) {
				throw new IllegalStateException(e);
			}
		});
	}

	private Path plugin() {
		return folder.resolve("plugins").resolve("ncc_.jar");
	}

	/** The place on the class path of a class. */
	static Path jarOf(final String className) {
		try {
			final Class<?> c = Class.forName(className, false, ImageJProcess.class.getClassLoader());
			return Paths.get(c.getProtectionDomain().getCodeSource().getLocation().toURI());
		}
		catch (final ClassNotFoundException | URISyntaxException e) {
			throw new IllegalStateException(className + " is on no jar of the class path", e);
		}
	}

	/** Makes the jar, because tests run before the package phase. */
	private static void zip(final Path classes, final Path jar) throws IOException {
		try (OutputStream file = Files.newOutputStream(jar); ZipOutputStream out = new ZipOutputStream(file);
			Stream<Path> paths = Files.walk(classes))
		{
			out.setLevel(Deflater.NO_COMPRESSION);
			for (final Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
				out.putNextEntry(new ZipEntry(classes.relativize(path).toString().replace(File.separatorChar, '/')));
				Files.copy(path, out);
				out.closeEntry();
			}
		}
	}
}
