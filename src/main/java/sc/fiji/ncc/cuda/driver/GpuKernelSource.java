package sc.fiji.ncc.cuda.driver;

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

/**
 * The kernel files in the jar: {@code NAME.cu}, the headers that they share in {@code headers/}, and for each file its PTX, which only needs the
 * driver's compiler.
 */
final class GpuKernelSource {

	/** All kernel files with PTX in the jar. */
	static final List<String> NAMES = List.of("convert", "windows", "onepass", "shorts", "bank", "bytes", "any", "recheck",
		"floats", "floatpass", "handbook", "fourier", "normalise",
		"tiles", "convolve", "sums", "masked", "separable", "peaks", "smallshifts", "shiftwindows", "shiftresponses", "poses", "frames", "shiftfit",
		"resample", "patches", "windowfit", "deform", "quantize");
	/** Files that are compiled with NVIDIA's run-time compiler alone, with options of each problem. They have no PTX in the jar. */
	static final List<String> COMPILED = List.of("passes", "members");
	/** The compute capabilities for which a file is compiled, newest first. Instructions for Ampere's matrix units do not run on Turing. */
	static final Map<String, List<Integer>> TARGETS = Map.of("bytes", List.of(80, 75), "onepass", List.of(80, 75), "shorts", List.of(80, 75),
		"bank", List.of(80, 75));
	static final List<Integer> USUAL_TARGETS = List.of(75);
	/** The files with a variant for pairs of floats. The other files need none, or use double on all GPUs. */
	static final List<String> PAIRED = List.of("windows", "onepass", "shorts", "bank", "bytes", "any", "floats", "floatpass", "handbook", "normalise", "tiles",
		"shiftwindows");

	private static final Pattern INCLUDE = Pattern.compile("(?m)^#include \"(.+)\"$");
	private static final Map<String, String> TEXTS = new ConcurrentHashMap<>();

	private GpuKernelSource() {}

	static String header(final String file) {
		return text("headers/" + file);
	}

	static String of(final String name) {
		return text(name + ".cu");
	}

	private static String text(final String file) {
		return TEXTS.computeIfAbsent(file, f -> new String(bytes(f), StandardCharsets.UTF_8));
	}

	private static byte[] bytes(final String file) {
		try (InputStream in = GpuKernelSource.class.getResourceAsStream("/sc/fiji/ncc/cuda/" + file)) {
			if (in == null) throw new IllegalStateException("the plugin's jar lacks the file " + file + ": install the plugin again");
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("cannot read the file " + file + " in the plugin's jar", e);
		}
	}

	/** The PTX of a file for the newest target that a GPU supports. Its first line is {@code // } and the {@link #hash}. */
	static byte[] ptx(final String name, final ExtendedPrecision wide, final int architecture) {
		for (final int target : targets(name))
			if (target <= architecture) return ptxFor(name, wide, target);
		throw new IllegalStateException("no PTX of " + name + " for compute capability " + architecture);
	}

	static List<Integer> targets(final String name) {
		return TARGETS.getOrDefault(name, USUAL_TARGETS);
	}

	/** The variants of a file. */
	static List<ExtendedPrecision> variants(final String name) {
		return PAIRED.contains(name) ? List.of(ExtendedPrecision.values()) : List.of(ExtendedPrecision.DOUBLE);
	}

	/** The path in the jar of the PTX of a file. */
	static String ptxFile(final String name, final ExtendedPrecision wide, final int target) {
		return "ptx/" + name + (wide == ExtendedPrecision.PAIRS ? "_pairs_" : "_") + target + ".ptx.gz";
	}

	static byte[] ptxFor(final String name, final ExtendedPrecision wide, final int target) {
		final String file = ptxFile(name, wide, target);
		try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes(file)))) {
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("the file " + file + " in the plugin's jar is damaged: install the plugin again", e);
		}
	}

	/** The headers that a file includes directly or indirectly, each after those that it includes. */
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

	/** The headers of a file, followed by the file. */
	static String whole(final String name) {
		final StringBuilder all = new StringBuilder();
		for (final String h : headers(name)) all.append(header(h)).append('\0');
		return all.append(of(name)).toString();
	}

	/** The hash of a file and its headers, to detect outdated PTX. */
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
