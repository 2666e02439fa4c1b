package sc.fiji.ncc.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine;

import sc.fiji.ncc.cli.input.FailureReason;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;
import sc.fiji.ncc.cli.output.UnfinishedException;
import sc.fiji.ncc.front.ChannelChoice;
import sc.fiji.ncc.front.ChoiceText;
import sc.fiji.ncc.front.WholeNumbers;
import sc.fiji.ncc.front.WrittenNumber;
import sc.fiji.ncc.option.Border;
import sc.fiji.ncc.option.Outside;
import sc.fiji.ncc.option.Undefined;
import sc.fiji.ncc.plan.Size;
import sc.fiji.ncc.result.NccException;
import sc.fiji.ncc.store.InputDataException;

/**
 * The command line. Without arguments it runs the demonstration. Exit codes: 0 if the command is done; 2 if the call or an input is wrong; 1 if the machine
 * failed. With 1 and 2, one line on the standard error stream gives the reason.
 */
@Command(name = "ncc", mixinStandardHelpOptions = true, versionProvider = Subcommand.Version.class,
	description = { "Normalized cross-correlation: finds where a template occurs in an image, in 2D and 3D. Also convolution.",
		"Without a command it runs a demonstration, which writes correlation.tif, matches.csv and result.png to target/demo." },
	footer = { "", "Exit codes: 0: done. 2: the call or an input is wrong. One line says what is wrong and what to do. An input is wrong if it is missing, damaged, not "
			+ "supported, or changed by another program during the run. 1: the machine failed (memory, disk, device), or the run was "
			+ "cancelled. One line gives the reason. The same call may succeed later.",
		"An output is complete or absent. Inputs are never written to." })
public final class Main implements Callable<Integer> {

	static final List<String> COMMANDS = List.of("correlate", "match", "track", "align", "register", "stitch", "motion", "convolve", "plan",
		"wisdom", "devices", "sample");

	/** The commands that a cluster computes. */
	public static final List<String> CLUSTER_COMMANDS = List.of("correlate", "match", "align", "motion", "stitch", "convolve");

	private final PrintStream out;

	private Main(final PrintStream out) {
		this.out = out;
	}

	public static void main(final String[] arguments) {
		// drawings need no screen, and a machine without a screen must not fail
		System.setProperty("java.awt.headless", "true");
		System.exit(run(arguments, System.out, System.err, ProgressBar.terminal()));
	}

	/**
	 * Runs a command line.
	 *
	 * @param terminal whether to draw progress bars on {@code err}
	 * @return the exit code
	 */
	static int run(final String[] arguments, final PrintStream out, final PrintStream err, final boolean terminal) {
		return run(arguments, new Terminal(out, err, terminal), null);
	}

	/**
	 * Runs a command line. {@code help match} stands for {@code match --help}.
	 *
	 * @param cluster what computes; null for this process
	 * @return the exit code
	 */
	public static int run(final String[] arguments, final Terminal terminal, final Cluster cluster) {
		final PrintStream err = terminal.err();
		final String first = arguments.length == 0 ? "" : arguments[0];
		if (first.equals("help")) return run(Stream.concat(Arrays.stream(arguments).skip(1), Stream.of("--help")).toArray(String[]::new), terminal, cluster);
		// after a word that is no command, options are not those of a command, and --help would hide the mistake
		final boolean command = first.isEmpty() || first.startsWith("-") || COMMANDS.contains(first);
		try {
			return commandLine(first, terminal, cluster).execute(command ? arguments : new String[] { first });
		}
		catch (final OutOfMemoryError e) {
			err.println("ncc: out of memory (" + line(e.getMessage()) + "): give Java more, as in java -Xmx16g -jar ncc-cli.jar, or compute a part with --search");
			return CommandLine.ExitCode.SOFTWARE;
		}
	}

	/**
	 * Makes the parser.
	 *
	 * @param first the first argument; if it is a subcommand, the parser has only this one
	 * @param cluster what computes; null for this process
	 */
	static CommandLine commandLine(final String first, final Terminal terminal, final Cluster cluster) {
		final CommandLine line = new CommandLine(new Main(terminal.out()));
		final List<String> commands = cluster == null ? COMMANDS : CLUSTER_COMMANDS;
		for (final String name : commands) {
			// reading the annotations of a subcommand takes tens of milliseconds, and only the help needs the others
			if (!commands.contains(first) || name.equals(first)) line.addSubcommand(command(name).in(terminal, cluster));
		}
		registerConverters(line);
		line.setOut(new PrintWriter(terminal.out(), true)).setErr(new PrintWriter(terminal.err(), true));
		line.setCaseInsensitiveEnumValuesAllowed(true);
		line.setUsageHelpWidth(110);
		line.setParameterExceptionHandler((e, arguments) -> mistake(terminal.err(), e));
		line.setExecutionExceptionHandler((e, command, parsed) -> failure(terminal.err(), e));
		return line;
	}

