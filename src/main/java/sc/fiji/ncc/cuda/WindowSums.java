package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cpu.Tolerance;

/** ΣP and ΣP² of all windows of a box, or their mean and N·σ²: see {@code windows.cu}. */
final class WindowSums {

	/** Of all columns of a block, the most that its windows are wide: the others are done for several lags. */
	private static final double MOST_WIDTH = 0.75;

	private final CudaDevice device;
	private final String name;
	private final int width, bytes, most;

	/** @param most columns of the widest block */
	private WindowSums(final CudaDevice device, final String pixels, final int width, final int bytes, final int most) {
		this.device = device;
		this.width = width;
		this.bytes = bytes;
		this.most = most;
		name = "windows_" + pixels + "_";
	}

	/** Whether the sums of windows of this width can be computed here. */
	static boolean fit(final long width, final boolean narrow) {
		return width <= MOST_WIDTH * (narrow ? 2048 : 1024);
	}

	/** In 32 bits: up to 2^17 8-bit pixels. */
	static WindowSums narrow(final CudaDevice device, final int width) {
		return new WindowSums(device, "bytes_32", width, 8, 2048);
	}

	/** In 64 bits. @param pixels {@code bytes} or {@code shorts} */
	static WindowSums wide(final CudaDevice device, final String pixels, final int width) {
		return new WindowSums(device, pixels + "_64", width, 16, 1024);
	}

	/** Mean and N·σ² in double. @param pixels {@code floats} or {@code doubles} */
	static WindowSums real(final CudaDevice device, final String pixels, final int width) {
		return new WindowSums(device, pixels, width, 16, 1024);
	}

	/** Bytes for each lag. */
	int bytes() {
		return bytes;
	}

	/** Columns of a block: as few as hold all, or as many as there are. */
	private int columns(final int lagsX) {
		for (int c = 512; c < most; c *= 2)
			if (width <= c / 2 && (lagsX + width - 1 <= c || c == most / 2)) return c;
		return most;
	}

	CUdeviceptr enqueue(final Slot slot, final BoxGeometry box, final CUdeviceptr pixels, final double n) {
		final CUdeviceptr to = slot.buffer("windows", (long) bytes * box.count());
		final int columns = columns(box.lags[0]), threads = columns == 512 ? 128 : columns == 2048 ? 256 : most == 2048 ? 128 : 256;
		final int own = columns / threads, each = (columns - width + 1) / own * own, rows = Math.max(8, Math.min(16, box.height / 8));
		// of the least variance that stands above the rounding of what passed through the sums, its share
		final double share = 128 * Tolerance.EPS_DOUBLE / Tolerance.RESPONSE;
		slot.launch(device.kernels().get("windows", name + columns), new Kernel.Grid((box.lags[0] + each - 1) / each, (box.lags[1] + rows - 1) / rows,
			box.lags[2], threads, 1), 0, pixels, box.struct(), rows, 1 / n, share, to);
		return to;
	}
}
