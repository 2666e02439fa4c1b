package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.bounded.MappedBank;
import sc.fiji.ncc.cuda.driver.GpuGroup;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.PinnedStaging;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan.Staging;
import sc.fiji.ncc.windows.TemplateWindows;

/** NVIDIA's GPUs. Without a GPU or a driver, the backend is unavailable, with the reason, and costs no time. */
public final class CudaBackend implements Backend {

	/** Most specialised first. How to add one: see the package description. */
	private static final List<SlidingAlgorithm<?>> SLIDING = List.of(new CudaSmallShifts(), new CudaDirectExact(), new CudaDirect(), new CudaFourier(),
		new CudaFourierTiles(),
		new CudaHandbook(true), new CudaHandbook(false),
		new CudaConvolveSeparable(), new CudaConvolveDirect(), new CudaConvolveFourier());

	private final List<Algorithm<?>> algorithms;

	public CudaBackend() {
		this(Runtime.getRuntime().maxMemory());
	}

	/** @param memory the bytes of working memory of an execution on the host */
	public CudaBackend(final long memory) {
		algorithms = Stream.<Algorithm<?>> concat(SLIDING.stream(), Stream.of(new CudaFrames(), new CudaResample(), new CudaDeform(),
			new CudaWindows(), new TemplateWindows("cuda-window-templates", SLIDING),
			new CudaBounded(), new CudaPoses(),
			new MappedBank("cuda-bounded-host", true, memory, SLIDING), new MappedBank("cuda-every-pose", false, memory, SLIDING))).toList();
	}

	@Override
	public String id() {
		return "cuda";
	}

	@Override
	public boolean fast() {
		return true;
	}

	/** The devices. A LinkageError means that JCuda's own classes are missing. */
	private static Driver.Devices driverDevices() {
		try {
			return Driver.devices();
		}
		catch (final LinkageError e) {
			return Driver.Devices.none("the CUDA binding (JCuda) is not on the class path: " + e);
		}
	}

	@Override
	public Optional<String> unavailable() {
		final Driver.Devices devices = driverDevices();
		if (devices.unavailable() != null) return Optional.of(devices.unavailable());
		final List<CudaDevice> lost = devices.list().stream().filter(d -> d.lost() != null).toList();
		return lost.size() == devices.list().size() ? Optional.of(lost.get(0).lost()) : Optional.empty();
	}

	/** Each GPU, then each group of identical GPUs as one device. */
	@Override
	public List<Device> devices() {
		final List<CudaDevice> gpus = driverDevices().list();
		return Stream.concat(gpus.stream().filter(d -> d.lost() == null).map(d -> d.device), GpuGroup.of(gpus).stream().map(GpuGroup::device)).toList();
	}

	@Override
	public List<Algorithm<?>> algorithms() {
		return algorithms;
	}

	/** Memory that GPUs read directly. Null if there is no GPU, or if there is not enough memory. */
	public Staging staging(final long bytes) {
		for (final CudaDevice d : driverDevices().list()) if (d.lost() == null) return PinnedStaging.of(d, bytes);
		return null;
	}

	/**
	 * Releases what this process holds of its GPUs: unused memory, kernels and contexts. The next use opens them again. Call it only while no execution and no
	 * staging memory is open.
	 */
	public void release() {
		driverDevices().list().forEach(CudaDevice::release);
	}
}
