package sc.fiji.ncc.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

import sc.fiji.ncc.cli.output.Outputs;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.run.Parts;

/** A command of {@code ncc}. */
@Command(mixinStandardHelpOptions = true, versionProvider = Subcommand.Version.class)
abstract class Subcommand implements Callable<Integer> {

	/** The version from the manifest of the jar. */
	static final class Version implements IVersionProvider {

		@Override
		public String[] getVersion() {
			return new String[] { text() };
		}

		static String text() {
			final String version = Version.class.getPackage().getImplementationVersion();
			return "ncc " + (version == null ? "(not packaged)" : version);
		}
	}

	@Spec
	private CommandSpec spec;
	/** Where the command prints. */
	Terminal program;
	/** What computes; null for this process. */
	Cluster cluster;

	/** Sets where the command prints and what computes. */
	final Subcommand in(final Terminal terminal, final Cluster computing) {
		program = terminal;
		cluster = computing;
		return this;
	}

	/** The names of the options that the user gave. */
	final List<String> given() {
		return spec.commandLine().getParseResult().matchedOptions().stream().map(OptionSpec::longestName).toList();
	}

	/** @throws IllegalArgumentException if an option is out of range, or options contradict each other */
	void check() {}

	/**
	 * Does the work. What it does not commit is deleted.
	 *
	 * @param progress ends the work if the user interrupts the program
	 */
	abstract void run(Outputs outputs, ProgressBar progress) throws IOException;

	@Override
	public final Integer call() throws IOException {
		check();
		try (Outputs outputs = new Outputs(); ProgressBar progress = program.progress(outputs::canceled)) {
			run(outputs, progress);
			if (cluster != null) program.out().println(cluster.summary());
		}
		return 0;
	}

	/**
	 * Opens the parts of the work that a process of a cluster computes.
	 *
	 * @param kind one of the kinds that the command hands to its cluster
	 */
	Parts parts(final Class<? extends Parts> kind, final ClusterTask.Command command) throws IOException {
		throw new IllegalStateException(getClass().getSimpleName() + " has no " + kind.getSimpleName());
	}
}
