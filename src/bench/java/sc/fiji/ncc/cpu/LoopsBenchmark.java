package sc.fiji.ncc.cpu;

import java.nio.Buffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import sc.fiji.ncc.cpu.correlator.FloatRowCorrelator;
import sc.fiji.ncc.cpu.fft.TileFft;
import sc.fiji.ncc.cpu.tile.TemplatePlanes;
import sc.fiji.ncc.cpu.tile.TileInput;
import sc.fiji.ncc.cpu.tile.TileReader;
import sc.fiji.ncc.cpu.tile.TileScale;
import sc.fiji.ncc.cpu.window.WindowMoments;
import sc.fiji.ncc.cpu.window.WindowSums;
import sc.fiji.ncc.loops.Division;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;

/**
 * Each inner loop, in nanoseconds for each row of 512 lags; the transform for each tile, forward and back.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=org.openjdk.jmh.Main -Dexec.args="LoopsBenchmark -f 0"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LoopsBenchmark {

	private static final int LAGS = 512, ROWS = 512;

	@Param({ "8", "32" })
	public int side;

	private FloatRowCorrelator coefficients;
	private WindowMoments windows;
	private TileInput tile;
	private Division division;
	private Division.Sums divided;
	private int y;
	private TileFft fft;
	private final double[] products = new double[LAGS], sums = new double[LAGS], energies = new double[LAGS];
	private final double[] margin = new double[LAGS];
	private final float[] numerators = new float[LAGS], responses = new float[LAGS];
	private float[] row;
	private float[][] re, im, toRe, toIm;
	private int r;

	@Setup
	public void setup() {
		final Random random = new Random(1);
		final float[][] template = new float[1][side * side];
		for (int i = 0; i < template[0].length; i++) template[0][i] = random.nextFloat() - 0.5f;
		row = new float[LAGS + side];
		for (int i = 0; i < row.length; i++) row[i] = random.nextFloat();
		coefficients = FloatRowCorrelator.of(side, side, template, 1024, LAGS);
		coefficients.begin(LAGS);
		final PixelType type = PixelType.F32;
		final TileReader[] reader = { new TileReader(type) };
		reader[0].read(image(), new long[2], LAGS + side - 1, ROWS);
		windows = new WindowSums(new TemplatePlanes(Size.of(side, side)), new int[] { LAGS, ROWS, 1 }, false);
		tile = TileInput.of(reader, TileScale.of(reader, 1, type), new int[] { LAGS, ROWS - side + 1, 1 }, () -> false);
		windows.begin(tile);
		division = new Division(LAGS);
		divided = new Division.Sums(numerators, sums, energies, null);
		Arrays.fill(numerators, 1);
		Arrays.fill(sums, 1);
		Arrays.fill(energies, 1e6);
		fft = TileFft.of(8 * side, 8 * side, 1);
		re = fft.allocateRows();
		im = fft.allocateRows();
		toRe = fft.allocateSpectrum();
		toIm = fft.allocateSpectrum();
		r = side;
	}

	/** A band of pixels in memory. */
	private Pixels image() {
		final float[] values = new float[(LAGS + side) * ROWS];
		final Random random = new Random(2);
		for (int i = 0; i < values.length; i++) values[i] = random.nextFloat();
		return new Pixels() {

			@Override
			public PixelType type() {
				return PixelType.F32;
			}

			@Override
			public long[] size() {
				return new long[] { LAGS + side, ROWS };
			}

			@Override
			public void read(final long[] min, final int[] size, final Buffer to) {
				for (int y = 0; y < size[1]; y++)
					((FloatBuffer) to).put(to.position() + y * size[0], values, (int) ((min[1] + y) * (LAGS + side) + min[0]), size[0]);
			}
		};
	}

	/** Correlates a row of the image with all rows of the template. */
	@Benchmark
	public double[] coefficients() {
		coefficients.add(0, row, r, r - side + 1, r);
		coefficients.finish(r - side + 1, products);
		r++;
		return products;
	}

	/** Adds a row of the image to the window sums and subtracts a row from them. */
	@Benchmark
	public double[] windowSums() {
		if (y == tile.lagsY()) {
			windows.begin(tile);
			y = 0;
		}
		windows.row(0, y++, sums, energies);
		return energies;
	}

	/** Computes the responses of a row of windows from its sums. */
	@Benchmark
	public float[] normalisation() {
		division.row(divided, new Division.Terms(1.0 / (side * side), 1, 1e-6, 1e-3), margin, responses, 0, LAGS);
		return responses;
	}

	/** Transforms a tile of eight times the template's side, forward and back. */
	@Benchmark
	public float[][] transform() {
		for (final float[] a : re) Arrays.fill(a, 1);
		for (final float[] a : im) Arrays.fill(a, 1);
		fft.forward(re, im, toRe, toIm);
		fft.inverse(toRe, toIm, re, im);
		return re;
	}
}
