package sc.fiji.ncc.planner;

import java.nio.Buffer;
import java.util.ArrayList;
import java.util.List;

import sc.fiji.ncc.plan.support.Buffers;
import sc.fiji.ncc.plan.FramePairs;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.shift.ShiftExecution;
import sc.fiji.ncc.plan.shift.ShiftExecution.Frame;
import sc.fiji.ncc.plan.shift.ShiftExecution.Operand;
import sc.fiji.ncc.plan.shift.ShiftExecution.Pair;
import sc.fiji.ncc.plan.shift.ShiftPlan;
import sc.fiji.ncc.plan.Size;

/** Frames of one texture at different shifts, with the sizes of a problem. A problem of many frames is replaced by one of few. */
final class ShiftWorkload extends Workload<FramePairs, ShiftPlan, ShiftExecution> {

	/** The smallest number of frames, and the largest. */
	private static final int FEW_FRAMES = 4, MANY_FRAMES = 64;
	/** The number of different frames, the pixels by which each is shifted, the extent of the texture's details, and the largest value of its noise. */
	private static final int DIFFERENT = 4, SHIFT = 3, DETAIL = 8, NOISE = 0xf;

	/** Few and many pairs, a mask, a volume, and several peaks. */
	static final Kind<FramePairs> KIND = new Kind<>(FramePairs.class, ShiftWorkload::part, ShiftWorkload::new,
		List.of(shifts(PixelType.U16, 1, false, 1, 512, 512), shifts(PixelType.U16, 6, false, 1, 256, 256),
		shifts(PixelType.U16, 2, false, 1, 120, 120), shifts(PixelType.F32, 1, true, 1, 96, 96),
		shifts(PixelType.F32, 1, false, 1, 48, 48, 24), shifts(PixelType.U8, 1, false, 2, 240, 240)),
		List.of(shifts(PixelType.U16, 1, false, 1, 2000, 2000), shifts(PixelType.U16, 6, false, 1, 1000, 1000),
		shifts(PixelType.F32, 1, true, 1, 500, 500)));

	private static FramePairs shifts(final PixelType type, final int each, final boolean masked, final int peaks, final long... size) {
		final int frames = 4;
		return new FramePairs(type, Size.of(size), Size.of(size), List.of(), 1.0 / 3, masked, 1, peaks, true, frames, each * frames);
	}

	private final List<Frame> frames = new ArrayList<>();
	private final Frame moving;

	private ShiftWorkload(final FramePairs whole, final FramePairs measured) {
		super(whole, measured, ShiftPlan.class);
		for (int i = 0; i < Math.min(DIFFERENT, measured.frames()); i++) frames.add(frame(whole, whole.fixed(), i));
		moving = whole.moving().equals(whole.fixed()) ? null : frame(whole, whole.moving(), 1);
	}

	/** The problem with fewer frames. */
	private static FramePairs part(final FramePairs problem, final long most) {
		final long suited = Math.max(FEW_FRAMES, Math.min(MANY_FRAMES, most / problem.fixed().pixels() / 2 * 2));
		return problem.frames() <= suited ? problem : problem.of(suited);
	}

	private static Frame frame(final FramePairs problem, final Size size, final int number) {
		boolean[] mask = null;
		if (problem.masked()) {
			mask = new boolean[Math.toIntExact(size.pixels())];
			for (int i = 0; i < mask.length; i++) mask[i] = i % 10 != 0;
		}
		return new Frame(new Texture(problem.image(), size, number * SHIFT), mask);
	}

	/** A texture, of which a frame shows the part from a number of pixels on along each dimension. */
	private record Texture(PixelType type, long[] size, Buffer values) implements Pixels {

		Texture(final PixelType type, final Size size, final int shift) {
			this(type, size.toArray(), values(type, FramePairs.extents(size), shift));
		}

