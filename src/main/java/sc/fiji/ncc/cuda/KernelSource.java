package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPInputStream;

/** The kernels' files in the jar: {@code NAME.cu}, what they share, and for each the PTX that needs no compiler but the driver's. */
final class KernelSource {

	/** All files of kernels. */
	static final List<String> NAMES = List.of("convert", "windows", "onepass", "bank", "bytes", "any", "again", "floats", "handbook", "fourier", "normalise",
		"tiles", "convolve", "sums", "masked", "separable", "peaks", "parts");
	/** What they include. */
	static final List<String> HEADERS = List.of("common.cuh", "matrix.cuh", "windows.cuh", "fourier.cuh", "transform.cuh", "products.cuh", "sums.cuh");
	/** The compute capabilities for which a file is compiled, newest first. The matrix units' instructions of Ampere are not Turing's. */
	static final Map<String, List<Integer>> TARGETS = Map.of("bytes", List.of(80, 75), "onepass", List.of(80, 75), "bank", List.of(80, 75));
	static final List<Integer> USUAL_TARGETS = List.of(75);

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
	static byte[] ptx(final String name, final int architecture) {
		for (final int target : TARGETS.getOrDefault(name, USUAL_TARGETS))
			if (target <= architecture) return ptxFor(name, target);
		throw new IllegalStateException("no PTX of " + name + " for compute capability " + architecture);
	}

	static byte[] ptxFor(final String name, final int target) {
		final String file = "ptx/" + name + "_" + target + ".ptx.gz";
		try (InputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes(file)))) {
			return in.readAllBytes();
		}
		catch (final IOException e) {
			throw new UncheckedIOException("the file " + file + " in the plugin's jar is torn", e);
		}
	}

	/** A file after all that it may include. */
	static String whole(final String name) {
		final StringBuilder all = new StringBuilder();
		for (final String h : HEADERS) all.append(header(h)).append('\0');
		return all.append(of(name)).toString();
	}

	/** Of a file and what it may include: what its PTX was made from. */
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
