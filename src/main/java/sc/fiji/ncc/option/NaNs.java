package sc.fiji.ncc.option;

/** The meaning of a pixel of the image that is NaN. */
public enum NaNs {
	/** The responses of all windows with that pixel are undefined. Default. */
	UNDEFINED,
	/** The pixel is missing: responses use the other pixels of the window. */
	MISSING
}
