package sc.fiji.ncc.command.imagej;

import java.util.LinkedList;

import org.scijava.Priority;
import org.scijava.console.AbstractConsoleArgument;
import org.scijava.console.ConsoleArgument;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.Batch;

/**
 * Detects the option {@code -batch} of ImageJ2. ImageJ2 has no query for its options, so this plugin reads them while ImageJ2 searches a handler for each
 * argument. It handles no argument itself, because ImageJ2 drops arguments that have a handler.
 */
@Plugin(type = ConsoleArgument.class, priority = Priority.VERY_HIGH)
public final class BatchArgument extends AbstractConsoleArgument {

	@Override
	public boolean supports(final LinkedList<String> args) {
		if (args.contains(Batch.OPTION)) Batch.begin();
		return false;
	}

	@Override
	public void handle(final LinkedList<String> args) {
		throw new IllegalStateException("Internal error: this plugin handles no argument, but was called for " + args);
	}
}
