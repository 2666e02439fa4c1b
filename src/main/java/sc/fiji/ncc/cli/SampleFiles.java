package sc.fiji.ncc.cli;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import javax.imageio.ImageIO;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.view.Views;

import sc.fiji.ncc.cli.input.InputImage;
import sc.fiji.ncc.cli.map.StackWriter;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.drawing.RotatedCoins;
import sc.fiji.ncc.front.Calibration;
import sc.fiji.ncc.motion.VortexSample;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.register.DriftSample;
import sc.fiji.ncc.stitch.MosaicSample;
import sc.fiji.ncc.stitch.Tile;

/**
 * All files that the examples of the documents use, in one folder.
 *
 * @param folder an empty folder
 */
record SampleFiles(Path folder, Outputs outputs) {

	/** The extent of a template in x and y, the first pixels of two coins, and the rectangle of missing pixels. */
	private static final int COIN = 56;
	private static final int[] FIRST = { 274, 235 }, SECOND = { 318, 172 }, HOLE = { 60, 40, 90, 70 };
	/** The extents of the volume: x and y, and z. */
	private static final int SIDE = 64, DEPTH = 24;
	/** The number of frames in the folder of frames, and of the image with two channels. */
	private static final int FRAMES = 6;
	private static final String KERNEL = "1 2 1\n2 4 2\n1 2 1\n";

	void write(final BufferedImage coins) throws IOException {
		final RandomAccessibleInterval<UnsignedByteType> gray = gray(coins);
		png("coins.png", coins);
		tiff("coin.tif", coin(gray, FIRST), "xy");
		tiff("coin2.tif", coin(gray, SECOND), "xy");
		tiff("mask.tif", bytes(COIN, COIN, (x, y) -> Math.hypot(x - 27.5, y - 27.5) < 26 ? 255 : 0), "xy");
		tiff("gaussian.tif", floats(COIN, COIN, i -> Math.exp(-(square(i % COIN - 27.5) + square(i / COIN - 27.5)) / 400)), "xy");
		final BufferedImage rgb = coloured(coins);
		png("rgb.png", rgb);
		png("rgb-template.png", rgb.getSubimage(FIRST[0], FIRST[1], COIN, COIN));
		final BufferedImage rotated = RotatedCoins.draw(coins);
		png("rotated.png", rotated);
		Files.createDirectory(folder.resolve("images"));
		png("images/left.png", rotated.getSubimage(0, 0, 240, rotated.getHeight()));
		png("images/right.png", rotated.getSubimage(240, 0, 240, rotated.getHeight()));
		Files.createDirectory(folder.resolve("templates"));
		tiff("templates/coin.tif", coin(gray, FIRST), "xy");
		tiff("templates/coin2.tif", coin(gray, SECOND), "xy");
		final int width = coins.getWidth(), height = coins.getHeight();
		tiff("present.tif", bytes(width, height, (x, y) -> hole(x, y) ? 0 : 255), "xy");
		tiff("holes.tif", floats(width, height, i -> hole(i % width, i / width) ? Double.NaN : coins.getRaster().getSample(i % width, i / width, 0)), "xy");
		tiff("kernel.tif", floats(5, 5, i -> Math.exp(-(square(i % 5 - 2) + square(i / 5 - 2)) / 2) / 6.1689), "xy");
		try (OutputStream to = outputs.open(place("kernel.txt"))) {
			to.write(KERNEL.getBytes(StandardCharsets.US_ASCII));
		}
		frames();
		vortex();
		volume();
		Files.createDirectory(folder.resolve("tiles"));
		tiles("tiles/");
	}

	/**
	 * Writes the tiles of a mosaic.
	 *
	 * @param subfolder the folder in this folder, with a slash; empty for this folder
	 */
	void tiles(final String subfolder) throws IOException {
		for (final Tile tile : MosaicSample.tiles()) tiff(subfolder + tile.name(), tile.pixels().get(), "xy");
	}

	private void frames() throws IOException {
		final RandomAccessibleInterval<UnsignedShortType> drift = DriftSample.stack();
		tiff("drift.tif", drift, "xyt");
		zarr("drift.zarr", drift, "xyt");
		Files.createDirectory(folder.resolve("frames"));
		for (int t = 0; t < FRAMES; t++) tiff("frames/t" + (t + 1) + ".tif", Views.hyperSlice(drift, 2, t), "xy");
		tiff("fixed.tif", Views.hyperSlice(drift, 2, 0), "xy");
		tiff("spot.tif", Views.zeroMin(Views.interval(Views.hyperSlice(drift, 2, 0), new long[] { 130, 110 }, new long[] { 161, 141 })), "xy");
		tiff("spots.tif", Views.zeroMin(Views.interval(Views.hyperSlice(drift, 2, 0), new long[] { 90, 60 }, new long[] { 113, 99 })), "xy");
		tiff("moving.tif", Views.hyperSlice(drift, 2, DriftSample.JUMP), "xy");
		tiff("fixed-mask.tif", bytes(DriftSample.SIZE, DriftSample.SIZE, (x, y) -> x < 200 ? 255 : 0), "xy");
		// the channels show other spots that move in the same way
		final RandomAccessibleInterval<UnsignedShortType> channels = ArrayImgs.unsignedShorts(200, 200, 2, FRAMES);
		LoopBuilder.setImages(Views.moveAxis(Views.stack(Views.interval(drift, new long[3], new long[] { 199, 199, FRAMES - 1 }),
			Views.zeroMin(Views.interval(drift, new long[] { 56, 56, 0 }, new long[] { 255, 255, FRAMES - 1 }))), 3, 2), channels)
			.forEachPixel((from, to) -> to.set(from));
		tiff("channels.tif", channels, "xyct");
	}

