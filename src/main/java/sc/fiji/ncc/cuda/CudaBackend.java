package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.bounded.MappedBank;
import sc.fiji.ncc.cuda.driver.CardGroup;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.Driver;
import sc.fiji.ncc.cuda.driver.PinnedStaging;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.SlidingPlan.Staging;

/** NVIDIA's cards. Without a card or a driver, the backend is unavailable, with the reason, and costs no time. */
public final class CudaBackend implements Backend {

	/** Most specialised first. How to add one: see the package description. */
	private static final List<SlidingAlgorithm<?>> SLIDING = List.of(new CudaSmallShifts(), new CudaDirectExact(), new CudaDirect(), new CudaFourier(),
		new CudaFourierTiles(),
		new CudaHandbook(true), new CudaHandbook(false),
		new CudaConvolveSeparable(), new CudaConvolveDirect(), new CudaConvolveFourier());
	private static final List<Algorithm<?>> ALGORITHMS = Stream.<Algorithm<?>> concat(SLIDING.stream(), Stream.of(new CudaFrames(), new CudaBounded(),
		new MappedBank("cuda-bounded-host", true, false, SLIDING), new MappedBank("cuda-every-pose", false, false, SLIDING))).toList();

	@Override
	public String id() {
		return "cuda";
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

	/** Each card, then each group of identical cards as one device. */
	@Override
	public List<Device> devices() {
		final List<CudaDevice> cards = driverDevices().list();
		return Stream.concat(cards.stream().filter(d -> d.lost() == null).map(d -> d.device), CardGroup.of(cards).stream().map(CardGroup::device)).toList();
	}

	@Override
	public List<Algorithm<?>> algorithms() {
		return ALGORITHMS;
	}

	/** Memory that cards read directly. Null if there is no card, or if there is not enough memory. */
	public Staging staging(final long bytes) {
		for (final CudaDevice d : driverDevices().list()) if (d.lost() == null) return PinnedStaging.of(d, bytes);
		return null;
	}

	/**
	 * Releases what this process holds of its cards: unused memory, kernels and contexts. The next use opens them again. Call it only while no execution and no
	 * staging memory is open.
	 */
	public void release() {
		driverDevices().list().forEach(CudaDevice::release);
	}
}
