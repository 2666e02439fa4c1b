package sc.fiji.ncc.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.PoseSearch;
import sc.fiji.ncc.option.ComputeOptions;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.planner.CostCalibration;
import sc.fiji.ncc.planner.Effort;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.result.PoseReport;

/**
 * The time of a search for poses, for each algorithm: predicted, predicted after a calibration, as {@code --effort measure} keeps it, and
 * that of a whole call: predicted and the least of several; and the time of one more frame of a stream, predicted and the least. A cell is
 * {@code side:radius:angles:scales:minimum score}, an image of blobs with 8 bits; a minimum score of 0 is automatic.
 *
 * <pre>
 * mvn -q -Pbench test-compile exec:java -Dexec.mainClass=sc.fiji.ncc.bench.PoseTimes
 * </pre>
 */
@Command(name = "PoseTimes", mixinStandardHelpOptions = true, sortOptions = false)
public final class PoseTimes implements Callable<Integer> {

	@Option(names = "--cell", split = ",", description = "cells. Default: ${DEFAULT-VALUE}",
		defaultValue = "500:25:360:1:0.7,1000:25:360:3:0.7,1000:12:72:1:0.4,600:15:36:1:0,2000:25:360:1:0.7")
	private String[] cells;
	@Option(names = "--threads", defaultValue = "2", description = "number of threads. Default: ${DEFAULT-VALUE}")
	private int threads;
	@Option(names = "--calls", defaultValue = "5", description = "complete calls of each algorithm. Default: ${DEFAULT-VALUE}")
	private int calls;
	@Option(names = "--most", defaultValue = "10", description = "candidates with a longer predicted time in seconds are left out. Default: ${DEFAULT-VALUE}")
	private double most;

	public static void main(final String[] arguments) {
		System.exit(new CommandLine(new PoseTimes()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException {
		System.out.println(Machine.describe());
		System.out.println("cell,algorithm,predicted_ms,calibrated_ms,measured_ms,predicted_call_ms,calibrated_call_ms,call_ms,predicted_frame_ms,calibrated_frame_ms,frame_ms");
		final Path wisdom = Files.createTempDirectory("wisdom").resolve("wisdom.txt"), calibrated = wisdom.resolveSibling("calibrated.txt");
		new Planner(Backends.all(threads), calibrated).calibrate(CostCalibration.SECONDS, Optional.empty(), Monitor.NONE);
		for (final String cell : cells) {
			final String[] parts = cell.split(":");
			final int side = Integer.parseInt(parts[0]), scales = Integer.parseInt(parts[3]), box = 2 * Integer.parseInt(parts[1]) + 1;
			final double minScore = Double.parseDouble(parts[4]);
			final Pixmap image = new Pixmap(Texture.blobs(side, side, 1), side, side, false), template = image.cut(box, box);
			final PoseSearch search = PoseSearch.of(template.img()).angleRange(0, 360, 360.0 / Integer.parseInt(parts[2]))
				.scaleRange(Math.pow(1.05, -(scales / 2)), Math.pow(1.05, (scales - 1) / 2 + 1e-6), 1.05).refine(false);
			if (minScore > 0) search.minScore(minScore);
			else search.falseAlarms(0.05);
			final ComputeOptions options = ComputeOptions.DEFAULT.threads(threads),
					plain = options.planner(new Planner(Backends.all(threads), wisdom.resolveSibling("none.txt"))),
					after = options.planner(new Planner(Backends.all(threads), calibrated));
			// code of sampling and planning is compiled
			for (int i = 0; i < 3; i++) search.compute(plain).explain(image.img());
			final Ranking measured = search.compute(options.planner(new Planner(Backends.all(threads), wisdom)).effort(Effort.MEASURE, 20))
				.explain(image.img()).ranking().orElseThrow();
			for (final Ranking.Candidate c : search.compute(plain).explain(image.img()).ranking().orElseThrow().candidates()) {
				if (!c.applies() || c.seconds() > most) continue;
				final String backend = c.name().substring(0, c.name().indexOf('-'));
				double least = Double.POSITIVE_INFINITY;
				for (int i = 0; i < calls; i++) {
					final long start = System.nanoTime();
					search.compute(plain).backend(backend).algorithm(c.name()).find(image.img());
					least = Math.min(least, 1e-9 * (System.nanoTime() - start));
				}
				final PoseReport report = search.compute(plain).backend(backend).algorithm(c.name()).explain(image.img()),
						fitted = search.compute(after).backend(backend).algorithm(c.name()).explain(image.img());
				final double[] frame = { Double.POSITIVE_INFINITY };
				search.compute(plain).backend(backend).algorithm(c.name()).findEach(Collections.nCopies(1 + calls, image.img()), (index, found) -> {
					if (index > 0) frame[0] = Math.min(frame[0], found.seconds());
				});
				System.out.printf(Locale.ROOT, "%s,%s,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g,%.3g%n", cell, c.name(), 1e3 * of(report.ranking(), c.name()),
					1e3 * of(fitted.ranking(), c.name()), 1e3 * of(Optional.of(measured), c.name()), 1e3 * report.seconds(),
					1e3 * fitted.seconds(), 1e3 * least, 1e3 * frame(report, c.name()), 1e3 * frame(fitted, c.name()), 1e3 * frame[0]);
			}
		}
		return 0;
	}

	private static double of(final Optional<Ranking> ranking, final String name) {
		return candidate(ranking, name).map(Ranking.Candidate::seconds).orElse(Double.NaN);
	}

	/** The predicted seconds of a frame without what is prepared once. */
	private static double frame(final PoseReport report, final String name) {
		return candidate(report.ranking(), name).map(c -> c.plan().cost().frameSeconds()).orElse(Double.NaN);
	}

	private static Optional<Ranking.Candidate> candidate(final Optional<Ranking> ranking, final String name) {
		return ranking.orElseThrow().candidates().stream().filter(c -> c.applies() && c.name().equals(name)).findFirst();
	}
}
