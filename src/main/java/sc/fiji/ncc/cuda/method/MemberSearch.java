package sc.fiji.ncc.cuda.method;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntConsumer;

import jcuda.driver.CUdeviceptr;

import sc.fiji.ncc.cuda.driver.Addresses;
import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.GpuKernel;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.cuda.run.BoxGeometry;
import sc.fiji.ncc.numeric.Tolerance;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.plan.bank.Bounds;
import sc.fiji.ncc.plan.bank.Members;

/**
 * Searches banks without a basis in a volume: every member is correlated, by transforms in passes of a whole box ({@link FourierPasses})
 * in float, {@value FourierPasses#TOGETHER} members a pass. No product is stored: the last pass keeps the greatest and the second greatest
 * of each lag, and the member of the greatest. See {@code passes.cu} and {@code members.cu}. All members have unit norm under one support,
 * so one sum of squares makes the scores of a window. The products have the error estimate of {@code cuda-fourier}, with the greatest
 * product of each lag in place of those of each member, and with probes of the best members. A window whose best member is not certain is
 * scored with all members, exactly.
 */
public final class MemberSearch extends BankSearch {

	/** The lags whose best product is also computed directly. */
	private static final int PROBES = 4096;
	/** The longest axis of a transform. */
	private static final int MAX_EXTENT = 4096;
	/** The most products of windows that are scored with all members, and the least number of such windows that are allowed. */
	private static final double MOST_EXACT = 1e13;
	private static final int LEAST_EXACT = 1024;

	/**
	 * The calling thread has entered the device.
	 *
	 * @param memory the most bytes of the device
	 */
	public MemberSearch(final CudaDevice device, final PixelType type, final Size size, final List<Members> all, final double minScore,
		final long memory)
	{
		super(device, type, size, all, minScore);
		final long members = all.stream().mapToLong(m -> (long) Float.BYTES * m.count() * m.length()).sum();
		open(all, m -> {
			final int[] lags = lags(device, type, size, m.box(), memory - members);
			if (lags == null) throw new DeviceException("not enough memory on the device for transforms of " + m.box());
			return new DeviceBank(device, m, lags, extents(device, m.box(), lags));
		});
	}

	/**
	 * The lags along each dimension that are searched at once: all, or as many as fit; null if none do.
	 *
	 * @param memory the most bytes of the device besides the members
	 */
	public static int[] lags(final CudaDevice device, final PixelType type, final Size image, final Size box, final long memory) {
		return lags(type, new long[] { image.get(0), image.get(1), image.get(2) }, box, MAX_EXTENT, l -> extents(device, box, l) != null
			&& bytes(device, type, box, l) <= memory);
	}

	/** The extents of the transforms for that many lags; null if the passes do not support them. */
	public static TransformExtents extents(final CudaDevice device, final Size box, final int[] lags) {
		// a single plane is transformed as a volume, too
		return FourierPasses.extents(device, lags[0] + box.get(0) - 1, lags[1] + box.get(1) - 1, Math.max(2, lags[2] + box.get(2) - 1));
	}

	/** The bytes of the GPU's memory for a box of lags, besides the members. */
	public static long bytes(final CudaDevice device, final PixelType type, final Size box, final int[] lags) {
		final TransformExtents e = extents(device, box, lags);
		final long depth = box.get(2), planes = lags[2] + depth - 1, all = (long) lags[0] * lags[1] * lags[2];
		final long pixels = (lags[0] + box.get(0) + 31) * (lags[1] + box.get(1)) * planes;
		final long spectra = Math.max(planes, FourierPasses.TOGETHER * lags[2]) + e.z() + FourierPasses.TOGETHER * depth;
		final long placed = Float.BYTES * FourierPasses.TOGETHER * (box.get(0) + 1) * box.get(1) * depth;
		return FourierPasses.planeBytes(e) * spectra + pixels * (type.bytes + 6 + 16) + all * (12 + FOUND + KEPT + 4) + placed + SCRATCH;
	}

	@Override
	int correlations(final DeviceBank bank) {
		return bank.members.count();
	}

