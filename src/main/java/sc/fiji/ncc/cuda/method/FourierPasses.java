package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.SharedBlock;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.plan.Size;

/**
 * Transforms of planes in three passes, or of volumes in five, and the spectra of a template for them: see {@code passes.cu}. The kernels
 * are compiled for each length, so it needs NVIDIA's run-time compiler. Spectra in float and in double are computed for each extent at its
 * first use.
 */
public final class FourierPasses implements AutoCloseable {

	/** The number of templates that kernels compute together at most. */
	static final int TOGETHER = 8;

	/** Whether the passes are used. Default: yes. Without them, cuFFT transforms all boxes, for measurements beside it. */
	private static final boolean USED = !"cufft".equals(System.getProperty("ncc.cuda.transforms"));
	/** The file of the kernels. */
	private static final String FILE = "passes";
	/** The lengths of columns, and of half a row. */
	private static final int SHORTEST = 64, LONGEST = 4096;
	/** The shortest length along z. */
	private static final int SHALLOWEST = 16;
	/** A volume in passes has at most that many times as many points as by cuFFT, or is small. */
	private static final int PADDING = 2, SMALL = 1 << 20;
	/**
	 * From here on there are four lengths between a power of two and the next one. Eight were tried: they save 0 to 6 % of the time on an H200, because
	 * lines of zeros cost little, but their kernels must be compiled for twice as many lengths.
	 */
	private static final int IN_QUARTERS = 256;
	/** The threads of a block of the passes over rows, if a row has fewer; and those of a multiprocessor, of a single plane and of more. */
	private static final int ROW_THREADS = 256, THREADS = 512, THREADS_OF_MANY = 768;
	/** The probes, coefficients and templates of a block of the kernel {@code probe_bank}. */
	private static final int PROBES = 4, COEFFICIENTS = 2048, PROBED_TEMPLATES = 4;
	/** The bytes of shared memory that the kernels use besides lines: sums of a block. */
	private static final int SUMS = 256;
	/**
	 * The fewest threads of a block of the passes over columns, and the fewest columns of a block over those of a thread, in planes and in
	 * volumes.
	 */
	private static final int WARP = 32, WAYS = 2, WAYS_IN_VOLUMES = 4;
	/** The blocks of a multiprocessor in the pass along z. Each block takes several rows, so that few of them add to the same sums. */
	private static final int BLOCKS_ALONG_Z = 8;

	/** How a line is transformed: {@code struct LineBlock} of the kernels. {@code apart}: the threads of a line. */
	private record Radices(int length, int first, int middle, int last, int apart, int places) {

