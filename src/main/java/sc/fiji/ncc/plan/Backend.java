package sc.fiji.ncc.plan;

import java.util.List;
import java.util.Optional;

/** A family of devices with the algorithms that run on them. */
public interface Backend {

	/** {@code cpu} or {@code cuda}. */
	String id();

	/** The reason, for the user, why this machine cannot use the backend. Empty if it can. */
	Optional<String> unavailable();

	/** The devices, best first. Empty if the backend is unavailable. */
	List<Device> devices();

	/** The algorithms for all kinds of problems, most specialised first. The planner takes the first of two that cost the same. */
	List<? extends Algorithm<?>> algorithms();

	/** The device that searches bounded banks. Default: none. */
	default Optional<BoundedSearcher> boundedSearcher() {
		return Optional.empty();
	}
}
