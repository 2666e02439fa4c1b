package sc.fiji.ncc.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import sc.fiji.ncc.cuda.driver.CudaDevice;
import sc.fiji.ncc.fixture.Problems;
import sc.fiji.ncc.plan.SlidingAlgorithm;
import sc.fiji.ncc.plan.Execution;
import sc.fiji.ncc.plan.LagBox;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Report;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Template;

/** The cost of the recheck: noise, an image as a camera takes it, and a faint field beside a bright spot, from array to array. */
final class CudaPrice {

	private static final int SIDE = 2000, TEMPLATE = 32, REPEATS = 9;

	private enum Content { NOISE, CAMERA, FAINT_FIELD_WITH_SPOT }

	private CudaPrice() {}

	static void print(final CudaDevice device) {
		for (final PixelType type : new PixelType[] { PixelType.U16, PixelType.F32 }) {
			final Correlation p = DeviceTimes.problem(type, new long[] { SIDE, SIDE }, new long[] { TEMPLATE, TEMPLATE }, 1);
			for (final SlidingAlgorithm<Correlation> a : Problems.correlations(new CudaBackend())) {
				if (a.unsupported(p).isPresent()) continue;
				final StringBuilder line = new StringBuilder(type + " " + p.size() + " with " + p.templates().get(0) + ", " + a.id() + ":");
				for (final Content content : Content.values()) line.append("  ").append(content.name().toLowerCase(Locale.ROOT))
					.append(' ').append(time(device, a, p, content));
				System.out.println(line);
			}
		}
	}

	private static String time(final CudaDevice device, final SlidingAlgorithm<Correlation> a, final Correlation p, final Content content) {
		final double[] pixels = pixels(content);
		final byte[] bytes = new byte[pixels.length * p.image().bytes];
		final ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
		for (final double v : pixels)
			if (p.image() == PixelType.U16) b.putShort((short) (int) v);
			else b.putFloat((float) v);
		final double[] values = new double[TEMPLATE * TEMPLATE];
		for (int i = 0; i < values.length; i++) values[i] = pixels[(1500 + i / TEMPLATE) * SIDE + 1500 + i % TEMPLATE];
		final LagBox lags = new LagBox(new long[1][2], p.lags().count().toIntArray());
		final HostArrays arrays = new HostArrays(p.image(), p.size().toArray(), bytes, 1, lags);
		try (Execution execution = a.plan(p, device.device).prepare(List.of(new Template(p.templates().get(0), p.template(), values, null)))) {
			final double[] times = new double[REPEATS];
			Report report = null;
			for (int i = -5; i < REPEATS; i++) {
				final long start = System.nanoTime();
				report = execution.submit(arrays, lags, arrays.sink(0), Monitor.NONE).join();
				if (i >= 0) times[i] = 1e-6 * (System.nanoTime() - start);
			}
			return String.format(Locale.ROOT, "%.2f ms (%.2f%% rechecked)", DeviceTimes.median(times), 100.0 * report.rechecked() / report.responses());
		}
	}

	private static double[] pixels(final Content content) {
		final Random random = new Random(4);
		final double[] v = new double[SIDE * SIDE];
		for (int i = 0; i < v.length; i++) {
			final double x = i % SIDE, y = i / SIDE;
			switch (content) {
				case NOISE:
					v[i] = random.nextInt(65536);
					break;
				case CAMERA:
					v[i] = Math.rint(2000 + 1500 * Math.sin(x / 37) * Math.cos(y / 53) + 400 * Math.sin((x + 2 * y) / 11) + 20 * random.nextGaussian());
					break;
				default:
					v[i] = Math.rint(1000 + 2 * random.nextGaussian());
			}
		}
		if (content == Content.FAINT_FIELD_WITH_SPOT)
			for (int y = 400; y < 410; y++)
				for (int x = 700; x < 710; x++) v[y * SIDE + x] = 65000;
		return v;
	}
}
