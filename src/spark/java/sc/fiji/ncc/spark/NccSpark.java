package sc.fiji.ncc.spark;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

import org.apache.spark.SparkConf;

import sc.fiji.ncc.cli.Main;
import sc.fiji.ncc.cli.output.ProgressBar;
import sc.fiji.ncc.cli.output.Terminal;

/**
 * The command line on a cluster: the commands {@link Main#CLUSTER_COMMANDS}, with the arguments and the exit codes of {@link Main}. {@code spark-submit}
 * starts it. It also runs by itself, with Spark's jars on the class path and the options {@code --master URL} and {@code --conf NAME=VALUE} before the command.
 */
public final class NccSpark {

	private static final String USAGE = "usage: ncc-spark [--master URL] [--conf NAME=VALUE]... " + String.join("|", Main.CLUSTER_COMMANDS) + " IMAGE.zarr [TEMPLATE]... -o OUTPUT [OPTION]...";

	private NccSpark() {}

	public static void main(final String[] arguments) {
		System.setProperty("java.awt.headless", "true");
		// spark-submit has its own settings; by itself, Spark would print a page at each start
		if (System.getProperty("spark.master") == null && System.getProperty("log4j2.configurationFile") == null)
			System.setProperty("log4j2.configurationFile", "ncc-spark-log4j2.properties");
		System.exit(run(arguments, System.out, System.err, ProgressBar.terminal()));
	}

	/**
	 * Runs a command line. Starts Spark when the command needs it.
	 *
	 * @param terminal whether to draw progress bars on {@code err}
	 * @return the exit code
	 */
	static int run(final String[] arguments, final PrintStream out, final PrintStream err, final boolean terminal) {
		final SparkConf conf = new SparkConf();
		int next = 0;
		for (; next + 1 < arguments.length && (arguments[next].equals("--master") || arguments[next].equals("--conf")); next += 2) {
			final String value = arguments[next + 1];
			if (arguments[next].equals("--master")) conf.setMaster(value);
			else if (value.indexOf('=') > 0) conf.set(value.substring(0, value.indexOf('=')), value.substring(value.indexOf('=') + 1));
			else return usage(err, "--conf " + value + ": give NAME=VALUE");
		}
		if (next == arguments.length || !Main.CLUSTER_COMMANDS.contains(arguments[next]))
			return usage(err, next == arguments.length ? "no command" : "the command '" + arguments[next] + "' is not offered on a cluster: use ncc on one machine");
		final String[] command = Arrays.copyOfRange(arguments, next, arguments.length);
		try (SparkCluster cluster = new SparkCluster(conf, List.of(command))) {
			return Main.run(command, new Terminal(out, err, terminal), cluster);
		}
	}

	private static int usage(final PrintStream err, final String what) {
		err.println("ncc-spark: " + what + "; " + USAGE);
		return 2;
	}
}