	/** The sample of motion fields, as a stack and as two images. */
	private void vortex() throws IOException {
		final RandomAccessibleInterval<UnsignedByteType> stack = VortexSample.stack();
		tiff("vortex.tif", stack, "xyt");
		tiff("before.tif", Views.hyperSlice(stack, 2, 0), "xy");
		tiff("after.tif", Views.hyperSlice(stack, 2, 1), "xy");
	}

	private void volume() throws IOException {
		final Random random = new Random(23);
		final double[][] spots = new double[60][];
		for (int s = 0; s < spots.length; s++)
			spots[s] = new double[] { SIDE * random.nextDouble(), SIDE * random.nextDouble(), DEPTH * random.nextDouble(), 2 + 6 * random.nextDouble(),
				40 + 120 * random.nextDouble() };
		final byte[] pixels = new byte[SIDE * SIDE * DEPTH], present = new byte[pixels.length];
		for (int i = 0; i < pixels.length; i++) {
			final int x = i % SIDE, y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
			double v = 10 + 4 * random.nextDouble();
			for (final double[] s : spots) {
				final double d = (square(x - s[0]) + square(y - s[1]) + square(z - s[2])) / s[3];
				if (d < 20) v += s[4] * Math.exp(-d);
			}
			pixels[i] = (byte) Math.min(255, Math.rint(v));
			present[i] = (byte) (hole(x, y) ? 0 : 1);
		}
		final RandomAccessibleInterval<UnsignedByteType> volume = ArrayImgs.unsignedBytes(pixels, SIDE, SIDE, DEPTH);
		tiff("volume.tif", volume, "xyz");
		zarr("volume.zarr", volume, "xyz");
		zarr("present.zarr", ArrayImgs.unsignedBytes(present, SIDE, SIDE, DEPTH), "xyz");
		tiff("part.tif", Views.zeroMin(Views.interval(volume, new long[] { 40, 30, 12 }, new long[] { 55, 45, 19 })), "xyz");
	}

	private Path place(final String name) {
		return outputs.promise(folder.resolve(name).toString(), List.of());
	}

	private void png(final String name, final BufferedImage image) throws IOException {
		try (OutputStream to = outputs.open(place(name))) {
			ImageIO.write(image, "png", to);
		}
	}

	private void tiff(final String name, final RandomAccessibleInterval<?> pixels, final String axes) throws IOException {
		writer(name, pixels, axes).file(pixels, outputs, place(name));
	}

	private void zarr(final String name, final RandomAccessibleInterval<?> pixels, final String axes) throws IOException {
		writer(name, pixels, axes).zarr(pixels, folder.resolve(name), "sample");
	}

	private static StackWriter writer(final String name, final RandomAccessibleInterval<?> pixels, final String axes) {
		return new StackWriter(new InputImage(name, pixels, axes, Calibration.NONE), new long[axes.length()], 1, Monitor.NONE);
	}

	private static RandomAccessibleInterval<UnsignedByteType> gray(final BufferedImage image) {
		return bytes(image.getWidth(), image.getHeight(), (x, y) -> image.getRaster().getSample(x, y, 0));
	}

	private static RandomAccessibleInterval<UnsignedByteType> coin(final RandomAccessibleInterval<UnsignedByteType> coins, final int[] at) {
		return Views.zeroMin(Views.interval(coins, new long[] { at[0], at[1] }, new long[] { at[0] + COIN - 1, at[1] + COIN - 1 }));
	}

	private static BufferedImage coloured(final BufferedImage coins) {
		final BufferedImage rgb = new BufferedImage(coins.getWidth(), coins.getHeight(), BufferedImage.TYPE_INT_RGB);
		for (int y = 0; y < rgb.getHeight(); y++)
			for (int x = 0; x < rgb.getWidth(); x++) {
				final int v = coins.getRaster().getSample(x, y, 0);
				rgb.setRGB(x, y, new Color(v, v * 4 / 5, v * v / 512).getRGB());
			}
		return rgb;
	}

	private interface Pixel {

		int at(int x, int y);
	}

	private static RandomAccessibleInterval<UnsignedByteType> bytes(final int width, final int height, final Pixel pixel) {
		final byte[] pixels = new byte[width * height];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (byte) pixel.at(i % width, i / width);
		return ArrayImgs.unsignedBytes(pixels, width, height);
	}

	private static RandomAccessibleInterval<?> floats(final int width, final int height, final IntToDoubleFunction pixel) {
		final float[] pixels = new float[width * height];
		for (int i = 0; i < pixels.length; i++) pixels[i] = (float) pixel.applyAsDouble(i);
		return ArrayImgs.floats(pixels, width, height);
	}

	private static boolean hole(final int x, final int y) {
		return x >= HOLE[0] && x < HOLE[0] + HOLE[2] && y >= HOLE[1] && y < HOLE[1] + HOLE[3];
	}

	private static double square(final double x) {
		return x * x;
	}
}
