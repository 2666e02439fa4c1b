package sc.fiji.ncc.plan;

import java.nio.ByteBuffer;

/** Memory outside the Java heap that a device reads directly. Closing releases it; a second close does nothing. */
public interface Staging extends AutoCloseable {

	/** The memory, in native byte order. Do not access it after closing. */
	ByteBuffer bytes();

	@Override
	void close();
}
