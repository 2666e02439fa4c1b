package sc.fiji.ncc.cli;

import static sc.fiji.ncc.cli.TiffDirectory.BITS;
import static sc.fiji.ncc.cli.TiffDirectory.BYTE_COUNTS;
import static sc.fiji.ncc.cli.TiffDirectory.COMPRESSION;
import static sc.fiji.ncc.cli.TiffDirectory.FORMAT;
import static sc.fiji.ncc.cli.TiffDirectory.HEIGHT;
import static sc.fiji.ncc.cli.TiffDirectory.OFFSETS;
import static sc.fiji.ncc.cli.TiffDirectory.PHOTOMETRIC;
import static sc.fiji.ncc.cli.TiffDirectory.RESOLUTION_UNIT;
import static sc.fiji.ncc.cli.TiffDirectory.SAMPLES;
import static sc.fiji.ncc.cli.TiffDirectory.TILE_WIDTH;
import static sc.fiji.ncc.cli.TiffDirectory.WIDTH;
import static sc.fiji.ncc.cli.TiffDirectory.X_RESOLUTION;
import static sc.fiji.ncc.cli.TiffDirectory.Y_RESOLUTION;

import java.awt.image.BufferedImage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import sc.fiji.ncc.plan.PixelType;

/**
 * Reads TIFF files: single pictures, stacks and ImageJ's hyperstacks, with 8, 16, 32 or 64 bits a pixel, integers and floats. Values are
 * taken as they are stored: a colour table or an inverted one changes nothing, as in ImageJ's measurements. Strips that are not compressed
 * are read here, because ImageJ's own stacks (also those above 4 GB, with a single page) are made of them and because that is quickest to
 * start; everything else goes through the JDK's reader, which is strict about damage.
 */
final class TiffReader {

	private TiffReader() {}

