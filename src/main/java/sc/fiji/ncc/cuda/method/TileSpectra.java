package sc.fiji.ncc.cuda.method;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.ExtendedPrecision;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.SharedBlock;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.plan.Size;

/**
 * The spectra of a template or kernel, in parts, and of the tiles of an image, and the inverse transforms of their products: see {@code tiles.cu}.
 * Spectra of the template in float and in double are computed at their first use.
 */
public final class TileSpectra implements AutoCloseable {

	/** The bytes of a tile's shared memory in addition to its numbers. */
	private static final int BESIDE = 4096;
	/** Templates up to this extent have tiles of side 64 in float. */
	private static final int SMALL = 8;

	/**
	 * How a template is cut for tiles of side {@code side}: along each axis into one part, or into parts of half a tile. stepX and stepY are the lags of a tile.
	 *
	 * @param stepX the lags of a tile along x
	 */
	public record Cut(int side, int stepX, int stepY, int partsX, int partsY) {

		static Cut of(final long width, final long height, final int side) {
			return new Cut(side, step(width, side), step(height, side), parts(width, side), parts(height, side));
		}

		/** Two parts are faster than one tile with few lags. */
		private static int parts(final long extent, final int side) {
			return extent <= side * 5L / 8 ? 1 : Math.toIntExact((extent + side / 2 - 1) / (side / 2));
		}

		private static int step(final long extent, final int side) {
			return parts(extent, side) > 1 ? side / 2 : (int) (side - extent + 1);
		}

		public int across(final long lagsX) {
			return (int) ((lagsX + stepX - 1) / stepX);
		}

		/** The number of rows of pairs of tiles. */
		public int half(final long lagsY) {
			return (int) (((lagsY + stepY - 1) / stepY + 1) / 2);
		}

		/** {@code struct Cut} of the kernels. */
		int[] struct(final int half, final int across, final int down, final int columns, final int rows) {
			return new int[] { stepX, stepY, half, partsX, partsY, across, down, columns, rows };
		}
	}

	/** The template for float or double: its coefficients; and the spectra of its parts, followed by their {@code struct Pair}. */
	private record Model(DeviceArray coefficients, SharedBlock spectra) {

		void close() {
			coefficients.close();
			spectra.close();
		}
	}

	private final Map<Boolean, Model> models = new HashMap<>();
	private final CudaDevice device;
	private final int width, height, depth;
	private final double[] coefficients;
	private final float[] roundedCoefficients;
	private final Cut inFloat, inDouble;

	/** @param roundedCoefficients the coefficients in float */
	TileSpectra(final CudaDevice device, final Size size, final double[] coefficients, final float[] roundedCoefficients) {
		this.device = device;
		this.coefficients = coefficients;
		this.roundedCoefficients = roundedCoefficients;
		width = Math.toIntExact(size.get(0));
		height = Math.toIntExact(size.get(1));
		depth = Math.toIntExact(size.get(2));
		inFloat = cut(device, size, false);
		inDouble = cut(device, size, true);
	}

	/** The cut for a GPU. Larger tiles have fewer overlaps; smaller tiles are faster for small templates and fit GPUs with little shared memory. */
	public static Cut cut(final CudaDevice device, final Size template, final boolean inDouble) {
		final int wanted = inDouble ? 64 : Math.max(template.get(0), template.get(1)) > SMALL ? 128 : 64;
		return Cut.of(template.get(0), template.get(1), shared(wanted, inDouble) + BESIDE <= device.sharedMemory ? wanted : wanted / 2);
	}

	/** The bytes of {@code struct Tile}. */
	private static int shared(final int side, final boolean inDouble) {
		return (side * ((side + side / 8 + 7) / 16 * 16 + 8) + side) * (inDouble ? 16 : 8);
	}

	/** The bytes of {@code struct Pair}. */
	private static long pairBytes(final int side) {
		return 8L * side + 48;
	}

	double bytesPerLag() {
		return Math.max(bytesPerLag(inFloat, 8), bytesPerLag(inDouble, 16));
	}

	private static double bytesPerLag(final Cut cut, final int bytes) {
		// two tiles per transform, and twice the size for the edges
		return (double) bytes * cut.side * cut.side / (cut.stepX * cut.stepY);
	}

	/** The further arguments of a kernel. */
	interface Further {

		/** @param known the {@code struct Pair} of all pairs of tiles */
		List<Object> of(TransformExtents tile, CUdeviceptr known);
	}

