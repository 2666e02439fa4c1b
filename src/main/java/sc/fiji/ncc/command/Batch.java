package sc.fiji.ncc.command;

import java.util.List;

import ij.ImageJ;

/**
 * Runs of a macro by {@code -batch} on the command line, where nobody sees a dialog and a script looks at the exit code: what fails ends the program
 * with code 1. ImageJ itself would end with 0, or wait for someone to close its dialog.
 */
public final class Batch {

	/** What ImageJ calls it. */
	public static final String OPTION = "-batch";
	private static final int FAILED = 1;

	/** Whether ImageJ2 was started so. */
	private static volatile boolean begun;

	private Batch() {}

	public static void begin() {
		begun = true;
	}

	/** Whether the program runs one macro and ends. */
	public static boolean isRunning() {
		return begun || arguments().contains(OPTION);
	}

	/** The command line of plain ImageJ. Empty in an application without ImageJ 1.x. */
	private static List<String> arguments() {
		try {
			final String[] arguments = ImageJ.getArgs();
			return arguments == null ? List.of() : List.of(arguments);
		}
		catch (final NoClassDefFoundError e) {
			return List.of();
		}
	}

	/**
	 * Ends the program with a line on standard error, if it runs one macro. A macro may call it, too:
	 * {@code call("sc.fiji.ncc.command.Batch.fail", "There is no image");}
	 *
	 * @return nothing, for the macro
	 */
	public static String fail(final String reason) {
		if (isRunning()) {
			System.err.println(reason);
			end();
		}
		return "";
	}

	/** Ends the program, if it runs one macro; what is wrong was said before. */
	public static void end() {
		if (!isRunning()) return;
		System.out.flush();
		System.err.flush();
		System.exit(FAILED);
	}
}
