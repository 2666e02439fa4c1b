package sc.fiji.ncc.cuda.method;

import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Many small 8-bit templates of one size without a mask in a plane, for windows inside the image: templates are rows of one matrix, see {@code
 * bank.cu}. The results have the same bits as those of {@link ExactMethod}.
 */
public final class BankMethod implements CudaMethod {

	/** The lags of a block along x and y, its threads, and the pixels of a product. */
	private static final int ACROSS = 64, ROWS = 8, THREADS = 128, PRODUCT = 32;
	/** Rows of a map on the GPU begin at multiples of this number of floats: a memory sector. */
	private static final int SECTOR = 8;
	/** The number of templates of a matrix. */
	private static final int TEMPLATES = 16;
	/** The minimum number of templates at which this method is faster; the maximum height of a template. */
	private static final int MIN_TEMPLATES = 6, MAX_HEIGHT = 32;
	/** Shared memory of a block in bytes, small enough for a multiprocessor of compute capability 9.0 to run {@link #BLOCKS} blocks. Others run fewer. */
	private static final int SHARED = 37 << 10;
	/** The number of blocks of a multiprocessor. */
	private static final int BLOCKS = 6;
	/** The number of 64-bit words of {@code struct NormAndSum}. */
	private static final int KNOWN = 4;

	private final CudaDevice device;
	private final int width, coefficients, products, count, n;
	private final WholePixels pixels;
	private final WindowSumsKernel windows;
	private final GpuKernel kernel;
	private final DeviceArray matrices, models;

	/** @param templates of one size */
	public BankMethod(final CudaDevice device, final List<Template> templates, final Sliding problem) {
		templates.forEach(Template::requireContrast);
		this.device = device;
		count = templates.size();
		width = (int) templates.get(0).size().get(0);
		final int height = (int) templates.get(0).size().get(1);
		n = width * height;
		coefficients = coefficients(width);
		products = products(width, height);
		pixels = new WholePixels(device, problem.image());
		windows = WindowSumsKernel.narrow(device, width);
		kernel = device.kernels().get(device.wide(), "bank", "bank_" + coefficients, options(products));
		final byte[] words = new byte[(count + TEMPLATES - 1) / TEMPLATES * TEMPLATES * products * PRODUCT];
		final long[] known = new long[KNOWN * count];
		for (int t = 0; t < count; t++) {
			final CentredTemplate centred = CentredTemplate.of(templates.get(t));
			System.arraycopy(new Norm(centred.norm()).struct(centred.sum()), 0, known, KNOWN * t, KNOWN);
			for (int y = 0; y < height; y++)
				for (int x = 0; x < width; x++) words[place(t, y % products, y / products * coefficients + x)] = (byte) centred.values()[y * width + x];
		}
		matrices = DeviceArray.of(device, words);
		try {
			models = DeviceArray.of(device, known);
		}
		catch (final RuntimeException e) {
			matrices.close();
			throw e;
		}
	}

	/** The index of a coefficient in the matrices: four words per thread and matrix, in the order of {@code mma.m16n8k32}. */
	private int place(final int template, final int product, final int column) {
		final int row = template % TEMPLATES, thread = row % 8 * 4 + column % 16 / 4, word = column / 16 * 2 + row / 8;
		return ((template / TEMPLATES * products + product) * 32 + thread) * 16 + word * 4 + column % 4;
	}

	/** The coefficients of a row of a template, padded with zeros. */
	private static int coefficients(final int width) {
		return width <= 8 ? 8 : width <= 16 ? 16 : 32;
	}

	private static int products(final int width, final int height) {
		final int rows = PRODUCT / coefficients(width);
		return (height + rows - 1) / rows;
	}

	public static String[] options(final int products) {
		return new String[] { "-DSTEPS=" + products };
	}

	/** The shared memory of a block in bytes: sums of its windows, four copies of its pixels, and chunks of templates with their sums and coefficients. */
	private static int shared(final int coefficients, final int products, final int chunks) {
		final int rows = ROWS + (PRODUCT / coefficients + 1) / 2 * products - 1, copy = (rows * ((ACROSS + coefficients) / 4) + 15) / 16 * 16 + 8;
		return 12 * ACROSS * ROWS + 4 * 8 * copy + chunks * TEMPLATES * (8 * KNOWN + PRODUCT * products);
	}

	/** Whether this method supports these templates and is faster. @param lagsX if there are few, most of a row of a map would be padding */
	public static boolean fits(final CudaDevice device, final int count, final long width, final long height, final long depth, final long lagsX) {
		return count >= MIN_TEMPLATES && depth == 1 && width <= PRODUCT && height <= MAX_HEIGHT && lagsX >= SECTOR
			&& shared(coefficients((int) width), products((int) width, (int) height), 1) <= device.sharedMemory;
	}

	@Override
	public int templates() {
		return count;
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + ACROSS - 1) / ACROSS * ACROSS + 2 * PRODUCT;
	}

	@Override
	public int mapPitch(final int lagsX) {
		return (lagsX + SECTOR - 1) / SECTOR * SECTOR;
	}

	@Override
	public double bytesPerLag() {
		// a row of a map has up to twice the number of lags, see fits
		return 12.0 * count + windows.bytes() + 4;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		enqueue(context, box, raw, out, 0, count);
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int first, final int count) {
		final WholePixels.Planes planes = pixels.enqueue(context, box, raw);
		final CUdeviceptr sums = windows.enqueue(context, box, planes.pixels(), n);
		// a matrix is used as a whole: it may begin before the first template
		final int skip = first % TEMPLATES, begin = first - skip, chunks = (skip + count + TEMPLATES - 1) / TEMPLATES;
		final long tiles = (box.lags[0] + ACROSS - 1) / ACROSS * ((box.lags[1] + ROWS - 1L) / ROWS) * box.lags[2];
		final long groups = Math.max(1, Math.min(chunks, BLOCKS * device.processors / tiles));
		int each = (int) ((chunks + groups - 1) / groups);
		while (each > 1 && shared(coefficients, products, each) > SHARED) each--;
		context.launch(kernel, new GpuKernel.Grid(tiles, (chunks + each - 1) / each, 1, THREADS, 1), shared(coefficients, products, each), planes.pixels(),
			box.struct(),
			matrices.pointer().withByteOffset((long) begin * products * PRODUCT), products, models.pointer().withByteOffset(8L * KNOWN * begin), skip, skip + count,
			each, sums, n, out.struct());
	}

	@Override
	public void close() {
		matrices.close();
		models.close();
	}
}
