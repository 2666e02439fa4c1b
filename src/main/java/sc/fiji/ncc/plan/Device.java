package sc.fiji.ncc.plan;

/**
 * A thing that computes.
 *
 * @param id stable and short, as in {@code cpu}
 * @param name for people; differs where measured times do
 * @param parallelism threads or multiprocessors at work
 * @param memory bytes that plans may use
 * @param constants what the cost models of its algorithms are made of
 */
public record Device(String id, String name, int parallelism, long memory, Constants constants) {

	/** A device as it ships. */
	public Device(final String id, final String name, final int parallelism, final long memory) {
		this(id, name, parallelism, memory, Constants.SHIPPED);
	}

	/** The same device, other constants. */
	Device with(final Constants others) {
		return new Device(id, name, parallelism, memory, others);
	}

	/** Under which what was measured on it is kept. */
	String key() {
		return id + ": " + name;
	}
}
