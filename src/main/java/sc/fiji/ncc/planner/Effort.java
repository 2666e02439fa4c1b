package sc.fiji.ncc.planner;

/** How the planner finds the best candidate. Both use earlier measurements. */
public enum Effort {
	/** Predict times with the cost models. */
	ESTIMATE,
	/** Run each candidate on random data of the problem's shape, and keep the times. */
	MEASURE
}
