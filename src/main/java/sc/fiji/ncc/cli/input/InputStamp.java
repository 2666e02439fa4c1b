package sc.fiji.ncc.cli.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;
import sc.fiji.ncc.plan.Size;

/** A text that identifies the state of an input, without reading images larger than memory. */
public final class InputStamp {

	private InputStamp() {}

	/** Name, size and modification time of a file, or of all files of a folder. O(files). */
	public static String of(final Path input) throws IOException {
		final Path real = input.toRealPath();
		final MessageDigest digest = sha256();
		long bytes = 0, files = 0;
		final List<Path> all;
		try (var walk = Files.walk(real)) {
			all = walk.sorted().toList();
		}
		catch (final UncheckedIOException e) {
			throw e.getCause();
		}
		for (final Path p : all) {
			final BasicFileAttributes a = Files.readAttributes(p, BasicFileAttributes.class);
			// the time of a folder also changes with files that are not read
			if (a.isDirectory()) continue;
			files++;
			bytes += a.size();
			digest.update((real.relativize(p) + " " + a.size() + " " + a.lastModifiedTime().toInstant() + "\n").getBytes(StandardCharsets.UTF_8));
		}
		return real + ", " + files + " files, " + bytes + " bytes, " + HexFormat.of().formatHex(digest.digest());
	}

	/** The size and a checksum of the values of a small image, such as a template or a mask. */
	public static String of(final RandomAccessibleInterval<?> image) {
		final MessageDigest digest = sha256();
		final ByteBuffer value = ByteBuffer.allocate(Double.BYTES);
		for (final RandomAccessibleInterval<?> channel : JointImage.channelsOf(image))
			for (final Object v : Views.flatIterable(channel)) digest.update(value.putDouble(0, ((RealType<?>) v).getRealDouble()).array());
		return Size.of(image.dimensionsAsLongArray()) + " " + HexFormat.of().formatHex(digest.digest());
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (final NoSuchAlgorithmException e) {
			throw new IllegalStateException("every Java has SHA-256", e);
		}
	}
}
