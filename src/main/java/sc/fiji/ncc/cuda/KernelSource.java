package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** The kernels' files in the jar: {@code NAME.cu}, what they share, and for each the PTX that needs no compiler but the driver's. */
final class KernelSource {

	/** All files of kernels. */
	static final List<String> NAMES = List.of("convert", "windows", "onepass", "bank", "bytes", "any", "again", "floats", "handbook", "fourier", "normalise",
		"tiles", "convolve", "sums", "masked", "separable", "peaks", "parts", "partwindows", "partresponses");
	/** The compute capabilities for which a file is compiled, newest first. The matrix units' instructions of Ampere are not Turing's. */
	static final Map<String, List<Integer>> TARGETS = Map.of("bytes", List.of(80, 75), "onepass", List.of(80, 75), "bank", List.of(80, 75));
	static final List<Integer> USUAL_TARGETS = List.of(75);
	/** Those that there are for pairs of floats, too; the others are the same, or in double on all cards. */
	static final List<String> PAIRED = List.of("windows", "onepass", "bank", "bytes", "any", "floats", "handbook", "normalise", "tiles", "partwindows");

	private static final Pattern INCLUDE = Pattern.compile("(?m)^#include \"(.+)\"$");
	private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

	private KernelSource() {}

	static String header(final String file) {
		return text(file);
	}

	static String of(final String name) {
		return text(name + ".cu");
	}

	private static String text(final String file) {
		return TEXTS.computeIfAbsent(file, f -> new String(bytes(f), StandardCharsets.UTF_8));
	}

	private static byte[] bytes(final String file) {
		try (InputStream in = KernelSource.class.getResourceAsStream(file)) {
			if (in == null) throw new IllegalStateException("the file " + file + " is missing from the plugin's jar");
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("the file " + file + " in the plugin's jar cannot be read", e);
		}
	}

	/** The PTX of a file for the newest of its targets that a card takes; its first line is {@code // } and the {@link #hash}. */
	static byte[] ptx(final String name, final Wide wide, final int architecture) {
		for (final int target : targets(name))
			if (target <= architecture) return ptxFor(name, wide, target);
		throw new IllegalStateException("no PTX of " + name + " for compute capability " + architecture);
	}

	static List<Integer> targets(final String name) {
		return TARGETS.getOrDefault(name, USUAL_TARGETS);
	}

	/** For what a file is compiled. */
	static List<Wide> variants(final String name) {
		return PAIRED.contains(name) ? List.of(Wide.values()) : List.of(Wide.DOUBLE);
	}

	/** Where the PTX of a file lies. */
	static String ptxFile(final String name, final Wide wide, final int target) {
		return "ptx/" + name + (wide == Wide.PAIRS ? "_pairs_" : "_") + target + ".ptx.gz";
	}

	static byte[] ptxFor(final String name, final Wide wide, final int target) {
		final String file = ptxFile(name, wide, target);
		try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes(file)))) {
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("the file " + file + " in the plugin's jar is torn", e);
		}
	}

	/** What a file includes, and what that includes: each after those that it needs. */
	static List<String> headers(final String name) {
		final Set<String> all = new LinkedHashSet<>();
		include(of(name), all);
		return List.copyOf(all);
	}

	private static void include(final String text, final Set<String> all) {
		for (final Matcher m = INCLUDE.matcher(text); m.find();) {
			if (all.contains(m.group(1))) continue;
			include(header(m.group(1)), all);
			all.add(m.group(1));
		}
	}

	/** A file after all that it includes. */
	static String whole(final String name) {
		final StringBuilder all = new StringBuilder();
		for (final String h : headers(name)) all.append(header(h)).append('\0');
		return all.append(of(name)).toString();
	}

	/** Of a file and what it includes: what its PTX was made from. */
	static String hash(final String name) {
		return sha256(whole(name).getBytes(StandardCharsets.UTF_8));
	}

	static String sha256(final byte[] data) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
		}
		catch (final NoSuchAlgorithmException e) {
			throw new AssertionError("every Java has SHA-256", e);
		}
	}
}
