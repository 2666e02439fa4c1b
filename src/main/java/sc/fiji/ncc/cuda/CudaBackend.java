package sc.fiji.ncc.cuda;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Staging;

/** NVIDIA's cards. Where there is none, or no driver, it says so in words and costs nothing. */
public final class CudaBackend implements Backend {

	/** Most specialised first. Adding an algorithm is one file, its kernels, and one line here. */
	private static final List<Algorithm> ALGORITHMS = List.of(new Parts(), new DirectExact(), new DirectFloat(), new Fourier(), new FourierTiles(),
		new Handbook(true), new Handbook(false),
		new ConvolveSeparable(), new ConvolveDirect(), new ConvolveFourier());

	@Override
	public String id() {
		return "cuda";
	}

	/** Where JCuda's own classes are missing, this package cannot even be asked. */
	private static Driver.Devices found() {
		try {
			return Driver.devices();
		}
		catch (final LinkageError e) {
			return Driver.Devices.none("the CUDA binding (JCuda) is not on the class path: " + e);
		}
	}

	@Override
	public Optional<String> unavailable() {
		final Driver.Devices found = found();
		if (found.unavailable() != null) return Optional.of(found.unavailable());
		final List<CudaDevice> lost = found.list().stream().filter(d -> d.lost() != null).toList();
		return lost.size() == found.list().size() ? Optional.of(lost.get(0).lost()) : Optional.empty();
	}

	/** Each card, then those that are alike as one. */
	@Override
	public List<Device> devices() {
		final List<CudaDevice> all = found().list();
		return Stream.concat(all.stream().filter(d -> d.lost() == null).map(d -> d.device), CardGroup.of(all).stream().map(CardGroup::device)).toList();
	}

	@Override
	public List<Algorithm> algorithms() {
		return ALGORITHMS;
	}

	/** Memory from which cards take pixels by themselves. Null where there is no card, or not so much. */
	public Staging staging(final long bytes) {
		for (final CudaDevice d : found().list()) if (d.lost() == null) return PinnedStaging.of(d, bytes);
		return null;
	}

	/**
	 * Gives back what this process holds of its cards: memory that waits, kernels, contexts. They are opened anew when somebody asks for them. Only
	 * while no execution and no staging memory is open.
	 */
	public void release() {
		found().list().forEach(CudaDevice::release);
	}
}
