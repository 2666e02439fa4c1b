package sc.fiji.ncc.gain;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.type.numeric.integer.UnsignedByteType;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.loops.Vectors;

/**
 * Whether the CPU uses the Vector API; if not, how to get it and what it would bring. A JVM gets the module at its start only, so two other JVMs measure, one of them with
 * the module.
 */
public final class VectorGain {

	private static final String MODULE = "jdk.incubator.vector", OPTION = "--add-modules=" + MODULE;
	private static final String PLACE = "add '" + OPTION + "', to jvm.runtime-args in Fiji's file config/jaunch/fiji.toml (older Fiji and ImageJ: " + OPTION
		+ " to the Java options in ImageJ.cfg; command line: java " + OPTION + " -jar …)";
	/** The oldest JDK on which vectors are used. */
	private static final int OLDEST = 21;
	private static final int IMAGE = 512, TEMPLATE = 31;
	/** The time in seconds for which a JVM repeats the correlation, and the time after which it is stopped. */
	private static final double REPEAT = 1;
	private static final int TIMEOUT = 30;

	/** The measured gain; null before the measurement. */
	private static String measured;

	private VectorGain() {}

	/** One line for the user. Measures at the first call if only a JVM option is missing, for some seconds. */
	public static String describe() {
		return describe(Vectors.USED);
	}

	static String describe(final boolean used) {
		if (used) return "used";
		if (Runtime.version().feature() < OLDEST)
			return "not used: start Java " + OLDEST + " or later, not Java " + Runtime.version().feature() + ", and " + PLACE;
		return "not used: " + PLACE + ", and start again; " + gain();
	}

	private static synchronized String gain() {
		if (measured != null) return measured;
		try {
			final double plain = seconds(List.of()), vectors = seconds(List.of("--add-modules", MODULE));
			measured = String.format(Locale.ROOT, "measured here: %.1f times as fast (cpu-direct, one thread, %dx%d, template %dx%d)", plain / vectors, IMAGE, IMAGE, TEMPLATE, TEMPLATE);
		}
		catch (final IOException e) {
			measured = "the gain could not be measured: " + e.getMessage();
		}
		return measured;
	}

	/** The time of one correlation in another JVM, with these options. */
	static double seconds(final List<String> options) throws IOException {
		final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
		command.addAll(options);
		command.addAll(List.of("-cp", classPath(), VectorGain.class.getName()));
		final Process java = new ProcessBuilder(command).redirectErrorStream(true).start();
		String last = "";
		try (BufferedReader in = new BufferedReader(new InputStreamReader(java.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = in.readLine(); line != null; line = in.readLine()) last = line;
			if (!java.waitFor(TIMEOUT, TimeUnit.SECONDS)) throw new IOException("Java takes more than " + TIMEOUT + " s");
			return Double.parseDouble(last);
		}
		catch (final NumberFormatException e) {
			throw new IOException("Java says: " + last, e);
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted", e);
		}
		finally {
			java.destroyForcibly();
		}
	}

	/** The places of this class and of what it needs. In Fiji they are jars in two folders. */
	private static String classPath() throws IOException {
		final Set<String> places = new TreeSet<>();
		for (final Class<?> c : List.of(VectorGain.class, ArrayImgs.class)) {
			try {
				places.add(Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
			}
			catch (final URISyntaxException | RuntimeException e) {
				throw new IOException("the place of " + c.getName() + " is unknown", e);
			}
		}
		return String.join(File.pathSeparator, places);
	}

	/** Prints the least time of a correlation in seconds. */
	public static void main(final String[] arguments) {
		final Random random = new Random(1);
		final NormalizedCrossCorrelation op = NormalizedCrossCorrelation.of(noise(random, TEMPLATE)).threads(1).algorithm("cpu-direct");
		final RandomAccessibleInterval<?> image = noise(random, IMAGE);
		double least = Double.MAX_VALUE;
		for (final long start = System.nanoTime(); 1e-9 * (System.nanoTime() - start) < REPEAT;) least = Math.min(least, op.correlate(image).seconds());
		System.out.println(least);
	}

	private static RandomAccessibleInterval<UnsignedByteType> noise(final Random random, final int side) {
		final byte[] pixels = new byte[side * side];
		random.nextBytes(pixels);
		return ArrayImgs.unsignedBytes(pixels, side, side);
	}
}
