package sc.fiji.ncc.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Counts tasks that fail, and after the first one removes the reason. Spark makes it by its name. */
public final class FailedTasks extends SparkListener {

	static final AtomicInteger COUNT = new AtomicInteger();
	/** A folder at the place of a chunk, with a file. */
	static volatile Path obstacle;

	@Override
	public void onTaskEnd(final SparkListenerTaskEnd end) {
		if (end.reason() == Success$.MODULE$ || COUNT.getAndIncrement() > 0 || obstacle == null) return;
		try {
			Files.delete(obstacle.resolve("file"));
			Files.delete(obstacle);
		}
		catch (final IOException e) {
			throw new UncheckedIOException(e);
		}
	}
}
