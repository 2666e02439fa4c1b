package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;

/** The processor this runs on. */
public final class CpuBackend implements Backend {

	/** Most specialised first. Adding an algorithm is one file and one line here. */
	private static final List<Algorithm> ALGORITHMS = List.of(new DirectExact(), new DirectFloat(), new FourierFloat(), new FourierParts(),
		new DirectDouble(), new FourierDouble(), new ConvolveSeparable(Precision.SINGLE), new ConvolveDirect(Precision.SINGLE),
		new ConvolveFourier(Precision.SINGLE), new ConvolveSeparable(Precision.DOUBLE), new ConvolveDirect(Precision.DOUBLE), new ConvolveFourier(Precision.DOUBLE));

	private final Device device;

	/** @param threads how many work at once, at least 1 */
	public CpuBackend(final int threads) {
		if (threads < 1) throw new IllegalArgumentException("the number of threads must be at least 1, not " + threads);
		device = new Device("cpu", System.getProperty("os.arch") + ", " + threads + (threads == 1 ? " thread" : " threads") + ", Java "
			+ System.getProperty("java.version") + (Vectors.USED ? " with vectors" : ""), threads, Runtime.getRuntime().maxMemory());
	}

	@Override
	public String id() {
		return "cpu";
	}

	@Override
	public Optional<String> unavailable() {
		return Optional.empty();
	}

	@Override
	public List<Device> devices() {
		return List.of(device);
	}

	@Override
	public List<Algorithm> algorithms() {
		return ALGORITHMS;
	}
}
