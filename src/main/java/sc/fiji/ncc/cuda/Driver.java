package sc.fiji.ncc.cuda;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.DeviceException;

/** NVIDIA's driver: whether it is there, its devices, and what its error codes mean. */
final class Driver {

	/** Drivers since R525, which is CUDA 12.0: what the kernels in the jar are made for. */
	private static final int LEAST_VERSION = 12_000;

	/** Errors after which the driver refuses all further work in this process. */
	private static final List<Integer> FATAL = List.of(CUresult.CUDA_ERROR_DEINITIALIZED, CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
		CUresult.CUDA_ERROR_ILLEGAL_ADDRESS, CUresult.CUDA_ERROR_LAUNCH_TIMEOUT, CUresult.CUDA_ERROR_ASSERT,
		CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR, CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION, CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
		CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE, CUresult.CUDA_ERROR_INVALID_PC, CUresult.CUDA_ERROR_LAUNCH_FAILED,
		CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED);

	/** The devices that can be used; empty with a reason. */
	record Devices(List<CudaDevice> list, String unavailable) {

		static Devices none(final String reason) {
			return new Devices(List.of(), reason);
		}
	}

	private static Devices devices;

	private Driver() {}

	/** What there is, looked for once in a process. Never throws: what fails is the reason why there is nothing. */
	static synchronized Devices devices() {
		if (devices == null) devices = find(System.getenv("NCC_CUDA"), System.getProperty("os.name"), System.getProperty("os.arch"));
		return devices;
	}

	/** @param flag the environment variable NCC_CUDA */
	static Devices find(final String flag, final String system, final String architecture) {
		if ("off".equalsIgnoreCase(flag)) return Devices.none("switched off by the environment variable NCC_CUDA=off");
		final boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
		if (!windows && !system.toLowerCase(Locale.ROOT).startsWith("linux"))
			return Devices.none("CUDA is for Linux and Windows, not " + system);
		if (!List.of("amd64", "x86_64").contains(architecture))
			return Devices.none("the CUDA binding is for x86-64 processors, not " + architecture);
		// asked first, since loading the binding where there is no driver takes time
		if (!isDriverLoaded(windows)) return Devices.none("no NVIDIA driver is loaded on this machine; a card from Turing (2018) on needs driver 525 or later");
		try {
			return open();
		}
		catch (final LinkageError e) {
			return Devices.none("the CUDA binding (JCuda) or NVIDIA's driver library cannot be loaded: " + firstLine(e.toString()));
		}
		catch (final RuntimeException e) {
			return Devices.none(e.getMessage());
		}
	}

	private static boolean isDriverLoaded(final boolean windows) {
		if (windows) return Files.exists(Path.of(String.valueOf(System.getenv("SystemRoot")), "System32", "nvcuda.dll"));
		return Files.exists(Path.of("/dev/nvidiactl")) || Files.exists(Path.of("/dev/nvidia0")) || Files.exists(Path.of("/dev/dxg"));
	}

	/**
	 * Starts the driver. The binding copies its library into the temporary folder before it loads it, and a second process that finds half a library there
	 * would die: one at a time.
	 */
	private static int start() {
		final Path lock = Path.of(System.getProperty("java.io.tmpdir"), "ncc-jcuda-" + System.getProperty("user.name") + ".lock");
		try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock held = channel.lock()) {
			return JCudaDriver.cuInit(0);
		}
		catch (final IOException | OverlappingFileLockException e) {
			// another user's, or another loader of this class in this process: then as the binding does it
			return JCudaDriver.cuInit(0);
		}
	}

	private static Devices open() {
		final int code = start();
		if (code != 0) return Devices.none("NVIDIA's driver does not start: " + name(code));
		final int[] value = new int[1];
		check(JCudaDriver.cuDriverGetVersion(value), "asking for the driver's version");
		if (value[0] < LEAST_VERSION) return Devices.none("NVIDIA's driver is for CUDA " + value[0] / 1000 + "." + value[0] % 1000 / 10
			+ "; 12.0 or later is needed: install driver 525 or later");
		final int version = value[0];
		check(JCudaDriver.cuDeviceGetCount(value), "counting the devices");
		final List<CudaDevice> list = new ArrayList<>();
		String reason = "NVIDIA's driver finds no device";
		for (int i = 0, n = value[0]; i < n; i++) {
			final CUdevice d = new CUdevice();
			check(JCudaDriver.cuDeviceGet(d, i), "opening device " + i);
			final CudaDevice device = new CudaDevice(i, d, version);
			if (device.architecture < 75) reason = device.device.name() + " is older than Turing (7.5), for which the kernels are made";
			else list.add(device);
		}
		return list.isEmpty() ? Devices.none(reason) : new Devices(List.copyOf(list), null);
	}

	/**
	 * @param what was tried, in words
	 * @throws DeviceException if the code is an error
	 */
	static void check(final int code, final String what) {
		if (code != 0) throw new DeviceException(what + " failed: " + name(code));
	}

	/** Whether nothing more can be done on a device after this error. */
	static boolean isFatal(final int code) {
		return FATAL.contains(code);
	}

	static String name(final int code) {
		final String[] text = new String[1];
		final String words = JCudaDriver.cuGetErrorString(code, text) == 0 && text[0] != null ? text[0] : "unknown error";
		return words + " (" + CUresult.stringFor(code) + ")";
	}

	static String firstLine(final String text) {
		return text.lines().findFirst().orElse(text);
	}
}
