package sc.fiji.ncc.plan;

import java.nio.ByteBuffer;

/** Memory outside Java's heap from which a device takes pixels by itself. Closing gives it back, twice does nothing. */
public interface Staging extends AutoCloseable {

	/** All of it, in the machine's order of bytes; not to be touched once this is closed. */
	ByteBuffer bytes();

	@Override
	void close();
}
