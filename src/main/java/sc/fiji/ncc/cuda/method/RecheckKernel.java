package sc.fiji.ncc.cuda.method;

import java.util.Arrays;
import java.util.List;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.cuda.run.Outcome;
import sc.fiji.ncc.cuda.run.SentPixels;
import sc.fiji.ncc.plan.Precision;
import sc.fiji.ncc.plan.Sliding;
import sc.fiji.ncc.plan.Template;

/**
 * Recheck: responses with too large an estimated error are computed by the definition on the GPU, by one warp each, from the pixels as sent. See
 * {@code recheck.cu}.
 */
final class RecheckKernel implements AutoCloseable {

	private static final int THREADS = 128;

	private final GpuKernel recheck;
	private final CountedPixelArrays places;
	private final SentPixels sent;
	private final int type;
	private final boolean joint, partial, wide;
	private final int blocks;

	RecheckKernel(final CudaDevice device, final Template template, final Sliding problem) {
		final CountedPixels pixels = new CountedPixels(template);
		sent = SentPixels.of(problem);
		joint = sent.masked() || sent.channels() > 1;
		recheck = device.kernels().get("recheck", joint ? "recheck_joint" : "recheck");
		places = new CountedPixelArrays(device, pixels, DeviceArray.of(device, pixels.of(template.values())));
		type = problem.image().ordinal();
		partial = problem.lags().partial();
		wide = problem.precision() == Precision.DOUBLE;
		blocks = 8 * device.processors;
	}

	/** @param maxSuspects if there are more suspects, none is rechecked */
	void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int maxSuspects) {
		enqueue(context, box, raw, out, maxSuspects, List.of(this));
	}

	/** The same for the consecutive maps of several templates of one size, without weights. The suspects of all are in one list. */
	void enqueue(final StreamContext context, final BoxGeometry box, final CUdeviceptr raw, final Outcome out, final int maxSuspects,
		final List<RecheckKernel> templates)
	{
		final GpuKernel.Grid grid = new GpuKernel.Grid(blocks, 1, 1, THREADS, 1);
		final CUdeviceptr positions = places.in(context, box, "places of the recheck");
		if (joint) context.launch(recheck, grid, 0, raw, type, sent.mask(raw, box), sent.channels(), box.pixels(), box.struct(), positions,
			places.values(), places.weights(), places.count(), maxSuspects, wide ? 1 : 0, out.struct());
		else context.launch(recheck, grid, 0, raw, type, box.struct(), positions, Arrays.copyOf(templates.stream().mapToLong(t -> Addresses.of(
			t.places.values())).toArray(), FourierPasses.TOGETHER), places.weights(), places.count(), partial ? 1 : 0,
			maxSuspects, wide ? 1 : 0, out.struct());
	}

	@Override
	public void close() {
		places.close();
	}
}
