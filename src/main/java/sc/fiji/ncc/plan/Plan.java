package sc.fiji.ncc.plan;

/** One algorithm for one problem on one device. A plan holds no resources until it is prepared. How it is prepared depends on the kind of problem. */
public interface Plan {

	/** The predicted cost. */
	Cost cost();
}
