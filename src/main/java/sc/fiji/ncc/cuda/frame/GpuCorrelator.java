package sc.fiji.ncc.cuda.frame;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.DeviceArray;
import sc.fiji.ncc.cuda.driver.TransformExtents;
import sc.fiji.ncc.numeric.ShiftKernel;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.PairPeaks;

/**
 * Finds the shift between two frames on a GPU, as {@code cpu.frame.FrameCorrelator} does on the CPU. The numerators of all lags come from
 * Fourier transforms of whole frames, the denominators from summed-area tables (Lewis 1995), with masks from further transforms (Padfield
 * 2012). Exact scores of 8- and 16-bit integers are those of the CPU, bit for bit; those of other types are sums in double.
 * <p>
 * Memory on the GPU for frames of n pixels and transforms of p points: 20·n + 4·p bytes for each frame, and up to 9·n more if its pixels are not 8- or 16-bit
 * integers; for each of up to {@link #LANES} streams, which take turns so that copies and computation overlap, 12·p bytes for each of
 * {@link #pairs}, 4·p for each of {@link #chunk} frames, and 60·p if pixels do not count. Several threads may use an object at once.
 */
public final class GpuCorrelator implements AutoCloseable {

	/** The number of streams. */
	public static final int LANES = 6;
	/** The number of frames that a stream takes at a time with advantage. */
	public static final int FRAMES = 16;
	/** The share of the GPU's free memory for the work of streams and for frames. */
	private static final double SHARE_OF_WORK = 0.3, SHARE_OF_FRAMES = 0.4;
	/** The number of peaks whose exact scores can be compared, at least. */
	private static final int COMPARED = 4;
	/** The largest number of peaks: that of blocks along y. */
	public static final int MOST_PEAKS = 65_535;
	/** The largest number of lags, whose indices have 32 bits on the GPU. */
	private static final long MOST_LAGS = 0xffff_0000L;
	/** The largest number of bytes of frames that are sent at a time. */
	public static final long MOST_BYTES = Integer.MAX_VALUE;

	/**
	 * A frame that was read.
	 *
	 * @param pixels raw bits, see {@link PixelType#allocate}
	 * @param mask false for pixels that do not count; null if all do
	 */
	record Raw(Buffer pixels, boolean[] mask) {}

	/**
	 * The work that a stream takes at a time.
	 *
	 * @param count the peaks that are wanted
	 * @param peaks the peaks that the GPU finds
	 */
	record Chunks(int frames, int pairs, int count, int peaks, boolean subpixel) {}

	private final CudaDevice device;
	private final FrameRange range;
	private final Chunks chunks;
	private final double capacity;
	private final BlockingQueue<GpuLane> idle = new LinkedBlockingQueue<>();
	private final List<GpuLane> lanes = new ArrayList<>();
	private DeviceArray inverses;

	/**
	 * @param count the number of peaks to report, at most {@link #MOST_PEAKS}
	 * @param subpixel whether the best peak is refined between the pixels
	 * @param together the largest number of frames that a stream takes at a time; twice as many pairs
	 * @throws DeviceException if the GPU fails, or has not enough memory
	 */
	public GpuCorrelator(final CudaDevice device, final FrameRange range, final int count, final boolean subpixel, final int together) {
		this.range = range;
		this.device = device;
		device.enter();
		final TransformExtents e = range.transforms();
		if (e.complexes() > Integer.MAX_VALUE || range.count() > MOST_LAGS)
			throw new DeviceException("the transforms of " + e.x() + "x" + e.y() + "x" + e.z() + " points are larger than the kernels support");
		final int peaks = Math.max(count, COMPARED);
		final double free = device.freeMemory(), masked = GpuLane.maskedBytes(range);
		final double frame = GpuLane.frameBytes(range), pair = GpuLane.pairBytes(range, peaks);
		final int streams = (int) Math.max(1, Math.min(Math.min(LANES, together), SHARE_OF_WORK * free / (frame + pair + masked)));
		final double each = SHARE_OF_WORK * free / streams - masked;
		final double most = Math.min(together, MOST_BYTES / (8.0 * range.largest()));
		final int frames = (int) Math.max(1, Math.min(most, each / (frame + pair))),
			pairs = (int) Math.max(frames, Math.min(2 * together, (each - frames * frame) / pair));
		chunks = new Chunks(frames, pairs, count, peaks, subpixel);
		capacity = capacity(range, free);
		try {
			final double[] both = new double[80];
			System.arraycopy(ShiftKernel.inverse(8), 0, both, 0, 64);
			System.arraycopy(ShiftKernel.inverse(4), 0, both, 64, 16);
			inverses = DeviceArray.of(device, both);
			for (int i = 0; i < streams; i++) lanes.add(new GpuLane(device, range, inverses, chunks));
			idle.addAll(lanes);
		}
		catch (final RuntimeException failed) {
			close();
			throw failed;
		}
	}

