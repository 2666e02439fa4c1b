package sc.fiji.ncc.cuda.method;

import java.nio.ByteBuffer;
import java.util.List;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.bank.Members;

/**
 * Searches bounded banks on a GPU: see {@code poses.cu}. The products with the basis come from transforms of a whole box in float, with the error estimate of
 * {@code cuda-fourier}. Where that exceeds the tolerance, no response is computed again: the bounds of the window are wider by the same factor. A window whose
 * products are unknown is scored with all members.
 */
public final class BoundedSearch extends BankSearch {

	/** The share of the GPU's memory for all banks. */
	private static final double SHARE_OF_MEMORY = 0.4;
	/** Bytes for each point of a box, besides products and spectra: pixels, their transforms, window sums and lists. */
	private static final int BYTES_PER_POINT = 110;
	/** The longest axis of a transform. */
	private static final int MAX_EXTENT = 8192;
	/** Additional error of the products for their rounding to float, and that of window sums. */
	private static final float ROUNDING = 1e-6f;
	/** Threads of the kernel {@code bounds}. */
	private static final int THREADS = 256;

	/** The calling thread has entered the device. */
	public BoundedSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore) {
		this(device, type, size, all, minScore, (long) (SHARE_OF_MEMORY * device.device.memory()));
	}

	/** @param memory the most bytes of the device for all banks */
	BoundedSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore, final long memory) {
		super(device, type, size, all, minScore);
		final int vectors = all.stream().mapToInt(b -> b.bounds().size()).sum(), most = all.stream().mapToInt(b -> b.bounds().size()).max().orElse(0);
		final double perPoint = 4.0 * (vectors + most) + BYTES_PER_POINT;
		open(all, b -> {
			final int[] lags = lags(type, image, b.box(), MAX_EXTENT, l -> extents(b.box(), l).reals() <= memory / perPoint);
			if (lags == null) throw new DeviceException("not enough memory on the device for transforms of " + b.box());
			return new DeviceBank(device, b, lags, extents(b.box(), lags));
		});
	}

	private static TransformExtents extents(final Size box, final int[] lags) {
		return TransformExtents.of((int) (lags[0] + box.get(0) - 1), (int) (lags[1] + box.get(1) - 1), (int) (lags[2] + box.get(2) - 1));
	}

	/** The bytes for an image. @param points those of its transform; @param vectors those of all bases */
	public static long bytes(final long memory, final double points, final double vectors) {
		return (long) Math.min(SHARE_OF_MEMORY * memory, points * (2 * Float.BYTES * vectors + BYTES_PER_POINT));
	}

	@Override
	int correlations(final DeviceBank bank) {
		return bank.spectra.length;
	}

	@Override
	long search(final Pixels in, final int index, final DeviceBank bank, final long[] lag, final int[] lags, final Receiver to,
		final Monitor monitor)
	{
		final int vectors = bank.spectra.length;
		final BoxGeometry box = geometry(bank, lag, lags);
		final TransformExtents e = bank.extents;
		// the transforms of the basis use the same buffers, so they come first
		for (final BoxSpectra s : bank.spectra) s.prepare(context, e, false);
		send(in, box, lag);
		final CUdeviceptr pixels = pixels(box), numerators = context.buffer("numerators", 4 * e.reals() * vectors);
		final BoxSpectra.Product[] products = new BoxSpectra.Product[vectors];
		for (int v = 0; v < vectors; v++) products[v] = BoxSpectra.product(context, e, "numerator " + v, 1);
		final CUdeviceptr trust = trust(bank, products);
		multiply(bank, box, pixels, products, trust, numerators);
		final CUdeviceptr limits = context.buffer("limits", 4L * (lags[1] * lags[2] + lags[0]));
		context.clear(counts(), COUNTS);
		context.launch(kernel("limits"), GpuKernel.Grid.over(32L * (lags[1] * lags[2] + lags[0]), 1, 1, 128, 1), 0, trust, vectors, box.struct(), limits);
		final long[] search = struct(bank, box, numerators, limits, products[0].known(), box.count(), bank.bounds.error + ROUNDING);
		final Object windows = windows(box, pixels);
		context.launch(kernel("keep_" + kind), new GpuKernel.Grid((lags[0] + 127) / 128, Math.min(lags[1], 1 << 15), lags[2], 128, 1), 0, windows,
			box.struct(), search);
		final GpuKernel.Grid grid = new GpuKernel.Grid(Math.min(16L * device.processors, (box.count() + 31) / 32), 1, 1, THREADS, 1);
		if (bank.groups > 0) context.launch(kernel("groups"), grid, 4 * 32 * vectors, box.struct(), search);
		context.launch(kernel("bounds"), grid, 4 * 32 * vectors, box.struct(), search);
		score(bank, box, search);
		final ByteBuffer counted = counted(monitor);
		take(index, box, lag, counted.getInt(8), to, monitor);
		monitor.done((long) box.count() * vectors);
		return (long) counted.getInt(12) * vectors;
	}

	/** {@code struct Trust} of each vector. */
	private CUdeviceptr trust(final DeviceBank bank, final BoxSpectra.Product[] products) {
		final TransformExtents e = bank.extents;
		final int n = bank.members.support().length, words = 13;
		final long size = 8L * words * products.length;
		final ByteBuffer all = context.pinned("trust", size);
		for (int v = 0; v < products.length; v++)
			for (final long word : new long[] { e.x() | (long) e.y() << 32, e.z() | (long) n << 32, Addresses.of(products[v].known()),
				Addresses.of(products[v].result()), Addresses.of(products[v].noise()), bits(n), bits(1.0 / n), bits(bank.totals[v] / n), bits(1),
					bits(SpectralMethod.eps(false) / Tolerance.RESPONSE), bits(SpectralMethod.MARGIN_OF_PROBES / Tolerance.RESPONSE),
				bits(Math.sqrt(Tolerance.FLOOR)), bits(offsetRounding(n)) }) all.putLong(word);
		final CUdeviceptr to = context.buffer("trust", size);
		context.send(to, context.pinnedPointer("trust", size), size);
		return to;
	}

	/** The products of all windows with all vectors, and the data for their error estimates. */
	private void multiply(final DeviceBank bank, final BoxGeometry box, final CUdeviceptr pixels, final BoxSpectra.Product[] products, final CUdeviceptr trust,
		final CUdeviceptr numerators)
	{
		final TransformExtents e = bank.extents;
		final long complexBytes = 8 * e.complexes();
		final CUdeviceptr reals = context.buffer("reals", 4 * e.reals()), spectrum = context.buffer("complexes", complexBytes),
			same = context.buffer("same complexes", complexBytes);
		context.launch(device.kernels().get("fourier", "pad_" + kind + "_float"), new GpuKernel.Grid(BoxSpectra.rowBlocks(device, e), e.z(), 1, 128, 1), 0,
			pixels, box.struct(), e.struct(), reals, products[0].known());
		bank.spectra[0].measure(context, e, false, reals, products[0].pixels(), new CUdeviceptr());
		context.launch(kernel("references"), new GpuKernel.Grid(1, 1, 1, 128, 1), 0, trust, products.length);
		bank.spectra[0].transform(context, e, Cufft.Type.R2C, reals, spectrum);
		for (int v = 0; v < products.length; v++) {
			bank.spectra[v].probe(context, box, pixels, kind, false, products[v]);
			device.check(JCudaDriver.cuMemcpyDtoDAsync(same, spectrum, complexBytes, context.stream), "copying a spectrum");
			bank.spectra[v].back(context, e, box, false, same, products[0].pixels(), products[v], numerators.withByteOffset(4 * e.reals() * v), true);
		}
	}
}
