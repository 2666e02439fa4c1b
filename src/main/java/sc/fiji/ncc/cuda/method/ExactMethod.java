package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** An 8- or 16-bit template without a mask, for windows inside the image: numerators on the matrix units, and window sums. See {@code bytes.cu}. */
public final class ExactMethod implements CudaMethod {

	/** The lags of a block along x and y, and its threads. */
	private static final int ACROSS = 128, DOWN = 32, THREADS = 128;
	/** The rows of a matrix, and the unit of its columns. */
	private static final int MOVES = 16, STEP = 32;
	/** Shared memory of a block in bytes, small enough for several blocks per multiprocessor. */
	private static final int SHARED = 44 << 10;
	private static final int MIN_ROWS = 16;

	/** The product of a plane of bytes of the image and one of the template: its kernel and its weight, 2^shift. */
	private record Part(GpuKernel kernel, boolean lowerPixels, DeviceArray coefficients, int shift, long maxPixels) {}

	private final PixelType image;
	private final int width, height, depth, steps, tilePitch, chunk;
	private final long n, sum;
	private final Norm norm;
	private final WholePixels pixels;
	private final WindowSumsKernel windows;
	private final boolean narrowSums, atOnce;
	private final int bytesOfResponse;
	private final List<DeviceArray> coefficients = new ArrayList<>();
	private final List<Part> parts = new ArrayList<>();
	private final GpuKernel respond;

	public ExactMethod(final CudaDevice device, final Template template, final Sliding problem) {
		template.requireContrast();
		image = problem.image();
		width = Math.toIntExact(template.size().get(0));
		height = Math.toIntExact(template.size().get(1));
		depth = Math.toIntExact(template.size().get(2));
		steps = steps(width);
		tilePitch = tilePitch(ACROSS, width);
		chunk = Math.min(height, rows(device, width));
		final CentredTemplate centred = CentredTemplate.of(template);
		n = centred.values().length;
		sum = centred.sum();
		norm = new Norm(centred.norm());
		pixels = new WholePixels(device, image);
		final boolean bytes = image.bytes == 1;
		narrowSums = bytes && n < 1 << 17;
		windows = narrowSums ? WindowSumsKernel.narrow(device, width) : WindowSumsKernel.wide(device, bytes ? "bytes" : "shorts", width);
		final boolean single = problem.precision() == Precision.SINGLE;
		atOnce = single && narrowSums && template.type().bytes == 1;
		bytesOfResponse = problem.precision().bytes;
		respond = single ? device.kernels().get(device.wide(), "bytes", atOnce ? "respond_bytes" : "respond_wide")
			: device.kernels().get("bytes", "respond_wide_double");
		prepare(device, centred.values(), template.type().bytes == 1);
	}

	/** Whether a template of this shape fits into shared memory and into the window sums. */
	public static boolean fits(final CudaDevice device, final long width, final boolean narrow) {
		return WindowSumsKernel.fit(width, narrow) && rows(device, (int) width) >= MIN_ROWS;
	}

	/** The bytes of a row of a block's pixels: an odd multiple of 32, so that 8 rows are in different banks. */
	static int tilePitch(final int across, final int width) {
		return (across - MOVES + STEP * steps(width) + 31) / 32 * 32 | 32;
	}

	/** The columns of the matrices of a row, in units of 32. */
	public static int steps(final int width) {
		return (width + MOVES - 1 + STEP - 1) / STEP;
	}

	/** The bytes of a row of coefficients in shared memory, with zeros before and after it. */
	private static int rowOfCoefficients(final int steps) {
		return STEP * (steps + 1);
	}

	/** The number of rows of the template that fit into shared memory. */
	private static int rows(final CudaDevice device, final int width) {
		final int pitch = tilePitch(ACROSS, width), each = pitch + rowOfCoefficients(steps(width));
		final int usual = (SHARED - (DOWN - 1) * pitch) / each;
		return usual >= MIN_ROWS ? usual : (device.sharedMemory - (DOWN - 1) * pitch) / each;
	}