	/** The parsers that the Fiji commands use, too. Java's own parsers of numbers accept too much. */
	private static void registerConverters(final CommandLine line) {
		final ITypeConverter<Integer> whole = text -> number(text, "a whole number", WrittenNumber::toInt);
		final ITypeConverter<Long> large = text -> number(text, "a whole number", WrittenNumber::toLong);
		final ITypeConverter<Double> real = text -> number(text, "a number", WrittenNumber::toDouble);
		// an empty name would be that of the folder in which the program runs
		line.registerConverter(String.class, text -> {
			if (text.isBlank()) throw new TypeConversionException("'" + text + "' is empty: give a name or a value, or leave it out");
			return text;
		});
		line.registerConverter(WholeNumbers.class, text -> parsed(text, WholeNumbers::parse)).registerConverter(Size.class, text -> parsed(text, WholeNumbers::size))
			.registerConverter(Border.class, text -> parsed(text, t -> ChoiceText.border(t, 0)))
			.registerConverter(Undefined.class, text -> parsed(text, ChoiceText::undefined))
			.registerConverter(Outside.class, text -> parsed(text, Outside::of)).registerConverter(ChannelChoice.class, text -> parsed(text, ChannelChoice::of));
		line.registerConverter(int.class, whole).registerConverter(Integer.class, whole).registerConverter(long.class, large).registerConverter(Long.class, large)
			.registerConverter(double.class, real).registerConverter(Double.class, real);
	}

	private static <T> T number(final String text, final String kind, final Function<String, T> parser) {
		try {
			return parser.apply(text);
		}
		catch (final NumberFormatException e) {
			throw new TypeConversionException("'" + text + "' is not " + kind);
		}
	}

	private static <T> T parsed(final String text, final Function<String, T> parser) {
		try {
			return parser.apply(text);
		}
		catch (final IllegalArgumentException e) {
			throw new TypeConversionException(e.getMessage());
		}
	}

	private static Subcommand command(final String name) {
		return switch (name) {
			case "correlate" -> new CorrelateSubcommand();
			case "match" -> new MatchSubcommand();
			case "track" -> new TrackSubcommand();
			case "align" -> new AlignSubcommand();
			case "register" -> new RegisterSubcommand();
			case "stitch" -> new StitchSubcommand();
			case "motion" -> new MotionSubcommand();
			case "convolve" -> new ConvolveSubcommand();
			case "plan" -> new PlanSubcommand();
			case "wisdom" -> new WisdomSubcommand();
			case "devices" -> new DevicesSubcommand();
			case "sample" -> new SampleSubcommand();
			default -> throw new IllegalArgumentException("unknown command '" + name + "'");
		};
	}

	@Override
	public Integer call() throws IOException {
		new Demo(out).run(Path.of("target", "demo"));
		return 0;
	}

	private static int mistake(final PrintStream err, final ParameterException e) {
		final String command = e.getCommandLine().getCommandSpec().qualifiedName();
		err.println("ncc: " + line(unknown(e.getCommandLine()).orElseGet(() -> wrongValue(e))) + " (" + command + " --help lists the options)");
		return CommandLine.ExitCode.USAGE;
	}

	/** The message of a parser, whatever its exception, without the words of Java around it. */
	private static String wrongValue(final ParameterException e) {
		final Throwable cause = e.getCause();
		final ArgSpec argument = e.getArgSpec();
		if (argument == null) return e.getMessage();
		final String name = argument.isOption() ? "option '" + ((OptionSpec) argument).longestName() + "'" : "'" + argument.paramLabel() + "'";
		if (cause instanceof IllegalArgumentException) return "invalid value for " + name + ": " + cause.getMessage();
		if (!argument.type().isEnum() || e.getValue() == null) return e.getMessage();
		final String values = argument.paramLabel().contains("|") ? argument.paramLabel() : Arrays.stream(argument.type().getEnumConstants())
			.map(value -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT)).collect(Collectors.joining("|"));
		return "'" + e.getValue() + "' is not a value of " + name + ": give " + values.replace("|", ", ").replaceFirst(", ([^,]*)$", " or $1");
	}

	/** A message about an unknown option or argument. It comes before messages about missing options, because a misspelt option is also missing. */
	private static Optional<String> unknown(final CommandLine command) {
		final List<String> words = command.getUnmatchedArguments();
		final Optional<String> option = words.stream().filter(w -> w.matches("-[^0-9.].*")).map(w -> w.replaceFirst("=.*", "")).findFirst();
		if (option.isPresent()) return Optional.of("unknown option '" + option.get() + "'"
			+ Suggestion.of(option.get(), command.getCommandSpec().options().stream().flatMap(o -> Stream.of(o.names())).toList()));
		if (words.isEmpty()) return Optional.empty();
		if (command.getSubcommands().isEmpty()) return Optional.of("unexpected argument '" + words.get(0) + "'");
		final String suggestion = Suggestion.of(words.get(0), COMMANDS);
		return Optional.of("unknown command '" + words.get(0) + "'" + suggestion + (suggestion.isEmpty() ? "; commands: " : " Commands: ") + String.join(", ", COMMANDS));
	}

	/** Prints the reason of a failure, and returns the exit code. */
	static int failure(final PrintStream err, final Exception e) {
		if (e instanceof UnfinishedException) {
			final int code = failure(err, (Exception) e.getCause());
			err.println("ncc: " + line(e.getMessage()));
			return code;
		}
		if (e instanceof IllegalArgumentException || InputDataException.caused(e)) {
			err.println("ncc: " + line(e.getMessage()));
			return CommandLine.ExitCode.USAGE;
		}
		if (e instanceof CancellationException) err.println("ncc: cancelled; no output was written");
		else if (e instanceof IOException || e instanceof UncheckedIOException)
			err.println("ncc: cannot read or write a file: " + line(FailureReason.of(e instanceof IOException ? e : (IOException) e.getCause())));
		else if (e instanceof NccException) err.println("ncc: " + line(e.getMessage()));
		else {
			// a bug, which needs the stack trace
			err.println("ncc: internal error: " + line(e.toString()));
			e.printStackTrace(err);
		}
		return CommandLine.ExitCode.SOFTWARE;
	}

	private static String line(final String message) {
		return message == null ? "" : message.replaceAll("\\s*\\R\\s*", "; ");
	}
}
