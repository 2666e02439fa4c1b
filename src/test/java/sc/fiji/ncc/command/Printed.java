package sc.fiji.ncc.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.Callable;

/** What a command wrote to the standard output, which is ImageJ's log without windows. */
record Printed(String text) {

	static Printed during(final Callable<?> command) throws Exception {
		final ByteArrayOutputStream printed = new ByteArrayOutputStream();
		final PrintStream out = System.out;
		System.setOut(new PrintStream(printed, true));
		try {
			command.call();
		}
		finally {
			System.setOut(out);
		}
		return new Printed(printed.toString());
	}
}
