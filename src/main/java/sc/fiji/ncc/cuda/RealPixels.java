package sc.fiji.ncc.cuda;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.plan.PixelType;

/** Pixels of any type on the card, scaled by a power of two to at most 4: float where that holds them exactly, otherwise double. */
final class RealPixels {

	private final PixelType type;
	private final boolean inFloat;
	private final Kernel reach, convert;

	RealPixels(final CudaDevice device, final PixelType type) {
		this.type = type;
		inFloat = type == PixelType.F32 || type.exact();
		reach = device.kernels().get("convert", "reach");
		convert = device.kernels().get("convert", inFloat ? "to_float" : "to_double");
	}

	/** {@code floats} or {@code doubles}, as the kernels' names have it. */
	String kind() {
		return inFloat ? "floats" : "doubles";
	}

	int bytes() {
		return inFloat ? 4 : 8;
	}

	CUdeviceptr enqueue(final Slot slot, final BoxGeometry box, final CUdeviceptr raw) {
		final CUdeviceptr greatest = slot.buffer("greatest", 8), pixels = slot.buffer("real", box.elements() * bytes());
		slot.clear(greatest, 2);
		final int n = box.pixels();
		if (n > 0) slot.launch(reach, new Kernel.Grid(Math.min(8 * slot.device.processors, (n + 255) / 256), 1, 1, 256, 1), 0, raw, type.ordinal(),
			box.struct(), greatest);
		slot.launch(convert, Kernel.Grid.over(box.pitch, box.rows, box.planes, 128, 1), 0, raw, type.ordinal(), box.struct(), greatest, pixels);
		return pixels;
	}
}
