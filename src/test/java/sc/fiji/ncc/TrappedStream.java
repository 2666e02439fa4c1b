package sc.fiji.ncc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.view.Views;

import sc.fiji.ncc.cpu.CpuBackend;
import sc.fiji.ncc.cuda.CudaBackend;
import sc.fiji.ncc.cuda.driver.GpuMemory;
import sc.fiji.ncc.fixture.ZeroCostBackend;
import sc.fiji.ncc.fixture.RandomPixels;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.result.Response;
import sc.fiji.ncc.result.StreamReport;

/** A process in which a kernel traps while frames are on their way through the GPU: all of them must come, in order, and be right. Exit code 0 if so. */
public final class TrappedStream {

	private static final int FRAMES = 40, TRAP = 17, WIDTH = 700, HEIGHT = 520;

	private TrappedStream() {}

	public static void main(final String[] arguments) {
		final List<RandomAccessibleInterval<?>> frames = new ArrayList<>();
		for (int i = 0; i < FRAMES; i++) {
			frames.add(RandomPixels.image(i, WIDTH, HEIGHT));
		}
		final RandomAccessibleInterval<?> template = Views.interval(frames.get(0), new long[] { 30, 40 }, new long[] { 50, 60 });
		final Iterable<RandomAccessibleInterval<?>> source = () -> new java.util.Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				return next < FRAMES;
			}

			@Override
			public RandomAccessibleInterval<?> next() {
				if (next == TRAP) GpuMemory.trap();
				return frames.get(next++);
			}
		};
		final List<Backend> backends = List.of(new ZeroCostBackend(new CudaBackend(), "cuda-direct-exact"), new CpuBackend(2));
		final NormalizedCrossCorrelation alone = NormalizedCrossCorrelation.of(template).algorithm("cpu-direct-exact");
		final long[] order = { 0 };
		final StreamReport report = NormalizedCrossCorrelation.of(template).backends(backends).correlateEach(source, (frame, response) -> {
			if (frame != order[0]++) throw new AssertionError("frame " + frame);
			final float[] expected = map(alone.correlate(frames.get((int) frame))), actual = map(response);
			for (int i = 0; i < expected.length; i++) if (!(Math.abs(expected[i] - actual[i]) <= 1e-5)) throw new AssertionError("frame " + frame + ", response " + i);
		});
		if (report.frames() != FRAMES) throw new AssertionError(report.frames() + " frames");
		System.out.println(report.rankings().get(0).explain());
		final List<String> left = report.rankings().get(0).candidates().stream().filter(c -> c.applies()).map(c -> c.algorithm().id()).toList();
		if (left.contains("cuda-direct-exact")) throw new AssertionError(left);
		System.out.println(Arrays.toString(left.toArray()));
	}

	private static float[] map(final Response response) {
		return ((FloatArray) ((ArrayImg<?, ?>) response.map()).update(null)).getCurrentStorageArray();
	}
}
