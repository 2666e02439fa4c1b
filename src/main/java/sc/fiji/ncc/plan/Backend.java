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

	/** Whether images of some hundred pixels a side take so short a time that their costs depend on launches only. Default: no. */
	default boolean fast() {
		return false;
	}
}
