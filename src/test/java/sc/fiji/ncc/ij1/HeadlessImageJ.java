package sc.fiji.ncc.ij1;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import net.imagej.patcher.LegacyInjector;

/**
 * The classes of ImageJ that Fiji's patch changes for runs without windows, in a jar. The first test makes it for all, because the
 * patch takes 3 s in each process that
 * applies it to itself.
 */
final class HeadlessImageJ {

	private static final Path FOLDER = Path.of("target"), LOCK = FOLDER.resolve("imagej-headless.lock");

	private HeadlessImageJ() {}

	/** The jar, which stands before ImageJ's own on the class path. */
	static synchronized Path jar() throws IOException {
		final Path jar = Files.createDirectories(FOLDER).resolve("headless-" + ImageJProcess.jarOf("ij.IJ").getFileName());
		try (FileChannel other = FileChannel.open(LOCK, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
			other.lock();
			if (Files.exists(jar)) return jar;
			final Path part = Files.createTempFile(FOLDER, "imagej", ".part");
			// the patch needs a process in which ImageJ is not loaded
			final String places = Stream.of("net.imagej.patcher.LegacyInjector", "javassist.ClassPool", "ij.IJ", HeadlessImageJ.class.getName())
				.map(c -> ImageJProcess.jarOf(c).toString()).collect(Collectors.joining(File.pathSeparator));
			final Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.awt.headless=true", "--add-opens",
				"java.base/java.lang=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", places, HeadlessImageJ.class.getName(), part.toString())
				.redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
			if (!java.waitFor(120, TimeUnit.SECONDS) || java.exitValue() != 0) throw new IOException("ImageJ is not patched");
			return Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (final InterruptedException e) {
			throw new IOException("interrupted", e);
		}
	}

	public static void main(final String[] arguments) throws Exception {
		LegacyInjector.writeJar(new File(arguments[0]), true, false);
	}
}
