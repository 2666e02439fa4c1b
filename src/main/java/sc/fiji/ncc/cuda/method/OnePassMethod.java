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
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Small templates of one size without a mask in a plane, for 8- and 16-bit images and windows inside the image: one kernel computes the responses, see
 * {@code onepass.cu} and {@code shorts.cu}. The results have the same bits as those of {@link ExactMethod}.
 */
public final class OnePassMethod implements CudaMethod {

	/** The lags of a block along y, its threads, and the layout of its shared memory. */
	private static final int DOWN = 32, THREADS = 128, STEP = 32, MOVES = 16;
	/** The lags of a block along x, and the planes of bytes of column sums, for 8 and for 16 bits. */
	private static final int ACROSS = 128, ACROSS_SHORTS = 64, PLANES = 5, PLANES_SHORTS = 8;
	private static final int MAX_STEPS = 3, MAX_HEIGHT = 64;
	/** The maximum number of pixels of a template for 16-bit images: N·ΣPT is below 2^53. */
	private static final int MAX_PIXELS_SHORTS = 2048;
	/** The number of 64-bit words of {@code struct NormAndSum}. */
	private static final int MODEL = 4;
	/** The number of blocks per multiprocessor, if there are enough templates. */
	private static final int BLOCKS = 4;
	/** Heights for which the kernel is compiled. */
	public static final Set<Integer> OWN_HEIGHTS = Set.of(4, 8, 16, 32);

	private final CudaDevice device;
	private final PixelType image;
	/** {@code planes}: the bytes of a pixel of the image, and of a coefficient. */
	private final int width, height, count, row, planes;
	private final int n;
	/** {@code pairs}: for two templates at a time; null for 16-bit images. */
	private final GpuKernel single, pairs;
	private final DeviceArray coefficients, models;

	/** @param templates of one size; of 8 bits for an 8-bit image */
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
		planes = image.bytes;
		final byte[] rows = new byte[row * (planes * height * count + 1)];
		final long[] known = new long[MODEL * count];
		for (int t = 0; t < count; t++) {
			final CentredTemplate centred = CentredTemplate.of(templates.get(t));
			System.arraycopy(new Norm(centred.norm()).struct(centred.sum()), 0, known, MODEL * t, MODEL);
			for (int y = 0; y < height; y++)
				for (int plane = 0; plane < planes; plane++)
					for (int x = 0; x < width; x++)
						// the most significant byte first
						rows[((t * height + y) * planes + plane) * row + MOVES + x] = (byte) (centred.values()[y * width + x] >> 8 * (planes - 1 - plane));
		}
		for (int x = 0; x < width; x++) rows[planes * count * height * row + MOVES + x] = 1;
		single = planes == 1 ? device.kernels().get(device.wide(), "onepass", "single_" + steps, options(height))
			: device.kernels().get(device.wide(), "shorts", "shorts_" + steps);
		pairs = planes == 1 ? device.kernels().get(device.wide(), "onepass", "pairs_" + steps, options(height)) : null;
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
	private static int shared(final int planes, final int width, final int height, final int together) {
		final int sums = planes == 1 ? PLANES : PLANES_SHORTS, pitch = ExactMethod.tilePitch(planes == 1 ? ACROSS : ACROSS_SHORTS, width);
		return (planes * (DOWN + height - 1) + sums * DOWN) * pitch + (planes * together * height + 1) * STEP * (ExactMethod.steps(width) + 1);
	}

	/** Whether this method supports templates of this shape. @param planes the bytes of a pixel of the image */
	public static boolean fits(final CudaDevice device, final int planes, final Size t) {
		final long width = t.get(0), height = t.get(1);
		return t.get(2) == 1 && height <= MAX_HEIGHT && width <= STEP * MAX_STEPS && ExactMethod.steps((int) width) <= MAX_STEPS
			&& (planes == 1 || t.pixels() <= MAX_PIXELS_SHORTS) && shared(planes, (int) width, (int) height, 1) <= device.sharedMemory;
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
		return 8.0 * count + planes;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		enqueue(context, box, raw, out, 0, count);
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first, final int count) {
		final int ofBlock = planes == 1 ? ACROSS : ACROSS_SHORTS;
		final long across = (box.lags[0] + ofBlock - 1) / ofBlock, down = (box.lags[1] + DOWN - 1) / DOWN;
		final boolean two = pairs != null && count > 1 && shared(planes, width, height, 2) <= device.sharedMemory;
		// the row of ones follows all templates
		final int all = this.count - first, together = two ? 2 : 1;
		final long chunks = Math.max(1, Math.min((count + together - 1) / together, BLOCKS * device.processors / (across * down * box.lags[2])));
		final int each = (int) ((count + together * chunks - 1) / (together * chunks)) * together;
		final GpuKernel.Grid grid = new GpuKernel.Grid(across, down, box.lags[2] * ((count + each - 1) / each), THREADS, 1);
		context.launch(two ? pairs : single, grid, shared(planes, width, height, together), raw, image.ordinal(), box.struct(),
			coefficients.pointer().withByteOffset((long) first * planes * height * row),
				models.pointer().withByteOffset(8L * MODEL * first), count, all, each, n, out.struct());
	}

	@Override
	public void close() {
		coefficients.close();
		models.close();
	}
}
