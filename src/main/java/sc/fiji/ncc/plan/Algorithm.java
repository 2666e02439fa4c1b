package sc.fiji.ncc.plan;

import java.util.Optional;

/**
 * One method that solves one kind of problem. Algorithms are stateless.
 *
 * @param <P> the kind of problem
 */
public interface Algorithm<P extends Problem> {

	/** A stable id in lower case that begins with the backend: {@code cpu-direct}. */
	String id();

	/** The key of its measurements: the id, and what else its times depend on besides problem and device. Default: the id. */
	default String key() {
		return id();
	}

	/** The kind of problem that it solves. */
	Class<P> kind();

	/** Whether the planner considers it for a problem although the caller did not name it. Default: true. */
	default boolean isCandidate(final P problem) {
		return true;
	}

	/** The reason, for the user, why this algorithm does not support the problem. Default: empty, it supports all problems of its kind. */
	default Optional<String> unsupported(final P problem) {
		return Optional.empty();
	}

	/** The same on a device, whose memory may not suffice. Default: the device makes no difference. */
	default Optional<String> unsupported(final P problem, final Device device) {
		return unsupported(problem);
	}

	/** The same for a problem of any kind. An algorithm does not support problems of other kinds. */
	default Optional<String> refuses(final Problem problem, final Device device) {
		return kind().isInstance(problem) ? unsupported(kind().cast(problem), device) : Optional.of("it solves other problems");
	}

	/** Makes a plan for a problem of its kind. */
	default Plan planAny(final Problem problem, final Device device) {
		return plan(kind().cast(problem), device);
	}

	/** Makes a plan. This is cheap and allocates no working memory. Call it only for supported problems. */
	Plan plan(P problem, Device device);
}
