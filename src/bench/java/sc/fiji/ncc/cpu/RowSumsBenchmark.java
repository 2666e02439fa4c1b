package sc.fiji.ncc.cpu;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import sc.fiji.ncc.loops.Fused;
import sc.fiji.ncc.loops.Rows;

/**
 * How many coefficients of a template to unroll into one loop over a row of lags, FLCC's question for its common sizes: nanoseconds for each multiply-add, for
 * so many coefficients of a row by so many rows of responses at a time. C2 gives a loop its vector form up to about eight operations only; two rows of
 * responses would bring up to 1.6. {@link sc.fiji.ncc.cpu.correlator.ShiftedFloatCorrelator} takes four of a row, added up before they join the sum, which halves the rounding
 * of windows far from the reference, then three, two or one for what is left of any width.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=org.openjdk.jmh.Main -Dexec.args="RowSumsBenchmark -f 0"
 * </pre>
 * <table><caption>AMD EPYC, plain loops, 2026-11-21</caption>
 * <tr><th>coefficients x rows</th><th>JDK 17</th><th>JDK 25</th></tr>
 * <tr><td>1x1</td><td>0.052</td><td>0.044</td></tr>
 * <tr><td>1x2</td><td>0.037</td><td>0.034</td></tr>
 * <tr><td>1x4</td><td>0.036</td><td>0.037</td></tr>
 * <tr><td>2x1</td><td>0.038</td><td>0.036</td></tr>
 * <tr><td>2x2</td><td>0.022</td><td>0.027</td></tr>
 * <tr><td>2x3</td><td>0.019</td><td>0.022</td></tr>
 * <tr><td>3x1</td><td>0.030</td><td>0.030</td></tr>
 * <tr><td>3x2</td><td>0.049</td><td>0.018</td></tr>
 * <tr><td>4x1</td><td>0.031</td><td>0.031</td></tr>
 * <tr><td>4x2</td><td>0.151</td><td>0.019</td></tr>
 * <tr><td>6x1</td><td>0.029</td><td>0.029</td></tr>
 * <tr><td>8x1</td><td>0.026</td><td>0.028</td></tr>
 * </table>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class RowSumsBenchmark {

	private static final int LAGS = 400;

	private float[][] rows, sums;
	private final float[] c = new float[8];

	@Setup
	public void setup() {
		rows = Rows.floats(8, LAGS);
		sums = Rows.floats(4, LAGS);
		for (int i = 0; i < c.length; i++) c[i] = (i * 7 % 11 - 5) * 0.01f;
		for (int y = 0; y < rows.length; y++)
			for (int x = 0; x < LAGS; x++) rows[y][x] = (x * 31 + y * 17) % 101;
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 1)
	public float[][] taps1x1() {
		taps1x1(sums[0], rows[0], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps1x1(final float[] s0, final float[] p0, final float[] c) {
		final float c00 = c[0];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], t0 = s0[x];
			s0[x] = Fused.add(c00, v0, t0);
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 2)
	public float[][] taps2x1() {
		taps2x1(sums[0], rows[0], rows[1], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps2x1(final float[] s0, final float[] p0, final float[] p1, final float[] c) {
		final float c00 = c[0], c01 = c[1];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], t0 = s0[x];
			s0[x] = Fused.add(c01, v1, Fused.add(c00, v0, t0));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 3)
	public float[][] taps3x1() {
		taps3x1(sums[0], rows[0], rows[1], rows[2], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps3x1(final float[] s0, final float[] p0, final float[] p1, final float[] p2, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], t0 = s0[x];
			s0[x] = Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0)));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 4)
	public float[][] taps4x1() {
		taps4x1(sums[0], rows[0], rows[1], rows[2], rows[3], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps4x1(final float[] s0, final float[] p0, final float[] p1, final float[] p2, final float[] p3, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2], c03 = c[3];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], v3 = p3[x], t0 = s0[x];
			s0[x] = Fused.add(c03, v3, Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0))));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 6)
	public float[][] taps6x1() {
		taps6x1(sums[0], rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps6x1(final float[] s0, final float[] p0, final float[] p1, final float[] p2, final float[] p3, final float[] p4, final float[] p5, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2], c03 = c[3], c04 = c[4], c05 = c[5];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], v3 = p3[x], v4 = p4[x], v5 = p5[x], t0 = s0[x];
			s0[x] = Fused.add(c05, v5, Fused.add(c04, v4, Fused.add(c03, v3, Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0))))));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 8)
	public float[][] taps8x1() {
		taps8x1(sums[0], rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps8x1(final float[] s0, final float[] p0, final float[] p1, final float[] p2, final float[] p3, final float[] p4, final float[] p5, final float[] p6, final float[] p7, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2], c03 = c[3], c04 = c[4], c05 = c[5], c06 = c[6], c07 = c[7];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], v3 = p3[x], v4 = p4[x], v5 = p5[x], v6 = p6[x], v7 = p7[x], t0 = s0[x];
			s0[x] = Fused.add(c07, v7, Fused.add(c06, v6, Fused.add(c05, v5, Fused.add(c04, v4, Fused.add(c03, v3, Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0))))))));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 2)
	public float[][] taps1x2() {
		taps1x2(sums[0], sums[1], rows[0], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps1x2(final float[] s0, final float[] s1, final float[] p0, final float[] c) {
		final float c00 = c[0], c10 = c[1];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], t0 = s0[x], t1 = s1[x];
			s0[x] = Fused.add(c00, v0, t0);
			s1[x] = Fused.add(c10, v0, t1);
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 4)
	public float[][] taps2x2() {
		taps2x2(sums[0], sums[1], rows[0], rows[1], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps2x2(final float[] s0, final float[] s1, final float[] p0, final float[] p1, final float[] c) {
		final float c00 = c[0], c01 = c[1], c10 = c[2], c11 = c[3];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], t0 = s0[x], t1 = s1[x];
			s0[x] = Fused.add(c01, v1, Fused.add(c00, v0, t0));
			s1[x] = Fused.add(c11, v1, Fused.add(c10, v0, t1));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 6)
	public float[][] taps3x2() {
		taps3x2(sums[0], sums[1], rows[0], rows[1], rows[2], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps3x2(final float[] s0, final float[] s1, final float[] p0, final float[] p1, final float[] p2, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2], c10 = c[3], c11 = c[4], c12 = c[5];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], t0 = s0[x], t1 = s1[x];
			s0[x] = Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0)));
			s1[x] = Fused.add(c12, v2, Fused.add(c11, v1, Fused.add(c10, v0, t1)));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 8)
	public float[][] taps4x2() {
		taps4x2(sums[0], sums[1], rows[0], rows[1], rows[2], rows[3], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps4x2(final float[] s0, final float[] s1, final float[] p0, final float[] p1, final float[] p2, final float[] p3, final float[] c) {
		final float c00 = c[0], c01 = c[1], c02 = c[2], c03 = c[3], c10 = c[4], c11 = c[5], c12 = c[6], c13 = c[7];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], v2 = p2[x], v3 = p3[x], t0 = s0[x], t1 = s1[x];
			s0[x] = Fused.add(c03, v3, Fused.add(c02, v2, Fused.add(c01, v1, Fused.add(c00, v0, t0))));
			s1[x] = Fused.add(c13, v3, Fused.add(c12, v2, Fused.add(c11, v1, Fused.add(c10, v0, t1))));
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 4)
	public float[][] taps1x4() {
		taps1x4(sums[0], sums[1], sums[2], sums[3], rows[0], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps1x4(final float[] s0, final float[] s1, final float[] s2, final float[] s3, final float[] p0, final float[] c) {
		final float c00 = c[0], c10 = c[1], c20 = c[2], c30 = c[3];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], t0 = s0[x], t1 = s1[x], t2 = s2[x], t3 = s3[x];
			s0[x] = Fused.add(c00, v0, t0);
			s1[x] = Fused.add(c10, v0, t1);
			s2[x] = Fused.add(c20, v0, t2);
			s3[x] = Fused.add(c30, v0, t3);
		}
	}

	@Benchmark
	@OperationsPerInvocation(LAGS * 6)
	public float[][] taps2x3() {
		taps2x3(sums[0], sums[1], sums[2], rows[0], rows[1], c);
		return sums;
	}

	@CompilerControl(CompilerControl.Mode.DONT_INLINE)
	private static void taps2x3(final float[] s0, final float[] s1, final float[] s2, final float[] p0, final float[] p1, final float[] c) {
		final float c00 = c[0], c01 = c[1], c10 = c[2], c11 = c[3], c20 = c[4], c21 = c[5];
		for (int x = 0; x < LAGS; x++) {
			final float v0 = p0[x], v1 = p1[x], t0 = s0[x], t1 = s1[x], t2 = s2[x];
			s0[x] = Fused.add(c01, v1, Fused.add(c00, v0, t0));
			s1[x] = Fused.add(c11, v1, Fused.add(c10, v0, t1));
			s2[x] = Fused.add(c21, v1, Fused.add(c20, v0, t2));
		}
	}
}
