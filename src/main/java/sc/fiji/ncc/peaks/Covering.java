package sc.fiji.ncc.peaks;

/** Decides which candidates the accepted ones suppress. */
public interface Covering {

	/** Whether an accepted candidate suppresses the one at this position. */
	boolean covers(long[] position);

	/** Adds a candidate to the accepted ones. */
	void accept(long[] position);
}
