package sc.fiji.ncc.cuda.driver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/**
 * The kernels of a device, loaded file by file at their first use. If NVIDIA's run-time compiler is found, they are compiled for this GPU and cached on disk.
 * Otherwise the driver compiles the PTX in the jar. Several threads may use it.
 */
public final class GpuKernels implements AutoCloseable {

	private static boolean logged;

	private final CudaDevice gpu;
	private final KernelCache cache = new KernelCache(KernelCache.defaultFolder());
	private final Map<String, Variant> variants = new ConcurrentHashMap<>();

	/** A loaded file, and those of its kernels that are in use. */
	public record Module(CUmodule handle, Map<String, GpuKernel> kernels) {}

	/** A file with its options. Only the threads that use the same one wait while it is compiled. */
	private final class Variant {

		private final ExtendedPrecision wide;
		private final String name;
		private final String[] options;
		private byte[] code;
		private Module module;

		Variant(final ExtendedPrecision wide, final String name, final String... options) {
			this.wide = wide;
			this.name = name;
			this.options = options;
		}

		synchronized void compile() {
			if (code == null && module == null) code = code(wide, name, options);
		}

		synchronized Module module() {
			if (module != null) return module;
			compile();
			module = load(name, code);
			code = null;
			return module;
		}

		synchronized boolean loaded() {
			return module != null;
		}

		synchronized void unload() {
			if (module != null) gpu.check(JCudaDriver.cuModuleUnload(module.handle), "unloading kernels");
			module = null;
		}
	}

	GpuKernels(final CudaDevice gpu) {
		this.gpu = gpu;
	}

	/** Whether files are compiled for this GPU, so that options take effect. */
	public boolean compiles() {
		final Nvrtc compiler = compiler();
		return compiler != null && compiler.supports(gpu.architecture);
	}

	private static Nvrtc compiler() {
		return "ptx".equals(System.getProperty("ncc.cuda.kernels")) ? null : Nvrtc.get();
	}

	/** Kernel {@code function} of file {@code name}, with options such as {@code -DSTEPS=2}. It uses double where float does not suffice. */
	public GpuKernel get(final String name, final String function, final String... options) {
		return get(ExtendedPrecision.DOUBLE, name, function, options);
	}

	/** The same for a file with variants for {@link ExtendedPrecision}. */
	public GpuKernel get(final ExtendedPrecision wide, final String name, final String function, final String... options) {
		final Module module = variant(wide, name, options).module();
		return module.kernels.computeIfAbsent(function, f -> new GpuKernel(gpu, module.handle, f));
	}

	private Variant variant(final ExtendedPrecision wide, final String name, final String... options) {
		return variants.computeIfAbsent(name + wide + String.join(" ", options), key -> new Variant(wide, name, options));
	}

	/** Whether the first use of a file with these options does not wait for the compiler: it is loaded, or it is on disk. */
	public boolean ready(final String name, final String... options) {
		if (variant(ExtendedPrecision.DOUBLE, name, options).loaded()) return true;
		final Nvrtc compiler = compiler();
		return compiler == null || cache.has(cacheKey(compiler, name, options(ExtendedPrecision.DOUBLE, options)));
	}

	/** Loads a file with several sets of options. Those that are not on disk are compiled at the same time. */
	public void load(final String name, final List<String[]> options) {
		final List<Variant> all = options.stream().map(o -> variant(ExtendedPrecision.DOUBLE, name, o)).toList();
		all.parallelStream().forEach(Variant::compile);
		all.forEach(Variant::module);
	}

	/** A separate copy of a file's module, with its own constant memory. The caller unloads it. */
	public Module load(final ExtendedPrecision wide, final String name, final String... options) {
		return load(name, code(wide, name, options));
	}

	private Module load(final String name, final byte[] code) {
		final CUmodule module = new CUmodule();
		gpu.check(JCudaDriver.cuModuleLoadData(module, code), "loading kernel " + name);
		return new Module(module, new ConcurrentHashMap<>());
	}

	/** Machine code, or PTX as a zero-terminated string. */
	private byte[] code(final ExtendedPrecision wide, final String name, final String... options) {
		final Nvrtc compiler = compiler();
		if (compiler == null || !compiler.supports(gpu.architecture)) {
			log(compiler == null ? Nvrtc.missing() : "NVIDIA's run-time compiler " + compiler.version + " does not support " + gpu.device.name()
				+ ": using the kernels in the jar");
			return (new String(GpuKernelSource.ptx(name, wide, gpu.architecture), StandardCharsets.US_ASCII) + '\0')
				.getBytes(StandardCharsets.US_ASCII);
		}
		final List<String> allOptions = options(wide, options);
		final String key = cacheKey(compiler, name, allOptions);
		return cache.get(key).orElseGet(() -> {
			final byte[] code = compiler.compile(name, allOptions);
			cache.put(key, code);
			return code;
		});
	}

	private List<String> options(final ExtendedPrecision wide, final String... options) {
		final List<String> all = new ArrayList<>(List.of("--gpu-architecture=sm_" + gpu.architecture, "--std=c++17"));
		all.addAll(List.of(wide.options()));
		all.addAll(List.of(options));
		return all;
	}

	private String cacheKey(final Nvrtc compiler, final String name, final List<String> options) {
		return KernelCache.key(gpu.architecture, compiler.version, options, GpuKernelSource.whole(name));
	}

	@Override
	public void close() {
		variants.values().forEach(Variant::unload);
		variants.clear();
	}

	private static synchronized void log(final String reason) {
		if (logged || reason == null) return;
		logged = true;
		System.getLogger("sc.fiji.ncc").log(System.Logger.Level.INFO, reason);
	}
}
