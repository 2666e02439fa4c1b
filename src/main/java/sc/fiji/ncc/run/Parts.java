package sc.fiji.ncc.run;

import sc.fiji.ncc.plan.Monitor;

/** The work of a command in numbered boxes that several processes compute. Processes that open the parts of one command number the boxes alike. */
public interface Parts extends AutoCloseable {

	/** The number of boxes of all frames. */
	long count();

	/** Receives the progress, and can cancel. */
	Monitor monitor();

	/** The names of the chosen algorithms. */
	String algorithms();

	/** Releases the memory, the threads and the devices. */
	@Override
	void close();
}
