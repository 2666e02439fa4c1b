package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Ranking;
import sc.fiji.ncc.planner.Wisdom;

/** {@code ncc wisdom}: the times that were measured on this machine. */
@Command(name = "wisdom", description = {
	"Prints or deletes the times and constants that --effort measure and plan --calibrate have measured on this machine.",
	"The file is .ncc/wisdom.txt in your home folder. java -Dncc.wisdom=FILE chooses another file. All commands and the plugin use it. "
		+ "Each device, number of threads and Java has its own times. A new version with other algorithms measures again." })
final class WisdomSubcommand extends Subcommand {

	enum Action { SHOW, CLEAR }

	@Parameters(index = "0", paramLabel = "show|clear", description = {
		"show: print the time of each algorithm for each measured problem and device, and the constants of each calibrated device.",
		"clear: delete them." })
	private Action action;

	@Override
	void run(final Outputs outputs, final ProgressBar progress) throws IOException {
		final Wisdom wisdom = new Planner(Backends.all(Runtime.getRuntime().availableProcessors())).wisdom();
		final List<Wisdom.Entry> entries = wisdom.entries();
		if (action == Action.SHOW) show(wisdom, entries);
		else {
			final int calibrations = wisdom.calibrations().size();
			if (Files.exists(wisdom.file()) && !Files.isRegularFile(wisdom.file()))
				throw new IllegalArgumentException("the wisdom " + wisdom.file() + " is not a file: give another one with java -Dncc.wisdom=FILE");
			wisdom.clear();
			program.out().println("deleted " + count(entries.size()) + (calibrations == 0 ? "" : " and the calibration") + ": " + wisdom.file());
		}
	}

	/** A time with three digits, in ms or ns. */
	static String time(final double seconds) {
		final boolean milli = seconds >= 1e-5;
		return milli ? Ranking.milliseconds(seconds) + " ms" : Ranking.milliseconds(1e6 * seconds) + " ns";
	}

	private static String count(final int measurements) {
		return measurements + (measurements == 1 ? " measurement" : " measurements");
	}

	private void show(final Wisdom wisdom, final List<Wisdom.Entry> entries) {
		final PrintStream out = program.out();
		out.println(entries.isEmpty() ? "no measurements; ncc plan --effort measure writes them to " + wisdom.file()
			: count(entries.size()) + " in " + wisdom.file());
		final String line = "  %-" + entries.stream().mapToInt(e -> e.algorithm().length()).reduce(1, Math::max) + "s %s";
		String heading = "";
		for (final Wisdom.Entry e : entries) {
			final String next = e.problem() + " (" + e.device() + ")";
			if (!next.equals(heading)) out.println(heading = next);
			out.println(String.format(line, e.algorithm(), e.seconds().isPresent() ? String.format("%9s ms", Ranking.milliseconds(e.seconds().getAsDouble()))
				: "did not end in time"));
		}
		wisdom.calibrations().forEach((device, constants) -> out.println("calibrated (" + device + "): " + constants.entrySet().stream()
			.map(c -> c.getKey() + " " + time(c.getValue().measured())).collect(Collectors.joining(", "))));
	}
}
