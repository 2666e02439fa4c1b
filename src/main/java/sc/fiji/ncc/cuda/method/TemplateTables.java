package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.MemoryPool;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Size;

/**
 * Summed-area tables of arrays over a template (Crow 1984), one after the other, on the card: {@code (width + 1)·(height + 1)·(depth + 1)} numbers each, x fastest. Each
 * sum is compensated and rounded once, because the difference of two sums may be much smaller than the sums. See {@code masked.cu}.
 */
final class TemplateTables implements AutoCloseable {

	private static final int THREADS = 128;

	private final CudaDevice device;
	private final MemoryPool.DeviceBlock block;

	/**
	 * Computes the tables.
	 *
	 * @param size the extents of the template
	 * @param values for each table one number per pixel; null for ones
	 */
	TemplateTables(final CudaDevice device, final Size size, final double[]... values) {
		this.device = device;
		final long cells = (size.get(0) + 1) * (size.get(1) + 1) * (size.get(2) + 1);
		block = device.memory().onDevice(values.length * Double.BYTES * cells);
		try (StreamContext context = new StreamContext(device)) {
			final CUdeviceptr lost = context.buffer("lost", Double.BYTES * cells);
			for (int t = 0; t < values.length; t++)
				try (DeviceArray from = values[t] == null ? null : DeviceArray.of(device, values[t])) {
					enqueue(context, size, from == null ? new CUdeviceptr() : from.pointer(), pointer().withByteOffset(t * Double.BYTES * cells), lost);
					context.await(Monitor.NONE);
				}
		}
		catch (final RuntimeException e) {
			close();
			throw e;
		}
	}

	private void enqueue(final StreamContext context, final Size size, final CUdeviceptr values, final CUdeviceptr table, final CUdeviceptr lost) {
		final int width = (int) size.get(0), height = (int) size.get(1), depth = (int) size.get(2), columns = width + 1, rows = height + 1, plane = columns * rows;
		context.launch(device.kernels().get("masked", "table_values"), new GpuKernel.Grid((columns + THREADS - 1) / THREADS, Math.min(rows, 1 << 15), depth + 1, THREADS, 1), 0, values, width,
			height, depth, table, lost);
		// along x, y and z
		sums(context, rows * (depth + 1), columns, 1, 1, columns, false, table, lost);
		sums(context, columns * (depth + 1), rows, columns, columns, plane, false, table, lost);
		sums(context, plane, depth + 1, plane, plane, 0, true, table, lost);
	}

	private void sums(final StreamContext context, final int lines, final int count, final int within, final int step, final int between, final boolean last, final CUdeviceptr table,
		final CUdeviceptr lost)
	{
		// few threads of a block: a line takes long, and all multiprocessors should have some
		context.launch(device.kernels().get("masked", "table_sums"), new GpuKernel.Grid((lines + 31) / 32, 1, 1, 32, 1), 0, lines, count, within, step, between, last ? 1 : 0, table, lost);
	}

	CUdeviceptr pointer() {
		return block.pointer();
	}

	@Override
	public void close() {
		device.memory().release(block);
	}
}
