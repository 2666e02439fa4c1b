package sc.fiji.ncc.fiji;

import net.imagej.patcher.LegacyInjector;

import org.scijava.Context;
import org.scijava.console.ConsoleService;
import org.scijava.startup.StartupService;

/** ImageJ2 without windows, as Fiji starts it: patches ImageJ 1.x before any of it is loaded, then does what the command line says. */
final class HeadlessFiji {

	static {
		LegacyInjector.preinit();
	}

	private HeadlessFiji() {}

	public static void main(final String[] args) {
		try (Context context = new Context()) {
			context.service(ConsoleService.class).processArgs(args);
			// what --run asks for waits for this
			context.service(StartupService.class).executeOperations();
		}
		System.exit(0);
	}
}
