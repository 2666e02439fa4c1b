package sc.fiji.ncc.cuda.method;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.SharedBlock;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;

/**
 * The spectra of a template for transforms of planes in three passes, and these passes: see {@code passes.cu}. The kernels are compiled for each length,
 * so it needs NVIDIA's run-time compiler. Spectra in float and in double are computed for each extent at its first use.
 */
public final class PlaneSpectra implements AutoCloseable {

	/** Whether the passes are used. Default: yes. Without them, cuFFT transforms planes, for measurements beside it. */
	private static final boolean USED = !"cufft".equals(System.getProperty("ncc.cuda.transforms"));
	/** The file of the kernels. */
	private static final String FILE = "passes";
	/** The lengths of columns, and of half a row. */
	private static final int SHORTEST = 64, LONGEST = 4096;
	/** From here on there are four lengths between a power of two and the next one. */
	private static final int IN_QUARTERS = 256;
	/** The threads of a block of the passes over rows, if a row has fewer; and the blocks of a multiprocessor. */
	private static final int ROW_THREADS = 256, ROW_BLOCKS = 2;
	/** The probes and coefficients of a block of the kernel {@code probe_plane}. */
	private static final int PROBES = 4, COEFFICIENTS = 2048;
	/** The fewest threads of a block of the pass over columns. */
	private static final int WARP = 32;

	/** How a line is transformed: {@code struct LineBlock} of the kernels. {@code apart}: the threads of a line. */
	private record Radices(int length, int first, int middle, int last, int apart, int places) {

		static Radices of(final int length) {
			int rest = 8;
			for (final int r : new int[] { 16, 64, 128, 256 }) if (length % r == 0 && length / r > (r < 128 && r > 16 ? 4 : 8)) rest = r;
			final int last = rest == 256 ? 16 : rest >= 64 ? 8 : rest, middle = rest / last, first = length / rest;
			return new Radices(length, first, middle, last, rest, length + length / last + (middle > 1 ? first : 0));
		}

		/** The roots of unity: of the first pass, of the second one, and of rows of twice as many real numbers. */
		double[] roots() {
			final double[] all = new double[2 * (length + (middle > 1 ? apart : 0) + length / 2 + 1)];
			int i = 0;
			for (int k = 0; k < first; k++) for (int n = 0; n < apart; n++) i = root(all, i, k * n, length);
			if (middle > 1) for (int k = 0; k < middle; k++) for (int n = 0; n < last; n++) i = root(all, i, k * n, apart);
			for (int k = 0; k <= length / 2; k++) i = root(all, i, k, 2 * length);
			return all;
		}

		private static int root(final double[] to, final int i, final int k, final int n) {
			to[i] = Math.cos(2 * Math.PI * k / n);
			to[i + 1] = -Math.sin(2 * Math.PI * k / n);
			return i + 2;
		}
	}

	/** What a spectrum is for. */
	private record Key(int x, int y, boolean inDouble) {}

	private final CudaDevice device;
	private final int width, height;
	/** Spectra, each followed by the energies of its lines. */
	private final Map<Key, SharedBlock> models = new HashMap<>();

	PlaneSpectra(final CudaDevice device, final int width, final int height) {
		this.device = device;
		this.width = width;
		this.height = height;
	}

	/** The extents for that many columns and rows of pixels. Null if the passes do not support them: then cuFFT is used. */
	static TransformExtents extents(final CudaDevice device, final long columns, final long rows, final long planes) {
		if (!USED || planes > 1 || columns > 2 * LONGEST || rows > LONGEST || !device.kernels().compiles()) return null;
		final TransformExtents e = new TransformExtents(2 * length((int) (columns + 1) / 2), length((int) rows), 1);
		return Math.max(rowBytes(Radices.of(e.x() / 2)), columnBytes(Radices.of(e.y()))) <= device.sharedMemory ? e : null;
	}

	/** The shortest length of at least n. */
	static int length(final int n) {
		int power = SHORTEST;
		while (2 * power <= n) power *= 2;
		if (n <= power) return power;
		return power < IN_QUARTERS ? 2 * power : power + (n - power + power / 4 - 1) / (power / 4) * (power / 4);
	}

	private static int rowGroups(final Radices r) {
		return Math.max(1, ROW_THREADS / r.apart);
	}

	/** Two rows of floats, or one of doubles. */
	private static int rowBytes(final Radices r) {
		return 16 * r.places * rowGroups(r);
	}

	/** The columns of a block are this many pairs of floats, or doubles. */
	private static int ways(final Radices r) {
		return Math.max(2, WARP / r.apart);
	}

