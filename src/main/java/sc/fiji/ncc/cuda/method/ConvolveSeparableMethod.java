package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.numeric.Separation;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** Sums along one dimension after the other, in double, for kernels that are sums of a few products of one-dimensional kernels: see {@code separable.cu}. */
public final class ConvolveSeparableMethod extends ConvolveMethod {

	private static final int WARPS = 4, STRETCH = 256, OUTPUTS = 16, MARGIN = 16, BEHIND = 24, THREADS = 128;

	private final int terms;
	/** The coefficients of all terms along x, y and z, padded with zeros. */
	private final DeviceArray[] coefficients = new DeviceArray[3];

	public ConvolveSeparableMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, false);
		try {
			final double[][][] factors = Separation.factors(template, problem.image(), problem.precision())
				.orElseThrow(() -> new IllegalArgumentException("the kernel of "
				+ template.size() + " is not a sum of a few products of one-dimensional kernels, unlike the kernels of the plan: choose another algorithm"));
			terms = factors[0].length;
			for (int d = 0; d < 3; d++) coefficients[d] = DeviceArray.of(device, coefficients(factors[d], d == 0 ? 0 : MARGIN, d == 0 ? 0 : BEHIND));
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	/** The shared memory of a block in bytes: at most 56 kB for the widths that {@link sc.fiji.ncc.cuda.CudaConvolveSeparable} supports. */
	private static long shared(final long width) {
		return 8 * WARPS * (place(STRETCH + (width + 7) / 8 * 8) + place(STRETCH));
	}

	private static long place(final long i) {
		return i + i / 8;
	}

	private static double[] coefficients(final double[][] factors, final int before, final int behind) {
		final int each = before + (factors[0].length + 7) / 8 * 8 + behind;
		final double[] coefficients = new double[factors.length * each];
		for (int t = 0; t < factors.length; t++) System.arraycopy(factors[t], 0, coefficients, t * each + before, factors[t].length);
		return coefficients;
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return 12 + 2.0 * pixels.bytes() + 2 * precision.bytes + 24.0 * terms * (depth > 1 ? 2 : 1);
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr numbers = pixels.enqueue(context, box, raw);
		final int x = box.lags[0], y = box.lags[1], z = box.lags[2];
		final CUdeviceptr alongX = context.buffer("along x", 8L * terms * x * box.rows * box.planes);
		context.launch(kernel("along_x_" + pixels.kind()), new GpuKernel.Grid((x + STRETCH - 1) / STRETCH, (box.rows + WARPS - 1) / WARPS, box.planes, 32 * WARPS, 1),
			(int) shared(width), numbers, box.struct(), coefficients[0].pointer(), terms, alongX);
		if (depth == 1) last(context, alongX, lines(x, box.rows, y, height), grid(x, y, z), coefficients[1], out);
		else {
			final CUdeviceptr alongY = context.buffer("along y", 8L * terms * x * y * box.planes);
			context.launch(kernel("across_lines"), grid(x, y, box.planes), 0, alongX, lines(x, box.rows, y, height), coefficients[1].pointer(), alongY);
			last(context, alongY, lines((long) x * y, box.planes, z, depth), grid((long) x * y, z, 1), coefficients[2], out);
		}
		settle(context, box, numbers, out);
	}

	private void last(final StreamContext context, final CUdeviceptr from, final long[] lines, final GpuKernel.Grid grid, final DeviceArray coefficients,
		final Outcome out)
	{
		context.launch(kernel("last_" + real), grid, 0, from, lines, coefficients.pointer(), scale(context), exponent, out.struct());
	}

	private static GpuKernel.Grid grid(final long inner, final int lags, final int outer) {
		return new GpuKernel.Grid((inner + THREADS - 1) / THREADS, (lags + OUTPUTS - 1) / OUTPUTS, outer, THREADS, 1);
	}

	/** {@code struct Lines} of the kernels. */
	private long[] lines(final long inner, final int in, final int out, final int extent) {
		return new long[] { inner, terms | (long) in << 32, out | (long) extent << 32 };
	}

	private GpuKernel kernel(final String function) {
		return device.kernels().get("separable", function);
	}

	@Override
	public void close() {
		for (final DeviceArray t : coefficients)
			if (t != null) t.close();
		super.close();
	}
}