	private byte[] padded(final byte[] plane) {
		final int pitch = rowOfCoefficients(steps), rows = height * depth;
		final byte[] padded = new byte[pitch * rows];
		for (int y = 0; y < rows; y++) System.arraycopy(plane, y * width, padded, y * pitch + MOVES, width);
		return padded;
	}

	private void prepare(final CudaDevice device, final int[] centred, final boolean narrowTemplate) {
		final byte[] upper = new byte[centred.length], lower = new byte[centred.length];
		for (int i = 0; i < centred.length; i++) {
			upper[i] = (byte) (narrowTemplate ? centred[i] : centred[i] >> 8);
			lower[i] = (byte) centred[i];
		}
		try {
			for (int t = 0; t < (narrowTemplate ? 1 : 2); t++) {
				final DeviceArray rows = DeviceArray.of(device, padded(t == 0 ? upper : lower));
				coefficients.add(rows);
				for (int p = 0; p < image.bytes; p++) {
					final int shift = (narrowTemplate || t == 1 ? 0 : 8) + (image.bytes == 1 || p == 1 ? 0 : 8);
					final long largest = (t == 0 ? 128L : 255L) * (p == 0 ? 128L : 255L);
					parts.add(new Part(device.kernels().get("bytes", "accumulate_" + (t == 0 ? "s" : "u") + (p == 0 ? "s" : "u")), p == 1, rows, shift,
						Integer.MAX_VALUE / largest));
				}
			}
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	@Override
	public int pitch(final int lagsX) {
		return (lagsX + ACROSS - 1) / ACROSS * ACROSS + STEP * steps;
	}

	@Override
	public double bytesPerLag() {
		// an estimate of the template's margin: a slab is at least as high as a few blocks
		return bytesOfResponse + 4 + windows.bytes() + (atOnce ? 0 : 8) + 3.0 * 2 * image.bytes;
	}

	@Override
	public void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out) {
		final WholePixels.Planes planes = pixels.enqueue(context, box, raw);
		final CUdeviceptr sums = windows.enqueue(context, box, planes.pixels(), n);
		final GpuKernel.Grid grid = new GpuKernel.Grid((box.lags[0] + ACROSS - 1) / ACROSS, (box.lags[1] + DOWN - 1) / DOWN, box.lags[2], THREADS, 1);
		final int shared = (DOWN + chunk - 1) * tilePitch + chunk * rowOfCoefficients(steps);
		if (atOnce) {
			context.launch(respond, grid, shared, planes.pixels(), box.struct(), coefficients.get(0).pointer(), steps, tilePitch, chunk, sums, (int) n,
				(int) sum, norm.struct(), out.struct());
			return;
		}
		final CUdeviceptr products = context.buffer("products", 8L * box.count());
		boolean first = true;
		for (final Part part : parts) {
			final CUdeviceptr plane = part.lowerPixels ? planes.lower() : planes.upper();
			// 32 bits hold the sum of so many planes of the template, or rows of one plane
			final int planesEach = (int) Math.min(depth, Math.max(1, part.maxPixels / ((long) width * height)));
			final int rowsEach = (int) Math.min(height, part.maxPixels / width);
			for (int z = 0; z < depth; z += planesEach)
				for (int y = 0; y < height; y += rowsEach) {
					context.launch(part.kernel, grid, shared, plane, box.struct(), part.coefficients.pointer(), steps, tilePitch, chunk, z,
						Math.min(depth, z + planesEach), y, Math.min(height, y + rowsEach), part.shift, first ? 1 : 0, products);
					first = false;
				}
		}
		context.launch(respond, GpuKernel.Grid.over(box.count(), 1, 1, 256, 1), 0, (long) box.count(), products, sums, narrowSums ? 1 : 0, n, sum, norm.struct(),
			out.struct());
	}

	@Override
	public void close() {
		coefficients.forEach(DeviceArray::close);
	}
}
