package sc.fiji.ncc.command;

import java.util.LinkedList;

import org.scijava.Priority;
import org.scijava.console.AbstractConsoleArgument;
import org.scijava.console.ConsoleArgument;
import org.scijava.plugin.Plugin;

/** Notes that ImageJ2 was started with {@code -batch}, which it tells nobody, and leaves the argument to ImageJ2. */
@Plugin(type = ConsoleArgument.class, priority = Priority.VERY_HIGH)
public final class BatchArgument extends AbstractConsoleArgument {

	private boolean noted;

	@Override
	public boolean supports(final LinkedList<String> args) {
		return !noted && args.contains(Batch.OPTION);
	}

	@Override
	public void handle(final LinkedList<String> args) {
		noted = true;
		Batch.begin();
	}
}
