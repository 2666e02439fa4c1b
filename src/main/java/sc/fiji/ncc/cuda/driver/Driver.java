package sc.fiji.ncc.cuda.driver;

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
import java.util.Optional;

import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.plan.Device;

/** NVIDIA's driver: its availability and its devices. */
public final class Driver {

	/** CUDA 12.0, driver R525 or later: the PTX in the jar needs it. */
	private static final int MIN_VERSION = 12_000;

	/** The usable devices; if there are none, the reason. */
	public record Devices(List<CudaDevice> list, String unavailable) {

		public static Devices none(final String reason) {
			return new Devices(List.of(), reason);
		}
	}

	private static Devices devices;

	private Driver() {}

	/** The devices, searched once in a process. Never throws: a failure becomes the reason why there are no devices. */
	public static synchronized Devices devices() {
		if (devices == null) devices = find(System.getenv("NCC_CUDA"), System.getProperty("os.name"), System.getProperty("os.arch"));
		return devices;
	}

	/** The GPU that is a device; empty if the device is a group of GPUs. */
	public static Optional<CudaDevice> gpu(final Device device) {
		return devices().list().stream().filter(d -> d.device.id().equals(device.id())).findFirst();
	}

	/** @param flag the environment variable NCC_CUDA */
	static Devices find(final String flag, final String system, final String architecture) {
		if ("off".equalsIgnoreCase(flag)) return Devices.none("the environment variable NCC_CUDA=off switches CUDA off");
		final boolean windows = system.toLowerCase(Locale.ROOT).startsWith("windows");
		if (!windows && !system.toLowerCase(Locale.ROOT).startsWith("linux"))
			return Devices.none("CUDA needs Linux or Windows, not " + system);
		if (!List.of("amd64", "x86_64").contains(architecture))
			return Devices.none("CUDA needs an x86-64 processor, not " + architecture);
		// this test comes first, because loading the binding takes time even without a driver
		if (!isDriverLoaded(windows)) return Devices.none("no NVIDIA driver is loaded: a GPU from Turing (2018) on needs driver 525 or later");
		try {
			return open();
		}
		catch (final LinkageError e) {
			return Devices.none("the CUDA binding (JCuda) or NVIDIA's driver library cannot be loaded: " + Libraries.firstLine(e.toString()));
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
	 * Starts the driver under a lock. JCuda copies its library into the temporary folder before it loads it. A second process that loads an incomplete copy would
	 * crash.
	 */
	private static int start() {
		final Path lock = Path.of(System.getProperty("java.io.tmpdir"), "ncc-jcuda-" + System.getProperty("user.name") + ".lock");
		try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock held = channel.lock()) {
			return JCudaDriver.cuInit(0);
		}
		catch (final IOException | OverlappingFileLockException e) {
			// the lock belongs to another user, or to another class loader of this process: start without it
			return JCudaDriver.cuInit(0);
		}
	}

	private static Devices open() {
		final int code = start();
		if (code != 0) return Devices.none("NVIDIA's driver does not start: " + DriverError.name(code));
		final int[] value = new int[1];
		DriverError.check(JCudaDriver.cuDriverGetVersion(value), "querying the driver's version");
		if (value[0] < MIN_VERSION) return Devices.none("NVIDIA's driver supports CUDA " + value[0] / 1000 + "." + value[0] % 1000 / 10
			+ ", but 12.0 is required: install driver 525 or later");
		final int version = value[0];
		DriverError.check(JCudaDriver.cuDeviceGetCount(value), "counting the devices");
		final List<CudaDevice> list = new ArrayList<>();
		String reason = "NVIDIA's driver finds no device";
		for (int i = 0, n = value[0]; i < n; i++) {
			final CUdevice d = new CUdevice();
			DriverError.check(JCudaDriver.cuDeviceGet(d, i), "opening device " + i);
			final CudaDevice device = new CudaDevice(i, d, version, CudaDevice.Properties.of(d));
			if (device.architecture < 75) reason = device.device.name() + " is too old: the kernels need compute capability 7.5 (Turing) or later";
			else list.add(device);
		}
		return list.isEmpty() ? Devices.none(reason) : new Devices(List.copyOf(list), null);
	}
}
