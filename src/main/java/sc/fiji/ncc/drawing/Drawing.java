package sc.fiji.ncc.drawing;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import javax.imageio.ImageIO;

import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.numeric.RealType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.view.Views;

import sc.fiji.ncc.image.JointImage;

/** Conversion of planes to 8-bit pictures, and PNG files. */
public final class Drawing {

	/** The share of pixels that become black, and white. */
	private static final double SATURATED = 0.002;
	private static final int SAMPLE = 100_000;

	private Drawing() {}

	/** @param plane an image of two dimensions */
	public static void png(final RandomAccessibleInterval<UnsignedByteType> plane, final OutputStream to) throws IOException {
		final BufferedImage image = new BufferedImage((int) plane.dimension(0), (int) plane.dimension(1), BufferedImage.TYPE_BYTE_GRAY);
		final byte[] pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
		int i = 0;
		for (final Cursor<UnsignedByteType> c = Views.flatIterable(plane).cursor(); c.hasNext();) pixels[i++] = (byte) c.next().get();
		png(image, to);
	}

	/** Writes a plane as a binary PGM file (P5) of 8 bits. */
	public static void pgm(final RandomAccessibleInterval<UnsignedByteType> plane, final OutputStream to) throws IOException {
		to.write(("P5\n" + plane.dimension(0) + " " + plane.dimension(1) + "\n255\n").getBytes(StandardCharsets.US_ASCII));
		final byte[] row = new byte[(int) plane.dimension(0)];
		final Cursor<UnsignedByteType> c = Views.flatIterable(plane).cursor();
		while (c.hasNext()) {
			for (int x = 0; x < row.length; x++) row[x] = (byte) c.next().get();
			to.write(row);
		}
	}

	public static void png(final BufferedImage image, final OutputStream to) throws IOException {
		ImageIO.setUseCache(false);
		if (!ImageIO.write(image, "png", to)) throw new IOException("this Java cannot write PNG files");
	}

	/** A plane in gray; three channels together in red, green and blue. Of other numbers of channels, the first is drawn. */
	static BufferedImage picture(final RandomAccessibleInterval<?> plane) {
		final List<RandomAccessibleInterval<?>> channels = JointImage.channelsOf(plane);
		final BufferedImage image = gray(channels.get(0));
		if (channels.size() != 3) return image;
		final BufferedImage green = gray(channels.get(1)), blue = gray(channels.get(2));
		for (int y = 0; y < image.getHeight(); y++)
			for (int x = 0; x < image.getWidth(); x++) image.setRGB(x, y, image.getRGB(x, y) & 0xff0000 | green.getRGB(x, y) & 0xff00 | blue.getRGB(x, y) & 0xff);
		return image;
	}

	/**
	 * A plane in gray. 8-bit values stay. Other values are scaled from their range, without outliers, to 0..255. Values that are not finite are black.
	 */
	static BufferedImage gray(final RandomAccessibleInterval<?> plane) {
		final RandomAccessibleInterval<? extends RealType<?>> values = real(plane);
		final double[] range = range(values);
		final BufferedImage image = new BufferedImage((int) values.dimension(0), (int) values.dimension(1), BufferedImage.TYPE_INT_RGB);
		final Cursor<? extends RealType<?>> c = Views.flatIterable(values).cursor();
		for (int y = 0; y < image.getHeight(); y++) {
			for (int x = 0; x < image.getWidth(); x++) {
				final double share = (c.next().getRealDouble() - range[0]) / (range[1] - range[0]);
				// 0 for NaN
				image.setRGB(x, y, 0x10101 * (int) Math.round(255 * Math.max(0, Math.min(1, Double.isNaN(share) ? 0 : share))));
			}
		}
		return image;
	}

	@SuppressWarnings("unchecked")
	private static RandomAccessibleInterval<? extends RealType<?>> real(final RandomAccessibleInterval<?> plane) {
		return (RandomAccessibleInterval<? extends RealType<?>>) plane;
	}

	/** The values that are scaled to black and white. */
	private static double[] range(final RandomAccessibleInterval<? extends RealType<?>> plane) {
		if (plane.getType() instanceof UnsignedByteType) return new double[] { 0, 255 };
		if (plane.getType() instanceof ByteType) return new double[] { -128, 127 };
		final long n = plane.dimension(0) * plane.dimension(1), step = Math.max(1, n / SAMPLE);
		final double[] sample = new double[(int) ((n + step - 1) / step)];
		int found = 0;
		final Cursor<? extends RealType<?>> c = Views.flatIterable(plane).cursor();
		for (long i = 0; i < n; i++) {
			final double v = c.next().getRealDouble();
			if (i % step == 0 && Double.isFinite(v)) sample[found++] = v;
		}
		if (found == 0) return new double[] { 0, 1 };
		Arrays.sort(sample, 0, found);
		final int cut = (int) (SATURATED * found);
		final double low = sample[cut], high = sample[found - 1 - cut];
		return new double[] { low, high > low ? high : low + 1 };
	}

	/** A picture magnified by a whole number, each pixel a square. */
	static BufferedImage magnified(final BufferedImage image, final int times) {
		final BufferedImage large = new BufferedImage(times * image.getWidth(), times * image.getHeight(), BufferedImage.TYPE_INT_RGB);
		for (int y = 0; y < large.getHeight(); y++)
			for (int x = 0; x < large.getWidth(); x++) large.setRGB(x, y, image.getRGB(x / times, y / times));
		return large;
	}
}