	private static int columnBytes(final Radices r) {
		return 16 * r.places * ways(r);
	}

	/** The compiler options for rows of a number of pixels. */
	public static String[] rowOptions(final int length, final String pixelKind, final boolean inDouble) {
		return new String[] { "-DROWS", "-DLENGTH=" + length, real(inDouble),
			"-DPIXEL=" + (pixelKind.equals("bytes") ? "s8" : pixelKind.substring(0, pixelKind.length() - 1)) };
	}

	/** The compiler options for columns of a number of pixels. */
	public static String[] columnOptions(final int length, final boolean inDouble) {
		return new String[] { "-DCOLUMNS", "-DLENGTH=" + length, real(inDouble), "-DWAYS=" + ways(Radices.of(length)) };
	}

	private static String real(final boolean inDouble) {
		return "-DREAL=" + (inDouble ? "double" : "float");
	}

	/** Whether no kernel for these extents must be compiled. */
	static boolean ready(final CudaDevice device, final TransformExtents e, final String pixelKind, final boolean inDouble) {
		return device.kernels().ready(FILE, rowOptions(e.x(), pixelKind, inDouble)) && device.kernels().ready(FILE, columnOptions(e.y(), inDouble));
	}

	/**
	 * Enqueues the transforms of a box, from pixels to products. The other steps of the error estimate are those of {@link BoxSpectra}.
	 *
	 * @param shared whether other templates use the spectra of the rows, too
	 * @param coefficients of the template, in float or in double
	 * @param reals receives the products, one row of {@code e.x()} numbers for each row of lags
	 * @return the energies for the error estimate
	 */
	BoxSpectra.Product products(final StreamContext context, final TransformExtents e, final BoxGeometry box, final CUdeviceptr pixels,
		final String pixelKind, final boolean inDouble, final boolean shared, final CUdeviceptr coefficients, final CUdeviceptr reals)
	{
		final Radices row = Radices.of(e.x() / 2), column = Radices.of(e.y());
		final int bytes = inDouble ? 16 : 8, pitch = pitch(e), rowsOfBlock = rowGroups(row) * (inDouble ? 1 : 2), threads = rowGroups(row) * row.apart;
		final long all = (long) pitch * e.y() * bytes;
		final CUdeviceptr spectrum = context.buffer("complexes", all);
		device.kernels().load(FILE, List.of(rowOptions(e.x(), pixelKind, inDouble), columnOptions(e.y(), inDouble)));
		final CUdeviceptr model = model(context, e, pixelKind, inDouble, coefficients, spectrum, reals);
		final CUdeviceptr rowRoots = roots(context, row, inDouble), columnRoots = roots(context, column, inDouble);
		final String[] ofRows = rowOptions(e.x(), pixelKind, inDouble), ofColumns = columnOptions(e.y(), inDouble);
		final CUdeviceptr ofPixels = shared ? context.buffer("spectra of rows", (long) pitch * box.rows * bytes) : spectrum;
		// the buffers of both grow at the same time, and are computed again
		final boolean known = shared && context.holds("spectra of rows", List.of(box.key(), e, pixelKind, inDouble));
		final BoxSpectra.Product image = !shared || !known ? BoxSpectra.product(context, e, "pixels") : BoxSpectra.layout(context, e, "pixels");
		if (!known) context.launch(kernel("rows_of_pixels", ofRows), rows(box.rows, rowsOfBlock, threads), rowBytes(row), pixels, box.struct(), e.struct(),
			pitch, rowRoots, ofPixels, image.pixels(), image.known());
		final BoxSpectra.Product product = shared ? BoxSpectra.product(context, e, "numerator").withPixels(image.pixels()) : image;
		context.launch(kernel("columns_product", ofColumns), columns(e, column, inDouble), columnBytes(column), ofPixels, spectrum, box.rows, e.struct(),
			pitch, columnRoots, model, model.withByteOffset(modelBytes(e, inDouble)), image.known(), product.known());
		context.launch(kernel("rows_back", ofRows), rows(e.y(), rowsOfBlock, threads), rowBytes(row), spectrum, e.struct(), pitch, box.lags[1],
			rowRoots, reals, product.result());
		return product;
	}

