package sc.fiji.ncc;

import sc.fiji.ncc.plan.Sink;

/** Where the responses of all boxes of an image go. */
interface Sinks {

	/**
	 * @param frame the image's
	 * @param box first lag, counted from the bank's first one, and size
	 */
	Sink of(TemplateBank bank, long frame, long[][] box);
}