	@Override
	long search(final Pixels in, final int index, final DeviceBank bank, final long[] lag, final int[] lags, final Receiver to,
		final Monitor monitor)
	{
		final BoxGeometry box = geometry(bank, lag, lags);
		final TransformExtents e = bank.extents;
		final int count = bank.members.count(), n = bank.members.length();
		send(in, box, lag);
		final CUdeviceptr pixels = pixels(box);
		final FourierPasses passes = new FourierPasses(device, null, box.width, box.height, box.depth);
		final FourierPasses.Image image = new FourierPasses.Image(context, e, box, pixels, kind, false, true);
		final BoxSpectra.Product known = passes.begin(image);
		context.launch(kernelOfMembers("strongest"), new GpuKernel.Grid(65, 1, 1, 256, 1), 0, e.struct(), known.pixels(), known.known());
		final long[] best = best(box);
		final int elements = (box.width + 1) / 2 * 2 * box.height * box.depth;
		final CUdeviceptr placed = context.buffer("placed", 4L * elements * FourierPasses.TOGETHER), places = places(index, bank, box);
		context.clear(placed, (long) elements * FourierPasses.TOGETHER);
		for (int from = 0; from < count; from += FourierPasses.TOGETHER) {
			final int some = Math.min(FourierPasses.TOGETHER, count - from);
			context.launch(kernelOfMembers("place"), new GpuKernel.Grid((n + 255) / 256, some, 1, 256, 1), 0,
				bank.values.pointer().withByteOffset(4L * from * n), bank.gains.pointer().withByteOffset(8L * from), places, n, elements,
				1.0 / e.reals(), placed);
			passes.best(image, placed, some, from, best);
			context.await(monitor);
			monitor.done((long) box.count() * some);
		}
		return collect(bank, box, pixels, known.known(), best, monitor, found -> take(index, box, lag, found, to, monitor));
	}

	private GpuKernel kernelOfMembers(final String function) {
		return device.kernels().get("members", function);
	}

	/** {@code struct Best} of the kernels. */
	private long[] best(final BoxGeometry box) {
		final int pitch = (box.lags[0] + 1) / 2 * 2;
		final long each = 4L * pitch * box.lags[1] * box.lags[2];
		final CUdeviceptr all = context.buffer("best", 3 * each);
		return new long[] { Addresses.of(all), Addresses.of(all) + each, Addresses.of(all) + 2 * each, pitch };
	}

	/** The place of each value of a member in its box, whose rows have even length. */
	private CUdeviceptr places(final int index, final DeviceBank bank, final BoxGeometry box) {
		return context.table(List.of("places", index), () -> {
			final int[] at = bank.members.support().clone();
			for (int i = 0; i < at.length; i++) at[i] = at[i] / box.width * ((box.width + 1) / 2 * 2) + at[i] % box.width;
			return DeviceArray.of(device, at);
		});
	}

	/** Passes on the windows that reach the minimum score. @return the number of undefined responses */
	private long collect(final DeviceBank bank, final BoxGeometry box, final CUdeviceptr pixels, final CUdeviceptr known, final long[] best,
		final Monitor monitor, final IntConsumer take)
	{
		final int rows = box.lags[1] * box.lags[2], n = bank.members.length(), count = bank.members.count();
		final long words = rows + box.lags[2] + 4;
		final CUdeviceptr noises = context.buffer("noise", 8 * words);
		context.clear(noises, 2 * words);
		final long planes = Addresses.of(noises) + 8L * rows, all = planes + 8L * box.lags[2];
		final long[] noise = { Addresses.of(noises), planes, all, all + 8, all + 16, all + 24 };
		final int most = (int) Math.max(LEAST_EXACT, Math.min(box.count(), MOST_EXACT / ((double) count * n)));
		context.clear(counts(), COUNTS);
		final long[] search = struct(bank, box, new CUdeviceptr(), new CUdeviceptr(), known, most, (float) Bounds.RESPONSE);
		if (whole != null) windows(box, pixels);
		else context.launch(kernelOfMembers("prefix_" + kind), GpuKernel.Grid.over(32L * box.rows * box.planes, 1, 1, 256, 1), 0, pixels,
			box.struct(), known, noise, prefix(box));
		context.launch(kernelOfMembers("rows"), GpuKernel.Grid.over(32L * rows, 1, 1, 256, 1), 0, box.struct(), best, noise);
		context.launch(kernelOfMembers("probe_" + kind), new GpuKernel.Grid(Math.min(PROBES, box.count()), 1, 1, 128, 1), 0, pixels, box.struct(),
			search, best, noise);
		context.launch(kernelOfMembers("collect_" + kind), new GpuKernel.Grid((box.lags[0] + 127) / 128, Math.min(box.lags[1], 1 << 15),
			box.lags[2], 128, 1), 0, pixels, prefix(box), box.struct(), search, best, noise, (float) SpectralMethod.eps(false),
			(float) SpectralMethod.MARGIN_OF_PROBES, (float) (2 * Math.sqrt(n) * Tolerance.EPS_FLOAT), most);
		ByteBuffer counted = counted(monitor);
		final int open = counted.getInt(4);
		if (open > most || open < 0) throw new DeviceException("the float transforms leave the best of " + count + " members open in "
			+ (open & 0xffff_ffffL) + " windows, and at most " + most + " are scored with all of them");
		if (open > 0) {
			score(bank, box, search);
			counted = counted(monitor);
		}
		take.accept(counted.getInt(8));
		return (long) counted.getInt(12) * count;
	}
}
