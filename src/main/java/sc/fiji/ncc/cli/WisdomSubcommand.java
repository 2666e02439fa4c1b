package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.planner.Planner;
import sc.fiji.ncc.planner.Wisdom;

/** {@code ncc wisdom}: what was measured on this machine. */
@Command(name = "wisdom", mixinStandardHelpOptions = true, versionProvider = VersionProvider.class, description = {
	"Shows or forgets what --effort measure and plan --calibrate have measured on this machine: how long each method took for a problem, and what "
		+ "estimates are made of.",
	"It is kept in .ncc/wisdom.txt in your home folder, or in the file that java -Dncc.wisdom=FILE names, and serves all commands and the plugin. "
		+ "A new version with other methods measures problems anew; another device, another number of threads or another Java has times of its own." })
final class WisdomSubcommand implements Callable<Integer> {

	enum Action { SHOW, CLEAR }

	private final Terminal program;

	@Parameters(index = "0", paramLabel = "show|clear", description = {
		"show: print each problem and device that was measured, and the time each method took there; and the constants of each device that was "
			+ "calibrated.", "clear: forget it all." })
	private Action action;

	WisdomSubcommand(final Terminal program) {
		this.program = program;
	}

	@Override
	public Integer call() throws IOException {
		final Wisdom wisdom = new Planner(Backends.all(Runtime.getRuntime().availableProcessors())).wisdom();
		final List<Wisdom.Entry> entries = wisdom.entries();
		if (action == Action.SHOW) show(wisdom, entries);
		else {
			final int calibrations = wisdom.calibrations().size();
			wisdom.clear();
			program.out().println("forgot " + count(entries.size()) + (calibrations == 0 ? "" : " and the calibration") + ": " + wisdom.file());
		}
		return 0;
	}

	/** Three digits of it. */
	static String time(final double seconds) {
		final boolean milli = seconds >= 1e-5;
		return new BigDecimal((milli ? 1e3 : 1e9) * seconds).round(new MathContext(3)).toPlainString() + (milli ? " ms" : " ns");
	}

	private static String count(final int measurements) {
		return measurements + (measurements == 1 ? " measurement" : " measurements");
	}

	private void show(final Wisdom wisdom, final List<Wisdom.Entry> entries) {
		final PrintStream out = program.out();
		out.println(entries.isEmpty() ? "nothing is known: ncc plan --effort measure measures; it would be kept in " + wisdom.file()
			: count(entries.size()) + " in " + wisdom.file());
		String heading = "";
		for (final Wisdom.Entry e : entries) {
			final String now = e.problem() + " (" + e.device() + ")";
			if (!now.equals(heading)) out.println(heading = now);
			out.println(String.format(Locale.ROOT, "  %-18s %s", e.algorithm(),
				e.seconds().isPresent() ? String.format(Locale.ROOT, "%12.3f ms", 1e3 * e.seconds().getAsDouble()) : "did not end in time"));
		}
		wisdom.calibrations().forEach((device, constants) -> out.println("calibrated (" + device + "): " + constants.entrySet().stream()
			.map(c -> c.getKey() + " " + time(c.getValue().measured())).collect(Collectors.joining(", "))));
	}
}