	/**
	 * Enqueues the forward and inverse transforms.
	 *
	 * @param pixelKind as in the names of the kernels
	 * @param back the kernel from products to responses
	 */
	void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr pixels, final String pixelKind, final boolean inDouble, final Back back,
		final Further further)
	{
		final CUdeviceptr model = model(context, inDouble), roots = roots(context, inDouble);
		final Cut cut = cut(inDouble);
		final int tiles = cut.across(box.lags[0]), half = cut.half(box.lags[1]), across = tiles + cut.partsX - 1, down = half + cut.partsY - 1;
		final long pairs = (long) across * down * box.planes, numbers = (long) cut.side * cut.side;
		final CUdeviceptr spectra = context.buffer("spectra", pairs * numbers * (inDouble ? 16 : 8)), known = context.buffer("pairs", pairs * pairBytes(cut.side));
		final int[] struct = cut.struct(half, across, down, cut.side, cut.side);
		final int threads = cut.side * cut.side / 32, shared = shared(cut.side, inDouble);
		context.launch(forward(pixelKind, cut.side, inDouble), new GpuKernel.Grid(across, down, box.planes, threads, 1), shared, pixels, box.struct(), struct, 1, 1.0,
			roots, spectra, known);
		final List<Object> arguments = new ArrayList<>(Arrays.asList(spectra, known, model, model.withByteOffset(modelBytes(inDouble)), box.struct(), struct, roots));
		arguments.addAll(further.of(new TransformExtents(cut.side, cut.side, 1), known));
		context.launch(back.kernel(device, cut.side, inDouble), new GpuKernel.Grid(tiles, half, box.lags[2], threads, 1), shared, arguments.toArray());
	}

	private GpuKernel forward(final String pixels, final int side, final boolean inDouble) {
		final String name = "forward_" + pixels + "_" + (inDouble ? "double" : "float") + "_" + side;
		return device.kernels().get("tiles", name, forwardOptions(name, pixels, side, inDouble));
	}

	/** The compiler options. */
	public static String[] forwardOptions(final String name, final String pixels, final int side, final boolean inDouble) {
		final String type = pixels.equals("bytes") ? "s8" : pixels.substring(0, pixels.length() - 1);
		return new String[] { "-DNAME=" + name, "-DREAL=" + (inDouble ? "double" : "float"), "-DSIDE=" + side, "-DPIXEL=" + type };
	}

	/**
	 * The kernel from products to responses.
	 *
	 * @param windows the kind of window sums; null for convolutions
	 * @param inDouble whether responses are doubles
	 * @param wide the arithmetic beyond float
	 */
	public record Back(String windows, boolean inDouble, ExtendedPrecision wide) {

		GpuKernel kernel(final CudaDevice device, final int side, final boolean products) {
			return device.kernels().get(wide, "tiles", name(side, products), options(side, products));
		}

		private String name(final int side, final boolean products) {
			return (windows == null ? "sum" : "back_" + windows) + (inDouble ? "_double_" : "_float_") + (products ? "double" : "float") + "_" + side;
		}

		/** The compiler options, without those of {@link ExtendedPrecision}. @param products whether products are in double */
		public String[] options(final int side, final boolean products) {
			final List<String> options = new ArrayList<>(List.of("-DNAME=" + name(side, products), "-DREAL=" + (products ? "double" : "float"), "-DSIDE=" + side,
				"-DOUT=" + (inDouble ? "double" : "float")));
			if (windows != null) options.add("-DWINDOWS=" + (windows.equals("narrow") ? "uint2" : windows.equals("wide") ? "longlong2" : "RealWindow"));
			return options.toArray(new String[0]);
		}
	}

	private Cut cut(final boolean inDouble) {
		return inDouble ? this.inDouble : inFloat;
	}

	/** The number of parts of the template. */
	private long parts(final Cut cut) {
		return (long) cut.partsX * cut.partsY * depth;
	}

	/** The bytes of the spectra of all parts. */
	private long modelBytes(final boolean inDouble) {
		final Cut cut = cut(inDouble);
		return parts(cut) * cut.side * cut.side * (inDouble ? 16 : 8);
	}

	private CUdeviceptr roots(final StreamContext context, final boolean inDouble) {
		final int side = cut(inDouble).side;
		return context.table(List.of("roots of tiles", side, inDouble), () -> {
			final double[] roots = new double[2 * side];
			for (int k = 0; k < side; k++) {
				roots[2 * k] = Math.cos(2 * Math.PI * k / side);
				roots[2 * k + 1] = -Math.sin(2 * Math.PI * k / side);
			}
			return inDouble ? DeviceArray.of(device, roots) : DeviceArray.of(device, inFloat(roots));
		});
	}

	/** The spectra of the template's parts, followed by their {@code struct Pair}. They are computed at the first use. */
	synchronized CUdeviceptr model(final StreamContext context, final boolean inDouble) {
		return models.computeIfAbsent(inDouble, k -> {
			final DeviceArray values = inDouble ? DeviceArray.of(device, coefficients) : DeviceArray.of(device, roundedCoefficients);
			try {
				final CUdeviceptr roots = roots(context, inDouble);
				final Cut cut = cut(inDouble);
				return new Model(values, SharedBlock.of(context, modelBytes(inDouble) + parts(cut) * pairBytes(cut.side),
					to -> transform(context, cut, inDouble, values.pointer(), roots, to)));
			}
			catch (final RuntimeException | Error failed) {
				values.close();
				throw failed;
			}
		}).spectra.in(context);
	}

	private void transform(final StreamContext context, final Cut cut, final boolean inDouble, final CUdeviceptr values,
		final CUdeviceptr roots, final CUdeviceptr to) {
		final int side = cut.side;
		// the template is an image whose tiles are the parts; the second tile of a pair is below all parts, so it is empty
		final int[] box = { 1, 1, 1, width, height, depth, width, height, depth, 0, 0, 0, width, height, depth, 0, 0, 0, width, height };
		final int[] struct = new Cut(side, side / 2, side / 2, cut.partsX, cut.partsY).struct(2 * cut.partsY, cut.partsX, cut.partsY,
			cut.partsX > 1 ? side / 2 : side, cut.partsY > 1 ? side / 2 : side);
		context.launch(forward(inDouble ? "doubles" : "floats", side, inDouble), new GpuKernel.Grid(cut.partsX, cut.partsY, depth, side * side / 32, 1),
			shared(side, inDouble), values, box, struct, 0, 1.0 / side / side, roots, to, to.withByteOffset(modelBytes(inDouble)));
	}

	private static float[] inFloat(final double[] a) {
		final float[] f = new float[a.length];
		for (int i = 0; i < a.length; i++) f[i] = (float) a[i];
		return f;
	}

	@Override
	public void close() {
		models.values().forEach(Model::close);
		models.clear();
	}
}
