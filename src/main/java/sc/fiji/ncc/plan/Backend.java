package sc.fiji.ncc.plan;

import java.util.List;
import java.util.Optional;

/** A family of devices and the algorithms for them. */
public interface Backend {

	/** {@code cpu} or {@code cuda}. */
	String id();

	/** Why it cannot be used on this machine, in words; empty if it can. */
	Optional<String> unavailable();

	/** The devices, best first; empty if unavailable. */
	List<Device> devices();

	/** The algorithms, most specialised first: of two that cost the same the first is taken. */
	List<Algorithm> algorithms();
}
