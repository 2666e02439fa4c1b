package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;

import jcuda.CudaException;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Cufft;
import sc.fiji.ncc.cuda.driver.Transforms;
import sc.fiji.ncc.cuda.method.BoundedSearch;
import sc.fiji.ncc.plan.BoundedSearcher;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Size;

/**
 * Bounded banks on a GPU: the basis by Fourier transforms with one spectrum of the image, then bounds and exact scores, see {@code poses.cu}. Only what reaches
 * the minimum score leaves the GPU. It needs cuFFT.
 */
final class CudaBoundedSearcher implements BoundedSearcher {

	/**
	 * Seconds of one multiprocessor for a point of the transform of one vector, and for the sums of a window; seconds for the launches of a vector, and
	 * of an image.
	 */
	private static final double POINT = 132 * 19e-12, WINDOW = 132 * 130e-12, VECTOR = 15e-6, IMAGE = 500e-6;
	/** The number of CPU threads that compute as many products of bounds as a multiprocessor. */
	private static final int THREADS = 2;

	private final CudaDevice device;

	CudaBoundedSearcher(final CudaDevice device) {
		this.device = device;
	}

	@Override
	public Device device() {
		return device.device;
	}

	@Override
	public Optional<String> unsupported(final PixelType image, final int dimensions) {
		if (Cufft.missing() != null) return Optional.of(Cufft.missing());
		if (dimensions > 3) return Optional.of("its kernels support at most 3 dimensions, not " + dimensions);
		return image.exact() || image == PixelType.F32 ? Optional.empty() : Optional.of("its kernels support pixels of 8 and 16 bits and floats, not " + image);
	}

	@Override
	public double seconds(final Size image, final Size box, final int vectors) {
		double points = 1, lags = 1;
		for (int d = 0; d < image.dimensions(); d++) {
			points *= Transforms.Extents.best(Math.toIntExact(image.get(d)));
			lags *= image.get(d) - box.get(d) + 1;
		}
		return IMAGE + vectors * VECTOR + (points * vectors * POINT + lags * WINDOW) / device.processors;
	}

	@Override
	public double startSeconds() {
		return CudaCost.start(device);
	}

	@Override
	public int threads() {
		return THREADS * device.processors;
	}

	@Override
	public Search prepare(final PixelType type, final Size image, final List<BoundedSearcher.Bank> banks) {
		if (device.lost() != null) throw new DeviceException(device.lost());
		try {
			device.enter();
			return new BoundedSearch(device, type, image, banks);
		}
		catch (final CudaException e) {
			throw new DeviceException(e.getMessage(), e);
		}
	}
}
