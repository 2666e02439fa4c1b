package sc.fiji.ncc.sink;

import sc.fiji.ncc.layout.BoxGrid;
import sc.fiji.ncc.layout.TemplateBank;
import sc.fiji.ncc.plan.Sink;

/** The sinks for the responses of all boxes of an image. */
public interface Sinks {

	/**
	 * Divides the lags of a bank into boxes.
	 *
	 * @param maxLags the maximum number of lags of a box
	 */
	default BoxGrid grid(final TemplateBank bank, final long maxLags) {
		return BoxGrid.of(bank.lags().lags, maxLags);
	}

	/** The maximum number of boxes of a bank in flight for which the memory suffices; at least 1. Default: no limit. */
	default int maxBoxes(final TemplateBank bank, final long maxLags) {
		return Integer.MAX_VALUE;
	}

	/**
	 * The sink for a box of a frame.
	 *
	 * @param frame the index of the frame
	 * @param box the first lag, relative to the bank's first lag, and the size
	 * @return null if the responses of the box exist already
	 */
	Sink of(TemplateBank bank, long frame, long[][] box);
}
