package sc.fiji.ncc.estimate;

/** The order in which a loop adds the products of a sum. It decides which partial sums are rounded. */
public interface Additions {

	/** Receives the additions of one sum, in their order. */
	interface Sum {

		/** A sum starts: what was added before is kept. The sum of both is rounded once, at the end. */
		void start();

		/** Adds coefficients {@code i .. i + n - 1}: their products are added up first, the last one first, and then added to the sum. */
		void add(int i, int n);
	}

	/** The number of different orders: some sums of a loop may have another order than others. */
	int phases();

	/** Walks through the additions of one sum. */
	void walk(int phase, Sum sum);
}
