package sc.fiji.ncc.command;

import java.util.Arrays;
import java.util.List;

import ij.ImageJ;

/**
 * The exit code of batch runs. ImageJ runs a single macro if {@code -batch} stands on its command line. If a command fails in such a run, the program
 * ends with code 1. ImageJ itself would end with code 0, or open a dialog and wait.
 */
public final class Batch {

	/** The option on ImageJ's command line. */
	public static final String OPTION = "-batch";
	private static final int FAILED = 1;

	/** Whether ImageJ2 was started with {@link #OPTION}. */
	private static volatile boolean started;

	private Batch() {}

	/** Notes that ImageJ2 was started with {@link #OPTION}. */
	public static void begin() {
		started = true;
	}

	/** @return whether the program runs a single macro and then ends */
	public static boolean isRunning() {
		return started || arguments().contains(OPTION);
	}

	/** @return the command line of plain ImageJ; empty in an application without ImageJ 1.x */
	private static List<String> arguments() {
		try {
			final String[] arguments = ImageJ.getArgs();
			// ImageJ replaces the folder after -ijpath by null
			return arguments == null ? List.of() : Arrays.asList(arguments);
		}
		catch (final NoClassDefFoundError e) {
			return List.of();
		}
	}

	/**
	 * Ends a batch run with a line on standard error. Does nothing in other runs. Macros can call it:
	 * {@code call("sc.fiji.ncc.command.Batch.fail", "The file a.tif does not exist");}
	 *
	 * @return an empty text, which ImageJ's {@code call} requires
	 */
	public static String fail(final String reason) {
		if (isRunning()) {
			System.err.println(reason);
			end();
		}
		return "";
	}

	/** Ends a batch run. Does nothing in other runs. The caller reports the reason before. */
	public static void end() {
		if (!isRunning()) return;
		System.out.flush();
		System.err.flush();
		System.exit(FAILED);
	}
}
