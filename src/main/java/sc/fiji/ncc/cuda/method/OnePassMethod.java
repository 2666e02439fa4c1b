package sc.fiji.ncc.cuda.method;

import java.util.List;
import java.util.Set;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Small 8-bit templates of one size without a mask in a plane, for windows inside the image: one kernel computes the responses, see {@code
 * onepass.cu}. The results have the same bits as those of {@link ExactMethod}.
 */
public final class OnePassMethod implements CudaMethod {

	/** The lags of a block along x and y, its threads, and the layout of its shared memory. */
	private static final int ACROSS = 128, DOWN = 32, THREADS = 128, STEP = 32, MOVES = 16, PLANES = 5;
	private static final int MAX_STEPS = 3, MAX_HEIGHT = 64;
	/** The number of 64-bit words of {@code struct NormAndSum}. */
	private static final int MODEL = 4;
	/** The number of blocks per multiprocessor, if there are enough templates. */
	private static final int BLOCKS = 4;
	/** Heights for which the kernel is compiled. */
	public static final Set<Integer> OWN_HEIGHTS = Set.of(4, 8, 16, 32);

	private final CudaDevice device;
	private final PixelType image;
	private final int width, height, count, row;
	private final int n;
	private final GpuKernel single, pairs;
	private final DeviceArray coefficients, models;

	/** @param templates of one size */
	public OnePassMethod(final CudaDevice device, final List<Template> templates, final Sliding problem) {
		templates.forEach(Template::requireContrast);
		this.device = device;
		image = problem.image();
		count = templates.size();
		width = (int) templates.get(0).size().get(0);
		height = (int) templates.get(0).size().get(1);
		final int steps = ExactMethod.steps(width);
		row = STEP * (steps + 1);
		n = width * height;
		final byte[] rows = new byte[row * (height * count + 1)];
		final long[] known = new long[MODEL * count];
		for (int t = 0; t < count; t++) {
			final CentredTemplate centred = CentredTemplate.of(templates.get(t));
			System.arraycopy(new Norm(centred.norm()).struct(centred.sum()), 0, known, MODEL * t, MODEL);
			for (int y = 0; y < height; y++)
				for (int x = 0; x < width; x++) rows[(t * height + y) * row + MOVES + x] = (byte) centred.values()[y * width + x];
		}
		for (int x = 0; x < width; x++) rows[count * height * row + MOVES + x] = 1;
		single = device.kernels().get(device.wide(), "onepass", "single_" + steps, options(height));
		pairs = device.kernels().get(device.wide(), "onepass", "pairs_" + steps, options(height));
		coefficients = DeviceArray.of(device, rows);
		try {
			models = DeviceArray.of(device, known);
		}
		catch (final RuntimeException e) {
			coefficients.close();
			throw e;
		}
	}

	public static String[] options(final int height) {
		return OWN_HEIGHTS.contains(height) ? new String[] { "-DHEIGHT=" + height } : new String[0];
	}

	/** The shared memory of a block in bytes. @param together the number of templates at a time */
	private static int shared(final int width, final int height, final int together) {
		return (DOWN + height - 1 + PLANES * DOWN) * ExactMethod.tilePitch(width) + (together * height + 1) * STEP * (ExactMethod.steps(width) + 1);
	}

	/** Whether this method supports templates of this shape. */
	public static boolean fits(final CudaDevice device, final long width, final long height, final long depth) {
		return depth == 1 && height <= MAX_HEIGHT && width <= STEP * MAX_STEPS && ExactMethod.steps((int) width) <= MAX_STEPS
			&& shared((int) width, (int) height, 1) <= device.sharedMemory;
	}

	@Override
	public int templates() {
		return count;
	}

	/** The kernel reads the pixels as sent, without padding. */
	@Override
	public int pitch(final int lagsX) {
		return lagsX + width - 1;
	}

	@Override
	public double bytesPerLag() {
		return 8.0 * count + 1;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		enqueue(context, box, raw, out, 0, count);
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first, final int count) {
		final long across = (box.lags[0] + ACROSS - 1) / ACROSS, down = (box.lags[1] + DOWN - 1) / DOWN;
		final boolean two = count > 1 && shared(width, height, 2) <= device.sharedMemory;
		// the row of ones follows all templates
		final int all = this.count - first, together = two ? 2 : 1;
		final long chunks = Math.max(1, Math.min((count + together - 1) / together, BLOCKS * device.processors / (across * down * box.lags[2])));
		final int each = (int) ((count + together * chunks - 1) / (together * chunks)) * together;
		final GpuKernel.Grid grid = new GpuKernel.Grid(across, down, box.lags[2] * ((count + each - 1) / each), THREADS, 1);
		context.launch(two ? pairs : single, grid, shared(width, height, together), raw, image.ordinal(), box.struct(),
			coefficients.pointer().withByteOffset((long) first * height * row), models.pointer().withByteOffset(8L * MODEL * first), count, all, each, n, out.struct());
	}

	@Override
	public void close() {
		coefficients.close();
		models.close();
	}
}