	/** @throws IOException if the file is damaged, or of a kind that is not read, in words */
	static Picture read(final String name, final Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file)) {
			final List<TiffDirectory> pages = TiffDirectory.all(channel);
			final TiffDirectory first = pages.get(0);
			final long samples = first.number(SAMPLES, 1);
			if (samples > 1) throw ImageFiles.colour(name, samples + " samples a pixel");
			for (final TiffDirectory page : pages) {
				if (page.number(WIDTH, 0) != first.number(WIDTH, 0) || page.number(HEIGHT, 0) != first.number(HEIGHT, 0) || !type(page).equals(type(first)))
					throw new IOException("its pages differ in size or pixel type (" + text(first) + ", " + text(page) + "): save each as a file of its own");
			}
			final int width = side(first.number(WIDTH, 0)), height = side(first.number(HEIGHT, 0));
			final List<Object> planes = new ArrayList<>();
			final PixelType type;
			if (pages.stream().allMatch(TiffReader::plain)) {
				type = pixelType(first);
				if ((long) width * height * type.bytes > Integer.MAX_VALUE - 8)
					throw new IOException("a plane of " + width + "x" + height + " pixels of " + type.bytes + " bytes is above 2 GB: cut it into parts");
				final int images = Math.max(pages.size(), first.contiguousImages());
				// before memory is taken for what cannot be there
				if ((long) width * height * type.bytes > channel.size() / images)
					throw new EOFException("it has " + channel.size() + " bytes, too few for " + images + " of " + text(first));
				for (int i = 0; i < images; i++)
					planes.add(plane(channel, pages.size() > 1 ? pages.get(i) : first, pages.size() > 1 ? 0 : i, width * height, type));
			}
			else type = decoded(name, file, pages.size(), planes);
			return arrange(name, first, planes, type, width, height);
		}
	}

	/** Sorts the planes into channels, slices and frames as the description says. */
	private static Picture arrange(final String name, final TiffDirectory first, final List<Object> planes, final PixelType type, final int width, final int height) {
		final Properties lines = Calibration.description(first.description());
		final int n = planes.size();
		int c = (int) Calibration.number(lines, "channels", 1), z = (int) Calibration.number(lines, "slices", 1), t = (int) Calibration.number(lines, "frames", 1);
		if ((long) c * z * t != n || c < 1 || z < 1 || t < 1) {
			c = t = 1;
			z = n;
		}
		final List<Object> sorted = "zct".equals(lines.getProperty("order", "").trim()) ? channelsFirst(planes, c, z) : planes;
		final long unit = first.number(RESOLUTION_UNIT, 2);
		final double dotsPerInch = 1 / first.pixelSize(X_RESOLUTION);
		// 72 dots an inch is what programs write that know nothing
		final boolean calibrated = unit == 3 || unit == 2 && first.pixelSize(X_RESOLUTION) != 1 && dotsPerInch != 72;
		final Calibration calibration = Calibration.of(lines, first.pixelSize(X_RESOLUTION), first.pixelSize(Y_RESOLUTION),
			!calibrated ? null : unit == 3 ? "cm" : "inch");
		return ImageFiles.picture(name, sorted, type, new long[] { width, height, c, z, t }, calibration);
	}

	/** Slices lie before channels in a few files. */
	private static List<Object> channelsFirst(final List<Object> planes, final int channels, final int slices) {
		final List<Object> sorted = new ArrayList<>();
		for (int i = 0; i < planes.size(); i++) {
			final int c = i % channels, z = i / channels % slices, t = i / channels / slices;
			sorted.add(planes.get(z + slices * (c + channels * t)));
		}
		return sorted;
	}

	/** Whether pixels lie as they are: whole bytes, in strips, not compressed. */
	private static boolean plain(final TiffDirectory page) {
		final long bits = page.number(BITS, 1);
		return page.number(COMPRESSION, 1) == 1 && !page.has(TILE_WIDTH) && (bits == 8 || bits == 16 || bits == 32 || bits == 64) && known(page);
	}

	private static boolean known(final TiffDirectory page) {
		final long bits = page.number(BITS, 1), format = page.number(FORMAT, 1);
		return format == 3 ? bits >= 32 : format == 1 || format == 2 ? bits <= 32 : format == 4;
	}

	private static PixelType pixelType(final TiffDirectory page) {
		final boolean signed = page.number(FORMAT, 1) == 2, real = page.number(FORMAT, 1) == 3;
		switch ((int) page.number(BITS, 1)) {
			case 8: return signed ? PixelType.S8 : PixelType.U8;
			case 16: return signed ? PixelType.S16 : PixelType.U16;
			case 32: return real ? PixelType.F32 : signed ? PixelType.S32 : PixelType.U32;
			default: return PixelType.F64;
		}
	}

	/** @param image which one of those that follow the page without gaps */
	private static Object plane(final FileChannel file, final TiffDirectory page, final int image, final int pixels, final PixelType type) throws IOException {
		final ByteBuffer bytes = ByteBuffer.allocate(pixels * type.bytes).order(page.order());
		final long[] offsets = page.numbers(OFFSETS), counts = page.numbers(BYTE_COUNTS);
		if (offsets.length == 0) throw new IOException("a page without pixels");
		for (int s = 0; s < offsets.length && bytes.hasRemaining(); s++) {
			// a single strip may leave out its length, and ImageJ's long stacks say 0
			final long length = offsets.length == 1 || s >= counts.length ? bytes.remaining() : Math.min(counts[s], bytes.remaining());
			final long skip = (long) image * pixels * type.bytes;
			TiffDirectory.fill(file, offsets[s] + skip, bytes, (int) length);
		}
		if (bytes.hasRemaining()) throw new IOException("its strips hold " + bytes.position() + " bytes of " + bytes.capacity());
		return ImageFiles.array(bytes.flip(), type, pixels);
	}

	/** Everything else: compressed, tiled, odd numbers of bits. */
	private static PixelType decoded(final String name, final Path file, final int pages, final List<Object> planes) throws IOException {
		final ImageReader reader = ImageIO.getImageReadersByFormatName("tiff").next();
		try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
			reader.setInput(in);
			PixelType type = null;
			for (int i = 0; i < pages; i++) type = ImageFiles.plane(name, page(reader, i), true, planes);
			return type;
		}
		finally {
			reader.dispose();
		}
	}

	private static BufferedImage page(final ImageReader reader, final int i) throws IOException {
		try {
			return reader.read(i);
		}
		catch (final RuntimeException e) {
			throw ImageFiles.damaged(e);
		}
	}

	private static int side(final long pixels) throws IOException {
		if (pixels < 1 || pixels > Integer.MAX_VALUE) throw new IOException("a side of " + pixels + " pixels");
		return (int) pixels;
	}

	private static String type(final TiffDirectory page) {
		return page.number(SAMPLES, 1) + "x" + page.number(BITS, 1) + "/" + page.number(FORMAT, 1) + "/" + page.number(PHOTOMETRIC, 1);
	}

	private static String text(final TiffDirectory page) {
		return page.number(WIDTH, 0) + "x" + page.number(HEIGHT, 0) + " with " + page.number(SAMPLES, 1) + "x" + page.number(BITS, 1) + " bit";
	}
}
