package sc.fiji.ncc.cpu;

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

/**
 * The inner loops one by one, in nanoseconds for each row of 512 lags; the transform for each tile, forward and back.
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

	private static final int LAGS = 512;

	@Param({ "8", "32" })
	public int side;

	private FloatTaps taps;
	private WindowSums windows;
	private TileFft fft;
	private final double[] products = new double[LAGS], sums = new double[LAGS], energies = new double[LAGS];
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
		taps = FloatTaps.of(side, side, template, 1024, LAGS);
		taps.begin(LAGS);
		windows = new WindowSums(side, side, LAGS);
		windows.begin(LAGS, false);
		fft = TileFft.of(8 * side, 8 * side, 1);
		re = fft.allocateRows();
		im = fft.allocateRows();
		toRe = fft.allocateSpectrum();
		toIm = fft.allocateSpectrum();
		r = side;
	}

	/** A row of the image through all rows of the template. */
	@Benchmark
	public double[] taps() {
		taps.add(0, row, r, r - side + 1, r);
		taps.finish(r - side + 1, products);
		r++;
		return products;
	}

	/** A row of the image into the window sums, and a row of them out. */
	@Benchmark
	public double[] windowSums() {
		Rows.accumulate(row, windows.rowValues(r), windows.rowSquares(r), true, LAGS + side - 1);
		windows.rowDone(r);
		windows.finish(sums, energies);
		r++;
		return energies;
	}

	/** A tile eight times the template's side, there and back. */
	@Benchmark
	public float[][] transform() {
		for (final float[] a : re) Arrays.fill(a, 1);
		for (final float[] a : im) Arrays.fill(a, 1);
		fft.forward(re, im, toRe, toIm);
		fft.inverse(toRe, toIm, re, im);
		return re;
	}
}
