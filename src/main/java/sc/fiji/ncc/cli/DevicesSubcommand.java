package sc.fiji.ncc.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import picocli.CommandLine.Command;

import sc.fiji.ncc.Backends;
import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.gain.VectorGain;
import sc.fiji.ncc.plan.Backend;
import sc.fiji.ncc.plan.Device;

/** {@code ncc devices}: the backends and devices of this machine. */
@Command(name = "devices", description = {
	"Lists the backends, their devices and their algorithms: the values of --backend and --algorithm. If a backend is not available, it prints the reason." })
final class DevicesSubcommand extends Subcommand {

	@Override
	void run(final Outputs outputs, final ProgressBar progress) {
		for (final Backend backend : Backends.all(Runtime.getRuntime().availableProcessors())) {
			final Optional<String> reason = backend.unavailable();
			program.out().println(backend.id() + reason.map(r -> ": not available: " + r).orElse(""));
			for (final Device d : backend.devices())
				program.out().println(String.format(Locale.ROOT, "  device     %s, %s, parallelism %d, %.1f GB", d.id(), d.name(), d.parallelism(), d.memory() / 1e9));
			if (reason.isPresent()) continue;
			program.out().println("  algorithms " + backend.algorithms().stream().map(a -> a.id()).collect(Collectors.joining(", ")));
		}
		program.out().println("Vector API: " + VectorGain.describe());
	}
}
