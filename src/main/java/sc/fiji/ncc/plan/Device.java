package sc.fiji.ncc.plan;

/**
 * A thing that computes.
 *
 * @param id stable and short, as in {@code cpu}
 * @param name for people
 * @param parallelism threads or multiprocessors at work
 * @param memory bytes that plans may use
 */
public record Device(String id, String name, int parallelism, long memory) {}
