package sc.fiji.ncc.plan;

import java.util.Optional;
import java.util.Set;

/** One way to solve a problem. Stateless. */
public interface Algorithm {

	/** Stable, lower case, backend first: {@code cpu-direct}. */
	String id();

	/** What it computes. */
	default Operation operation() {
		return Operation.NCC;
	}

	/** How exactly. */
	default Set<Precision> precisions() {
		return Set.of(Precision.SINGLE);
	}

	/** Why it does not apply, in words for people; empty if it does. */
	Optional<String> unsupported(Problem problem);

	/** Cheap: nothing is allocated. Only for problems that are supported. */
	Plan plan(Problem problem, Device device);
}
