package sc.fiji.ncc.plan.window;

import sc.fiji.ncc.plan.DeviceException;
import sc.fiji.ncc.plan.Monitor;
import sc.fiji.ncc.plan.Pixels;
import sc.fiji.ncc.plan.Plan;
import sc.fiji.ncc.plan.Report;

/** A prepared plan for the windows of pairs of frames. One thread at a time calls it. {@link #close} releases all memory. */
public interface WindowExecution extends Plan.Prepared {

	/** What a receiver needs of a window. */
	enum Wanted {

		/** All responses. */
		RESPONSES,
		/** The two highest peaks, or all responses. */
		PEAKS,
		/** The two highest peaks, the highest one refined on the pixels, or all responses. */
		REFINED
	}

	/** Receives the responses of windows. Several threads call it at the same time. */
	interface Receiver {

		/**
		 * Takes the responses of a window. A window that is flat, has too few present pixels, or has a pixel that is not finite, has no responses.
		 *
		 * @param window the number of the window, see {@link sc.fiji.ncc.plan.WindowPairs#first}
		 * @param responses one for each lag, x fastest; NaN if it is undefined. Valid during the call
		 * @param error the largest error of a response
		 */
		void take(int window, double[] responses, double error);

		/** What may come in place of responses. Default: nothing. */
		default Wanted wanted() {
			return Wanted.RESPONSES;
		}

		/** Takes the peaks of a window in place of its responses, if {@link #wanted} allows that. Default: an error. */
		default void take(final int window, final FoundWindow found) {
			throw new IllegalStateException("internal error: the responses of window " + window + " are wanted");
		}
	}

	/**
	 * Correlates the windows of a frame with another frame.
	 *
	 * @param fixed the frame with the windows
	 * @param moving the other frame, of the same size and type
	 * @param wanted which windows are correlated, one for each window; null for all
	 * @param to receives each of these windows once. After a failure another execution repeats all of them
	 * @param monitor receives the responses that are done, and can cancel
	 * @throws DeviceException if the device failed; then some windows are missing
	 * @throws java.util.concurrent.CancellationException if the monitor canceled
	 */
	Report search(Pixels fixed, Pixels moving, boolean[] wanted, Receiver to, Monitor monitor);
}
