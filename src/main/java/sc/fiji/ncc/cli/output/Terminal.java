package sc.fiji.ncc.cli.output;

import java.io.PrintStream;
import java.util.function.BooleanSupplier;

/**
 * Where a command prints.
 *
 * @param out results
 * @param err errors and progress
 * @param interactive whether {@code err} is a terminal on which progress is drawn
 */
public record Terminal(PrintStream out, PrintStream err, boolean interactive) {

	/** @param canceled polled; true ends the work */
	public ProgressBar progress(final BooleanSupplier canceled) {
		return new ProgressBar(err, interactive, canceled, System::nanoTime);
	}
}
