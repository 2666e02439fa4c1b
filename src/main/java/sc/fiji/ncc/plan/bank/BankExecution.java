package sc.fiji.ncc.plan.bank;

import java.util.List;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Report;

/** A prepared plan for the best member of each window. One thread at a time calls it. {@link #close} releases all memory. */
public interface BankExecution extends Plan.Prepared {

	/**
	 * The lags at which the windows of a family begin.
	 *
	 * @param first the first lag, that is the first pixel of a window's box
	 * @param count the number of lags along each dimension; 0 if there are none
	 */
	record Range(long[] first, long[] count) {

		public boolean isEmpty() {
			return lags() == 0;
		}

		/** The number of lags. */
		public long lags() {
			long n = 1;
			for (final long c : count) n = Math.multiplyExact(n, c);
			return n;
		}
	}

	/** Receives what was found. Calls do not overlap. */
	interface Receiver {

		/**
		 * Takes the windows of a box in which a member reaches the minimum score. A code of at least 0 is the member with the exact score, of equal scores the first
		 * one. {@code -1 - m} is the member m with a score within {@link Bounds#RESPONSE}, and {@code -1 - members} any member with such a score.
		 *
		 * @param family the index of the family
		 * @param first the first lag of the box
		 * @param size the extents of the box
		 * @param lags the indices of lags in the box, x fastest, in any order
		 * @param scores one for each lag
		 * @param codes one for each lag; the receiver may change them
		 * @param n the number of lags
		 */
		void take(int family, long[] first, int[] size, int[] lags, double[] scores, int[] codes, int n);
	}

	/** The number of responses at these lags. */
	long responses(List<Range> lags);

	/**
	 * Searches an image.
	 *
	 * @param lags those of each family; an execution may also find windows at lags around them
	 * @param monitor receives the responses that are done, and can cancel
	 * @throws DeviceException if the device failed; then what was found is incomplete
	 */
	Report search(Pixels image, List<Range> lags, Receiver to, Monitor monitor);
}