	/** The number of frames that may stay on a GPU. @param free its free memory in bytes */
	public static double capacity(final FrameRange range, final double free) {
		return SHARE_OF_FRAMES * free / Math.max(GpuFrame.bytes(range, true), GpuFrame.bytes(range, false));
	}

	/** The points of the transforms of a range. */
	public static double points(final FrameRange range) {
		return range.transforms().reals();
	}

	/** The largest number of frames that one call of {@link #transform} and {@link #against} takes. */
	int chunk() {
		return chunks.frames();
	}

	/** The largest number of pairs that one call of {@link #correlate} takes. */
	int pairs() {
		return chunks.pairs();
	}

	/** The number of frames that may stay on this GPU. */
	double capacity() {
		return capacity;
	}

	/** Runs work on a stream that is idle. */
	private <T> T on(final Function<GpuLane, T> work) {
		final GpuLane lane;
		try {
			lane = idle.take();
		}
		catch (final InterruptedException e) {
			Thread.currentThread().interrupt();
			throw new CancellationException("interrupted");
		}
		try {
			device.enter();
			return work.apply(lane);
		}
		finally {
			idle.add(lane);
		}
	}

	/**
	 * Sends frames to the GPU and transforms them.
	 *
	 * @param raw the frames, at most {@link #chunk} frames
	 * @param ofFixed whether they have the extents of fixed frames
	 * @return the frames, which the caller closes
	 * @throws DeviceException if the GPU fails
	 */
	List<GpuFrame> transform(final PixelType type, final List<Raw> raw, final boolean ofFixed) {
		return on(lane -> lane.transform(type, raw, ofFixed));
	}

	/**
	 * Finds the shifts of pairs of frames.
	 *
	 * @param pairs at index 2·i a fixed frame, at 2·i + 1 its moving frame; at most {@link #pairs} pairs
	 * @throws DeviceException if the GPU fails
	 */
	List<PairPeaks> correlate(final List<GpuFrame> pairs) {
		return on(lane -> lane.correlate(pairs));
	}

	/**
	 * Sends frames to the GPU and finds their shifts against one frame. The frames do not stay on the GPU.
	 *
	 * @param raw the frames, at most {@link #chunk} frames
	 * @param flat receives for each frame whether all its pixels are equal; its peaks are then empty
	 * @throws DeviceException if the GPU fails
	 */
	List<PairPeaks> against(final GpuFrame fixed, final PixelType type, final List<Raw> raw, final boolean[] flat) {
		return on(lane -> lane.against(fixed, type, raw, flat));
	}

	/** Releases the memory on the GPU, without that of frames. Call it when no other call is under way. */
	@Override
	public void close() {
		if (device.lost() != null) return; // the driver has released its memory
		device.enter();
		lanes.forEach(GpuLane::close);
		lanes.clear();
		if (inverses != null) inverses.close();
		inverses = null;
	}
}
