package sc.fiji.ncc.cuda;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

import net.imglib2.FinalInterval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.view.Views;

import sc.fiji.ncc.NormalizedCrossCorrelation;
import sc.fiji.ncc.TemplateMatching;
import sc.fiji.ncc.document.DocumentTable;
import sc.fiji.ncc.plan.ResponseType;
import sc.fiji.ncc.result.StreamReport;

/**
 * The times of streams through the public API, on the GPU and on the CPU: from Java arrays to maps in Java arrays, also of quantized responses, to
 * matches, and to the best of several templates.
 */
final class CudaStreams {

	private static final int SIDE = 2000, TEMPLATE = 32, DIFFERENT = 4, FRAMES = 1000, REPEATS = 5, TEMPLATES = 4;
	private static final double LEAST = 0.5;

	private CudaStreams() {}

	/** @param table receives the times */
	static void measure(final DocumentTable table) {
		final List<RandomAccessibleInterval<?>> different = new ArrayList<>();
		for (int i = 0; i < DIFFERENT; i++) {
			final byte[] pixels = new byte[SIDE * SIDE];
			new Random(i).nextBytes(pixels);
			different.add(ArrayImgs.unsignedBytes(pixels, SIDE, SIDE));
		}
		final List<RandomAccessibleInterval<?>> parts = new ArrayList<>();
		for (int t = 0; t < TEMPLATES; t++) parts.add(Views.interval(different.get(t % DIFFERENT), FinalInterval.createMinSize(100 * t, 70, TEMPLATE, TEMPLATE)));
		System.out.printf("streams of %dx%d, 8 bit, with %dx%d: milliseconds a frame, median of %d (least); latency%n", SIDE, SIDE, TEMPLATE, TEMPLATE, REPEATS);
		final Map<String, List<double[]>> times = new LinkedHashMap<>();
		for (final String backend : List.of("cuda", "cpu")) {
			final int frames = backend.equals("cuda") ? FRAMES : 12;
			final List<RandomAccessibleInterval<?>> source = new ArrayList<>();
			for (int i = 0; i < frames; i++) source.add(different.get(i % DIFFERENT));
			final Supplier<NormalizedCrossCorrelation> one = () -> NormalizedCrossCorrelation.of(parts.get(0)).backend(backend);
			for (final ResponseType type : ResponseType.values()) {
				final String maps = type.quantized() ? "maps of " + type + " responses" : "maps";
				times.computeIfAbsent(maps, k -> new ArrayList<>()).add(time(backend, maps,
					() -> one.get().responseType(type).correlateEach(source, (k, response) -> {})));
			}
			times.computeIfAbsent("matches", k -> new ArrayList<>())
				.add(time(backend, "matches", () -> TemplateMatching.with(one.get()).minScore(LEAST).findEach(source, (k, found) -> {})));
			times.computeIfAbsent("best of four templates", k -> new ArrayList<>())
				.add(time(backend, "best of " + TEMPLATES, () -> NormalizedCrossCorrelation.of(parts).backend(backend).bestOfEach(source, (k, best) -> {})));
		}
		times.forEach((result, t) -> table.row(result, t.get(0)[0], t.get(0)[1], t.get(0)[2], t.get(1)[0]));
	}

	/** @return the median in milliseconds a frame, the least, and the latency in milliseconds */
	private static double[] time(final String backend, final String name, final Supplier<StreamReport> stream) {
		final double[] ms = new double[REPEATS];
		StreamReport report = stream.get();
		for (int i = 0; i < REPEATS; i++) {
			report = stream.get();
			ms[i] = 1e3 * report.seconds() / report.frames();
		}
		double least = Double.POSITIVE_INFINITY;
		for (final double m : ms) least = Math.min(least, m);
		System.out.printf("%s, %s: %.3f (%.3f), %.1f ms from reading to result, by %s%n", backend, name, DeviceTimes.median(ms), least, 1e3 * report.latency(),
			report.rankings().get(0).best().orElseThrow().name());
		return new double[] { DeviceTimes.median(ms), least, 1e3 * report.latency() };
	}
}