	/** Computes products at some lags directly, and finds the greatest error there and the greatest energies of lines. */
	void probe(final StreamContext context, final TransformExtents e, final BoxGeometry box, final CUdeviceptr pixels, final String pixelKind,
		final boolean inDouble, final CUdeviceptr coefficients, final int probes, final BoxSpectra.Product product, final CUdeviceptr reals)
	{
		context.launch(kernel("probe_plane", rowOptions(e.x(), pixelKind, inDouble)), new GpuKernel.Grid((probes + PROBES - 1) / PROBES,
			(width * height + COEFFICIENTS - 1) / COEFFICIENTS, 1, 256, 1), 0, pixels, box.struct(), coefficients, product.known(), probes, product.probes());
		context.launch(kernel("noise_of_passes", columnOptions(e.y(), inDouble)), new GpuKernel.Grid(9, 1, 1, 256, 1), 0, e.struct(),
			product.pixels(), reals, box.struct(), product.probes(), probes, product.known());
	}

	/** The distance between rows of spectra: half a row, and the columns of a block of the pass over columns. */
	private static int pitch(final TransformExtents e) {
		return e.x() / 2 + 2 * ways(Radices.of(e.y()));
	}

	private GpuKernel kernel(final String function, final String... options) {
		return device.kernels().get(FILE, function, options);
	}

	/** Blocks take several rows one after the other, so that few of them add to the same sums. */
	private GpuKernel.Grid rows(final int rows, final int rowsOfBlock, final int threads) {
		return new GpuKernel.Grid(Math.min((rows + rowsOfBlock - 1) / rowsOfBlock, ROW_BLOCKS * device.processors), 1, 1, threads, 1);
	}

	private static GpuKernel.Grid columns(final TransformExtents e, final Radices r, final boolean inDouble) {
		return new GpuKernel.Grid(e.x() / 2 / columnsOfBlock(r, inDouble) + 1, 1, 1, r.apart * ways(r), 1);
	}

	private static int columnsOfBlock(final Radices r, final boolean inDouble) {
		return ways(r) * (inDouble ? 1 : 2);
	}

	private static long modelBytes(final TransformExtents e, final boolean inDouble) {
		final Radices r = Radices.of(e.y());
		return columns(e, r, inDouble).x() * columnsOfBlock(r, inDouble) * e.y() * (inDouble ? 16 : 8);
	}

	/** The spectrum of the template, and the energies of its lines. It is computed at the first use. spectrum, reals: memory that it overwrites. */
	private synchronized CUdeviceptr model(final StreamContext context, final TransformExtents e, final String pixelKind, final boolean inDouble,
		final CUdeviceptr coefficients, final CUdeviceptr spectrum, final CUdeviceptr reals)
	{
		return models.computeIfAbsent(new Key(e.x(), e.y(), inDouble), k -> {
			final Radices row = Radices.of(e.x() / 2), column = Radices.of(e.y());
			final long lines = e.y() + e.x() / 2 + 1;
			final int pitch = pitch(e), rowsOfBlock = rowGroups(row) * (inDouble ? 1 : 2);
			final CUdeviceptr rowRoots = roots(context, row, inDouble), columnRoots = roots(context, column, inDouble);
			// the template is an image of width by height lags of one pixel
			final int[] box = { 1, 1, 1, width, height, 1, e.x(), height, 1, 0, 0, 0, width, height, 1, 0, 0, 0, width, height };
			return SharedBlock.of(context, modelBytes(e, inDouble) + 4 * lines, to -> {
				final CUdeviceptr energies = to.withByteOffset(modelBytes(e, inDouble));
				context.launch(device.kernels().get("fourier", "model_" + (inDouble ? "double" : "float")), new GpuKernel.Grid(height, 1, 1, 256, 1), 0,
					coefficients, width, height, 1, e.struct(), reals);
				context.launch(kernel("rows_of_model", rowOptions(e.x(), pixelKind, inDouble)), rows(height, rowsOfBlock, rowGroups(row) * row.apart),
					rowBytes(row), reals, box, e.struct(), pitch, rowRoots, spectrum, new CUdeviceptr(), new CUdeviceptr());
				context.clear(energies, lines);
				context.launch(kernel("columns_model", columnOptions(e.y(), inDouble)), columns(e, column, inDouble), columnBytes(column), spectrum,
					height, e.struct(), pitch, columnRoots, to, energies, 1.0 / e.reals());
			});
		}).in(context);
	}

	private CUdeviceptr roots(final StreamContext context, final Radices r, final boolean inDouble) {
		return context.table(List.of("roots", r.length, inDouble), () -> {
			final double[] all = r.roots();
			if (inDouble) return DeviceArray.of(device, all);
			final float[] rounded = new float[all.length];
			for (int i = 0; i < all.length; i++) rounded[i] = (float) all[i];
			return DeviceArray.of(device, rounded);
		});
	}

	@Override
	public void close() {
		models.values().forEach(SharedBlock::close);
		models.clear();
	}
}
