package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cpu.Tolerance;

/** ΣP and ΣP² of all windows of a box, or their mean and N·σ²: see {@code windows.cu}. */
final class WindowSums {

	private static final int THREADS = 256;

	private final Kernel kernel;
	private final int columns, bytes;

	private WindowSums(final CudaDevice device, final String pixels, final int bytes, final int columns) {
		kernel = device.kernels().get("windows", "windows_" + pixels + "_" + columns);
		this.columns = columns;
		this.bytes = bytes;
	}

	/** Columns of pixels a thread, for windows of this width; 0 if they are too wide. */
	private static int columns(final int width, final int most) {
		return width <= THREADS ? 2 : width <= THREADS * (most - 1) ? most : 0;
	}

	/** Whether the sums of windows of this width can be computed here. */
	static boolean fit(final long width, final boolean narrow) {
		return width < 1 << 20 && columns((int) width, narrow ? 8 : 4) > 0;
	}

	/** In 32 bits: up to 2^17 8-bit pixels. */
	static WindowSums narrow(final CudaDevice device, final int width) {
		return new WindowSums(device, "bytes_32", 8, columns(width, 8));
	}

	/** In 64 bits. @param pixels {@code bytes} or {@code shorts} */
	static WindowSums wide(final CudaDevice device, final String pixels, final int width) {
		return new WindowSums(device, pixels + "_64", 16, columns(width, 4));
	}

	/** Mean and N·σ² in double. @param pixels {@code floats} or {@code doubles} */
	static WindowSums real(final CudaDevice device, final String pixels, final int width) {
		return new WindowSums(device, pixels, 16, columns(width, 4));
	}

	/** Bytes for each lag. */
	int bytes() {
		return bytes;
	}

	CUdeviceptr enqueue(final Slot slot, final BoxGeometry box, final CUdeviceptr pixels, final double n) {
		final CUdeviceptr to = slot.buffer("windows", (long) bytes * box.count());
		final int each = (THREADS * columns - box.width + 1) / columns * columns, rows = Math.max(8, Math.min(32, box.height / 2));
		// of the least variance that stands above the rounding of what passed through the sums, its share
		final double share = 128 * Tolerance.EPS_DOUBLE / Tolerance.RESPONSE;
		slot.launch(kernel, new Kernel.Grid((box.lags[0] + each - 1) / each, (box.lags[1] + rows - 1) / rows, box.lags[2], THREADS, 1), 0, pixels,
			box.struct(), rows, n, share, to);
		return to;
	}
}
