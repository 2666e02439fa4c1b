package sc.fiji.ncc.ij1;

import ij.IJ;
import ij.plugin.PlugIn;

/**
 * The entry of each line of {@code plugins.config}. Maven compiles this class for Java 8, so that ImageJ on an old Java shows a message in place of the error
 * of the class loader. It reaches the other classes by name only.
 */
public final class NccPlugIn implements PlugIn {

	private static final String RUNNER = "sc.fiji.ncc.ij1.CommandRunner";

	/** @param command the name of a class that extends {@code NccCommand} */
	@Override
	public void run(final String command) {
		final PlugIn runner;
		try {
			runner = (PlugIn) Class.forName(RUNNER, true, NccPlugIn.class.getClassLoader()).getDeclaredConstructor().newInstance();
		}
		catch (final UnsupportedClassVersionError e) {
			// Java 8 calls itself 1.8
			IJ.error("NCC", "Normalized cross-correlation needs Java 17 or later. This program runs on Java "
				+ System.getProperty("java.specification.version").replaceFirst("^1\\.", "") + ".\nFiji-Latest has Java 17 or later. Fiji-Stable has Java 8.");
			return;
		}
		catch (final ReflectiveOperationException e) {
			throw new IllegalStateException("Internal error: cannot create " + RUNNER, e);
		}
		runner.run(command);
	}
}
