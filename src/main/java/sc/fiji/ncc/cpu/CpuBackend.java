package sc.fiji.ncc.cpu;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import sc.fiji.ncc.bounded.MappedBank;
import sc.fiji.ncc.cpu.convolution.CpuConvolveDirect;
import sc.fiji.ncc.cpu.convolution.CpuConvolveFourier;
import sc.fiji.ncc.cpu.convolution.CpuConvolveSeparable;
import sc.fiji.ncc.cpu.ncc.CpuDirect;
import sc.fiji.ncc.cpu.ncc.CpuDirectExact;
import sc.fiji.ncc.cpu.ncc.CpuFourier;
import sc.fiji.ncc.cpu.ncc.CpuFourierPartitioned;
import sc.fiji.ncc.cpu.ncc.CpuFourierWhole;
import sc.fiji.ncc.loops.Vectors;
import sc.fiji.ncc.plan.Algorithm;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.windows.TemplateWindows;

/** The backend for the processor that runs this JVM. */
public final class CpuBackend implements Backend {

	/** All algorithms, the most specialised first. To add an algorithm, add its class and one entry here. */
	private static final List<SlidingAlgorithm<?>> SLIDING = List.of(new CpuDirectExact(), new CpuDirect(), new CpuFourier(), new CpuFourierWhole(),
		new CpuFourierPartitioned(), new CpuConvolveSeparable(), new CpuConvolveDirect(), new CpuConvolveFourier());
	private static final List<Algorithm<?>> ALGORITHMS = Stream.<Algorithm<?>> concat(SLIDING.stream(), Stream.of(new CpuFrames(true),
		new CpuFrames(false), new CpuWindows(), new CpuResample(), new CpuDeform(),
		new TemplateWindows("cpu-window-templates", SLIDING),
		new MappedBank("cpu-bounded", true, SLIDING), new MappedBank("cpu-every-pose", false, SLIDING))).toList();

	private final Device device;

	/** @param threads the number of threads of an execution, at least 1 */
	public CpuBackend(final int threads) {
		this(threads, Runtime.getRuntime().maxMemory());
	}

	/**
	 * @param threads the number of threads of an execution, at least 1
	 * @param memory the bytes of working memory of an execution, at least 1
	 */
	public CpuBackend(final int threads, final long memory) {
		if (threads < 1) throw new IllegalArgumentException("the number of threads must be at least 1, not " + threads);
		if (memory < 1) throw new IllegalArgumentException("the memory must be at least 1 byte, not " + memory);
		// devices with different speed have different names
		final String limit = memory == Runtime.getRuntime().maxMemory() ? "" : ", " + memory / 1_000_000 + " MB";
		device = new Device("cpu", System.getProperty("os.arch") + ", " + threads + (threads == 1 ? " thread" : " threads") + ", Java "
			+ System.getProperty("java.version") + (Vectors.USED ? " with vectors" : "") + limit, threads, memory);
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
	public List<Algorithm<?>> algorithms() {
		return ALGORITHMS;
	}
}
