package sc.fiji.ncc.cuda.driver;

import java.lang.reflect.Field;
import java.util.List;

/** A GPU like an NVIDIA H200 that plans and predicts costs, and cannot run. While it is there, it is the driver's only device. */
public final class UnopenedGpu implements AutoCloseable {

	private static final int PROCESSORS = 132, SHARED_MEMORY = 232_448;
	private static final long MEMORY = 140L << 30;

	private final Driver.Devices before;

	public UnopenedGpu() {
		before = Driver.devices();
		final CudaDevice.Properties properties = new CudaDevice.Properties("unopened", 90, PROCESSORS, SHARED_MEMORY, 2, MEMORY);
		set(new Driver.Devices(List.of(new CudaDevice(0, null, 13_000, properties)), null));
	}

	private static void set(final Driver.Devices devices) {
		try {
			final Field field = Driver.class.getDeclaredField("devices");
			field.setAccessible(true);
			field.set(null, devices);
		}
		catch (final ReflectiveOperationException e) {
			throw new AssertionError(e);
		}
	}

	@Override
	public void close() {
		set(before);
	}
}
