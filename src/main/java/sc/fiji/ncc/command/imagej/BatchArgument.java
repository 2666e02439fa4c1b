package sc.fiji.ncc.command.imagej;

import java.util.LinkedList;

import org.scijava.Priority;
import org.scijava.console.AbstractConsoleArgument;
import org.scijava.console.ConsoleArgument;
import org.scijava.plugin.Plugin;

import sc.fiji.ncc.command.Batch;

/**
 * Notes that ImageJ2 was started with {@code -batch}, which it tells nobody. It does so when it is asked what it supports, which is nothing: ImageJ2 drops
 * an argument that whoever handles it leaves where it is.
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
		throw new IllegalStateException("it handles no argument, and was asked to handle " + args);
	}
}