		static Radices of(final int length) {
			int rest = length < SHORTEST ? 4 : 8;
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
	private record Key(TransformExtents extents, boolean inDouble) {}

	private final CudaDevice device;
	private final BoxSpectra template;
	private final int width, height, depth;
	/** Spectra, each followed by the energies of its lines. */
	private final Map<Key, SharedBlock> models = new HashMap<>();

	/** @param template its coefficients; null if it is no template but the members of a bank that have this size */
	FourierPasses(final CudaDevice device, final BoxSpectra template, final int width, final int height, final int depth) {
		this.device = device;
		this.template = template;
		this.width = width;
		this.height = height;
		this.depth = depth;
	}

	/** The extents for that many columns, rows and planes of pixels. Null if the passes do not support them: then cuFFT is used. */
	static TransformExtents extents(final CudaDevice device, final long columns, final long rows, final long planes) {
		if (!USED || planes > LONGEST || columns > 2 * LONGEST || rows > LONGEST || !device.kernels().compiles()) return null;
		final int z = planes == 1 ? 1 : planes <= SHALLOWEST ? SHALLOWEST : planes <= SHORTEST / 2 ? SHORTEST / 2 : length((int) planes);
		final TransformExtents e = new TransformExtents(2 * length((int) (columns + 1) / 2), length((int) rows), z);
		if (z > 1 && e.reals() > SMALL && e.reals() > PADDING * TransformExtents.of((int) columns, (int) rows, (int) planes).reals()) return null;
		return fits(e, device.sharedMemory) ? e : null;
	}

	/** Whether the lines of a block fit into the shared memory that a GPU has for a block, in bytes. */
	static boolean fits(final TransformExtents e, final int sharedMemory) {
		final int bytes = Math.max(rowBytes(Radices.of(e.x() / 2), true, true), columnBytes(Radices.of(e.y()), e.z() > 1));
		return Math.max(bytes, e.z() == 1 ? 0 : columnBytes(Radices.of(e.z()), true)) <= sharedMemory - SUMS;
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

	/** The rows that a thread has at a time. One of floats needs fewer registers, two need fewer roots of unity. */
	private static int linesOfRows(final boolean inDouble, final boolean many) {
		return inDouble || many ? 1 : 2;
	}

	private static int rowBytes(final Radices r, final boolean inDouble, final boolean many) {
		return (inDouble ? 16 : 8) * linesOfRows(inDouble, many) * r.places * rowGroups(r);
	}

	/** The blocks of a multiprocessor. */
	private static int rowBlocks(final Radices r, final boolean inDouble, final boolean many) {
		return Math.max(1, (many && !inDouble ? THREADS_OF_MANY : THREADS) / (rowGroups(r) * r.apart));
	}

	/** The columns of a block are this many pairs of floats, or doubles. */
	private static int ways(final Radices r, final boolean volume) {
		return Math.max(volume ? WAYS_IN_VOLUMES : WAYS, WARP / r.apart);
	}

	private static int columnBytes(final Radices r, final boolean volume) {
		return 16 * r.places * ways(r, volume);
	}

	/** The compiler options for rows of a number of pixels. @param many whether there are several templates, or it is a volume */
	public static String[] rowOptions(final int length, final String pixelKind, final boolean inDouble, final boolean many) {
		return new String[] { "-DROWS", "-DLENGTH=" + length, real(inDouble), "-DLINES=" + linesOfRows(inDouble, many),
			"-DBLOCKS=" + rowBlocks(Radices.of(length / 2), inDouble, many),
			"-DPIXEL=" + (pixelKind.equals("bytes") ? "s8" : pixelKind.substring(0, pixelKind.length() - 1)) };
	}

	/** The compiler options for columns of a number of pixels, or for lines along z. @param volume whether they are those of a volume */
	public static String[] columnOptions(final int length, final boolean volume, final boolean inDouble) {
		final Radices r = Radices.of(length);
		final int ways = ways(r, volume);
		return new String[] { "-DCOLUMNS", "-DLENGTH=" + length, real(inDouble), "-DWAYS=" + ways,
			"-DBLOCKS=" + Math.max(1, THREADS / (r.apart * ways)), "-DVOLUMES=" + volume };
	}

	/** All compiler options for a transform. */
	private static List<String[]> options(final TransformExtents e, final String pixelKind, final boolean inDouble, final boolean shared) {
		final boolean volume = e.z() > 1;
		final List<String[]> all = new ArrayList<>();
		all.add(rowOptions(e.x(), pixelKind, inDouble, volume || shared));
		all.add(columnOptions(e.y(), volume, inDouble));
		if (volume && e.z() != e.y()) all.add(columnOptions(e.z(), true, inDouble));
		return all;
	}

	private static String real(final boolean inDouble) {
		return "-DREAL=" + (inDouble ? "double" : "float");
	}

	/** Whether no kernel for these extents must be compiled. */
	static boolean ready(final CudaDevice device, final TransformExtents e, final String pixelKind, final boolean inDouble,
		final boolean shared)
	{
		return options(e, pixelKind, inDouble, shared).stream().allMatch(o -> device.kernels().ready(FILE, o));
	}

	/**
	 * What is transformed.
	 *
	 * @param shared whether other templates use the spectra of the rows, or in volumes of the planes, too
	 */
	record Image(StreamContext context, TransformExtents e, BoxGeometry box, CUdeviceptr pixels, String pixelKind, boolean inDouble,
		boolean shared) {}

	/**
	 * Enqueues the transforms of a box, from pixels to products, and what their error estimates need.
	 *
	 * @param templates of one size. Several of them need {@code responses}
	 * @param reals receives the products, one row of {@code e.x()} numbers for each row of lags, {@code e.y()} rows for each plane of lags
	 * @param responses what computes responses in the last pass. Default: null. Then only products are computed
	 */
	static BoxSpectra.Product products(final Image image, final List<FourierPasses> templates, final CUdeviceptr reals,
		final Responses responses)
	{
		return templates.get(0).products(image, reals, responses, templates);
	}

	private BoxSpectra.Product products(final Image image, final CUdeviceptr reals, final Responses responses,
		final List<FourierPasses> templates)
	{
		final StreamContext context = image.context;
		final TransformExtents e = image.e;
		final BoxGeometry box = image.box;
		final boolean shared = image.shared;
		final int count = templates.size(), probes = template.probes(box);
		device.kernels().load(FILE, options(e, image.pixelKind, image.inDouble, shared));
		final Passes passes = new Passes(context, e, image.pixelKind, image.inDouble, shared);
		final CUdeviceptr spectrum = context.buffer("complexes", count * passes.bytes(e.z()));
		final long[] models = each(templates, t -> t.model(passes, spectrum, reals));
		final CUdeviceptr ofPixels = shared ? context.buffer("spectrum of pixels", passes.modelBytes()) : spectrum;
		// the buffers of both grow at the same time, and are computed again
		final boolean known = shared && context.holds("spectrum of pixels", List.of(box.key(), e, image.pixelKind, image.inDouble));
		final BoxSpectra.Product ofImage = !shared || !known ? BoxSpectra.product(context, e, "pixels", 1)
			: BoxSpectra.layout(context, e, "pixels", 1);
		if (!known) passes.forward("rows_of_pixels", image.pixels, box, new Rows(spectrum, ofImage.pixels(), ofImage.known()));
		if (shared && !known) passes.image(spectrum, box, ofPixels);
		final BoxSpectra.Product product = shared ? BoxSpectra.product(context, e, "numerator", count).withPixels(ofImage.pixels()) : ofImage;
		context.launch(passes.kernel(count == 1 ? "probe_some" : "probe_bank", passes.ofRows), new GpuKernel.Grid((probes + PROBES - 1) / PROBES,
			(width * height * depth + COEFFICIENTS - 1) / COEFFICIENTS, count == 1 ? 1 : (count + PROBED_TEMPLATES - 1) / PROBED_TEMPLATES, 256, 1),
			0, image.pixels, box.struct(), each(templates, t -> t.template.model(image.inDouble)), count, ofImage.known(), probes, product.probes(),
			product.stride());
		passes.back(shared ? "product_of_known" : "product", ofPixels, box, spectrum, models, ofImage.known(), product);
		if (responses == null) passes.last(spectrum, box, product, reals);
		else passes.respond(spectrum, box, product, responses.arguments(ofImage.known(), product));
		// rows_respond leaves products in the place of their spectra
		context.launch(passes.kernel("noise_of_passes", passes.ofColumns), new GpuKernel.Grid(passes.volume ? 65 : 9, count, 1, 256, 1), 0,
			e.struct(), product.pixels(), product.result(), responses == null ? reals : spectrum, responses == null ? e.x() : 2 * passes.pitch,
			passes.bytes(e.z()), box.struct(), product.probes(), probes, product.known(), product.stride());
		BoxSpectra.errors(context, e, templates.stream().map(t -> t.template).toList(), product);
		return product;
	}

	/** The bytes of one plane of spectra of a volume, in float. */
	static long planeBytes(final TransformExtents e) {
		return 8L * e.y() * pitch(e, true);
	}

	/** The distance between rows of spectra: half a row, and the columns of a block. */
	private static int pitch(final TransformExtents e, final boolean volume) {
		final int columns = ways(Radices.of(e.y()), volume);
		return e.x() / 2 + 2 * (volume ? Math.max(columns, ways(Radices.of(e.z()), true)) : columns);
	}

	/**
	 * Transforms the pixels of a volume in float, for members of a bank in boxes of the size of this object's template.
	 *
	 * @return what is known of the pixels
	 */
	BoxSpectra.Product begin(final Image image) {
		final StreamContext context = image.context;
		device.kernels().load(FILE, options(image.e, image.pixelKind, false, true));
		final Passes passes = new Passes(context, image.e, image.pixelKind, false, true);
		final CUdeviceptr spectra = spectraOfMembers(passes, image.box);
		final BoxSpectra.Product known = BoxSpectra.product(context, image.e, "pixels", 1);
		passes.forward("rows_of_pixels", image.pixels, image.box, new Rows(spectra, known.pixels(), known.known()));
		passes.image(spectra, image.box, context.buffer("spectrum of pixels", passes.modelBytes()));
		return known;
	}

	private static CUdeviceptr spectraOfMembers(final Passes passes, final BoxGeometry box) {
		return passes.context.buffer("complexes", passes.bytes(Math.max(box.planes, TOGETHER * box.lags[2])));
	}

	/**
	 * Adds the products of some members, {@link #TOGETHER} at most, to the best ones, after {@link #begin}.
	 *
	 * @param members their boxes one after the other, with rows of even length
	 * @param from the number of the first one
	 * @param best {@code struct Best} of the kernels
	 */
	void best(final Image image, final CUdeviceptr members, final int count, final int from, final long[] best) {
		final StreamContext context = image.context;
		final TransformExtents e = image.e;
		final BoxGeometry box = image.box;
		final Passes p = new Passes(context, e, image.pixelKind, false, true);
		final CUdeviceptr planes = context.buffer("planes of members", TOGETHER * p.bytes(depth)), spectra = spectraOfMembers(p, box);
		final long stride = p.bytes(box.lags[2]);
		// the members are planes of lags of one pixel
		p.forward("rows_of_model", members, new BoxGeometry(Size.of(1, 1, 1), new long[3], new int[] { width, height, depth * count },
			new long[] { width, height, (long) depth * count }, (width + 1) / 2 * 2), new Rows(planes, new CUdeviceptr(), new CUdeviceptr()));
		context.launch(p.kernel("product_of_members", p.ofLines), new GpuKernel.Grid((long) p.columnBlocks(p.line) * count, p.alongZ(), 1,
			p.line.apart * ways(p.line, true), 1), columnBytes(p.line, true), planes, p.bytes(depth), spectra, stride, count, depth,
			box.lags[2], e.struct(), p.pitch, roots(context, p.line, false), context.buffer("spectrum of pixels", p.modelBytes()));
		context.launch(p.kernel("columns_of_members", p.ofColumns), new GpuKernel.Grid(p.columnBlocks(p.column), box.lags[2], count,
			p.column.apart * ways(p.column, true), 1), columnBytes(p.column, true), spectra, stride, box.lags[1], e.struct(), p.pitch,
			roots(context, p.column, false));
		final int together = rowGroups(p.row);
		context.launch(p.kernel("rows_best", p.ofRows), new GpuKernel.Grid((box.lags[1] + together - 1) / together, box.lags[2], 1,
			together * p.row.apart, 1), rowBytes(p.row, false, true), spectra, stride, count, from, e.struct(), p.pitch, box.struct(),
			roots(context, p.row, false), best);
	}

	/** The addresses of something of each template: {@code struct Each} of the kernels. */
	private static long[] each(final List<FourierPasses> templates, final Function<FourierPasses, CUdeviceptr> of) {
		final long[] all = new long[TOGETHER];
		for (int t = 0; t < templates.size(); t++) all[t] = Addresses.of(of.apply(templates.get(t)));
		return all;
	}

	/** The arguments of the kernel {@code rows_respond} that follow those of the transform. */
	interface Responses {

		/** @param ofPixels what is known of the pixels, with their reference */
		Object[] arguments(CUdeviceptr ofPixels, BoxSpectra.Product product);
	}

	/** Where the spectra of rows are stored, with what is measured in pixels and their reference. */
	private record Rows(CUdeviceptr spectra, CUdeviceptr measured, CUdeviceptr known) {}

	/** The passes of one transform on one stream. */
	private final class Passes {

		final StreamContext context;
		final TransformExtents e;
		final boolean inDouble, volume, many;
		final String[] ofRows, ofColumns, ofLines;
		final Radices row, column, line;
		/** The distance between rows of spectra: half a row, and the columns of a block. */
		final int pitch;

		Passes(final StreamContext context, final TransformExtents e, final String pixelKind, final boolean inDouble, final boolean shared) {
			this.context = context;
			this.e = e;
			this.inDouble = inDouble;
			volume = e.z() > 1;
			many = volume || shared;
			row = Radices.of(e.x() / 2);
			column = Radices.of(e.y());
			line = volume ? Radices.of(e.z()) : column;
			ofRows = rowOptions(e.x(), pixelKind, inDouble, many);
			ofColumns = columnOptions(e.y(), volume, inDouble);
			ofLines = columnOptions(line.length, volume, inDouble);
			pitch = pitch(e, volume);
		}

		/** The bytes of that many planes of spectra. */
		long bytes(final int planes) {
			return (long) pitch * e.y() * planes * (inDouble ? 16 : 8);
		}

		/** The spectra of rows, or in volumes of planes, of pixels or of a template. */
		void forward(final String function, final CUdeviceptr pixels, final BoxGeometry box, final Rows to) {
			context.launch(kernel(function, ofRows), rows(box.rows, box.planes, 1), rowBytes(row, inDouble, many), pixels, box.struct(), e.struct(),
				pitch, roots(context, row, inDouble), to.spectra, to.measured, to.known);
			if (volume) context.launch(kernel("columns_forward", ofColumns), columns(column, box.planes), columnBytes(column, true), to.spectra,
				box.rows, e.struct(), pitch, roots(context, column, inDouble));
		}

		/** The spectrum of a template from those of its rows or planes. lines: receives the energies of its lines. */
		void model(final CUdeviceptr from, final CUdeviceptr to, final CUdeviceptr lines) {
			context.launch(kernel("model", ofLines), columns(line, alongZ()), columnBytes(line, volume), from, volume ? depth : height, e.struct(),
				pitch, roots(context, line, inDouble), to, lines, 1.0 / e.reals());
		}

		/** The spectrum of the pixels from those of their rows or planes, in the order of that of a template. */
		void image(final CUdeviceptr from, final BoxGeometry box, final CUdeviceptr to) {
			context.launch(kernel("image", ofLines), columns(line, alongZ()), columnBytes(line, volume), from, volume ? box.planes : box.rows,
				e.struct(), pitch, roots(context, line, inDouble), to);
		}

		/** The spectra of the rows of products. ofPixels: the spectra of rows or planes, or the complete one. spectrum: receives them. */
		void back(final String function, final CUdeviceptr ofPixels, final BoxGeometry box, final CUdeviceptr spectrum, final long[] models,
			final CUdeviceptr image, final BoxSpectra.Product product)
		{
			final int planes = box.lags[2], count = product.count();
			context.launch(kernel(function, ofLines), new GpuKernel.Grid((long) columnBlocks(line) * count, alongZ(), 1,
				line.apart * ways(line, volume), 1), columnBytes(line, volume), ofPixels, spectrum, bytes(e.z()), count, volume ? box.planes : box.rows,
				volume ? planes : e.y(), e.struct(), pitch, roots(context, line, inDouble), models, modelBytes(), image, product.known(),
				product.stride());
			for (int t = 0; t < count && volume; t++) context.launch(kernel("columns_back", ofColumns), columns(column, planes),
				columnBytes(column, true), spectrum.withByteOffset(t * bytes(e.z())), e.struct(), pitch, roots(context, column, inDouble));
		}

		/** The last pass: products. */
		void last(final CUdeviceptr spectrum, final BoxGeometry box, final BoxSpectra.Product product, final CUdeviceptr reals) {
			context.launch(kernel("rows_back", ofRows), rows(e.y(), box.lags[2], 1), rowBytes(row, inDouble, many), spectrum, e.struct(), pitch,
				box.lags[1], roots(context, row, inDouble), reals, product.result());
		}

		/** The last pass: responses. */
		void respond(final CUdeviceptr spectrum, final BoxGeometry box, final BoxSpectra.Product product, final Object[] further) {
			context.launch(kernel("rows_respond", ofRows), rows(e.y(), box.lags[2], product.count()), rowBytes(row, inDouble, many), Stream.concat(
				Stream.of(spectrum, bytes(e.z()), product.count(), e.struct(), pitch, box.struct(), roots(context, row, inDouble), product.result(),
				product.unlike(), product.stride()), Arrays.stream(further)).toArray());
		}

		private GpuKernel kernel(final String function, final String... options) {
			return device.kernels().get(FILE, function, options);
		}

		/** Blocks take several rows one after the other, so that few of them add to the same sums. */
		private GpuKernel.Grid rows(final int rows, final int planes, final int templates) {
			final int rowsOfBlock = rowGroups(row) * linesOfRows(inDouble, many), blocks = (rows + rowsOfBlock - 1) / rowsOfBlock;
			final int atOnce = Math.max(1, rowBlocks(row, inDouble, many) * device.processors / templates);
			return new GpuKernel.Grid((long) Math.min(blocks, atOnce) * templates, planes, 1, rowGroups(row) * row.apart, 1);
		}

		private int alongZ() {
			if (!volume) return 1;
			final int most = Math.max(1, BLOCKS_ALONG_Z * device.processors / columnBlocks(line)), each = (e.y() + most - 1) / most;
			return (e.y() + each - 1) / each;
		}

		private GpuKernel.Grid columns(final Radices r, final int planes) {
			return new GpuKernel.Grid(columnBlocks(r), planes, 1, r.apart * ways(r, volume), 1);
		}

		private int columnBlocks(final Radices r) {
			return e.x() / 2 / columnsOfBlock(r) + 1;
		}

		private int columnsOfBlock(final Radices r) {
			return ways(r, volume) * (inDouble ? 1 : 2);
		}

		private long modelBytes() {
			return (long) columnBlocks(line) * columnsOfBlock(line) * line.length * (volume ? e.y() : 1) * (inDouble ? 16 : 8);
		}

		/** The number of energies of the lines of a template: see {@code struct Energies} of the kernels. */
		private long lines() {
			return volume ? (long) e.y() * (e.z() + pitch) + (long) pitch * e.z() : e.y() + pitch;
		}
	}

	/**
	 * The spectrum of the template, and the energies of its lines. It is computed at the first use. spectrum, reals: memory that it
	 * overwrites.
	 */
	private synchronized CUdeviceptr model(final Passes passes, final CUdeviceptr spectrum, final CUdeviceptr reals) {
		final StreamContext context = passes.context;
		return models.computeIfAbsent(new Key(passes.e, passes.inDouble), k -> {
			// the template is an image of width by height by depth lags of one pixel
			final int columns = passes.e.x();
			final BoxGeometry box = new BoxGeometry(Size.of(1, 1, 1), new long[3], new int[] { width, height, depth },
				new long[] { width, height, depth }, columns);
			return SharedBlock.of(context, passes.modelBytes() + 4 * passes.lines(), to -> {
				final CUdeviceptr energies = to.withByteOffset(passes.modelBytes());
				context.launch(device.kernels().get("fourier", "model_" + (passes.inDouble ? "double" : "float")),
					new GpuKernel.Grid(height, depth, 1, 256, 1), 0, template.model(passes.inDouble), width, height, depth,
					new int[] { columns, height, depth }, reals);
				passes.forward("rows_of_model", reals, box, new Rows(spectrum, new CUdeviceptr(), new CUdeviceptr()));
				context.clear(energies, passes.lines());
				passes.model(spectrum, to, energies);
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
