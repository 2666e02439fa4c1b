package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.SentPixels;
import sc.fiji.ncc.plan.PixelType;

/** 8- and 16-bit pixels on the GPU, minus the middle of the range of their type. */
final class WholePixels {

	/** The name of the buffer for pixels. */
	static final String MEMORY = "whole";

	/** Pixels as integers; for 16 bits also their upper and lower bytes. */
	record Planes(CUdeviceptr pixels, CUdeviceptr upper, CUdeviceptr lower) {}

	private final PixelType type;
	private final GpuKernel convert;

	WholePixels(final CudaDevice device, final PixelType type) {
		this.type = type;
		convert = device.kernels().get("convert", type.bytes == 1 ? "to_bytes" : "to_shorts");
	}

	static double centre(final PixelType type) {
		return type.min == 0 ? (type.max + 1) / 2 : 0;
	}

	/** The pixels of all channels, one after the other. */
	CUdeviceptr enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final SentPixels sent) {
		final CUdeviceptr all = context.buffer(MEMORY, sent.channels() * box.elements() * type.bytes);
		for (int c = 0; c < sent.channels(); c++) enqueue(context, box, sent.channel(raw, box, c), all.withByteOffset(c * box.elements() * type.bytes));
		return all;
	}

	Planes enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw) {
		return enqueue(context, box, raw, context.buffer(MEMORY, box.elements() * type.bytes));
	}

	private Planes enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final CUdeviceptr pixels) {
		final int each = type.bytes == 1 ? 16 : 2;
		final GpuKernel.Grid grid = GpuKernel.Grid.over((box.pitch + each - 1) / each, box.rows, box.planes, 32, 4);
		if (type.bytes == 1) {
			context.launch(convert, grid, 0, raw, type.ordinal(), box.struct(), pixels);
			return new Planes(pixels, pixels, null);
		}
		final CUdeviceptr upper = context.buffer("upper", box.elements()), lower = context.buffer("lower", box.elements());
		context.launch(convert, grid, 0, raw, type.ordinal(), box.struct(), pixels, upper, lower);
		return new Planes(pixels, upper, lower);
	}
}
