package sc.fiji.ncc.cuda.driver;

import java.util.function.Consumer;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.JCudaDriver;

/** Memory on a GPU whose content one context computes once, and all contexts read, for example the spectrum of a template. */
public final class SharedBlock implements AutoCloseable {

	private final StreamContext by;
	private final MemoryPool.DeviceBlock block;
	private final CUevent ready = new CUevent();

	private SharedBlock(final StreamContext by, final MemoryPool.DeviceBlock block) {
		this.by = by;
		this.block = block;
	}

	/** Enqueues a computation of a block's content on a context. */
	public static SharedBlock of(final StreamContext context, final long bytes, final Consumer<CUdeviceptr> compute) {
		final CudaDevice device = context.device;
		final SharedBlock made = new SharedBlock(context, device.memory().onDevice(bytes));
		try {
			compute.accept(made.block.pointer());
			device.check(JCudaDriver.cuEventCreate(made.ready, CUevent_flags.CU_EVENT_DISABLE_TIMING), "making an event");
			device.check(JCudaDriver.cuEventRecord(made.ready, context.stream), "recording an event");
		}
		catch (final RuntimeException | Error failed) {
			context.settle();
			device.memory().release(made.block);
			throw failed;
		}
		return made;
	}

	/** The memory for work that is enqueued on a context after this call. That work waits for the content. */
	public CUdeviceptr in(final StreamContext context) {
		if (context != by) by.device.check(JCudaDriver.cuStreamWaitEvent(context.stream, ready, 0), "waiting for an event");
		return block.pointer();
	}

	@Override
	public void close() {
		JCudaDriver.cuEventDestroy(ready);
		by.device.memory().release(block);
	}
}
