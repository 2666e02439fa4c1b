package sc.fiji.ncc.plan;

/** How the best candidate is found. What was measured before is used either way. */
public enum Effort {
	/** By the cost models. */
	ESTIMATE,
	/** Each candidate runs on random data of the problem's shape, and what it took is remembered. */
	MEASURE
}
