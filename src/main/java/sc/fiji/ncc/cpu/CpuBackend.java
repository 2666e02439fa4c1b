package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.Optional;

import sc.fiji.ncc.cpu.convolution.CpuConvolveDirect;
import sc.fiji.ncc.cpu.convolution.CpuConvolveFourier;
import sc.fiji.ncc.cpu.convolution.CpuConvolveSeparable;
import sc.fiji.ncc.cpu.ncc.CpuDirectDouble;
import sc.fiji.ncc.cpu.ncc.CpuDirectExact;
import sc.fiji.ncc.cpu.ncc.CpuDirectFloat;
import sc.fiji.ncc.cpu.ncc.CpuFourierDouble;
import sc.fiji.ncc.cpu.ncc.CpuFourierFloat;
import sc.fiji.ncc.cpu.ncc.CpuFourierPartitioned;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.Precision;

/** The processor this runs on. */
public final class CpuBackend implements Backend {

	/** Most specialised first. Adding an algorithm is one file and one line here. */
	private static final List<Algorithm> ALGORITHMS = List.of(new CpuDirectExact(), new CpuDirectFloat(), new CpuFourierFloat(), new CpuFourierPartitioned(),
		new CpuDirectDouble(), new CpuFourierDouble(), new CpuConvolveSeparable(Precision.SINGLE), new CpuConvolveDirect(Precision.SINGLE),
		new CpuConvolveFourier(Precision.SINGLE), new CpuConvolveSeparable(Precision.DOUBLE), new CpuConvolveDirect(Precision.DOUBLE), new CpuConvolveFourier(Precision.DOUBLE));

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
