package sc.fiji.ncc.cuda;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/**
 * A device's kernels, loaded file by file when first asked for: compiled for exactly this card where NVIDIA's run-time compiler is found, and kept
 * on disk; otherwise from the PTX in the jar, by the driver alone. Safe for use by several threads.
 */
final class Kernels implements AutoCloseable {

	private static boolean said;

	private final CudaDevice device;
	private final KernelCache cache = new KernelCache(KernelCache.defaultFolder());
	private final Map<String, Module> modules = new HashMap<>();

	/** A loaded file and those of its kernels that were used. */
	record Module(CUmodule handle, Map<String, Kernel> kernels) {}

	Kernels(final CudaDevice device) {
		this.device = device;
	}

	/** Whether files are compiled for this card, with options, if these are asked for. */
	boolean compiles() {
		final Nvrtc compiler = compiler();
		return compiler != null && compiler.supports(device.architecture);
	}

	private static Nvrtc compiler() {
		return "ptx".equals(System.getProperty("ncc.cuda.kernels")) ? null : Nvrtc.get();
	}

	/** Kernel {@code function} of file {@code name}, with options such as {@code -DSTEPS=2}; in double where float does not do. */
	Kernel get(final String name, final String function, final String... options) {
		return get(Wide.DOUBLE, name, function, options);
	}

	/** The same of a file that there is for both. */
	synchronized Kernel get(final Wide wide, final String name, final String function, final String... options) {
		final Module module = modules.computeIfAbsent(name + wide + String.join(" ", options), key -> load(wide, name, options));
		return module.kernels.computeIfAbsent(function, f -> new Kernel(device, module.handle, f));
	}

	/** A copy of a file's module of one's own, with constant memory of its own. To be unloaded. */
	Module load(final Wide wide, final String name, final String... options) {
		final byte[] code = code(wide, name, options);
		final CUmodule module = new CUmodule();
		device.check(JCudaDriver.cuModuleLoadData(module, code), "loading kernel " + name);
		return new Module(module, new HashMap<>());
	}

	/** Machine code, or PTX as a string that ends with a zero. */
	private byte[] code(final Wide wide, final String name, final String... options) {
		final Nvrtc compiler = compiler();
		if (compiler == null || !compiler.supports(device.architecture)) {
			say(compiler == null ? Nvrtc.missing() : "NVIDIA's run-time compiler " + compiler.version + " does not know " + device.device.name()
				+ ", so the kernels in the jar are used");
			return (new String(KernelSource.ptx(name, wide, device.architecture), StandardCharsets.US_ASCII) + '\0').getBytes(StandardCharsets.US_ASCII);
		}
		final List<String> all = new ArrayList<>(List.of("--gpu-architecture=sm_" + device.architecture, "--std=c++17"));
		all.addAll(List.of(wide.options()));
		all.addAll(List.of(options));
		final String key = KernelCache.key(device.architecture, compiler.version, all, KernelSource.whole(name));
		return cache.get(key).orElseGet(() -> {
			final byte[] code = compiler.compile(name, all);
			cache.put(key, code);
			return code;
		});
	}

	@Override
	public synchronized void close() {
		for (final Module m : modules.values()) device.check(JCudaDriver.cuModuleUnload(m.handle), "unloading kernels");
		modules.clear();
	}

	private static synchronized void say(final String reason) {
		if (said || reason == null) return;
		said = true;
		System.getLogger("sc.fiji.ncc").log(System.Logger.Level.INFO, reason);
	}
}
