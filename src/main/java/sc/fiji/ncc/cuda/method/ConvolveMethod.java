package sc.fiji.ncc.cuda.method;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.CudaMethod;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/** The base of convolutions: conversion of pixels, recheck of suspects, and undefined responses. See {@code sums.cu}. */
abstract class ConvolveMethod implements CudaMethod {

	private static final int THREADS = 128;

	final CudaDevice device;
	final Precision precision;
	final PixelType image;
	/** The values of the kernel, and the binary exponent of their scale. */
	final sc.fiji.ncc.numeric.ConvolutionKernel kernel;
	final int exponent, width, height, depth;
	final RealPixels pixels;
	/** The type of the responses, as in the names of the kernels. */
	final String real;
	private final double least;
	/** The values, and 1 for each value that is not 0. */
	private final DeviceArray values, counts;

	/** @param needsGreatest whether the largest magnitude of 8- and 16-bit pixels is also computed */
	ConvolveMethod(final CudaDevice device, final Template template, final Sliding problem, final boolean needsGreatest) {
		this.device = device;
		precision = problem.precision();
		image = problem.image();
		kernel = sc.fiji.ncc.numeric.ConvolutionKernel.of(template);
		exponent = Math.getExponent(kernel.scale());
		width = Math.toIntExact(template.size().get(0));
		height = Math.toIntExact(template.size().get(1));
		depth = Math.toIntExact(template.size().get(2));
		pixels = new RealPixels(device, problem.image(), needsGreatest);
		real = precision == Precision.SINGLE ? "float" : "double";
		least = problem.lags().partial() ? problem.lags().minOverlap() * template.size().pixels() : 0;
		final byte[] counting = new byte[template.values().length];
		for (int i = 0; i < counting.length; i++) counting[i] = (byte) (template.values()[i] != 0 ? 1 : 0);
		values = DeviceArray.of(device, kernel.values());
		try {
			counts = DeviceArray.of(device, counting);
		}
		catch (final RuntimeException e) {
			values.close();
			throw e;
		}
	}

	/** Computes the suspects in compensated double, unless there are more than {@code maxSuspects}. */
	final void suspects(final StreamContext context, final BoxGeometry box, final CUdeviceptr real, final Outcome out, final int maxSuspects) {
		context.launch(kernelOf("suspects"), new GpuKernel.Grid(8L * device.processors, 1, 1, THREADS, 1), 0, real, box.struct(), values.pointer(), maxSuspects,
			scale(context), exponent, out.struct());
	}

	/** Marks responses as undefined if a NaN or infinite pixel meets a coefficient, or if too little of the kernel is inside the image. */
	final void settle(final StreamContext context, final BoxGeometry box, final CUdeviceptr real, final Outcome out) {
		if (!image.integer) context.launch(kernelOf("mark"), new GpuKernel.Grid((box.rows + 3) / 4, box.planes, 1, THREADS, 1), 0, real, box.struct(),
			counts.pointer(), pixels.maxDistance(context), out.map(), box.lags[0], box.lags[1]);
		if (!image.integer || least > 0) context.launch(device.kernels().get("sums", "settle_" + this.real),
			GpuKernel.Grid.over(box.lags[0], box.lags[1], box.lags[2], 32, 8), 0, box.struct(), least, pixels.maxDistance(context), out.struct());
	}

	/** {@code struct Reach} if pixels are scaled; otherwise a null pointer. */
	final CUdeviceptr scale(final StreamContext context) {
		return pixels.scaled() ? pixels.maxDistance(context) : new CUdeviceptr();
	}

	private GpuKernel kernelOf(final String what) {
		return device.kernels().get("sums", what + "_" + pixels.kind() + "_" + real);
	}

	@Override
	public void close() {
		values.close();
		counts.close();
	}
}
