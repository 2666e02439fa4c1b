package sc.fiji.ncc.bench.stitch;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

import com.sun.management.OperatingSystemMXBean;

import net.imglib2.img.array.ArrayImgs;

import sc.fiji.ncc.Stitching;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.document.Origin;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.support.Parallel;
import sc.fiji.ncc.result.Mosaic;
import sc.fiji.ncc.stitch.Tile;

/**
 * Stitching of volumes with known truth.
 * <ul>
 * <li>{@code accuracy N THREADS}: N links of each kind of content and each depth, at shifts between the pixels; prints
 * the errors beside the stated standard deviations.</li>
 * <li>{@code speed THREADS}: the time of the 10 links between 11 volumes of 1024x1024x64 pixels in a row, with 10 % overlap, and the largest error along each
 * dimension, in pixels and in standard deviations.</li>
 * </ul>
 */
public final class StitchVolumes {

	private static final int WIDTH = 128, HEIGHT = 96, OVERLAP = 26;
	private static final int[] DEPTHS = { 12, 24, 48 };
	private static final String[] KINDS = { "cells", "tissue", "fine" };
	private static final double STAGE = 4, STAGE_Z = 1.5, PHOTONS = 400;

	private StitchVolumes() {}

	public static void main(final String[] arguments) {
		if (arguments[0].equals("accuracy")) accuracy(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
		else speed(Integer.parseInt(arguments[1]));
	}

	private static double[] line(final double at, final double sigma, final int size) {
		final double[] line = new double[size];
		for (int i = Math.max(0, (int) Math.ceil(at - 4 * sigma)); i <= Math.min(size - 1, (int) (at + 4 * sigma)); i++)
			line[i] = Math.exp(-0.5 * (i - at) * (i - at) / (sigma * sigma));
		return line;
	}

	/** A volume of spots with photon noise. */
	private static Tile tile(final String name, final double[][] spots, final double[] at, final int depth, final Random noise, final double expected) {
		final double[] mean = new double[WIDTH * HEIGHT * depth];
		for (final double[] s : spots) {
			final double[] x = line(s[0] - at[0], s[3], WIDTH), y = line(s[1] - at[1], s[3], HEIGHT), z = line(s[2] - at[2], s[3], depth);
			for (int k = 0; k < depth; k++) if (z[k] > 0) for (int j = 0; j < HEIGHT; j++) if (y[j] > 0)
				for (int i = 0; i < WIDTH; i++) mean[(k * HEIGHT + j) * WIDTH + i] += s[4] * x[i] * y[j] * z[k];
		}
		final short[] pixels = new short[mean.length];
		for (int i = 0; i < pixels.length; i++) {
			final double photons = PHOTONS * (0.1 + mean[i]);
			pixels[i] = (short) Math.max(0, Math.rint(10 * (photons + Math.sqrt(photons) * noise.nextGaussian())));
		}
		return Tile.of(name, ArrayImgs.unsignedShorts(pixels, WIDTH, HEIGHT, depth), expected, 0, 0);
	}

	/** Spots: x, y, z, sigma, height. */
	private static double[][] spots(final String kind, final int depth, final Random random) {
		final double width = 2 * WIDTH, height = HEIGHT + 20, deep = depth + 20;
		final double[][] spots = new double[(int) (width * height * deep / (kind.equals("cells") ? 6000 : kind.equals("tissue") ? 500 : 120))][];
		for (int s = 0; s < spots.length; s++) {
			final double sigma = kind.equals("cells") ? 2.5 + 2 * random.nextDouble() : kind.equals("tissue") ? 1.3 + random.nextDouble()
				: 0.7 + 0.3 * random.nextDouble();
			spots[s] = new double[] { width * random.nextDouble(), height * random.nextDouble() - 10,
				deep * random.nextDouble() - 10, sigma, 0.3 + random.nextDouble() };
		}
		return spots;
	}

	/** The sums of the links of one kind. */
	private static final class Sum {

		int links, used, fitted;
		final double[] squares = new double[3], normalised = new double[3];

		synchronized void add(final Mosaic.Link link, final double[] truth) {
			links++;
			if (!link.used()) return;
			used++;
			// a shift without a fit has half a pixel
			if (link.sigma(0) > 0.4) return;
			fitted++;
			for (int d = 0; d < 3; d++) {
				final double error = link.shift()[d] - truth[d];
				squares[d] += error * error;
				normalised[d] += error * error / link.covariance()[d][d];
			}
		}
	}

	private static void accuracy(final int links, final int threads) {
		final DocumentTable table = new DocumentTable(Origin.here("", "bench stitch.StitchVolumes accuracy " + links + " " + threads), "content", "depth", "links",
			"used", "fitted", "rms_error_x_px", "rms_error_y_px", "rms_error_z_px", "predicted_over_observed_x", "predicted_over_observed_y",
			"predicted_over_observed_z");
		table.head().forEach(System.out::println);
		for (final String kind : KINDS) for (final int depth : DEPTHS) {
			final Sum sum = new Sum();
			try (Parallel parallel = new Parallel(threads)) {
				parallel.each(links, i -> {
					final Random random = new Random(1000L * i + kind.hashCode() + depth);
					final double[][] spots = spots(kind, depth, random);
					final double[] a = { 2, 2, 1 }, b = { WIDTH - OVERLAP + 2 + STAGE * (2 * random.nextDouble() - 1), 2 + STAGE * (2 * random.nextDouble() - 1),
						1 + STAGE_Z * (2 * random.nextDouble() - 1) };
					final Mosaic mosaic = Stitching.of(List.of(tile("a", spots, a, depth, random, 0), tile("b", spots, b, depth, random, WIDTH - OVERLAP)))
						.stageError(8, 8, 4).compute(ComputeOptions.DEFAULT.threads(1).backend("cpu")).measure();
					sum.add(mosaic.links().get(0), new double[] { b[0] - a[0], b[1] - a[1], b[2] - a[2] });
				});
			}
			final List<Object> row = new ArrayList<>(List.of(kind, depth, sum.links, sum.used, sum.fitted));
			for (int d = 0; d < 3; d++) row.add(Math.sqrt(sum.squares[d] / sum.fitted));
			for (int d = 0; d < 3; d++) row.add(Math.sqrt(sum.fitted / sum.normalised[d]));
			table.row(row.toArray());
			System.out.println(table.last());
			System.out.flush();
		}
	}

	/** Volumes whose planes are parts of one texture: at depth z, its part z·37 pixels further down. They are made before the clock starts. */
	private static void speed(final int threads) {
		final int side = 1024, depth = 64, count = 11, step = side * 9 / 10, base = 2048;
		final Random random = new Random(2);
		final short[] texture = new short[base * base];
		for (int i = 0; i < texture.length; i++) texture[i] = (short) (2000 + 600 * random.nextGaussian());
		for (final int stride : new int[] { 1, base })
			for (int i = 0; i + stride < texture.length; i++) texture[i] = (short) ((texture[i] + texture[i + stride]) / 2);
		final List<Tile> tiles = new ArrayList<>();
		final int[][] truth = new int[count][];
		for (int t = 0; t < count; t++) {
			truth[t] = new int[] { t * step + random.nextInt(9) - 4, random.nextInt(9) - 4, random.nextInt(5) - 2 };
			final short[] pixels = new short[side * side * depth];
			final SplittableRandom noise = new SplittableRandom(t);
			for (int z = 0, i = 0; z < depth; z++)
				for (int y = 0; y < side; y++)
					for (int x = 0; x < side; x++, i++) {
						// a pixel mixes two planes, so that neighbouring planes resemble each other
						final int deep = z + truth[t][2] + 8, at = (y + truth[t][1] + 37 * deep + 8) % base * base + (x + truth[t][0] + 8) % base;
						pixels[i] = (short) ((texture[at] + texture[(at + 37 * base) % texture.length]) / 2 + noise.nextInt(64));
					}
			tiles.add(Tile.of("t" + t, ArrayImgs.unsignedShorts(pixels, side, side, depth), t * step, 0, 0));
		}
		final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		for (int round = 0; round < 3; round++) {
			final long start = System.nanoTime(), used = system.getProcessCpuTime();
			final Mosaic mosaic = Stitching.of(tiles).stageError(20, 20, 6).compute(ComputeOptions.DEFAULT.threads(threads).backend("cpu")).measure();
			final double wall = 1e-9 * (System.nanoTime() - start), processor = 1e-9 * (system.getProcessCpuTime() - used);
			final double[] largest = new double[3], sigmas = new double[3];
			for (final Mosaic.Link l : mosaic.links()) if (l.shift() != null) for (int d = 0; d < 3; d++) {
				final double error = Math.abs(l.shift()[d] - (truth[l.b()][d] - truth[l.a()][d]));
				largest[d] = Math.max(largest[d], error);
				sigmas[d] = Math.max(sigmas[d], error / l.sigma(d));
			}
			System.out.printf(Locale.ROOT, "%d threads: %.2f s, processor time %.2f s; largest error of a link %s pixels, %s standard deviations; %s%n", threads,
				wall, processor, Arrays.toString(largest), Arrays.toString(sigmas), mosaic.summary());
			System.out.flush();
		}
	}
}
