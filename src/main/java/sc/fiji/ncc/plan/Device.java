package sc.fiji.ncc.plan;

/**
 * A processor or GPU that runs algorithms.
 *
 * @param id stable and short, for example {@code cpu}
 * @param name for the user; devices with different speed have different names
 * @param parallelism the number of threads or multiprocessors in use
 * @param memory the bytes that plans may use
 * @param constants the constants of the cost models of its algorithms
 */
public record Device(String id, String name, int parallelism, long memory, Constants constants) {

	/** A device with the shipped constants. */
	public Device(final String id, final String name, final int parallelism, final long memory) {
		this(id, name, parallelism, memory, Constants.SHIPPED);
	}

	/** The same device with other constants. */
	public Device with(final Constants others) {
		return new Device(id, name, parallelism, memory, others);
	}

	/** The same device with another number of threads or multiprocessors in use. */
	public Device with(final int otherParallelism) {
		return new Device(id, name, otherParallelism, memory, constants);
	}

	/** The key of this device's measurements in {@link sc.fiji.ncc.planner.Wisdom}. */
	public String key() {
		return id + ": " + name;
	}
}
