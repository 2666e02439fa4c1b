package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** Sums by one multiply-add per coefficient and lag, with bounded errors: see {@code convolve.cu}. */
public final class ConvolveDirectMethod extends ConvolveMethod {

	private static final int DOWN = 32;

	/** Lags of a block along x, and bytes of its shared memory. */
	private final int across, shared, rows;
	private final GpuKernel convolve;
	private final DeviceArray coefficients;

	public ConvolveDirectMethod(final CudaDevice device, final Template template, final Sliding problem) {
		super(device, template, problem, false);
		final boolean single = precision == Precision.SINGLE;
		across = single ? 256 : 128;
		shared = precision.bytes * ((across + TemplateChunks.X) * (DOWN + TemplateChunks.Y - 1) + TemplateChunks.X * TemplateChunks.Y);
		try {
			final int[] places = TemplateChunks.places(width, height, depth);
			// the errors of double are far below the bound: a chunk is a run
			rows = single ? rows(TemplateChunks.of(kernel.values(), places), kernel.bound(image) * kernel.magnitude()) : TemplateChunks.Y;
			convolve = device.kernels().get("convolve", "convolve_" + pixels.kind() + "_" + real, options(pixels.kind(), real, single ? width : 0));
			coefficients = single ? DeviceArray.of(device, TemplateChunks.of(kernel.coefficients(), places)) : DeviceArray.of(device,
				TemplateChunks.of(kernel.values(), places));
		}
		catch (final RuntimeException e) {
			super.close();
			throw e;
		}
	}

	/** What the kernels' file is compiled with. @param width of a kernel that may have its own */
	public static String[] options(final String pixels, final String real, final int width) {
		final List<String> options = new ArrayList<>(List.of("-DNAME=convolve_" + pixels + "_" + real, "-DPIXEL=" + pixels.substring(0, pixels.length() - 1),
			"-DREAL=" + real));
		if (width > 0 && width <= TemplateChunks.X) options.add("-DWIDTH=" + width);
		return options.toArray(new String[0]);
	}

	/**
	 * The maximum number of rows of a chunk that are added up in float within a bound. The error of each rounding is at most eps of the rounded number,
	 * which is at most the sum of |coefficient|·max|pixel| so far (Higham, Accuracy and Stability of Numerical Algorithms, 2002, ch. 3). The error of a
	 * single row, with the rounding of the pair, is at most 13 eps of the total, which is below the bound.
	 */
	private static int rows(final double[] chunks, final double bound) {
		for (int rows = TemplateChunks.Y; rows > 1; rows /= 2)
			if (error(chunks, rows) <= bound) return rows;
		return 1;
	}

	/** The error bound of runs of so many rows, in units of eps·max|pixel|. */
	static double error(final double[] chunks, final int rows) {
		double error = 0, all = 0, run = 0;
		for (int o = 0; o < chunks.length; o += 8) {
			// the first octet of a run begins it
			if (o % (rows * TemplateChunks.X) == 0) run = 0;
			double octet = 0;
			for (int i = o; i < o + 8; i++)
				if (chunks[i] != 0) {
					octet += Math.abs(chunks[i]);
					error += octet;
				}
			if (run > 0 && octet > 0) error += run + octet;
			run += octet;
			all += octet;
		}
		return error + all;
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + width - 1 + 15) / 16 * 16;
	}

	@Override
	public double bytesPerLag() {
		return 12 + 2.0 * pixels.bytes() + 2 * precision.bytes;
	}

	@Override
	public long lagsAtOnce(final long lags, final int slabs) {
		return Math.max(1 << 14, Math.min(Math.max(1 << 18, lags / slabs + 1), (1L << 37) / kernel.values().length));
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final CUdeviceptr numbers = pixels.enqueue(context, box, raw);
		context.launch(convolve, new GpuKernel.Grid((box.lags[0] + across - 1) / across, (box.lags[1] + DOWN - 1) / DOWN, box.lags[2], 32, 8), shared, numbers,
			box.struct(), coefficients.pointer(), rows, scale(context), exponent, out.struct());
		settle(context, box, numbers, out);
	}

	@Override
	public void close() {
		coefficients.close();
		super.close();
	}
}
