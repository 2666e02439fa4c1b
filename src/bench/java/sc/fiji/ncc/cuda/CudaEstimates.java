package sc.fiji.ncc.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.plan.PixelType;
import sc.fiji.ncc.plan.Result;
import sc.fiji.ncc.plan.Sliding.Correlation;
import sc.fiji.ncc.plan.Sliding.Windows;
import sc.fiji.ncc.plan.Weights;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking.Candidate;

/** The predictions of {@link CudaCost} and the measured times, for one image and for streams, for maps, matches and the best of several templates. */
final class CudaEstimates {

	private static final double SECONDS = 0.8;

	private CudaEstimates() {}

	static void print() throws Exception {
		final Path folder = Files.createTempDirectory("wisdom"), file = folder.resolve("wisdom.txt");
		System.out.println("milliseconds an image, predicted / measured");
		for (final int frames : new int[] { 1, 64 })
			for (final Result result : Result.values())
				for (final int side : new int[] { 512, 2000 })
					for (final int k : new int[] { 8, 64 }) {
						final Windows one = DeviceTimes.problem(PixelType.U8, new long[] { side, side }, new long[] { k, k }, result == Result.BEST ? 4 : 1).windows();
						final Correlation p = new Correlation(one.part(one.lags().count(), frames), Weights.NONE, 1, result);
						final StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%d of %d with %d, %s:", frames, side, k, result));
						for (final String id : List.of("cuda-direct-exact", "cuda-direct", "cuda-fourier")) {
							final Candidate predicted = new Planner(Backends.all(2), file).rank(p, Optional.of("cuda"), Optional.of(id)).candidates().get(0);
							final Candidate measured = new Planner(Backends.all(2), file).rank(p, Optional.of("cuda"), Optional.of(id), Effort.MEASURE, SECONDS).candidates().get(0);
							line.append(String.format(Locale.ROOT, "  %s %.3f / %.3f", id.substring(5), 1e3 * predicted.plan().cost().seconds() / frames,
								1e3 * measured.measured().orElse(Double.NaN) / frames));
						}
						System.out.println(line);
					}
		try (var files = Files.list(folder)) {
			for (final Path f : files.toList()) Files.delete(f);
		}
		Files.delete(folder);
	}
}
