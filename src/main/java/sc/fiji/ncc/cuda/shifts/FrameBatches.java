package sc.fiji.ncc.cuda.shifts;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import jcuda.CudaException;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.cuda.driver.StreamContext;
import sc.fiji.ncc.cuda.run.CudaExecution;
import sc.fiji.ncc.cuda.run.ParallelCopy;
import sc.fiji.ncc.cuda.run.Schedule;
import sc.fiji.ncc.cuda.run.Submission;
import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.Template;

/** Frames with few lags. The waiting frames with all their templates are computed together. */
public final class FrameBatches implements Schedule<FrameSubmission> {

	/** The maximum number of submitted frames, of frames in a batch, and of threads. */
	private static final int DEPTH = 64, MAX_FRAMES = 32, CONTEXTS = 4;
	/** The maximum share of the GPU's memory for all contexts, and the maximum bytes of pixels of a batch. */
	private static final double SHARE_OF_MEMORY = 0.25;
	private static final long MAX_BYTES = 1 << 27;

	private final CudaDevice device;
	private final List<Template> templates;
	private final SmallShiftsMethod method;

	private FrameBatches(final CudaDevice device, final List<Template> templates, final SmallShiftsMethod method) {
		this.device = device;
		this.templates = templates;
		this.method = method;
	}

	public static Execution execution(final CudaDevice device, final List<Template> templates, final Function<List<Template>,
		SmallShiftsMethod> prepare) {
		return new CudaExecution<>(device, CONTEXTS, DEPTH, templates, all -> new FrameBatches(device, all, prepare.apply(all)));
	}

	@Override
	public void close() {
		method.close();
	}

	@Override
	public List<FrameSubmission> tasks(final Submission submission) {
		return List.of(new FrameSubmission(submission, templates));
	}

	/** The number of waiting frames for one thread. All have the same number of lags. */
	@Override
	public int together(final Collection<FrameSubmission> waiting) {
		final int max = Math.min(MAX_FRAMES, (waiting.size() + CONTEXTS - 1) / CONTEXTS);
		final double ofGpu = SHARE_OF_MEMORY * device.device.memory() / CONTEXTS;
		int count = 0;
		long bytes = 0;
		double each = 0;
		int[] lags = null;
		for (final FrameSubmission f : waiting) {
			bytes += f.bytes();
			if (count == 0) {
				lags = f.s.lags.size();
				each = method.bytesPerFrame(f.lags(0), f.lags(1));
			}
			else if (count == max || !Arrays.equals(f.s.lags.size(), lags) || bytes > MAX_BYTES
				|| bytes + each * (count + 1) > ofGpu) break;
			count++;
		}
		return count;
	}

	@Override
	public void compute(final StreamContext context, final List<FrameSubmission> batch) {
		final List<FrameSubmission> read = read(context, batch);
		if (read.isEmpty()) return;
		final int n = templates.size(), each = (int) read.get(0).s.lags.lags();
		final long bytes = 4L * each * n * read.size(), counted = 16L * read.size();
		final SmallShiftsMethod.Responses computed = method.enqueue(context, batch(context.buffer("raw", 1), read));
		context.fetch(context.pinnedPointer("responses", bytes), computed.map(), bytes);
		context.fetch(context.pinnedPointer("counted", counted), computed.counts(), counted);
		device.check(JCudaDriver.cuStreamSynchronize(context.stream), "computing on " + device.device.name());
		final FloatBuffer responses = context.pinned("responses", bytes).asFloatBuffer();
		final ByteBuffer counts = context.pinned("counted", counted);
		for (int f = 0; f < read.size(); f++) {
			read.get(f).s.count(counts.getInt(16 * f), counts.getInt(16 * f + 8));
			deliver(read.get(f).s, responses, f * n * each, each);
		}
	}

	/** Reads the pixels of frames and sends them. Frames that cannot be read, or are canceled, are left out. */
	private static List<FrameSubmission> read(final StreamContext context, final List<FrameSubmission> batch) {
		final long bytes = batch.stream().mapToLong(FrameSubmission::bytes).sum();
		final ByteBuffer to = context.pinned("pixels", bytes);
		final List<FrameSubmission> read = new ArrayList<>();
		long next = 0;
		for (final FrameSubmission f : batch)
			try {
				f.s.monitor.requireNotCanceled();
				next = f.read(pixels -> context.heap(f.s.in.type(), pixels), to, next);
				read.add(f);
			}
			catch (final DeviceException | CudaException | OutOfMemoryError e) {
				throw e;
			}
			catch (final RuntimeException | Error e) {
				f.s.fail(e);
			}
		if (!read.isEmpty()) context.send(context.buffer("raw", bytes), context.pinnedPointer("pixels", bytes),
			next * read.get(0).s.in.type().bytes);
		return read;
	}

	private static SmallShiftsMethod.Batch batch(final CUdeviceptr raw, final List<FrameSubmission> frames) {
		final float[] undefined = new float[frames.size()];
		for (int i = 0; i < undefined.length; i++) undefined[i] = frames.get(i).s.out.undefined();
		return new SmallShiftsMethod.Batch(raw, frames.stream().map(f -> f.first).toArray(long[][]::new), frames.stream().map(f -> f.pitch)
			.toArray(int[][]::new), undefined,
			frames.get(0).lags(0), frames.get(0).lags(1));
	}

	/** Passes the responses of a frame to its sink, template by template. */
	private void deliver(final Submission s, final FloatBuffer responses, final int from, final int each) {
		try {
			for (int t = 0; t < templates.size(); t++) {
				s.monitor.requireNotCanceled();
				s.out.map(t, new long[s.lags.size().length], s.lags.size().clone(), ParallelCopy.of(responses, from + t * each, each));
				s.monitor.done(each);
			}
		}
		catch (final RuntimeException | Error e) {
			s.fail(e);
		}
	}
}
