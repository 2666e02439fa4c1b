package sc.fiji.ncc;

import sc.fiji.ncc.plan.Sink;

/** Where the responses of all boxes of an image go. */
interface Sinks {

	/**
	 * How the lags of a bank fall into boxes.
	 *
	 * @param mostLags in one box
	 */
	default BoxGrid grid(final TemplateBank bank, final long mostLags) {
		return BoxGrid.of(bank.lags().lags, mostLags);
	}

	/** How many boxes of a bank the memory for their responses lets be under way at once; at least 1. */
	default int mostBoxes(final TemplateBank bank, final long mostLags) {
		return Integer.MAX_VALUE;
	}

	/**
	 * @param frame the image's
	 * @param box first lag, counted from the bank's first one, and size
	 * @return null if its responses are there already
	 */
	Sink of(TemplateBank bank, long frame, long[][] box);
}