		private static Buffer values(final PixelType type, final int[] size, final int shift) {
			final Buffer values = type.allocate(size[0] * size[1] * size[2]);
			int i = 0;
			for (int z = 0; z < size[2]; z++)
				for (int y = 0; y < size[1]; y++)
					for (int x = 0; x < size[0]; x++) {
						final int v = value(x + shift, y + shift, size[2] == 1 ? 0 : z + shift) + (hash(x, y, z + 31 * shift) & NOISE);
						RandomPixels.put(values, i++, v / 2, v, v);
					}
			return values;
		}

		/** Random values at the corners of squares, and bilinear values between them. */
		private static int value(final int x, final int y, final int z) {
			final int a = x / DETAIL, b = y / DETAIL, c = z / DETAIL, right = x % DETAIL, below = y % DETAIL, left = DETAIL - right,
				above = DETAIL - below;
			return (above * (left * grey(a, b, c) + right * grey(a + 1, b, c))
				+ below * (left * grey(a, b + 1, c) + right * grey(a + 1, b + 1,
				c))) / (DETAIL * DETAIL);
		}

		private static int grey(final int x, final int y, final int z) {
			return hash(x, y, z) & 0xff;
		}

		private static int hash(final int x, final int y, final int z) {
			int h = x * 0x9E3779B1 ^ y * 0x85EBCA77 ^ z * 0xC2B2AE3D;
			h = (h ^ h >>> 15) * 0x2C1B3C6D;
			h = (h ^ h >>> 12) * 0x297A2D39;
			return h ^ h >>> 15;
		}

		/** The whole frame is read at once. */
		@Override
		public void read(final long[] min, final int[] box, final Buffer to) {
			Buffers.copy(values.duplicate().clear(), to);
		}
	}

	/** Includes the work of the first pairs: with them an execution allocates its memory and loads its code. */
	@Override
	ShiftExecution prepare(final ShiftPlan plan) {
		final ShiftExecution execution = plan.prepare(Runtime.getRuntime().availableProcessors(), Monitor.NONE);
		try {
			if (moving == null) measure(execution, Math.min((int) measured.frames(), execution.capacity().batch()), Monitor.NONE);
			return execution;
		}
		catch (final RuntimeException | Error e) {
			try (execution) {
				throw e;
			}
		}
	}

	/** Reads the frames in batches and measures each against the ones before it. */
	@Override
	void run(final ShiftExecution shifts, final Monitor monitor) {
		if (moving != null) {
			final List<Operand> both = shifts.transform(List.of(frames.get(0), moving));
			shifts.correlate(List.of(List.of(new Pair(both.get(0), both.get(1)))));
			shifts.keep(List.of());
			return;
		}
		measure(shifts, (int) measured.frames(), monitor);
	}

	private void measure(final ShiftExecution shifts, final int n, final Monitor monitor) {
		final int batch = Math.min(n, shifts.capacity().batches() * shifts.capacity().batch());
		final long each = Math.max(1, measured.pairs() / measured.frames());
		List<Operand> before = List.of();
		for (int i = 0; i < n; i += batch) {
			monitor.requireNotCanceled();
			final List<Frame> next = new ArrayList<>();
			for (int k = i; k < Math.min(n, i + batch); k++) next.add(frames.get(k % frames.size()));
			final List<Operand> transformed = shifts.transform(next), all = new ArrayList<>(before);
			all.addAll(transformed);
			final List<List<Pair>> groups = new ArrayList<>();
			for (int k = before.size(); k < all.size(); k++)
				for (int back = 1; back <= Math.min(each, k); back++) {
					final Pair pair = new Pair(all.get(k - back), all.get(k));
					if (!groups.isEmpty() && groups.get(groups.size() - 1).size() == 1) groups.get(groups.size() - 1).add(pair);
					else groups.add(new ArrayList<>(List.of(pair)));
				}
			shifts.correlate(groups);
			before = transformed.subList(Math.max(0, transformed.size() - (int) each), transformed.size());
			shifts.keep(before);
		}
		shifts.keep(List.of());
	}
}
